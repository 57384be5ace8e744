// SPDX-License-Identifier: MIT

package runner

import (
	"slices"

	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
)

// Stage is a shader attached to a pipeline, with the values of its specialization constants.
type Stage struct {
	Shader     *Shader
	Entry      string
	Specialize []Spec
}

// Graphics holds the properties of a graphics pipeline that compute pipelines lack.
type Graphics struct {
	Vertex, Fragment Stage
	Width, Height    int // size of the framebuffer
	Attributes       []VertexData
	Indices          *Buffer
	Colors           []ColorTarget
	Resolves         []*Buffer // resolve targets of the multisampled color attachments, in their order
	DepthStencil     *Buffer   // nil if there is none
	Depth            draw.Depth
	DepthBias        draw.DepthBias
	DepthClamp       bool
	Stencil          draw.Stencil
	Polygons         draw.PolygonMode
	Lines            draw.LineMode
	LineWidth        float32
	Logic            draw.Logic
	Cull             draw.Cull
	Clockwise        bool
	Restart          bool           // an index with all bits set starts a new strip or fan
	Viewport         *draw.Viewport // nil means the whole framebuffer

	Blend draw.Blend // blend state of all attachments
}

// VertexData is a vertex attribute: its buffer and, in State, its other properties.
type VertexData struct {
	Buffer *Buffer
	State  draw.Attribute // without data
}

// ColorTarget is a color attachment at a location of the fragment shader's outputs.
type ColorTarget struct {
	Buffer   *Buffer
	Location uint32
	Level    int // level of the image
	Blend    draw.Blend
}

// Derived returns a copy for a pipeline that is derived from this one.
func (g *Graphics) Derived() *Graphics {
	d := *g
	d.Vertex.Specialize, d.Fragment.Specialize = slices.Clone(g.Vertex.Specialize), slices.Clone(g.Fragment.Specialize)
	d.Attributes, d.Colors, d.Resolves = slices.Clone(g.Attributes), slices.Clone(g.Colors), slices.Clone(g.Resolves)
	return &d
}

// Stage returns the given stage of a graphics pipeline, or nil if such pipelines do not have it.
func (g *Graphics) Stage(k kind.Stage) *Stage {
	switch k {
	case kind.StageVertex:
		return &g.Vertex
	case kind.StageFragment:
		return &g.Fragment
	}
	return nil
}

// target is an image that a pipeline draws or resolves to.
type target struct {
	ColorTarget
	Resolve bool
}

// Targets returns the images that a pipeline draws to, with the images that they are resolved to.
func (g *Graphics) Targets() []target {
	var out []target
	for _, c := range g.Colors {
		out = append(out, target{ColorTarget: c})
	}
	if g.DepthStencil != nil {
		out = append(out, target{ColorTarget: ColorTarget{Buffer: g.DepthStencil}})
	}
	for _, b := range g.Resolves {
		out = append(out, target{ColorTarget: ColorTarget{Buffer: b}, Resolve: true})
	}
	return out
}

// Multisampled returns the number of color attachments that are multisampled.
func (g *Graphics) Multisampled() int {
	n := 0
	for _, c := range g.Colors {
		if c.Buffer.Image.Samples > 1 {
			n++
		}
	}
	return n
}

// Geometry is the geometry that a RUN command draws.
type Geometry struct {
	Topology         draw.Topology
	First, Count     uint32
	FirstInstance    uint32
	Instances        uint32
	Indexed          bool
	VertexOffset     uint32 // added to the indices
	Rectangle        bool   // the corners of DRAW_RECT or DRAW_GRID replace vertex data
	X, Y, Wide, High float32
	Columns, Rows    uint32 // number of rectangles of DRAW_GRID
}

// ClearCommand clears the attachments of a pipeline.
type ClearCommand struct {
	Pipeline *Pipeline
	Pos      Pos
}

// ClearPart is the aspect of an attachment that a ClearValue applies to.
type ClearPart uint8

// The parts.
const (
	ClearColor ClearPart = iota
	ClearDepth
	ClearStencil
)

// ClearValue sets a value for later CLEAR commands.
type ClearValue struct {
	Pipeline *Pipeline
	Part     ClearPart
	Value    [4]float32 // the color, or the depth in its first element
	Stencil  uint8
	Pos      Pos
}

func (c *ClearCommand) position() Pos { return c.Pos }
func (c *ClearValue) position() Pos   { return c.Pos }
