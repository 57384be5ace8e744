// SPDX-License-Identifier: MIT

package amber

import (
	"slices"
	"strings"

	"jacquard.example/backend/run/runner"
)

// run reads RUN [TIMED_EXECUTION] pipeline x y z.
func (p *parser) run(cmd token) error {
	name, err := p.word("the pipeline of RUN")
	if err != nil {
		return err
	}
	if name.is("TIMED_EXECUTION") {
		if name, err = p.word("the pipeline of RUN"); err != nil {
			return err
		}
	}
	pl := p.pipelines[name.text]
	if pl == nil {
		return p.errorf(name.pos, "unknown pipeline %s", name)
	}
	c := &runner.RunCommand{Pipeline: pl, Pos: cmd.pos}
	if pl.Graphics != nil {
		return p.runGraphics(c, p.next())
	}
	for i := range c.Groups {
		t, err := p.word("a number of workgroups")
		if err != nil {
			return err
		}
		switch t.text {
		case "DRAW_RECT", "DRAW_GRID", "DRAW_ARRAY":
			return p.errorf(t.pos, "RUN … %s needs a graphics pipeline, but %s is a compute pipeline", t.text, pl.Name)
		case "RAYGEN", "MISS", "HIT", "CALL":
			return p.errorf(t.pos, "RUN … %s: ray tracing is not supported yet", t.text)
		}
		n, err := p.uintOf(t, "the number of workgroups", maxUint32)
		if err != nil {
			return err
		}
		c.Groups[i] = uint32(n)
	}
	*p.out = append(*p.out, c)
	return p.endOfLine("RUN")
}

// copyBuffer reads COPY from TO to.
func (p *parser) copyBuffer(cmd token) error {
	from, _, err := p.bufferName("the buffer of COPY")
	if err != nil {
		return err
	}
	if err := p.keyword("TO"); err != nil {
		return err
	}
	to, pos, err := p.bufferName("the buffer after TO")
	if err != nil {
		return err
	}
	if to == from {
		return p.errorf(pos, "COPY cannot copy '%s' to itself", to.Name)
	}
	if err := p.alike(from, to, "COPY", pos); err != nil {
		return err
	}
	*p.out = append(*p.out, &runner.CopyCommand{From: from, To: to, Pos: cmd.pos})
	return p.endOfLine("COPY")
}

func (p *parser) bufferName(what string) (*runner.Buffer, runner.Pos, error) {
	t, err := p.word(what)
	if err != nil {
		return nil, t.pos, err
	}
	b := p.buffers[t.text]
	if b == nil {
		return nil, t.pos, p.errorf(t.pos, "unknown buffer %s", t)
	}
	if b.Image != nil && b.Image.Samples > 1 {
		return nil, t.pos, p.errorf(t.pos, "%s is multisampled: its samples can be neither copied nor checked", t)
	}
	return b, t.pos, nil
}

// alike rejects two buffers of different types, layouts or sizes.
func (p *parser) alike(a, b *runner.Buffer, cmd string, pos runner.Pos) error {
	if a.Type.Name != b.Type.Name && (a.Type.Format == nil && b.Type.Format == nil) || a.STD140 != b.STD140 ||
		a.Layout != b.Layout && !slices.Equal(a.Layout.Segments, b.Layout.Segments) {
		return p.errorf(pos, "%s needs buffers of the same type and layout: '%s' has type %s, '%s' has type %s", cmd,
			a.Name, typeName(a), b.Name, typeName(b))
	}
	if a.Count != b.Count || a.Memory() != b.Memory() {
		return p.errorf(pos, "%s needs buffers of the same size: '%s' has %d elements, '%s' has %d", cmd, a.Name, a.Count, b.Name, b.Count)
	}
	return nil
}

func typeName(b *runner.Buffer) string {
	if b.STD140 {
		return b.Type.Name + " STD140"
	}
	return b.Type.Name + " STD430"
}

