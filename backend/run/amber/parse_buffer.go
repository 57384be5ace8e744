// SPDX-License-Identifier: MIT

package amber

import (
	"fmt"

	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// maxBytes bounds the memory of all buffers of a script.
const maxBytes = 256 << 20

// structType reads STRUCT name [STRIDE n] … END.
func (p *parser) structType(cmd token) error {
	name, err := p.word("the name of the STRUCT")
	if err != nil {
		return err
	}
	if name.is("STRIDE") {
		return p.errorf(name.pos, "expected the name of the STRUCT, found 'STRIDE'")
	}
	if _, taken := runner.ParseType(name.text, p.structs); taken {
		return p.errorf(name.pos, "a type named %s already exists", name)
	}
	s := &runner.Type{Name: name.text, Struct: true}
	members := map[string]bool{}
	t := p.next()
	if t.is("STRIDE") {
		n, err := p.uint("STRIDE", maxBytes)
		if err != nil {
			return err
		}
		if n == 0 {
			return p.errorf(t.pos, "STRIDE must not be 0")
		}
		s.Stride = int(n)
		t = p.next()
	}
	if !t.ends() {
		return p.errorf(t.pos, "unknown word %s in STRUCT", t)
	}
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "STRUCT %s has no END", s.Name)
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			if len(s.Members) == 0 {
				return p.errorf(cmd.pos, "STRUCT %s has no members", s.Name)
			}
			s.Measure()
			p.structs[s.Name] = s
			return p.endOfLine("END")
		}
		if err := p.structMember(s, members, t); err != nil {
			return err
		}
	}
}

func (p *parser) structMember(s *runner.Type, names map[string]bool, t token) error {
	if t.text == s.Name {
		return p.errorf(t.pos, "STRUCT %s contains itself", s.Name)
	}
	typ, ok := runner.ParseType(t.text, p.structs)
	if !ok {
		return p.errorf(t.pos, "unknown type %s", t)
	}
	name, err := p.word("the name of the member")
	if err != nil {
		return err
	}
	if names[name.text] {
		return p.errorf(name.pos, "STRUCT %s already has a member named %s", s.Name, name)
	}
	names[name.text] = true
	m := runner.Member{Name: name.text, Type: typ, Offset: -1, Pos: name.pos}
	for t := p.next(); !t.ends(); t = p.next() {
		var to *int
		switch {
		case t.is("OFFSET"):
			to = &m.Offset
		case t.is("ARRAY_STRIDE"):
			if typ.Elem == nil {
				return p.errorf(t.pos, "ARRAY_STRIDE on '%s', which is not an array", m.Name)
			}
			to = &m.ArrayStride
		case t.is("MATRIX_STRIDE"):
			if typ.Cols < 2 && (typ.Elem == nil || typ.Elem.Cols < 2) {
				return p.errorf(t.pos, "MATRIX_STRIDE on '%s', which is not a matrix", m.Name)
			}
			to = &m.MatrixStride
		default:
			return p.errorf(t.pos, "unknown word %s in a STRUCT member", t)
		}
		n, err := p.uint(t.text, maxBytes)
		if err != nil {
			return err
		}
		*to = int(n)
	}
	s.Members = append(s.Members, m)
	return nil
}

// bufferNamed reads the name of a BUFFER or IMAGE.
func (p *parser) bufferNamed(cmd string) (token, error) {
	name, err := p.word("the name of the " + cmd)
	if err != nil {
		return name, err
	}
	if name.is("DATA_TYPE") || name.is("FORMAT") {
		return name, p.errorf(name.pos, "expected the name of the %s, found %s", cmd, name)
	}
	return name, newName(p, "buffer", name, p.buffers)
}

