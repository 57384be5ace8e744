// SPDX-License-Identifier: MIT

package draw

import (
	"math"

	"jacquard.example/core/texture"
)

// primitive clips and rasterizes a primitive.
func (r *run) primitive(v []*Vertex, id uint32) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if int(v[0].Layer) >= r.layers {
		return nil
	}
	vp := r.s.viewport(v[0].Viewport)
	if vp != r.viewport {
		r.viewport, r.area = vp, r.s.drawable(vp)
	}
	switch len(v) {
	case 1:
		return r.point(v[0], id)
	case 2:
		return r.line(v, id)
	}
	t := [3]*Vertex(v)
	if r.s.Polygons != Fill {
		return r.outline(t, id)
	}
	return r.triangle(t, id)
}

// triangle clips and fills a triangle.
func (r *run) triangle(v [3]*Vertex, id uint32) error {
	poly := r.s.clip(&v)
	var p *Primitive
	for k := 2; k < len(poly); k++ {
		a, b, c := r.viewport.snapped(&poly[0]), r.viewport.snapped(&poly[k-1]), r.viewport.snapped(&poly[k])
		area := turn(a, b, c)
		front, drawn := r.faces(area)
		if !drawn {
			continue
		}
		if area < 0 {
			b, c = c, b
		}
		if p == nil {
			p = newPrimitive(v, id, front, r.viewport)
			p.bias, p.drawn = r.bias(p, poly), poly
		}
		if err := r.polygon(p, []point{a, b, c}); err != nil {
			return err
		}
	}
	return nil
}

// faces reports whether a polygon with the given signed area is front-facing, and whether it is drawn.
func (r *run) faces(area int64) (front, drawn bool) {
	front = (area > 0) == r.s.Clockwise
	culled := front && r.s.Cull&CullFront != 0 || !front && r.s.Cull&CullBack != 0
	return front, area != 0 && !culled
}

// outline draws the edges or the vertices of a triangle, without the parts that are clipped.
func (r *run) outline(v [3]*Vertex, id uint32) error {
	poly := r.s.clip(&v)
	area := int64(0)
	for k := 2; k < len(poly); k++ {
		area += turn(r.viewport.snapped(&poly[0]), r.viewport.snapped(&poly[k-1]), r.viewport.snapped(&poly[k]))
	}
	front, drawn := r.faces(area)
	if !drawn {
		return nil
	}
	whole := newPrimitive(v, id, front, r.viewport)
	bias, planes, all := r.bias(whole, poly), r.s.planes(v[0].Clips), corners(v[:])
	for k := range all {
		ends := [2]corner{all[k], all[(k+1)%3]}
		p := &Primitive{Vertices: v, ID: id, Front: front, viewport: r.viewport, layer: whole.layer, bias: bias}
		err := error(nil)
		switch {
		case r.s.Polygons == Point:
			err = r.dot(p, &ends[0], planes, v[k].PointSize)
		case cutLine(&ends, planes):
			err = r.segment(p, &ends)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// line clips and draws a line.
func (r *run) line(v []*Vertex, id uint32) error {
	c := corners(v)
	if c == nil {
		return nil
	}
	ends := [2]corner(c)
	if !cutLine(&ends, r.s.planes(v[0].Clips)) {
		return nil
	}
	return r.segment(&Primitive{Vertices: [3]*Vertex{v[0], v[1], v[0]}, ID: id, Front: true, viewport: r.viewport, layer: int(v[0].Layer)}, &ends)
}

// segment draws a line after clipping.
func (r *run) segment(p *Primitive, ends *[2]corner) error {
	p.line = ends
	if r.s.Lines == BresenhamLines {
		return bresenham(r.viewport.snapped(&ends[0]), r.viewport.snapped(&ends[1]), r.area, func(x, y int64) error {
			var c coverage
			c[x&1+y&1<<1] = 1<<r.s.samples() - 1
			return r.quad(p, int(x&^1), int(y&^1), c)
		})
	}
	width := r.s.LineWidth
	if width == 0 {
		width = 1
	}
	if poly := rectangle(r.viewport, ends, width); poly != nil {
		return r.polygon(p, poly)
	}
	return nil
}

// point clips and draws a point.
func (r *run) point(v *Vertex, id uint32) error {
	c := corners([]*Vertex{v})
	if c == nil {
		return nil
	}
	p := &Primitive{Vertices: [3]*Vertex{v, v, v}, ID: id, Front: true, viewport: r.viewport, layer: int(v.Layer)}
	return r.dot(p, &c[0], r.s.planes(v.Clips), v.PointSize)
}

// The range to which sizes of points are clamped.
const (
	smallestPoint = 1
	largestPoint  = 1024
)

// dot draws a point as a square around its position (Vulkan specification, "Basic Point Rasterization").
func (r *run) dot(p *Primitive, at *corner, planes []distance, size float32) error {
	for _, d := range planes {
		if !(d(at) >= 0) {
			return nil
		}
	}
	size = min(max(size, smallestPoint), largestPoint)
	p.line, p.size = &[2]corner{*at, *at}, float64(size)
	center, half := r.viewport.snapped(at), int64(math.RoundToEven(float64(size)*pixelSize))/2
	x0, y0 := center.x-half, center.y-half
	x1, y1 := center.x+half, center.y+half
	return r.polygon(p, []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
}

// polygon rasterizes a convex polygon. Its corners are in clockwise order.
func (r *run) polygon(p *Primitive, poly []point) error {
	return rasterize(poly, r.samples, r.area, func(x, y int, c coverage) error { return r.quad(p, x, y, c) })
}

// bias returns the depth bias of a polygon (Vulkan specification, "Depth Bias").
func (r *run) bias(p *Primitive, poly []corner) float64 {
	b := &r.s.DepthBias
	f := r.s.Depth.Attachment.Format
	if !b.Enabled || f == nil || !f.Depth() {
		return 0
	}
	// The slope is computed from the gradient of the depth as a function of the window coordinates.
	x, y := r.viewport.project(&poly[0])
	base := p.depth(x, y)
	slope := max(math.Abs(p.depth(x+1, y)-base), math.Abs(p.depth(x, y+1)-base))
	largest := 0.0
	for k := range poly {
		x, y := r.viewport.project(&poly[k])
		largest = max(largest, math.Abs(p.depth(x, y)))
	}
	least := resolvable(f, largest)
	o := slope*float64(b.Slope) + least*float64(b.Constant)
	switch {
	case b.Clamp > 0:
		o = min(o, float64(b.Clamp))
	case b.Clamp < 0:
		o = max(o, float64(b.Clamp))
	}
	return o
}

// resolvable returns the smallest difference between depths that a format can represent in a polygon with the given
// largest depth.
func resolvable(f *texture.Format, largest float64) float64 {
	c := f.Component(0)
	if c.Numeric == texture.SFloat {
		_, exp := math.Frexp(largest)
		return math.Ldexp(1, exp-1-23)
	}
	return math.Ldexp(1, -int(c.Bits))
}
