// SPDX-License-Identifier: MIT

package draw

import "math"

// The grid to which window coordinates are rounded: the number of their fraction bits, and of its steps in a pixel.
const (
	fraction  = 8
	pixelSize = 1 << fraction
)

// point is a position in the window, in units of 1/pixelSize of a pixel from the center of the first pixel.
type point struct{ x, y int64 }

// window returns the window coordinates of a corner, in the arithmetic of 32-bit floats
// (Vulkan specification, "Coordinate Transformations" and "Controlling the Viewport").
func (v *Viewport) window(c *corner) (x, y float32) {
	x, y, w := float32(c.at[0]), float32(c.at[1]), float32(c.at[3])
	inverse := 1 / w
	x = float32(float32(x*inverse)*(v.Width/2)) + (v.X + v.Width/2)
	y = float32(float32(y*inverse)*(v.Height/2)) + (v.Y + v.Height/2)
	return x, y
}

// snapped returns the window coordinates of a corner, rounded to the grid.
func (v *Viewport) snapped(c *corner) point { return snap(v.window(c)) }

// snap rounds window coordinates to the grid.
func snap(x, y float32) point { return point{onGrid(x - 0.5), onGrid(y - 0.5)} }

// onGrid converts a distance in pixels to grid units, rounded.
func onGrid(x float32) int64 { return int64(math.RoundToEven(float64(x * pixelSize))) }

// turn returns twice the signed area of a triangle. It is positive if the vertices are in clockwise order on the
// screen, where y grows downwards.
func turn(a, b, c point) int64 {
	return (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y)
}

// edge is the line from one vertex of a clockwise polygon to the next. A sample at x, y is inside if dx·(y − y0) −
// dy·(x − x0) is positive, or zero at a top or left edge.
type edge struct {
	from   point
	dx, dy int64
	least  int64 // the smallest value of the edge function inside
}

func newEdge(a, b point) edge {
	e := edge{from: a, dx: b.x - a.x, dy: b.y - a.y, least: 1}
	if e.dy < 0 || e.dy == 0 && e.dx > 0 {
		e.least = 0
	}
	return e
}

func (e *edge) inside(x, y int64) bool {
	return e.dx*(y-e.from.y)-e.dy*(x-e.from.x) >= e.least
}

// area is a rectangle of pixels; x1 and y1 are exclusive.
type area struct{ x0, y0, x1, y1 int64 }

// has reports whether a pixel is in an area.
func (a *area) has(x, y int64) bool { return x >= a.x0 && y >= a.y0 && x < a.x1 && y < a.y1 }

// drawable returns the pixels of a framebuffer whose centers are in a viewport.
func (s *State) drawable(v *Viewport) area {
	first := func(low, size float32) int64 {
		return int64(math.Ceil(float64(min(low, low+size)) - 0.5))
	}
	last := func(low, size float32) int64 {
		return int64(math.Ceil(float64(max(low, low+size)) - 0.5))
	}
	return area{
		max(first(v.X, v.Width), 0), max(first(v.Y, v.Height), 0),
		min(last(v.X, v.Width), int64(s.Width)), min(last(v.Y, v.Height), int64(s.Height)),
	}
}

// coverage is the set of covered samples of each pixel of a quad.
type coverage [4]uint32

// any returns a bit for each pixel with a covered sample.
func (c *coverage) any() (pixels uint8) {
	for k, m := range c {
		if m != 0 {
			pixels |= 1 << k
		}
	}
	return pixels
}

// rasterize calls fn with each quad in which a convex polygon covers samples. The corners of poly are in clockwise
// order; samples are relative to the center of a pixel.
func rasterize(poly []point, samples []point, in area, fn func(x, y int, c coverage) error) error {
	edges := make([]edge, len(poly))
	low, high := poly[0], poly[0]
	for i, p := range poly {
		edges[i] = newEdge(p, poly[(i+1)%len(poly)])
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	nearest := func(x int64) int64 { return (x + pixelSize/2) >> fraction }
	in = area{
		max(nearest(low.x), in.x0), max(nearest(low.y), in.y0),
		min(nearest(high.x)+1, in.x1), min(nearest(high.y)+1, in.y1),
	}
	for y := in.y0 &^ 1; y < in.y1; y += 2 {
		for x := in.x0 &^ 1; x < in.x1; x += 2 {
			var c coverage
			for k := range int64(4) {
				if px, py := x+k&1, y+k>>1; in.has(px, py) {
					c[k] = covered(edges, samples, px*pixelSize, py*pixelSize)
				}
			}
			if c == (coverage{}) {
				continue
			}
			if err := fn(int(x), int(y), c); err != nil {
				return err
			}
		}
	}
	return nil
}

// covered returns the samples of a pixel that are inside all edges.
func covered(edges []edge, samples []point, x, y int64) (mask uint32) {
	for s, at := range samples {
		inside := true
		for i := range edges {
			inside = inside && edges[i].inside(x+at.x, y+at.y)
		}
		if inside {
			mask |= 1 << s
		}
	}
	return mask
}