// repeatBlock reads REPEAT n … END.
func (p *parser) repeatBlock(cmd token) error {
	t, err := p.word("the count of REPEAT")
	if err != nil {
		return err
	}
	n, err := p.uintOf(t, "the count of REPEAT", maxUint32)
	if err != nil {
		return err
	}
	if n == 0 {
		return p.errorf(t.pos, "the count of REPEAT must not be 0")
	}
	if err := p.endOfLine("the count of REPEAT"); err != nil {
		return err
	}
	c := &runner.RepeatCommand{Count: uint32(n), Pos: cmd.pos}
	outer := p.out
	p.out, p.repeat = &c.Commands, true
	defer func() { p.out, p.repeat = outer, false }()
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "REPEAT has no END")
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			*outer = append(*outer, c)
			return p.endOfLine("END")
		}
		if err := p.command(t); err != nil {
			return err
		}
	}
}

// expect reads EXPECT in any of its forms.
func (p *parser) expect(cmd token) error {
	buf, _, err := p.bufferName("the buffer of EXPECT")
	if err != nil {
		return err
	}
	t := p.next()
	switch {
	case t.is("IDX"):
		return p.expectValues(cmd, buf)
	case t.is("EQ_BUFFER"), t.is("RMSE_BUFFER"), t.is("EQ_HISTOGRAM_EMD_BUFFER"):
		return p.expectBuffer(cmd, buf, t)
	}
	return p.errorf(t.pos, "expected IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER, found %s", t)
}

func (p *parser) expectBuffer(cmd token, left *runner.Buffer, op token) error {
	right, pos, err := p.bufferName("the buffer of " + op.text)
	if err != nil {
		return err
	}
	if err := p.alike(left, right, op.text, pos); err != nil {
		return err
	}
	ops := map[string]runner.BufferOp{"EQ_BUFFER": runner.SameBits, "RMSE_BUFFER": runner.RootMeanSquare, "EQ_HISTOGRAM_EMD_BUFFER": runner.HistogramDistance}
	c := &runner.ExpectBuffer{Left: left, Right: right, Op: ops[op.text], Pos: cmd.pos}
	if c.Op == runner.HistogramDistance && !left.Bytes4() {
		return p.errorf(pos, "EQ_HISTOGRAM_EMD_BUFFER needs images with four 8-bit components, but '%s' has format %s", left.Name,
			left.Type.Name)
	}
	if c.Op != runner.SameBits {
		if err := p.keyword("TOLERANCE"); err != nil {
			return err
		}
		t, err := p.word("the value of TOLERANCE")
		if err != nil {
			return err
		}
		var ok bool
		if c.Tolerance, ok = runner.ParseFloat(t.text); !ok || !(c.Tolerance >= 0) {
			return p.errorf(t.pos, "TOLERANCE must be a non-negative number, not %s", t)
		}
	}
	*p.out = append(*p.out, c)
	return p.endOfLine("EXPECT")
}

// expectValues reads IDX n [TOLERANCE t…] comparator value….
func (p *parser) expectValues(cmd token, buf *runner.Buffer) error {
	idx, err := p.word("the value of IDX")
	if err != nil {
		return err
	}
	n, err := p.uintOf(idx, "IDX", maxUint32)
	if err != nil {
		return err
	}
	c := &runner.Expect{Buffer: buf, Index: int(n), Pos: cmd.pos}
	t := p.next()
	if t.kind == tokWord {
		if _, ok := runner.ParseFloat(t.text); ok {
			return p.expectTexels(cmd, buf, idx, t)
		}
	}
	if c.Index%buf.Layout.Size != 0 {
		return p.errorf(idx.pos, "IDX is in bytes and must be a multiple of %d, the element size of '%s', not %d",
			buf.Layout.Size, buf.Name, c.Index)
	}
	hasTolerance := t.is("TOLERANCE")
	if hasTolerance {
		if t, err = p.tolerances(&c.Tolerances); err != nil {
			return err
		}
	}
	var ok bool
	if c.Op, ok = runner.ComparatorNamed(t.text); !ok || t.kind != tokWord {
		return p.errorf(t.pos, "expected a comparator (EQ, NE, LT, LE, GT, GE), found %s", t)
	}
	if hasTolerance && c.Op != runner.Equal {
		return p.errorf(t.pos, "TOLERANCE is allowed only with EQ, not with %s", t)
	}
	if err := p.expectedValues(c, t); err != nil {
		return err
	}
	*p.out = append(*p.out, c)
	return nil
}

