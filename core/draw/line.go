// SPDX-License-Identifier: MIT

package draw

import "math"

// rectangle returns the corners of a rectangular line in clockwise order: the points at most half a width away in the
// direction perpendicular to the line (Vulkan specification, "Rectangular Line Segment Rasterization"). The ends and
// the perpendicular offset are rounded to the grid. A line without length is not drawn.
func rectangle(v *Viewport, ends *[2]corner, width float32) []point {
	ax, ay := v.window(&ends[0])
	bx, by := v.window(&ends[1])
	dx, dy := bx-ax, by-ay
	length := float32(math.Sqrt(float64(dx*dx + dy*dy)))
	if !(length > 0) {
		return nil
	}
	scale := width / 2 / length
	a, b := snap(ax, ay), snap(bx, by)
	o := point{onGrid(dy * scale), onGrid(-dx * scale)} // to the left of the direction, since y grows downwards
	return []point{{a.x + o.x, a.y + o.y}, {b.x + o.x, b.y + o.y}, {b.x - o.x, b.y - o.y}, {a.x - o.x, a.y - o.y}}
}

// bresenham calls fn with each pixel whose diamond the line exits (Vulkan specification, "Bresenham Line Segment
// Rasterization"). A line that is more horizontal than vertical has at most one pixel in each column, any other line in
// each row.
func bresenham(a, b point, in area, fn func(x, y int64) error) error {
	dx, dy := b.x-a.x, b.y-a.y
	steep := max(dx, -dx) < max(dy, -dy)
	if steep {
		a, b = point{a.y, a.x}, point{b.y, b.x}
		dx, dy = dy, dx
	}
	if dx == 0 {
		return nil
	}
	first, last := min(a.x, b.x)>>fraction, max(a.x, b.x)>>fraction+1
	bound := in
	if steep {
		bound = area{in.y0, in.x0, in.y1, in.x1}
	}
	for x := max(first, bound.x0); x <= min(last, bound.x1-1); x++ {
		center := x * pixelSize
		// The row whose center is nearest to the point where the line crosses the column's center; of two, the upper
		// row.
		y := floorDiv(2*(a.y*dx+(center-a.x)*dy)+pixelSize*dx-1, 2*pixelSize*dx)
		if dx < 0 {
			y = floorDiv(-2*(a.y*dx+(center-a.x)*dy)-pixelSize*dx-1, -2*pixelSize*dx)
		}
		at := point{center, y * pixelSize}
		crossed := center >= min(a.x, b.x) && center <= max(a.x, b.x)
		if !(crossed || diamond(at, a)) || diamond(at, b) {
			continue
		}
		px, py := x, y
		if steep {
			px, py = y, x
		}
		if !in.has(px, py) {
			continue
		}
		if err := fn(px, py); err != nil {
			return err
		}
	}
	return nil
}

// diamond reports whether a point is in the diamond around the center of a pixel.
func diamond(center, p point) bool {
	dx, dy := p.x-center.x, p.y-center.y
	return max(dx, -dx)+max(dy, -dy) < pixelSize/2
}

// floorDiv divides by a positive number and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
