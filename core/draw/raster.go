package draw

import "math"

// Window coordinates have this many bits of fraction.
const (
	fraction = 8
	pixel    = 1 << fraction
)

// point is a place in the window, in fractions of a pixel from the center of the first one.
type point struct{ x, y int64 }

// window returns the window coordinates of a corner, in the arithmetic of 32-bit floats
// (Vulkan specification, "Coordinate Transformations" and "Controlling the Viewport").
func (v *Viewport) window(c *corner) point {
	x, y, w := float32(c.at[0]), float32(c.at[1]), float32(c.at[3])
	inverse := 1 / w
	x = float32(float32(x*inverse)*(v.Width/2)) + (v.X + v.Width/2)
	y = float32(float32(y*inverse)*(v.Height/2)) + (v.Y + v.Height/2)
	return point{snap(x), snap(y)}
}

func snap(x float32) int64 { return int64(math.RoundToEven(float64((x - 0.5) * pixel))) }

// turn returns twice the area of a triangle, positive if its vertices are in clockwise order on
// the screen, where y grows downwards.
func turn(a, b, c point) int64 {
	return (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y)
}

// edge is the line from one vertex to the next of a clockwise triangle. A pixel at x, y is inside
// if dx·(y − y0) − dy·(x − x0) is positive, or zero at a top or left edge.
type edge struct {
	from   point
	dx, dy int64
	least  int64 // of what is inside
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

// area is a rectangle of pixels; high ones are outside.
type area struct{ x0, y0, x1, y1 int64 }

// drawable returns the pixels of a framebuffer whose centers are in the viewport.
func (s *State) drawable() area {
	v := &s.Viewport
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

// rasterize calls fn with the quads that a triangle covers a pixel of. Its vertices are in
// clockwise order.
func rasterize(a, b, c point, in area, fn func(x, y int, covered uint8) error) error {
	edges := [3]edge{newEdge(a, b), newEdge(b, c), newEdge(c, a)}
	up := func(x int64) int64 { return (x + pixel - 1) >> fraction }
	x0, y0 := max(up(min(a.x, b.x, c.x)), in.x0), max(up(min(a.y, b.y, c.y)), in.y0)
	x1, y1 := min(max(a.x, b.x, c.x)>>fraction+1, in.x1), min(max(a.y, b.y, c.y)>>fraction+1, in.y1)
	for y := y0 &^ 1; y < y1; y += 2 {
		for x := x0 &^ 1; x < x1; x += 2 {
			covered := uint8(0)
			for k := range int64(4) {
				px, py := x+k&1, y+k>>1
				if px < x0 || py < y0 || px >= x1 || py >= y1 {
					continue
				}
				if edges[0].inside(px*pixel, py*pixel) && edges[1].inside(px*pixel, py*pixel) && edges[2].inside(px*pixel, py*pixel) {
					covered |= 1 << k
				}
			}
			if covered == 0 {
				continue
			}
			if err := fn(int(x), int(y), covered); err != nil {
				return err
			}
		}
	}
	return nil
}
