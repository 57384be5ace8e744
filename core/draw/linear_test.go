// SPDX-License-Identifier: MIT

package draw

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"jacquard.example/generated/kind"
)

// TestLinear checks values of a triangle with right angles, whose edges are 100 pixels long, and of its extension.
func TestLinear(t *testing.T) {
	p := newPrimitive([3]*Vertex{vertexAt(-1, -1, 0, 1), vertexAt(4, -4, 4, 4), vertexAt(-2, 2, 1, 2)}, 0, true,
		&Viewport{Width: 100, Height: 100, MaxDepth: 1})
	p.bias = 0.125
	for _, at := range [][2]float64{{0, 0}, {100, 0}, {0, 100}, {80, 0}, {30, 40}, {-20, 10}, {70, 90}} {
		right, down := at[0]/100, at[1]/100 // from the first vertex to the second and to the third
		want := [6]float64{right / 4, down / 2, right, down, 0.125 + right + down/2, 1 - right*3/4 - down/2}
		overW, flat, depth, inverseW := p.Linear(at[0], at[1])
		for k, x := range [6]float64{overW[0], overW[1], flat[0], flat[1], depth, inverseW} {
			if math.Abs(x-want[k]) > 1e-12 {
				t.Errorf("%v: value %d is %g, want %g", at, k, x, want[k])
			}
		}
	}
}

// planesOf returns a function that evaluates, as a shader does, the planes of the barycentric coordinates of a primitive.
func planesOf(p *Primitive) func(x, y float64, mode kind.InterpMode) [2]float32 {
	x0, y0 := p.Origin()
	all := func(x, y float64) [5]float64 {
		overW, flat, _, inverseW := p.Linear(x, y)
		return [5]float64{overW[0], overW[1], flat[0], flat[1], inverseW}
	}
	here, right, down := all(x0, y0), all(x0+1, y0), all(x0, y0+1)
	return func(x, y float64, mode kind.InterpMode) [2]float32 {
		var v [5]float32
		for k := range v {
			v[k] = float32(here[k]) + float32(right[k]-here[k])*float32(x-x0) + float32(down[k]-here[k])*float32(y-y0)
		}
		if mode == kind.InterpNoperspective {
			return [2]float32{v[2], v[3]}
		}
		return [2]float32{v[0] / v[4], v[1] / v[4]}
	}
}

// shading is a Shaders that calls a function with the quads of a primitive, and discards them.
type shading struct {
	flat
	each func(q *Quad)
}

// Fragments implements Shaders.
func (s *shading) Fragments(_ context.Context, quads []Quad) error {
	for i := range quads {
		s.each(&quads[i])
	}
	return nil
}

// TestPlanes interpolates in the covered pixels of triangles, lines and points, of which parts are clipped. Barycentric
// coordinates from planes agree with Barycentric's. The planes start in the viewport.
func TestPlanes(t *testing.T) {
	const size, rounds = 64, 200
	random := rand.New(rand.NewPCG(1, 2))
	vertex := func() *Vertex {
		w := 0.5 + 4*random.Float32()
		if random.IntN(6) == 0 {
			w = -w
		}
		at := func() float32 { return 3*w*random.Float32() - 1.5*w }
		return &Vertex{Position: [4]float32{at(), at(), w * (1.5*random.Float32() - 0.25), w}, PointSize: 1 + 20*random.Float32()}
	}
	name, worst := "", 0.0
	n, origins := map[string]int{}, map[[2]float64]bool{}
	check := func(q *Quad) {
		n[name]++
		x, y := q.Primitive.Origin()
		if x != math.Floor(x) || y != math.Floor(y) || x < 8 || y < 0 || x >= size || y >= size {
			t.Fatalf("%s: the origin is %g, %g", name, x, y)
		}
		origins[[2]float64{x, y}] = true
		at := planesOf(q.Primitive)
		for k := range q.Coverage {
			if q.Coverage[k] == 0 {
				continue
			}
			x, y := q.Center(k)
			for _, mode := range []kind.InterpMode{kind.InterpSmooth, kind.InterpNoperspective} {
				want, got := q.Primitive.Barycentric(x, y, mode), at(x, y, mode)
				for c := range want {
					wrong := math.Abs(float64(want[c]-got[c])) / max(1, math.Abs(float64(want[c])))
					if worst = max(worst, wrong); !(wrong <= 1e-5) {
						t.Errorf("%s: coordinates %v at %g, %g, want %v", name, got, x, y, want)
					}
				}
			}
		}
	}
	s := canvas(t, TriangleList)
	s.Viewport = Viewport{X: 8, Y: size, Width: size - 8, Height: -size, MaxDepth: 1}
	r := &run{ctx: t.Context(), s: s, samples: locations[1], viewport: &s.Viewport, area: area{8, 0, size, size}, layers: 1,
		sh: &shading{each: check}}
	draw := func(as string, vertices int, polygons PolygonMode) {
		name, s.Polygons = as, polygons
		var v []*Vertex
		for range vertices {
			v = append(v, vertex())
		}
		if err := errors.Join(r.primitive(v, 0), r.flush()); err != nil {
			t.Fatal(err)
		}
	}
	for range rounds {
		draw("triangle", 3, Fill)
		draw("line", 2, Fill)
		draw("point", 1, Fill)
		draw("edges", 3, Line)
		draw("vertices", 3, Point)
	}
	t.Logf("%v quads, largest difference %g", n, worst)
	if len(n) != 5 || len(origins) < rounds {
		t.Errorf("quads of %d kinds of primitives, %d origins", len(n), len(origins))
	}
}
