// SPDX-License-Identifier: MIT

package amber

import (
	"fmt"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
)

// passthrough is the vertex shader of SHADER vertex … PASSTHROUGH.
const passthrough = `#version 430
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
`

// isGraphics rejects a command of graphics pipelines in other pipelines.
func (p *parser) isGraphics(pl *runner.Pipeline, cmd token) error {
	if pl.Graphics == nil {
		return p.errorf(cmd.pos, "%s: a compute pipeline has none", cmd.text)
	}
	return nil
}

// framebufferSizeCommand reads FRAMEBUFFER_SIZE width height. In a compute pipeline it sets the size of images
// without one.
func (p *parser) framebufferSizeCommand(pl *runner.Pipeline, cmd token) error {
	width, err := p.extent(cmd.text)
	if err != nil {
		return err
	}
	height, err := p.extent(cmd.text)
	if err != nil {
		return err
	}
	pl.Frame, pl.Framed = [2]int{int(width), int(height)}, true
	return p.endOfLine(cmd.text)
}

// viewport reads VIEWPORT x y SIZE w h [MIN_DEPTH d] [MAX_DEPTH d].
func (p *parser) viewport(pl *runner.Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	v := &draw.Viewport{MaxDepth: 1}
	for _, to := range []*float32{&v.X, &v.Y} {
		if err := p.parseFloat32(cmd.text, to); err != nil {
			return err
		}
	}
	if err := p.keyword("SIZE"); err != nil {
		return err
	}
	for _, to := range []*float32{&v.Width, &v.Height} {
		if err := p.parseFloat32("SIZE", to); err != nil {
			return err
		}
	}
	for t := p.next(); !t.ends(); t = p.next() {
		to := map[string]*float32{"MIN_DEPTH": &v.MinDepth, "MAX_DEPTH": &v.MaxDepth}[t.text]
		if to == nil {
			return p.errorf(t.pos, "unknown word %s in VIEWPORT", t)
		}
		if err := p.parseFloat32(t.text, to); err != nil {
			return err
		}
	}
	pl.Graphics.Viewport = v
	return nil
}

// vertexData reads VERTEX_DATA buffer LOCATION n [RATE vertex|instance] [FORMAT f]
// [OFFSET n] [STRIDE n].
func (p *parser) vertexData(pl *runner.Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	b, pos, err := p.bufferName("the buffer of VERTEX_DATA")
	if err != nil {
		return err
	}
	if err := p.keyword("LOCATION"); err != nil {
		return err
	}
	n, err := p.uint("LOCATION", 31)
	if err != nil {
		return err
	}
	a := runner.VertexData{Buffer: b, State: draw.Attribute{Location: uint32(n), Stride: b.Layout.Size}}
	for _, old := range pl.Graphics.Attributes {
		if old.State.Location == a.State.Location {
			return p.errorf(pos, "location %d already has vertex data", n)
		}
	}
	for t := p.next(); !t.ends(); t = p.next() {
		switch {
		case t.is("RATE"):
			err = choice(p, t.text, map[string]bool{"vertex": false, "instance": true}, &a.State.Instance)
		case t.is("FORMAT"):
			err = p.vertexFormat(&a.State)
		case t.is("OFFSET"):
			err = p.small(t.text, &a.State.Offset)
		case t.is("STRIDE"):
			err = p.small(t.text, &a.State.Stride)
		default:
			return p.errorf(t.pos, "unknown word %s in VERTEX_DATA", t)
		}
		if err != nil {
			return err
		}
	}
	if a.State.Format == nil {
		if a.State.Format, err = vectorFormat(b); err != nil {
			return p.errorf(pos, "%s", err)
		}
	}
	pl.Graphics.Attributes = append(pl.Graphics.Attributes, a)
	return p.hold(pos, 1)
}

// vertexFormat reads the format of an attribute.
func (p *parser) vertexFormat(a *draw.Attribute) error {
	name, err := p.word("the format of VERTEX_DATA")
	if err != nil {
		return err
	}
	if a.Format, err = texture.Named(name.text); err != nil {
		return p.errorf(name.pos, "%s", err)
	}
	return nil
}

// small reads a number of bytes.
func (p *parser) small(what string, to *int) error {
	n, err := p.uint(what, 1<<16)
	*to = int(n)
	return err
}

// indexData reads INDEX_DATA buffer.
func (p *parser) indexData(pl *runner.Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	b, pos, err := p.bufferName("the buffer of INDEX_DATA")
	if err != nil {
		return err
	}
	segs := b.Layout.Segments
	if len(segs) != 1 || segs[0].Scalar.IsFloat() || b.Layout.Size != segs[0].Scalar.Bytes() || b.Layout.Size > 4 {
		return p.errorf(pos, "indices are integers of 1, 2 or 4 bytes, not the %s of '%s'", b.Type.Name, b.Name)
	}
	if g := pl.Graphics; g.Indices != nil && g.Indices != b {
		return p.errorf(pos, "a pipeline has only one INDEX_DATA, and '%s' is already set", g.Indices.Name)
	}
	pl.Graphics.Indices = b
	return p.endOfLine(cmd.text)
}

// vectorFormat returns the format of a buffer's elements as a vertex attribute.
func vectorFormat(b *runner.Buffer) (*texture.Format, error) {
	t := b.Type
	switch {
	case t.Format != nil:
		return t.Format, nil
	case t.Struct || t.Elem != nil || t.Cols != 1:
		return nil, fmt.Errorf("'%s' has type %s, which is not supported as vertex data", b.Name, t.Name)
	}
	return texture.Named(t.VectorName())
}
