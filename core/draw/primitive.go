// SPDX-License-Identifier: MIT

package draw

import (
	"math"

	"jacquard.example/generated/kind"
)

// Primitive is a triangle, a line or a point. It always has three vertices, so that fragments of every primitive are
// interpolated alike: a line repeats its first vertex, and the vertices of a point are the same.
type Primitive struct {
	Vertices [3]*Vertex // the provoking one first
	ID       uint32
	Front    bool
	viewport *Viewport
	layer    int
	bias     float64    // depth bias, added to depths
	plane    [3]edgeOf  // edge functions of a triangle, by vertex
	line     *[2]corner // ends of a line or of a triangle's edge; both are the position of a point
	size     float64    // size of a point in pixels; 0 for a line or a triangle
	drawn    []corner   // corners of a triangle's part that is drawn
}

// edgeOf is a linear function of window coordinates: its coefficients of x, y and 1.
type edgeOf [3]float64

// newPrimitive prepares a triangle for interpolation. Take the matrix whose columns are the homogeneous window
// coordinates of the vertices: up to a factor, the rows of its inverse are the perspective-correct barycentric
// coordinates as functions of the window coordinates. This also holds for vertices behind the viewer. Fragments of a
// clipped triangle are thus interpolated between the original vertices.
func newPrimitive(v [3]*Vertex, id uint32, front bool, vp *Viewport) *Primitive {
	p := &Primitive{Vertices: v, ID: id, Front: front, viewport: vp, layer: int(v[0].Layer)}
	var at [3][3]float64
	for k, x := range v {
		w := float64(x.Position[3])
		at[k] = [3]float64{
			float64(x.Position[0])*float64(vp.Width)/2 + (float64(vp.X)+float64(vp.Width)/2)*w,
			float64(x.Position[1])*float64(vp.Height)/2 + (float64(vp.Y)+float64(vp.Height)/2)*w,
			w,
		}
	}
	for k := range at {
		a, b := at[(k+1)%3], at[(k+2)%3]
		p.plane[k] = edgeOf{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	return p
}

// weights returns the values of the edge functions at a point, their sum, and their sum weighted by w.
func (p *Primitive) weights(x, y float64) (e [3]float64, sum, sumW float64) {
	for k := range e {
		e[k] = p.plane[k][0]*x + p.plane[k][1]*y + p.plane[k][2]
		sum += e[k]
		sumW += e[k] * float64(p.Vertices[k].Position[3])
	}
	return e, sum, sumW
}

// Barycentric returns the barycentric coordinates of a point for the second and third vertex (Vulkan specification,
// "Basic Polygon Rasterization" and "Basic Line Segment Rasterization"). The second and third vertex of a point
// primitive are at its upper right and lower left corners.
func (p *Primitive) Barycentric(x, y float64, mode kind.InterpMode) [2]float32 {
	switch {
	case p.isPoint():
		return p.PointCoord(x, y)
	case p.line != nil:
		return p.along(x, y, mode)
	}
	e, sum, sumW := p.weights(x, y)
	if mode == kind.InterpNoperspective {
		return [2]float32{
			float32(e[1] * float64(p.Vertices[1].Position[3]) / sumW),
			float32(e[2] * float64(p.Vertices[2].Position[3]) / sumW),
		}
	}
	return [2]float32{float32(e[1] / sum), float32(e[2] / sum)}
}

// along returns the barycentric coordinates of a point on a line.
func (p *Primitive) along(x, y float64, mode kind.InterpMode) (out [2]float32) {
	a, b := &p.line[0], &p.line[1]
	t := p.fraction(x, y)
	f, g := 1-t, t
	if mode != kind.InterpNoperspective {
		f, g = f/a.at[3], g/b.at[3]
	}
	for i := range out {
		out[i] = float32((f*a.weight[i] + g*b.weight[i]) / (f + g))
	}
	return out
}

// fraction returns the position of a point's projection on a line, from 0 at the first end to 1.
func (p *Primitive) fraction(x, y float64) float64 {
	ax, ay := p.viewport.project(&p.line[0])
	bx, by := p.viewport.project(&p.line[1])
	dx, dy := bx-ax, by-ay
	if dx == 0 && dy == 0 {
		return 0
	}
	return ((x-ax)*dx + (y-ay)*dy) / (dx*dx + dy*dy)
}

// project returns the window coordinates of a corner.
func (v *Viewport) project(c *corner) (x, y float64) {
	w, h := float64(v.Width)/2, float64(v.Height)/2
	return c.at[0]/c.at[3]*w + (float64(v.X) + w), c.at[1]/c.at[3]*h + (float64(v.Y) + h)
}

// Depth returns the depth of a point, before it is clamped for the depth test.
func (p *Primitive) Depth(x, y float64) float32 { return float32(p.depth(x, y) + p.bias) }

// depth returns the depth of a point without bias. Outside the primitive it may be any number.
func (p *Primitive) depth(x, y float64) float64 {
	z := 0.0
	if p.line != nil {
		t := p.fraction(x, y)
		z = (1-t)*p.line[0].at[2]/p.line[0].at[3] + t*p.line[1].at[2]/p.line[1].at[3]
	} else {
		e, _, sumW := p.weights(x, y)
		for k := range e {
			z += e[k] * float64(p.Vertices[k].Position[2])
		}
		z /= sumW
	}
	return float64(p.viewport.MinDepth) + z*(float64(p.viewport.MaxDepth)-float64(p.viewport.MinDepth))
}

// W returns 1/w of a point. It rounds w before inverting it, since hardware interpolates w and shaders invert it.
func (p *Primitive) W(x, y float64) float32 { return 1 / float32(1/p.inverseW(x, y)) }

// inverseW returns 1/w of a point.
func (p *Primitive) inverseW(x, y float64) float64 {
	if p.line != nil {
		t := p.fraction(x, y)
		return (1-t)/p.line[0].at[3] + t/p.line[1].at[3]
	}
	_, sum, sumW := p.weights(x, y)
	return sum / sumW
}

// isPoint reports whether the primitive is a point. A vertex of a polygon in point mode is not.
func (p *Primitive) isPoint() bool { return p.size != 0 && p.Vertices[0] == p.Vertices[1] }

// Corner returns a point coordinate, as the bits of a float, at one of the three corners between which fragments of a
// point are interpolated.
func (p *Primitive) Corner(vertex, component int) uint32 {
	if p.isPoint() && vertex == component+1 {
		return math.Float32bits(1)
	}
	return 0
}

// PointCoord returns the coordinates of a place in a point, from 0 at its left and upper edges to 1 at the others
// (Vulkan specification, "Basic Point Rasterization"). They are 0 in other primitives.
func (p *Primitive) PointCoord(x, y float64) [2]float32 {
	if p.size == 0 {
		return [2]float32{}
	}
	at := p.pointCoord(x, y)
	return [2]float32{float32(at[0]), float32(at[1])}
}

// pointCoord returns the coordinates of a place in a point.
func (p *Primitive) pointCoord(x, y float64) [2]float64 {
	cx, cy := p.viewport.project(&p.line[0])
	return [2]float64{0.5 + (x-cx)/p.size, 0.5 + (y-cy)/p.size}
}
