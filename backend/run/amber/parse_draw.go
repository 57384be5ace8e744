// SPDX-License-Identifier: MIT

package amber

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
)

// topologies are the words after AS of DRAW_ARRAY; why is set for unsupported ones. Adjacent vertices are only
// visible to geometry shaders, and ignored without one.
var topologies = map[string]struct {
	topology draw.Topology
	why      string
}{
	"TRIANGLE_LIST":                 {topology: draw.TriangleList},
	"TRIANGLE_STRIP":                {topology: draw.TriangleStrip},
	"TRIANGLE_FAN":                  {topology: draw.TriangleFan},
	"POINT_LIST":                    {topology: draw.PointList},
	"LINE_LIST":                     {topology: draw.LineList},
	"LINE_STRIP":                    {topology: draw.LineStrip},
	"LINE_LIST_WITH_ADJACENCY":      {topology: draw.LineListWithAdjacency},
	"LINE_STRIP_WITH_ADJACENCY":     {topology: draw.LineStripWithAdjacency},
	"TRIANGLE_LIST_WITH_ADJACENCY":  {topology: draw.TriangleListWithAdjacency},
	"TRIANGLE_STRIP_WITH_ADJACENCY": {topology: draw.TriangleStripWithAdjacency},
	"PATCH_LIST":                    {why: "tessellation is not supported"},
}

// runGraphics reads the rest of RUN pipeline (DRAW_RECT | DRAW_GRID | DRAW_ARRAY) ….
func (p *parser) runGraphics(c *runner.RunCommand, t token) error {
	switch t.text {
	case "DRAW_RECT":
		if err := p.drawRect(c); err != nil {
			return err
		}
	case "DRAW_ARRAY":
		if err := p.drawArray(c); err != nil {
			return err
		}
	case "DRAW_GRID":
		if err := p.drawGrid(c); err != nil {
			return err
		}
	default:
		return p.errorf(t.pos, "expected DRAW_RECT, DRAW_GRID or DRAW_ARRAY, found %s", t)
	}
	*p.out = append(*p.out, c)
	return nil
}

// drawRect reads POS x y SIZE w h.
func (p *parser) drawRect(c *runner.RunCommand) error {
	c.Draw = &runner.Geometry{Topology: draw.TriangleStrip, Count: 4, Instances: 1, Rectangle: true}
	if err := p.position(c.Draw); err != nil {
		return err
	}
	return p.endOfLine("RUN")
}

// maxCells bounds the cells of DRAW_GRID in one direction.
const maxCells = 1 << 9

// drawGrid reads POS x y SIZE w h CELLS columns rows.
func (p *parser) drawGrid(c *runner.RunCommand) error {
	g := &runner.Geometry{Topology: draw.TriangleList, Instances: 1, Rectangle: true}
	c.Draw = g
	if err := p.position(g); err != nil {
		return err
	}
	if err := p.keyword("CELLS"); err != nil {
		return err
	}
	for _, to := range []*uint32{&g.Columns, &g.Rows} {
		n, err := p.uint("CELLS", maxCells)
		if err != nil {
			return err
		}
		*to = uint32(n)
	}
	g.Count = 6 * g.Columns * g.Rows
	return p.endOfLine("RUN")
}

// position reads POS x y SIZE w h.
func (p *parser) position(g *runner.Geometry) error {
	for _, part := range []struct {
		word string
		to   [2]*float32
	}{{"POS", [2]*float32{&g.X, &g.Y}}, {"SIZE", [2]*float32{&g.Wide, &g.High}}} {
		if err := p.keyword(part.word); err != nil {
			return err
		}
		for _, to := range part.to {
			if err := p.parseFloat32(part.word, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawArray reads AS topology [INDEXED] [START_IDX n] [COUNT n] [START_INSTANCE n]
// [INSTANCE_COUNT n].
func (p *parser) drawArray(c *runner.RunCommand) error {
	if err := p.keyword("AS"); err != nil {
		return err
	}
	name, err := p.word("the topology of DRAW_ARRAY")
	if err != nil {
		return err
	}
	top, ok := topologies[name.text]
	switch {
	case !ok:
		return p.errorf(name.pos, "unknown topology %s", name)
	case top.why != "":
		return p.errorf(name.pos, "RUN … DRAW_ARRAY AS %s: %s", name.text, top.why)
	}
	g := &runner.Geometry{Topology: top.topology, Instances: 1}
	c.Draw = g
	counted := false
	for t := p.next(); !t.ends(); t = p.next() {
		if t.is("INDEXED") {
			if g.Indexed = true; c.Pipeline.Graphics.Indices == nil {
				return p.errorf(t.pos, "%s has no INDEX_DATA", c.Pipeline.Name)
			}
			continue
		}
		to := map[string]*uint32{"START_IDX": &g.First, "COUNT": &g.Count, "START_INSTANCE": &g.FirstInstance, "INSTANCE_COUNT": &g.Instances}[t.text]
		if to == nil {
			return p.errorf(t.pos, "unknown word %s in DRAW_ARRAY", t)
		}
		n, err := p.uint(t.text, maxUint32)
		if err != nil {
			return err
		}
		*to = uint32(n)
		counted = counted || t.is("COUNT")
	}
	if !counted {
		g.Count = elements(c.Pipeline.Graphics, g) - min(g.First, elements(c.Pipeline.Graphics, g))
	}
	return nil
}

// elements returns the number of indices in a pipeline's index buffer or, without INDEXED, the number of vertices for
// which all its vertex buffers have data.
func elements(g *runner.Graphics, what *runner.Geometry) uint32 {
	if what.Indexed {
		return uint32(g.Indices.Count)
	}
	n := uint32(0)
	for i, a := range g.Attributes {
		if k := uint32(a.Buffer.Count); !a.State.Instance && (i == 0 || k < n || n == 0) {
			n = k
		}
	}
	return n
}
