package amber

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

// Graphics is what a graphics pipeline has that a compute pipeline does not.
type Graphics struct {
	Vertex, Fragment Stage
	Width, Height    int // of the framebuffer
	Attributes       []VertexData
	Indices          *Buffer
	Colors           []ColorTarget
	DepthStencil     *Buffer // nil if there is none
	Depth            draw.Depth
	DepthClamp       bool
	Viewport         *draw.Viewport // nil: the whole framebuffer

	blend draw.Blend // of all attachments
}

// VertexData is a vertex attribute: its buffer and, in State, the rest.
type VertexData struct {
	Buffer *Buffer
	State  draw.Attribute // without data
}

// ColorTarget is a color attachment at a location of the fragment shader's outputs.
type ColorTarget struct {
	Buffer   *Buffer
	Location uint32
	Blend    draw.Blend
}

// derived returns a copy for a pipeline that is derived from this one.
func (g *Graphics) derived() *Graphics {
	d := *g
	d.Vertex.Specialize, d.Fragment.Specialize = slices.Clone(g.Vertex.Specialize), slices.Clone(g.Fragment.Specialize)
	d.Attributes, d.Colors = slices.Clone(g.Attributes), slices.Clone(g.Colors)
	return &d
}

// stage returns the stage of a graphics pipeline, nil if it has none.
func (g *Graphics) stage(k kind.Stage) *Stage {
	switch k {
	case kind.StageVertex:
		return &g.Vertex
	case kind.StageFragment:
		return &g.Fragment
	}
	return nil
}

// attachments returns the buffers that a pipeline draws to.
func (g *Graphics) attachments() []*Buffer {
	var out []*Buffer
	for _, c := range g.Colors {
		out = append(out, c.Buffer)
	}
	if g.DepthStencil != nil {
		out = append(out, g.DepthStencil)
	}
	return out
}

// Geometry is what a RUN command draws.
type Geometry struct {
	Topology         draw.Topology
	First, Count     uint32
	FirstInstance    uint32
	Instances        uint32
	Indexed          bool
	Rectangle        bool // the corners of DRAW_RECT in place of vertex data
	X, Y, Wide, High float32
}

// ClearCommand clears the attachments of a pipeline.
type ClearCommand struct {
	Pipeline *Pipeline
	pos      Pos
}

// ClearValue sets what CLEAR clears to from then on.
type ClearValue struct {
	Pipeline *Pipeline
	Depth    bool // the value is that of depths
	Value    [4]float32
	pos      Pos
}

func (c *ClearCommand) position() Pos { return c.pos }
func (c *ClearValue) position() Pos   { return c.pos }
