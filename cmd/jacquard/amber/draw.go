package amber

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Drawer is an Engine that draws.
type Drawer interface {
	Engine
	// Draw executes one draw. It modifies the data of the attachments and of the bindings in
	// place. Errors are as those of Dispatch.
	Draw(ctx context.Context, c *DrawCall) error
}

// DrawCall is one draw.
type DrawCall struct {
	Vertex, Fragment Stage
	Bindings         []Binding
	PushConstants    []byte
	State            draw.State
	Draw             draw.Call
}

// clearValue is what CLEAR clears to.
type clearValue struct {
	color [4]float32
	depth float32
}

// clearOf returns the clear values of a pipeline.
func (r *run) clearOf(p *Pipeline) *clearValue {
	if r.clears[p] == nil {
		r.clears[p] = &clearValue{depth: 1}
	}
	return r.clears[p]
}

// setClear executes CLEAR_COLOR and CLEAR_DEPTH.
func (r *run) setClear(c *ClearValue) {
	v := r.clearOf(c.Pipeline)
	if c.Depth {
		v.depth = c.Value[0]
		return
	}
	v.color = c.Value
}

// clear executes CLEAR.
func (r *run) clear(c *ClearCommand) {
	v, g := r.clearOf(c.Pipeline), c.Pipeline.Graphics
	for _, b := range g.attachments() {
		m := b.Image
		r.meter.Spend(texelSteps * int(m.Width) * int(m.Height))
		a := r.attachment(b)
		var t texture.Texel
		for i, x := range v.color {
			t.SetFloat(i, x)
			switch m.Format.Base {
			case kind.BaseUint, kind.BaseInt:
				t[i] = uint64(int64(x * 255))
			}
		}
		if b == g.DepthStencil {
			t.SetFloat(0, v.depth)
		}
		a.Clear(t)
	}
}

// attachment returns the first level of an image as an attachment.
func (r *run) attachment(b *Buffer) draw.Attachment {
	m := b.Image
	n := int(m.Width) * int(m.Height) * m.Format.Bytes
	return draw.Attachment{Format: m.Format, Width: int(m.Width), Height: int(m.Height), Data: r.data[b][:n:n]}
}

// draw executes a RUN command of a graphics pipeline.
func (r *run) draw(c *RunCommand) error {
	r.meter.Look()
	d, ok := r.engine.(Drawer)
	if !ok {
		return &Error{File: r.report.Script.Name, Pos: c.pos, Msg: fmt.Sprintf("RUN %s: graphics pipelines run only on the interpreter yet", c.Pipeline.Name)}
	}
	if err := d.Draw(r.ctx, r.drawCall(c)); err != nil {
		if inner := (*Error)(nil); errors.As(err, &inner) {
			return inner
		}
		return &Error{File: r.report.Script.Name, Pos: c.pos, Msg: fmt.Sprintf("RUN %s: %s", c.Pipeline.Name, err), Err: err}
	}
	r.report.Draws++
	if colors := c.Pipeline.Graphics.Colors; len(colors) > 0 {
		a := r.attachment(colors[0].Buffer)
		r.report.Picture = &a
	}
	return nil
}

// drawCall returns the draw of a RUN command.
func (r *run) drawCall(c *RunCommand) *DrawCall {
	p, g := c.Pipeline, c.Pipeline.Graphics
	call := &DrawCall{Vertex: g.Vertex, Fragment: g.Fragment, PushConstants: r.pushConstants(p)}
	for i := range p.Binds {
		call.Bindings = append(call.Bindings, r.binding(&p.Binds[i]))
	}
	s := &call.State
	s.Topology, s.Width, s.Height, s.DepthClamp = c.Draw.Topology, g.Width, g.Height, g.DepthClamp
	s.Viewport = draw.Viewport{Width: float32(g.Width), Height: float32(g.Height), MaxDepth: 1}
	if g.Viewport != nil {
		s.Viewport = *g.Viewport
	}
	for _, t := range g.Colors {
		for len(s.Colors) <= int(t.Location) {
			s.Colors = append(s.Colors, draw.Color{})
		}
		s.Colors[t.Location] = draw.Color{Attachment: r.attachment(t.Buffer), Blend: t.Blend}
	}
	if g.DepthStencil != nil {
		s.Depth = g.Depth
		s.Depth.Attachment = r.attachment(g.DepthStencil)
	}
	for _, a := range g.Attributes {
		attribute := a.State
		attribute.Data = r.data[a.Buffer]
		s.Attributes = append(s.Attributes, attribute)
	}
	call.Draw = draw.Call{First: c.Draw.First, Count: c.Draw.Count, FirstInstance: c.Draw.FirstInstance, Instances: c.Draw.Instances}
	switch {
	case c.Draw.Rectangle:
		s.Attributes = []draw.Attribute{c.Draw.rectangle(g.Width, g.Height)}
	case c.Draw.Indexed:
		call.Draw.Indices, call.Draw.IndexBytes = r.data[g.Indices], g.Indices.Layout.Size
	}
	return call
}

// rectangle returns the corners of DRAW_RECT in clip coordinates, as a strip.
func (g *Geometry) rectangle(width, height int) draw.Attribute {
	f, _ := texture.Named("R32G32_SFLOAT")
	x0, y0 := g.X/float32(width)*2-1, g.Y/float32(height)*2-1
	x1, y1 := (g.X+g.Wide)/float32(width)*2-1, (g.Y+g.High)/float32(height)*2-1
	var data []byte
	for _, x := range []float32{x0, y1, x0, y0, x1, y1, x1, y0} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return draw.Attribute{Format: f, Data: data, Stride: f.Bytes}
}
