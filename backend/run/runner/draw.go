// SPDX-License-Identifier: MIT

package runner

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Drawer is an Engine that draws.
type Drawer interface {
	Engine
	// Draw executes one draw. It modifies the data of the attachments and of the bindings in place. It returns the
	// same kinds of errors as Dispatch.
	Draw(ctx context.Context, c *DrawCall) error
}

// DrawCall is one draw.
type DrawCall struct {
	Vertex, Fragment Stage // without a fragment shader, no colors are written
	Bindings         []Binding
	PushConstants    []byte
	State            draw.State
	Draw             draw.Call
}

// clearValue holds the values that CLEAR writes.
type clearValue struct {
	color   [4]float32
	depth   float32
	stencil uint8
}

// clearOf returns the clear values of a pipeline.
func (r *run) clearOf(p *Pipeline) *clearValue {
	if r.clears[p] == nil {
		r.clears[p] = &clearValue{depth: 1}
	}
	return r.clears[p]
}

// setClear executes CLEAR_COLOR, CLEAR_DEPTH and CLEAR_STENCIL.
func (r *run) setClear(c *ClearValue) {
	v := r.clearOf(c.Pipeline)
	switch c.Part {
	case ClearColor:
		v.color = c.Value
	case ClearDepth:
		v.depth = c.Value[0]
	case ClearStencil:
		v.stencil = c.Stencil
	}
}

// clear executes CLEAR.
func (r *run) clear(c *ClearCommand) {
	v, g := r.clearOf(c.Pipeline), c.Pipeline.Graphics
	for _, to := range g.Targets() {
		if to.Resolve {
			continue
		}
		a := r.attachment(to.Buffer, to.Level)
		r.meter.Spend(texelSteps * a.Width * a.Height)
		var t texture.Texel
		for i, x := range v.color {
			t.SetFloat(i, x)
			switch a.Format.Base {
			case kind.BaseUint, kind.BaseInt:
				t[i] = uint64(int64(x * 255))
			}
		}
		if to.Buffer == g.DepthStencil {
			if a.ClearStencil(v.stencil); !a.Format.Depth() {
				continue
			}
			t.SetFloat(0, v.depth)
		}
		a.Clear(t)
	}
}

// attachment returns a level of an image as an attachment.
func (r *run) attachment(b *Buffer, level int) draw.Attachment {
	m := b.Image
	l := m.Texture(r.data[b], level).Levels[0]
	return draw.Attachment{Format: m.Format, Width: int(l.Width), Height: int(l.Height), Samples: m.Samples, Data: l.Data}
}

// draw executes a RUN command of a graphics pipeline.
func (r *run) draw(c *RunCommand) error {
	r.meter.Look()
	d, ok := r.engine.(Drawer)
	if !ok {
		return &Error{File: r.report.Script.Name, Pos: c.Pos,
			Msg: fmt.Sprintf("RUN %s: this engine runs only compute pipelines", c.Pipeline.Name)}
	}
	if err := d.Draw(r.ctx, r.drawCall(c)); err != nil {
		if inner := (*Error)(nil); errors.As(err, &inner) {
			return inner
		}
		return &Error{File: r.report.Script.Name, Pos: c.Pos, Msg: fmt.Sprintf("RUN %s: %s", c.Pipeline.Name, err), Err: err}
	}
	r.report.Draws++
	if colors := c.Pipeline.Graphics.Colors; len(colors) > 0 {
		a := r.attachment(colors[0].Buffer, colors[0].Level)
		if a.Samples > 1 && len(c.Pipeline.Graphics.Resolves) > 0 {
			a = r.attachment(c.Pipeline.Graphics.Resolves[0], 0)
		}
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
	*s = g.state(c.Draw.Topology)
	s.DepthUnrestricted = r.report.Script.unrestricted()
	var multisampled []*draw.Color
	for _, t := range g.Colors {
		for len(s.Colors) <= int(t.Location) {
			s.Colors = append(s.Colors, draw.Color{})
		}
		s.Colors[t.Location] = draw.Color{Attachment: r.attachment(t.Buffer, t.Level), Blend: t.Blend}
	}
	for _, t := range g.Colors {
		if t.Buffer.Image.Samples > 1 {
			multisampled = append(multisampled, &s.Colors[t.Location])
		}
	}
	for i, b := range g.Resolves {
		a := r.attachment(b, 0)
		multisampled[i].Resolve = &a
	}
	if g.DepthStencil != nil {
		s.Depth = g.Depth
		s.Depth.Attachment = r.attachment(g.DepthStencil, 0)
	}
	for _, a := range g.Attributes {
		attribute := a.State
		attribute.Data = r.data[a.Buffer]
		s.Attributes = append(s.Attributes, attribute)
	}
	call.Draw = draw.Call{First: c.Draw.First, Count: c.Draw.Count, FirstInstance: c.Draw.FirstInstance, Instances: c.Draw.Instances}
	switch {
	case c.Draw.Rectangle:
		s.Attributes = []draw.Attribute{c.Draw.corners(g.Width, g.Height)}
	case c.Draw.Indexed:
		call.Draw.Indices, call.Draw.IndexBytes = r.data[g.Indices], g.Indices.Layout.Size
		call.Draw.VertexOffset = c.Draw.VertexOffset
	}
	return call
}

// state returns the fixed-function state of a pipeline, without buffers and attachments.
func (g *Graphics) state(t draw.Topology) draw.State {
	s := draw.State{
		Topology: t, Restart: g.Restart, Width: g.Width, Height: g.Height, Samples: g.Colors[0].Buffer.Image.Samples,
		Viewport:   draw.Viewport{Width: float32(g.Width), Height: float32(g.Height), MaxDepth: 1},
		DepthClamp: g.DepthClamp, DepthBias: g.DepthBias, Stencil: g.Stencil, Logic: g.Logic,
		Polygons: g.Polygons, Lines: g.Lines, LineWidth: g.LineWidth, Cull: g.Cull, Clockwise: g.Clockwise,
	}
	if g.Viewport != nil {
		s.Viewport = *g.Viewport
	}
	return s
}

// unrestricted reports whether depths may be outside 0 and 1.
func (s *Script) unrestricted() bool {
	return slices.Contains(s.DeviceExtensions, "VK_EXT_depth_range_unrestricted")
}

// corners returns the vertices of DRAW_RECT or DRAW_GRID in clip coordinates: a rectangle as a triangle strip, a grid
// as two triangles for each cell.
func (g *Geometry) corners(width, height int) draw.Attribute {
	f, _ := texture.Named("R32G32_SFLOAT")
	x, y := g.X/float32(width)*2-1, g.Y/float32(height)*2-1
	wide, high := g.Wide/float32(width)*2, g.High/float32(height)*2
	var data []byte
	add := func(list ...float32) {
		for _, v := range list {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	}
	if g.Rows == 0 {
		x1, y1 := (g.X+g.Wide)/float32(width)*2-1, (g.Y+g.High)/float32(height)*2-1
		add(x, y1, x, y, x1, y1, x1, y)
	}
	cellX, cellY := wide/float32(g.Columns), high/float32(g.Rows)
	for row := range g.Rows {
		for column := range g.Columns {
			x0, y0 := x+cellX*float32(column), y+cellY*float32(row)
			x1, y1 := x+cellX*float32(column+1), y+cellY*float32(row+1)
			add(x1, y1, x0, y1, x0, y0, x1, y1, x0, y0, x1, y0)
		}
	}
	return draw.Attribute{Format: f, Data: data, Stride: f.Bytes}
}