// bufferType reads a type or a texel format after DATA_TYPE or FORMAT, and the
// layout of a type.
func (p *parser) bufferType(b *runner.Buffer, word token) error {
	typ, err := p.word("the type of " + b.Name)
	if err != nil {
		return err
	}
	var ok bool
	if b.Type, ok = runner.ParseType(typ.text, p.structs); !ok || word.is("FORMAT") {
		if b.Type, b.Layout, _ = runner.FormatType(typ.text); b.Type == nil {
			return p.errorf(typ.pos, "unknown type or format %s", typ)
		}
		return nil
	}
	layout := runner.Std430
	if t := p.peek(); t.is("STD140") || t.is("STD430") {
		p.next()
		if t.is("STD140") {
			layout, b.STD140 = runner.Std140, true
		}
	}
	var lerr *runner.LayoutError
	if b.Layout, lerr = p.layout(b.Type, layout); lerr != nil {
		if lerr.Pos.Line == 0 {
			lerr.Pos = typ.pos
		}
		return p.errorf(lerr.Pos, "%s", lerr.Msg)
	}
	return nil
}

// layoutKey identifies a layout: a name denotes one type in a script.
type layoutKey struct {
	name string
	std  runner.Std
}

// maxLaid bounds the total of numbers per element over all types of a script's
// buffers.
const maxLaid = 1 << 22

// layout returns the layout of a type, computed once.
func (p *parser) layout(t *runner.Type, s runner.Std) (*runner.Layout, *runner.LayoutError) {
	key := layoutKey{t.Name, s}
	if l := p.layouts[key]; l != nil {
		return l, nil
	}
	l, err := runner.LayoutOf(t, s)
	if err != nil {
		return nil, err
	}
	if p.laid += len(l.Segments); p.laid > maxLaid {
		return nil, &runner.LayoutError{Msg: fmt.Sprintf("type %s is too big: the types of a script's buffers may have at most "+
			"%d numbers in total", t.Name, maxLaid)}
	}
	p.layouts[key] = l
	return l, nil
}

// keep adds a buffer to the script.
func (p *parser) keep(b *runner.Buffer) {
	p.buffers[b.Name] = b
	p.script.Buffers = append(p.script.Buffers, b)
}

// buffer reads BUFFER name DATA_TYPE type [STD140|STD430] initializer, and BUFFER name FORMAT format
// [MIP_LEVELS n] [SAMPLES n] [FILE PNG path]. With WIDTH w HEIGHT h, either form is an image.
func (p *parser) buffer(cmd token) error {
	name, err := p.bufferNamed("BUFFER")
	if err != nil {
		return err
	}
	b := &runner.Buffer{Name: name.text, Pos: cmd.pos}
	t := p.next()
	if !t.is("DATA_TYPE") && !t.is("FORMAT") {
		return p.errorf(t.pos, "expected DATA_TYPE, found %s", t)
	}
	if err := p.bufferType(b, t); err != nil {
		return err
	}
	m := &runner.Image{Dim: kind.Dim2D, Depth: 1, Levels: 1, Samples: 1}
	format := t.is("FORMAT")
	if t, err = p.levels(m, p.next()); err != nil {
		return err
	}
	if t.is("WIDTH") {
		if m.Width, err = p.extent("WIDTH"); err != nil {
			return err
		}
		if err := p.keyword("HEIGHT"); err != nil {
			return err
		}
		if m.Height, err = p.extent("HEIGHT"); err != nil {
			return err
		}
		if t, err = p.levels(m, p.next()); err != nil {
			return err
		}
		return p.finishImage(cmd, b, m, t)
	}
	if format && t.is("FILE") {
		return p.pngImage(cmd, b, m)
	}
	if format {
		m.Width, m.Height = framebufferSize, framebufferSize
		b.Unsized = t.ends()
		return p.finishImage(cmd, b, m, t)
	}
	if err := p.initializer(b, t); err != nil {
		return err
	}
	p.keep(b)
	return nil
}

// framebufferSize is the width and height of an image without a size: the default
// size of a pipeline's framebuffer.
const framebufferSize = 250

func (p *parser) initializer(b *runner.Buffer, t token) error {
	switch {
	case t.is("DATA"):
		return p.bufferData(b, t)
	case !t.is("SIZE"):
		return p.errorf(t.pos, "expected the initializer (DATA or SIZE) of BUFFER %s, found %s", b.Name, t)
	}
	size, err := p.word("SIZE")
	if err != nil {
		return err
	}
	n, err := p.uintOf(size, "SIZE", maxUint32)
	if err != nil {
		return err
	}
	if err := p.setCount(b, n, size.pos); err != nil {
		return err
	}
	return p.fill(b, p.next())
}

