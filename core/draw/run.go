package draw

import (
	"context"

	"jacquard.example/core/texture"
)

// batch is how many quads are shaded together.
const batch = 64

// Run executes a draw: the attachments are modified in place.
func Run(ctx context.Context, s *State, c *Call, sh Shaders) error {
	if err := s.check(); err != nil {
		return err
	}
	list, err := c.indices(s)
	if err != nil {
		return err
	}
	r := &run{ctx: ctx, s: s, c: c, sh: sh, area: s.drawable()}
	for i := range c.Instances {
		if err := r.instance(list, c.FirstInstance+i); err != nil {
			return err
		}
	}
	return r.flush()
}

// run is the state of a draw.
type run struct {
	ctx   context.Context
	s     *State
	c     *Call
	sh    Shaders
	area  area
	quads []Quad
}

// instance draws one instance.
func (r *run) instance(list []uint64, instance uint32) error {
	n := r.s.locations()
	at := make([]int, len(list)) // of each element of list, in the inputs
	known := map[uint64]int{}
	var in []Input
	for i, v := range list {
		if v == restart {
			continue
		}
		k, ok := known[v]
		if !ok {
			k = len(in)
			known[v] = k
			in = append(in, Input{
				Vertex: uint32(v), Instance: instance, First: r.c.First, FirstInstance: r.c.FirstInstance, Indexed: r.c.IndexBytes != 0,
				Attributes: r.s.fetch(uint32(v), instance, n),
			})
		}
		at[i] = k
	}
	out := make([]Vertex, len(in))
	if err := r.sh.Vertices(r.ctx, in, out); err != nil {
		return err
	}
	id := uint32(0)
	return r.s.Topology.assemble(list, func(a, b, c int) error {
		err := r.triangle([3]*Vertex{&out[at[a]], &out[at[b]], &out[at[c]]}, id)
		id++
		return err
	})
}

// triangle clips and rasterizes a triangle.
func (r *run) triangle(v [3]*Vertex, id uint32) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	poly := r.s.clip(&v)
	var p *Primitive
	for k := 2; k < len(poly); k++ {
		a, b, c := r.s.Viewport.window(&poly[0]), r.s.Viewport.window(&poly[k-1]), r.s.Viewport.window(&poly[k])
		area := turn(a, b, c)
		if area == 0 {
			continue
		}
		front := (area > 0) == r.s.Clockwise
		if front && r.s.Cull&CullFront != 0 || !front && r.s.Cull&CullBack != 0 {
			continue
		}
		if area < 0 {
			b, c = c, b
		}
		if p == nil {
			p = newPrimitive(v, id, front, r.s.Viewport)
		}
		err := rasterize(a, b, c, r.area, func(x, y int, covered uint8) error {
			r.quads = append(r.quads, Quad{Primitive: p, X: x, Y: y, Covered: covered})
			if len(r.quads) < batch {
				return nil
			}
			return r.flush()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// flush shades the quads that are waiting and writes them.
func (r *run) flush() error {
	if r.s.EarlyTests {
		for i := range r.quads {
			q := &r.quads[i]
			for k := range q.Pixels {
				if q.Covered>>k&1 != 0 && !r.tested(q, k) {
					q.Covered &^= 1 << k
				}
			}
		}
	}
	if err := r.sh.Fragments(r.ctx, r.quads); err != nil {
		return err
	}
	for i := range r.quads {
		q := &r.quads[i]
		for k := range q.Pixels {
			if q.Covered>>k&1 != 0 && q.Pixels[k].Live && (r.s.EarlyTests || r.tested(q, k)) {
				r.write(q, k)
			}
		}
	}
	r.quads = r.quads[:0]
	return nil
}

// tested performs the depth test of a pixel and, if it passes, writes the depth (Vulkan specification,
// "Depth Test").
func (r *run) tested(q *Quad, k int) bool {
	d := &r.s.Depth
	if d.Attachment.Format == nil || !d.Test {
		return true
	}
	x, y := q.At(k)
	z := q.Primitive.Depth(float64(x)+0.5, float64(y)+0.5)
	if px := &q.Pixels[k]; px.HasDepth && !r.s.EarlyTests {
		z = px.Depth
		if v := &r.s.Viewport; !(z >= v.MinDepth && z <= v.MaxDepth) {
			z = min(max(z, v.MinDepth), v.MaxDepth)
		}
	}
	texel := d.Attachment.texel(x, y)
	t := texture.Texel{}
	t.SetFloat(0, z)
	var stored [8]byte
	d.Attachment.Format.Encode(stored[:len(texel)], &t)
	t = d.Attachment.Format.Decode(stored[:len(texel)])
	old := d.Attachment.Format.Decode(texel)
	if !passes(d.Compare, t.Float(0), old.Float(0)) {
		return false
	}
	if d.Write {
		d.Attachment.Format.Encode(texel, &t)
	}
	return true
}

// passes compares a depth with that of the attachment.
func passes(c texture.Compare, z, old float32) bool {
	switch c {
	case texture.Never:
		return false
	case texture.Less:
		return z < old
	case texture.Equal:
		return z == old
	case texture.LessOrEqual:
		return z <= old
	case texture.Greater:
		return z > old
	case texture.NotEqual:
		return z != old
	case texture.GreaterOrEqual:
		return z >= old
	}
	return true
}

// write writes the colors of a pixel.
func (r *run) write(q *Quad, k int) {
	x, y := q.At(k)
	for i := range r.s.Colors {
		if c := &r.s.Colors[i]; c.Format != nil && q.Pixels[k].Written>>i&1 != 0 {
			c.write(c.texel(x, y), &q.Pixels[k].Colors[i])
		}
	}
}
