// SPDX-License-Identifier: MIT

package draw

import "context"

// batch is the number of quads that are shaded together.
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
	r := &run{ctx: ctx, s: s, c: c, sh: sh, samples: locations[s.samples()], layers: s.layers()}
	instances := c.Instances
	if c.Count == 0 { // regardless of the number of instances
		instances = 0
	}
	for i := range instances {
		if err := r.instance(list, c.FirstInstance+i); err != nil {
			return err
		}
	}
	if err := r.flush(); err != nil {
		return err
	}
	for i := range s.Colors {
		if c := &s.Colors[i]; c.Resolve != nil {
			Resolve(c.Resolve, &c.Attachment)
		}
	}
	return nil
}

// run is the state of a draw.
type run struct {
	ctx      context.Context
	s        *State
	c        *Call
	sh       Shaders
	viewport *Viewport // viewport of the last primitive
	area     area      // drawable pixels of viewport
	samples  []point   // sample positions in a pixel
	layers   int
	quads    []Quad
}

// instance draws one instance.
func (r *run) instance(list []uint64, instance uint32) error {
	n, first := r.s.locations(), r.c.First
	if r.c.IndexBytes != 0 {
		first = r.c.VertexOffset
	}
	at := make([]int, len(list)) // index in the inputs of each element of list
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
				Vertex: uint32(v), Instance: instance, First: first, FirstInstance: r.c.FirstInstance, Indexed: r.c.IndexBytes != 0,
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
	var vertices [3]*Vertex
	return r.s.Topology.assemble(list, func(v []int) error {
		for k, i := range v {
			vertices[k] = &out[at[i]]
		}
		err := r.primitive(vertices[:len(v)], id)
		id++
		return err
	})
}

// quad queues a quad or, with sample shading, a quad for each sample.
func (r *run) quad(p *Primitive, x, y int, c coverage) error {
	for k := range c {
		c[k] &^= r.s.NoSamples
	}
	if !r.s.SampleShading {
		return r.add(&Quad{Primitive: p, X: x, Y: y, Covered: c.any(), Coverage: c, Samples: r.s.samples()})
	}
	for s := range r.s.samples() {
		one := c
		for k := range one {
			one[k] &= 1 << s
		}
		if err := r.add(&Quad{Primitive: p, X: x, Y: y, Covered: one.any(), Coverage: one, Samples: r.s.samples(),
			PerSample: true, SampleID: s}); err != nil {
			return err
		}
	}
	return nil
}

// add queues a quad.
func (r *run) add(q *Quad) error {
	if q.Covered == 0 {
		return nil
	}
	if r.s.Interlock && r.waits(q) {
		if err := r.flush(); err != nil {
			return err
		}
	}
	if r.quads = append(r.quads, *q); len(r.quads) < batch {
		return nil
	}
	return r.flush()
}

// waits reports whether a quad with the same pixels is queued.
func (r *run) waits(q *Quad) bool {
	for i := range r.quads {
		if w := &r.quads[i]; w.X == q.X && w.Y == q.Y && w.Primitive.layer == q.Primitive.layer {
			return true
		}
	}
	return false
}

// flush shades the queued quads and writes them.
func (r *run) flush() error {
	if r.s.EarlyTests {
		r.testEarly()
	}
	if len(r.quads) == 0 {
		return nil
	}
	if err := r.sh.Fragments(r.ctx, r.quads); err != nil {
		return err
	}
	for i := range r.quads {
		q := &r.quads[i]
		for k := range q.Pixels {
			r.finishPixel(q, k)
		}
	}
	r.quads = r.quads[:0]
	return nil
}

// testEarly runs the early tests of the queued quads, and drops quads in which no pixel passes.
func (r *run) testEarly() {
	shaded := r.quads[:0]
	for i := range r.quads {
		q := &r.quads[i]
		for k := range q.Pixels {
			if q.passed[k] = r.passed(q, k, q.Coverage[k]); q.passed[k] == 0 {
				q.Covered &^= 1 << k
			}
		}
		if r.s.PostDepthCoverage {
			q.Coverage = q.passed
		}
		if q.Covered != 0 {
			shaded = append(shaded, *q)
		}
	}
	r.quads = shaded
}

// finishPixel runs the late tests of a shaded pixel and writes its samples.
func (r *run) finishPixel(q *Quad, k int) {
	px, mask := &q.Pixels[k], q.Coverage[k]
	if !px.Live || q.Covered>>k&1 == 0 {
		return
	}
	if px.HasMask {
		mask &= px.Mask
	}
	if r.s.EarlyTests {
		mask &= q.passed[k]
	} else {
		mask = r.passed(q, k, mask)
	}
	for s := range r.s.samples() {
		if mask>>s&1 != 0 {
			r.write(q, k, s)
		}
	}
}

// passed returns the samples in mask, of a pixel, that pass the tests.
func (r *run) passed(q *Quad, k int, mask uint32) uint32 {
	for s := range r.s.samples() {
		if mask>>s&1 != 0 && !r.tested(q, k, s) {
			mask &^= 1 << s
		}
	}
	return mask
}

// place returns a sample of a pixel in the attachments.
func (r *run) place(q *Quad, k, sample int) place {
	x, y := q.At(k)
	return place{x, y, q.Primitive.layer, sample}
}

// write writes the colors of a sample of a pixel.
func (r *run) write(q *Quad, k, sample int) {
	px, at := &q.Pixels[k], r.place(q, k, sample)
	for i := range r.s.Colors {
		if c := &r.s.Colors[i]; c.Format != nil && px.Written>>i&1 != 0 {
			r.s.blend(c, c.at(at), &px.Colors[i], &px.Second)
		}
	}
}