// fill reads FILL, SERIES_FROM or FILE for a buffer whose size is known.
func (p *parser) fill(b *runner.Buffer, t token) error {
	switch {
	case t.is("FILL"):
		b.Init.Fill = true
		if err := p.bufferValue(b, &b.Init.From, "the value of FILL"); err != nil {
			return err
		}
		return p.endOfLine("FILL")
	case t.is("SERIES_FROM"):
		return p.series(b, t)
	case t.is("FILE"):
		return p.bufferFile(b)
	}
	return p.errorf(t.pos, "expected the initializer (FILL, SERIES_FROM or FILE) of BUFFER %s, found %s", b.Name, t)
}

// setCount sets the number of elements, within the limits of a script.
func (p *parser) setCount(b *runner.Buffer, n uint64, pos runner.Pos) error {
	if n == 0 {
		return p.errorf(pos, "BUFFER %s has no elements", b.Name)
	}
	if n > uint64((maxBytes-p.bytes)/b.Layout.Size) {
		return p.errorf(pos, "BUFFER %s is too big: the buffers of a script may have at most %d MiB in total", b.Name, maxBytes>>20)
	}
	b.Count = int(n)
	p.bytes += b.Bytes()
	return nil
}

// bufferValue reads one value for every number of the buffer. If an element has both
// integers and floats, the value is parsed as both.
func (p *parser) bufferValue(b *runner.Buffer, to *runner.Number, what string) error {
	t, err := p.word(what)
	if err != nil {
		return err
	}
	seen := 0 // a bit for each scalar: an element may have many numbers
	for _, seg := range b.Layout.Segments {
		if seen>>seg.Scalar&1 != 0 {
			continue
		}
		seen |= 1 << seg.Scalar
		n, why := runner.Literal(t.text, seg.Scalar)
		if why != "" {
			return p.errorf(t.pos, "%s %s", t, why)
		}
		if seg.Scalar.IsFloat() {
			to.F = n.F
		} else {
			// The value of a narrower integer is masked; the widest has all bits.
			to.Bits |= n.Bits
		}
	}
	return nil
}

func (p *parser) series(b *runner.Buffer, cmd token) error {
	if len(b.Layout.Segments) != 1 {
		return p.errorf(cmd.pos, "SERIES_FROM needs a buffer of scalars, but %s has elements of type %s", b.Name, b.Type.Name)
	}
	b.Init.Series = true
	if err := p.bufferValue(b, &b.Init.From, "the value of SERIES_FROM"); err != nil {
		return err
	}
	if err := p.keyword("INC_BY"); err != nil {
		return err
	}
	if err := p.bufferValue(b, &b.Init.By, "the value of INC_BY"); err != nil {
		return err
	}
	return p.endOfLine("SERIES_FROM")
}

// bufferData reads the values of DATA … END, which may span lines.
func (p *parser) bufferData(b *runner.Buffer, cmd token) error {
	segs := b.Layout.Segments
	most := maxBytes / b.Layout.Size * len(segs)
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "DATA has no END")
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			n := len(b.Init.Values)
			if n%len(segs) != 0 {
				return p.errorf(cmd.pos, "DATA has %d values, but an element of type %s takes %d", n, b.Type.Name, len(segs))
			}
			if err := p.setCount(b, uint64(n/len(segs)), cmd.pos); err != nil {
				return err
			}
			return p.endOfLine("END")
		}
		if len(b.Init.Values) >= most {
			return p.errorf(t.pos, "DATA has more than %d values", most)
		}
		n, why := runner.Literal(t.text, segs[len(b.Init.Values)%len(segs)].Scalar)
		if why != "" {
			return p.errorf(t.pos, "%s %s", t, why)
		}
		b.Init.Values = append(b.Init.Values, n)
	}
}
