// SPDX-License-Identifier: MIT

package engine

import (
	"context"
	"testing"

	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/core/draw"
	"jacquard.example/core/interp"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// TestSamplePlace: places of samples are relative to the corner of their pixel; a sample that does not exist is in the center.
func TestSamplePlace(t *testing.T) {
	var f graphics.Planar = &fragmentFixed{quads: []draw.Quad{{}, {X: 6, Y: 2, Samples: 4}}}
	for sample, want := range [][2]float64{{6, 2}, {14, 6}, {2, 10}, {10, 14}, {8, 8}} {
		for l := 4; l < 8; l++ {
			if x, y := f.SamplePlace(l, sample); 16*x != want[0] || 16*y != want[1] {
				t.Errorf("pixel %d: sample %d is at %g, %g, want %v / 16", l, sample, x, y, want)
			}
		}
	}
}

// recorder is a draw.Shaders whose vertices have different places and w's. It keeps the quads, and discards them.
type recorder struct{ quads []draw.Quad }

// Vertices implements draw.Shaders.
func (r *recorder) Vertices(_ context.Context, in []draw.Input, out []draw.Vertex) error {
	for i := range in {
		w := float32(1 + i)
		out[i].Position = [4]float32{w * float32(i%2*2-1), w * float32(i/2%2*2-1), 0, w}
	}
	return nil
}

// Fragments implements draw.Shaders.
func (r *recorder) Fragments(_ context.Context, quads []draw.Quad) error {
	r.quads = append(r.quads, quads...)
	return nil
}

// TestPlanesOfQuads: a fragment has the planes of the primitive of its quad.
func TestPlanesOfQuads(t *testing.T) {
	var r recorder
	state := &draw.State{Topology: draw.TriangleStrip, Width: 8, Height: 8, Viewport: draw.Viewport{Width: 8, Height: 8, MaxDepth: 1}}
	if err := draw.Run(t.Context(), state, &draw.Call{Count: 4, Instances: 1}, &r); err != nil {
		t.Fatal(err)
	}
	quads := r.quads
	if n := len(quads); n < 16 || quads[0].Primitive == quads[n-1].Primitive {
		t.Fatalf("%d quads", n)
	}
	f := &fragmentFixed{quads: quads}
	for l := range 4 * len(quads) {
		q := &quads[l/4]
		x, y := q.Center(l % 4)
		_, flat, _, _ := f.Linear(l, x, y)
		at := f.Barycentric(l, interp.Place{ID: intrinsic.LoadBarycentricPixel}, kind.InterpNoperspective)
		if at != [2]float32{float32(flat[0]), float32(flat[1])} {
			t.Errorf("invocation %d: %v, want %v", l, flat, at)
		}
		ox, oy := f.Origin(l)
		if wx, wy := q.Primitive.Origin(); ox != wx || oy != wy {
			t.Errorf("invocation %d: the origin is %g, %g", l, ox, oy)
		}
	}
}
