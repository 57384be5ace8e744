// SPDX-License-Identifier: MIT

package amber

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// parseImage reads IMAGE name with (DATA_TYPE|FORMAT) type, [MIP_LEVELS n],
// [SAMPLES n], DIM_nD, WIDTH w, HEIGHT h, DEPTH d in any order, and an
// initializer.
func (p *parser) parseImage(cmd token) error {
	name, err := p.bufferNamed("IMAGE")
	if err != nil {
		return err
	}
	b := &runner.Buffer{Name: name.text, Pos: cmd.pos}
	m := &runner.Image{Levels: 1, Samples: 1}
	dims := 0
	t := p.next()
	for ; ; t = p.next() {
		if t, err = p.levels(m, t); err != nil {
			return err
		}
		switch t.text {
		case "DATA_TYPE", "FORMAT":
			err = p.bufferType(b, t)
		case "DIM_1D", "DIM_2D", "DIM_3D":
			dims = int(t.text[4] - '0')
		case "WIDTH":
			m.Width, err = p.extent(t.text)
		case "HEIGHT":
			m.Height, err = p.extent(t.text)
		case "DEPTH":
			m.Depth, err = p.extent(t.text)
		default:
			return p.placeImage(cmd, b, m, dims, t)
		}
		if err != nil {
			return err
		}
	}
}

// placeImage checks the shape of an IMAGE and reads its initializer, which starts with t.
func (p *parser) placeImage(cmd token, b *runner.Buffer, m *runner.Image, dims int, t token) error {
	if b.Type == nil {
		return p.errorf(t.pos, "expected DATA_TYPE or FORMAT of IMAGE %s, found %s", b.Name, t)
	}
	if dims == 0 {
		return p.errorf(t.pos, "expected DIM_1D, DIM_2D or DIM_3D, found %s", t)
	}
	m.Dim = [...]kind.ImageDim{1: kind.Dim1D, 2: kind.Dim2D, 3: kind.Dim3D}[dims]
	for i, to := range []*uint32{&m.Width, &m.Height, &m.Depth} {
		word := [...]string{"WIDTH", "HEIGHT", "DEPTH"}[i]
		switch {
		case i < dims && *to == 0:
			return p.errorf(cmd.pos, "IMAGE %s needs %s", b.Name, word)
		case i >= dims && *to > 1:
			return p.errorf(cmd.pos, "an image with %d dimensions has no %s", dims, word)
		}
		*to = max(*to, 1)
	}
	return p.finishImage(cmd, b, m, t)
}

// extent reads a size in texels.
func (p *parser) extent(word string) (uint32, error) {
	t, err := p.word(word)
	if err != nil {
		return 0, err
	}
	n, err := p.uintOf(t, word, 1<<16)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, p.errorf(t.pos, "%s must not be 0", word)
	}
	return uint32(n), nil
}

// levels reads MIP_LEVELS and SAMPLES, in any order, and returns what follows.
func (p *parser) levels(m *runner.Image, t token) (token, error) {
	for ; t.is("MIP_LEVELS") || t.is("SAMPLES"); t = p.next() {
		v, err := p.word(t.text)
		if err != nil {
			return t, err
		}
		n, err := p.uintOf(v, t.text, 64)
		if err != nil {
			return t, err
		}
		if n == 0 || t.is("SAMPLES") && n&(n-1) != 0 || t.is("MIP_LEVELS") && n > 17 {
			return t, p.errorf(v.pos, "%s cannot be %d", t.text, n)
		}
		if t.is("MIP_LEVELS") {
			m.Levels = int(n)
		} else {
			m.Samples = int(n)
		}
	}
	return t, nil
}

// finishImage sizes a buffer as an image and parses its initializer, which is optional.
func (p *parser) finishImage(cmd token, b *runner.Buffer, m *runner.Image, t token) error {
	var err error
	if m.Format, err = b.Format(); err != nil {
		return p.errorf(cmd.pos, "%s", err)
	}
	if most := max(m.Width, m.Height, m.Depth); m.Levels > 1 && most>>(m.Levels-1) == 0 {
		return p.errorf(cmd.pos, "MIP_LEVELS %d: an image of %dx%dx%d texels has fewer levels", m.Levels, m.Width, m.Height, m.Depth)
	}
	if m.Samples > 1 && (m.Levels > 1 || m.Dim != kind.Dim2D) {
		return p.errorf(cmd.pos, "a multisampled image must have two dimensions and one level")
	}
	if uint64(m.Width)*uint64(m.Height)*uint64(m.Depth) > maxBytes || m.Bytes() > maxBytes-p.bytes {
		return p.errorf(cmd.pos, "%s is too big: the buffers of a script may have at most %d MiB in total", b.Name, maxBytes>>20)
	}
	b.Image = m
	b.Count = int(m.Width) * int(m.Height) * int(m.Depth)
	p.bytes += m.Bytes()
	if !t.ends() {
		if err := p.imageInit(b, t); err != nil {
			return err
		}
	}
	p.keep(b)
	return nil
}

