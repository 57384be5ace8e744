// SPDX-License-Identifier: MIT

package engine

import (
	"context"

	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/core/draw"
)

// Programs runs the shaders of a draw as machine code on the model of the execution units. Fragment is
// nil if the draw has no fragment shader.
type Programs struct{ Vertex, Fragment *graphics.Program }

// Vertices implements draw.Shaders.
func (p *Programs) Vertices(ctx context.Context, in []draw.Input, out []draw.Vertex) error {
	f := &vertexFixed{in: in, out: out}
	if err := p.Vertex.Vertices(ctx, len(in), f); err != nil {
		return err
	}
	return f.err
}

// Fragments implements draw.Shaders.
func (p *Programs) Fragments(ctx context.Context, quads []draw.Quad) error {
	if p.Fragment == nil {
		keep(quads)
		return nil
	}
	f := &fragmentFixed{quads: quads}
	launched := make([]graphics.Quad, len(quads))
	for i := range quads {
		q := &quads[i]
		launched[i] = graphics.Quad{X: q.X, Y: q.Y, Live: q.Covered, Primitive: q.Primitive}
		for k := range q.Pixels {
			q.Pixels[k].Live = false
		}
	}
	err := p.Fragment.Fragments(ctx, launched, f, func(l int) { quads[l/4].Pixels[l%4].Live = true })
	if err != nil {
		return err
	}
	return f.err
}

// topologies are the numbers of primitive topologies in headers (SKL PRM vol. 2d, 3D_Prim_Topo_Type).
var topologies = [...]uint32{
	draw.PointList: 1, draw.LineList: 2, draw.LineStrip: 3, draw.TriangleList: 4, draw.TriangleStrip: 5, draw.TriangleFan: 6,
	draw.LineListWithAdjacency: 9, draw.LineStripWithAdjacency: 10, draw.TriangleListWithAdjacency: 11, draw.TriangleStripWithAdjacency: 12,
}

// SetTopology tells the fragment program, if there is one, how the draw's vertices form primitives.
func (p *Programs) SetTopology(t draw.Topology) {
	if p.Fragment != nil {
		p.Fragment.Topology = topologies[t]
	}
}
