package amber

import (
	"fmt"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Image is the shape of an image. Its levels are consecutive in the memory of its buffer, and the samples of a texel
// are adjacent. Only shaders can access the contents of samples: a script can neither set nor check them.
type Image struct {
	Format               *texture.Format
	Dim                  kind.ImageDim // 1d, 2d, 3d, buf
	Width, Height, Depth uint32
	Levels, Samples      int
	Layers               uint32 // set only by callers other than scripts, which have no arrays and no cubes
}

// Texture returns the image in the given memory, starting at level base.
func (m *Image) Texture(data []byte, base int) *texture.Image {
	t := &texture.Image{Dim: m.Dim, Format: m.Format, Layers: max(m.Layers, 1), Samples: uint32(m.Samples)}
	if m.Samples > 1 {
		t.Dim = kind.DimMs
	}
	w, h, d := m.Width, m.Height, m.Depth
	for i := range m.Levels {
		n := int(w) * int(h) * int(d) * int(t.Layers) * m.Format.Bytes * m.Samples
		if i >= base {
			t.Levels = append(t.Levels, texture.Level{Width: w, Height: h, Depth: d, Data: data[:n:n]})
		}
		data = data[n:]
		w, h, d = max(w/2, 1), max(h/2, 1), max(d/2, 1)
	}
	return t
}

// Bytes returns the size of all levels in bytes.
func (m *Image) Bytes() int {
	n := 0
	w, h, d := int(m.Width), int(m.Height), int(m.Depth)
	for range m.Levels {
		n += w * h * d * m.Format.Bytes * m.Samples
		w, h, d = max(w/2, 1), max(h/2, 1), max(d/2, 1)
	}
	return n
}

// memory returns the number of bytes of a buffer or of all levels of an image.
func (b *Buffer) memory() int {
	if b.Image != nil {
		return b.Image.Bytes()
	}
	return b.Bytes()
}

// formatType returns the type of a texel format: its numbers are the components in memory order,
// or the single word of a packed format.
func formatType(name string) (*Type, *Layout, *texture.Format) {
	f, err := texture.Named(name)
	if err != nil {
		return nil, nil, nil
	}
	l := &Layout{Size: f.Bytes}
	whole := false
	for i, c := range f.Comps {
		scalar, ok := componentScalar(&c)
		if c.Name == 'X' {
			continue
		}
		if !ok || c.Shift%8 != 0 || i > 0 && c.Shift == 0 {
			whole = true
		}
		l.Segments = append(l.Segments, Segment{Offset: int(c.Shift) / 8, Scalar: scalar, Comp: i})
	}
	if whole {
		word, ok := map[int]Scalar{1: Uint8, 2: Uint16, 4: Uint32, 8: Uint64}[f.Bytes]
		if !ok {
			return nil, nil, nil
		}
		l.Segments = []Segment{{Scalar: word}}
	}
	t := &Type{Name: f.Name, Scalar: l.Segments[0].Scalar, Rows: len(l.Segments), Cols: 1, format: f}
	t.measure()
	return t, l, f
}

// componentScalar returns the scalar type of a component in a script.
func componentScalar(c *texture.Component) (Scalar, bool) {
	size, ok := map[uint8]int{8: 0, 16: 1, 32: 2, 64: 3}[c.Bits]
	switch c.Numeric {
	case texture.SFloat, texture.UFloat:
		return Float16 + Scalar(max(size-1, 0)), ok && size > 0
	case texture.SNorm, texture.SScaled, texture.SInt:
		return Int8 + Scalar(size), ok
	}
	return Uint8 + Scalar(size), ok
}

// format returns the texel format of a buffer's elements.
func (b *Buffer) format() (*texture.Format, error) {
	t := b.Type
	if t.format != nil {
		return t.format, nil
	}
	if t.Elem != nil && t.Len == 0 {
		t = t.Elem
	}
	if t.Struct || t.Elem != nil || t.Cols != 1 {
		return nil, fmt.Errorf("'%s' has type %s, which is not a texel format", b.Name, b.Type.Name)
	}
	f, err := texture.Named(t.vectorName())
	if err == nil && b.Layout.Size != f.Bytes {
		err = fmt.Errorf("the elements of '%s' have %d bytes, texels %d", b.Name, b.Layout.Size, f.Bytes)
	}
	return f, err
}

// vectorName returns the name of the format of a scalar or vector.
func (t *Type) vectorName() string {
	name := ""
	for _, c := range "RGBA"[:t.Rows] {
		name += fmt.Sprintf("%c%d", c, 8*t.Scalar.Bytes())
	}
	switch {
	case t.Scalar.IsFloat():
		return name + "_SFLOAT"
	case t.Scalar.IsSigned():
		return name + "_SINT"
	}
	return name + "_UINT"
}

// parseImage reads IMAGE name with (DATA_TYPE|FORMAT) type, [MIP_LEVELS n],
// [SAMPLES n], DIM_nD, WIDTH w, HEIGHT h, DEPTH d in any order, and an
// initializer.
func (p *parser) parseImage(cmd token) error {
	name, err := p.bufferNamed("IMAGE")
	if err != nil {
		return err
	}
	b := &Buffer{Name: name.text, pos: cmd.pos}
	m := &Image{Levels: 1, Samples: 1}
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

// placeImage checks the shape of an IMAGE.
func (p *parser) placeImage(cmd token, b *Buffer, m *Image, dims int, t token) error {
	if b.Type == nil {
		return p.errorf(t.pos, "DATA_TYPE or FORMAT of IMAGE %s is missing, found %s", b.Name, t)
	}
	if dims == 0 {
		return p.errorf(t.pos, "DIM_1D, DIM_2D or DIM_3D is missing, found %s", t)
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
func (p *parser) levels(m *Image, t token) (token, error) {
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
			return t, p.errorf(v.pos, "%s of %d", t.text, n)
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
func (p *parser) finishImage(cmd token, b *Buffer, m *Image, t token) error {
	var err error
	if m.Format, err = b.format(); err != nil {
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
func (p *parser) imageInit(b *Buffer, t token) error {
	switch {
	case t.is("DATA"):
		count, bytes := b.Count, p.bytes
		if err := p.bufferData(b, t); err != nil {
			return err
		}
		p.bytes = bytes
		if b.Count != count {
			return p.errorf(t.pos, "DATA has %d elements, the image %d texels", b.Count, count)
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

// samplerWords are the words of SAMPLER that take one of several values.
var (
	filters   = map[string]texture.Filter{"nearest": texture.Nearest, "linear": texture.Linear}
	addresses = map[string]texture.Address{
		"repeat": texture.Repeat, "mirrored_repeat": texture.MirroredRepeat, "clamp_to_edge": texture.ClampToEdge,
		"clamp_to_border": texture.ClampToBorder, "mirrored_clamp_to_edge": texture.MirrorClampToEdge,
	}
	borders = map[string]texture.Border{
		"float_transparent_black": texture.TransparentBlack, "int_transparent_black": texture.TransparentBlack,
		"float_opaque_black": texture.OpaqueBlack, "int_opaque_black": texture.OpaqueBlack,
		"float_opaque_white": texture.OpaqueWhite, "int_opaque_white": texture.OpaqueWhite,
	}
	compares = map[string]texture.Compare{
		"never": texture.Never, "less": texture.Less, "equal": texture.Equal, "less_or_equal": texture.LessOrEqual,
		"greater": texture.Greater, "not_equal": texture.NotEqual, "greater_or_equal": texture.GreaterOrEqual, "always": texture.Always,
	}
	switches = map[string]bool{"on": true, "off": false}
)

// choice reads a word that must be in a table.
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
	s := &Sampler{Name: name.text, State: texture.Sampler{MaxLOD: 1}}
	st := &s.State
	compare := false
	for t := p.next(); !t.ends(); t = p.next() {
		switch t.text {
		case "MAG_FILTER":
			err = choice(p, t.text, filters, &st.Mag)
		case "MIN_FILTER":
			err = choice(p, t.text, filters, &st.Min)
		case "ADDRESS_MODE_U":
			err = choice(p, t.text, addresses, &st.Address[0])
		case "ADDRESS_MODE_V":
			err = choice(p, t.text, addresses, &st.Address[1])
		case "ADDRESS_MODE_W":
			err = choice(p, t.text, addresses, &st.Address[2])
		case "BORDER_COLOR":
			v := p.next()
			border, ok := borders[v.text]
			if !ok {
				return p.errorf(v.pos, "BORDER_COLOR cannot be %s", v)
			}
			st.Border, s.IntBorder = border, v.text[:3] == "int"
		case "MIN_LOD":
			err = p.float32(t.text, &st.MinLOD)
		case "MAX_LOD":
			err = p.float32(t.text, &st.MaxLOD)
		case "COMPARE":
			err = choice(p, t.text, switches, &compare)
		case "COMPARE_OP":
			err = choice(p, t.text, compares, &st.CompareOp)
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

func (p *parser) float32(what string, to *float32) error {
	t, err := p.word("the value of " + what)
	if err != nil {
		return err
	}
	f, ok := parseFloat(t.text)
	if !ok || f != f {
		return p.errorf(t.pos, "%s must be a number, not %s", what, t)
	}
	*to = float32(f)
	return nil
}