// imageInit reads the initializer of an image, whose size is known.
func (p *parser) imageInit(b *runner.Buffer, t token) error {
	switch {
	case t.is("DATA"):
		count, bytes := b.Count, p.bytes
		if err := p.bufferData(b, t); err != nil {
			return err
		}
		p.bytes = bytes
		if b.Count != count {
			return p.errorf(t.pos, "DATA has %d elements, but the image has %d texels", b.Count, count)
		}
		return nil
	case t.is("SIZE"):
		size, err := p.word("SIZE")
		if err != nil {
			return err
		}
		n, err := p.uintOf(size, "SIZE", maxUint32)
		if err != nil {
			return err
		}
		if int(n) != b.Count {
			return p.errorf(size.pos, "SIZE is %d, but the image has %d texels", n, b.Count)
		}
		t = p.next()
	}
	return p.fill(b, t)
}

// choice reads a word that must be in a table, and stores its value.
func choice[T any](p *parser, what string, of map[string]T, to *T) error {
	t, err := p.word("the value of " + what)
	if err != nil {
		return err
	}
	v, ok := of[t.text]
	if !ok {
		return p.errorf(t.pos, "%s cannot be %s", what, t)
	}
	*to = v
	return nil
}

// parseSampler reads SAMPLER name property….
func (p *parser) parseSampler(token) error {
	name, err := p.word("the name of the SAMPLER")
	if err != nil {
		return err
	}
	if err := newName(p, "sampler", name, p.samplers); err != nil {
		return err
	}
	s := &runner.Sampler{Name: name.text, State: texture.Sampler{MaxLOD: 1}}
	st := &s.State
	compare := false
	for t := p.next(); !t.ends(); t = p.next() {
		switch t.text {
		case "MAG_FILTER":
			err = choice(p, t.text, runner.Filters, &st.Mag)
		case "MIN_FILTER":
			err = choice(p, t.text, runner.Filters, &st.Min)
		case "ADDRESS_MODE_U":
			err = choice(p, t.text, runner.Addresses, &st.Address[0])
		case "ADDRESS_MODE_V":
			err = choice(p, t.text, runner.Addresses, &st.Address[1])
		case "ADDRESS_MODE_W":
			err = choice(p, t.text, runner.Addresses, &st.Address[2])
		case "BORDER_COLOR":
			v := p.next()
			border, ok := runner.Borders[v.text]
			if !ok {
				return p.errorf(v.pos, "BORDER_COLOR cannot be %s", v)
			}
			st.Border, s.IntBorder = border, v.text[:3] == "int"
		case "MIN_LOD":
			err = p.parseFloat32(t.text, &st.MinLOD)
		case "MAX_LOD":
			err = p.parseFloat32(t.text, &st.MaxLOD)
		case "COMPARE":
			err = choice(p, t.text, runner.Switches, &compare)
		case "COMPARE_OP":
			err = choice(p, t.text, runner.Compares, &st.CompareOp)
		case "NORMALIZED_COORDS":
			st.Unnormalized = false
		case "UNNORMALIZED_COORDS":
			st.Unnormalized = true
		default:
			return p.errorf(t.pos, "unknown word %s in SAMPLER", t)
		}
		if err != nil {
			return err
		}
	}
	if st.Unnormalized {
		st.MinLOD, st.MaxLOD = 0, 0
	}
	if st.MinLOD > st.MaxLOD {
		return p.errorf(name.pos, "MIN_LOD %g of sampler '%s' is above its MAX_LOD %g", st.MinLOD, s.Name, st.MaxLOD)
	}
	s.Compare = compare
	p.samplers[s.Name] = s
	p.script.Samplers = append(p.script.Samplers, s)
	return nil
}

func (p *parser) parseFloat32(what string, to *float32) error {
	t, err := p.word("the value of " + what)
	if err != nil {
		return err
	}
	f, ok := runner.ParseFloat(t.text)
	if !ok || f != f {
		return p.errorf(t.pos, "%s must be a number, not %s", what, t)
	}
	*to = float32(f)
	return nil
}