func (p *parser) expectedValues(c *runner.Expect, op token) error {
	layout := c.Buffer.Layout
	room := 0
	if c.Index < c.Buffer.Bytes() {
		room = (c.Buffer.Bytes() - c.Index) / layout.Size * len(layout.Segments)
	}
	for t := p.next(); !t.ends(); t = p.next() {
		if len(c.Values) >= room {
			return p.errorf(t.pos, "the value is outside the %d bytes of '%s'", c.Buffer.Bytes(), c.Buffer.Name)
		}
		n, why := runner.Literal(t.text, layout.Segments[len(c.Values)%len(layout.Segments)].Scalar)
		if why != "" {
			return p.errorf(t.pos, "%s %s", t, why)
		}
		c.Values = append(c.Values, n)
	}
	if len(c.Values) == 0 {
		return p.errorf(op.pos, "the values of EXPECT are missing")
	}
	return nil
}

// tolerances reads the one to four values after TOLERANCE and returns the
// token that follows. The percent sign may be a separate word.
func (p *parser) tolerances(list *[]runner.Tolerance) (token, error) {
	for {
		t := p.next()
		if t.is("%") && len(*list) > 0 && !(*list)[len(*list)-1].Percent {
			(*list)[len(*list)-1].Percent = true
			continue
		}
		text, percent := strings.CutSuffix(t.text, "%")
		v, ok := runner.ParseFloat(text)
		if t.kind != tokWord || !ok {
			if len(*list) == 0 {
				return t, p.errorf(t.pos, "expected the value of TOLERANCE, found %s", t)
			}
			return t, nil
		}
		if !(v >= 0) {
			return t, p.errorf(t.pos, "TOLERANCE must be a non-negative number, not %s", t)
		}
		if len(*list) == 4 {
			return t, p.errorf(t.pos, "TOLERANCE takes at most 4 values")
		}
		*list = append(*list, runner.Tolerance{Value: v, Percent: percent})
	}
}

// expectTexels reads the rest of IDX x y SIZE w h (EQ_RGB r g b | EQ_RGBA r g b a)
// [TOLERANCE t…].
func (p *parser) expectTexels(cmd token, buf *runner.Buffer, xt, yt token) error {
	if buf.Image == nil {
		return p.errorf(yt.pos, "EXPECT … IDX x y needs an image, but '%s' is a buffer", buf.Name)
	}
	c := &runner.ExpectTexels{Buffer: buf, Pos: cmd.pos}
	size := p.next()
	if !size.is("SIZE") {
		return p.errorf(size.pos, "expected SIZE, found %s", size)
	}
	w, err := p.word("the width of SIZE")
	if err != nil {
		return err
	}
	h, err := p.word("the height of SIZE")
	if err != nil {
		return err
	}
	for i, to := range []*int{&c.X, &c.Y, &c.Width, &c.Height} {
		t := []token{xt, yt, w, h}[i]
		n, err := p.uintOf(t, "a coordinate in texels", 1<<16)
		if err != nil {
			return err
		}
		*to = int(n)
	}
	if c.Width == 0 || c.Height == 0 || c.X+c.Width > int(buf.Image.Width) || c.Y+c.Height > int(buf.Image.Height) {
		return p.errorf(size.pos, "the rectangle is outside the %dx%d texels of '%s'", buf.Image.Width, buf.Image.Height, buf.Name)
	}
	op := p.next()
	n := map[string]int{"EQ_RGB": 3, "EQ_RGBA": 4}[op.text]
	if n == 0 || op.kind != tokWord {
		return p.errorf(op.pos, "expected EQ_RGB or EQ_RGBA, found %s", op)
	}
	for range n {
		t, err := p.word("a color from 0 to 255")
		if err != nil {
			return err
		}
		f, ok := runner.ParseFloat(t.text)
		if !ok || !(f >= 0 && f <= 255) {
			return p.errorf(t.pos, "a color must be a number from 0 to 255, not %s", t)
		}
		c.Color = append(c.Color, f/255)
	}
	t := p.next()
	if t.is("TOLERANCE") {
		pos := t.pos
		if t, err = p.tolerances(&c.Tolerances); err != nil {
			return err
		}
		if len(c.Tolerances) > 1 && len(c.Tolerances) != n {
			return p.errorf(pos, "TOLERANCE has %d values for %d components", len(c.Tolerances), n)
		}
	}
	if !t.ends() {
		return p.errorf(t.pos, "nothing may follow EXPECT on its line, found %s", t)
	}
	*p.out = append(*p.out, c)
	return nil
}
