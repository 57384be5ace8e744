// SPDX-License-Identifier: MIT

package draw

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// TestAssemble: each topology yields the vertices in the order of the specification, the provoking vertex first, and
// handles restarts.
func TestAssemble(t *testing.T) {
	for _, test := range []struct {
		topology Topology
		list     []uint64
		want     string
	}{
		{TriangleList, []uint64{0, 1, 2, 3, 4, 5, 6}, "[0 1 2][3 4 5]"},
		{TriangleStrip, []uint64{0, 1, 2, 3, 4}, "[0 1 2][1 3 2][2 3 4]"},
		{TriangleFan, []uint64{0, 1, 2, 3, 4}, "[1 2 0][2 3 0][3 4 0]"},
		{TriangleStrip, []uint64{0, 1, 2, restart, 4, 5, restart, 7, 8, 9, 10}, "[0 1 2][7 8 9][8 10 9]"},
		{TriangleFan, []uint64{0, 1}, ""},
		{PointList, []uint64{0, 1}, "[0][1]"},
		{LineList, []uint64{0, 1, 2, 3, 4}, "[0 1][2 3]"},
		{LineStrip, []uint64{0, 1, 2, restart, 4, 5}, "[0 1][1 2][4 5]"},
		{LineListWithAdjacency, []uint64{0, 1, 2, 3, 4, 5, 6, 7}, "[1 2][5 6]"},
		{LineStripWithAdjacency, []uint64{0, 1, 2, 3, 4}, "[1 2][2 3]"},
		{TriangleListWithAdjacency, []uint64{0, 1, 2, 3, 4, 5}, "[0 2 4]"},
		{TriangleStripWithAdjacency, []uint64{0, 1, 2, 3, 4, 5, 6, 7}, "[0 2 4][2 6 4]"},
	} {
		got := ""
		err := test.topology.assemble(test.list, func(v []int) error {
			got += fmt.Sprint(v)
			return nil
		})
		if err != nil || got != test.want {
			t.Errorf("topology %d of %v: %s (%v), want %s", test.topology, test.list, got, err, test.want)
		}
	}
}

// TestFillRule: triangles around a point cover each sample of their union once, wherever the point and the corners are.
func TestFillRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const size = 24
	for round := range 300 {
		samples := locations[[]int{1, 2, 4, 8, 16}[round%5]]
		at := func(x, y int64) point {
			if rng.IntN(2) == 0 { // at the center of a pixel
				return point{x / pixelSize * pixelSize, y / pixelSize * pixelSize}
			}
			return point{x, y}
		}
		low, high := int64(-3*pixelSize), int64((size+3)*pixelSize)
		center := at(rng.Int64N(size*pixelSize), rng.Int64N(size*pixelSize))
		ring := []point{{low, low}, {center.x, low}, {high, low}, {high, center.y}, {high, high}, at(rng.Int64N(size*pixelSize), high), {low, high}, {low, center.y}}
		var count [size][size][16]int
		for i := range ring {
			a, b := ring[i], ring[(i+1)%len(ring)]
			if turn(center, a, b) == 0 {
				continue
			}
			err := rasterize([]point{center, a, b}, samples, area{0, 0, size, size}, func(x, y int, c coverage) error {
				for k := range 4 {
					for s := range samples {
						if c[k]>>s&1 != 0 {
							count[y+k>>1][x+k&1][s]++
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for y := range count {
			for x, n := range count[y] {
				for s := range samples {
					if n[s] != 1 {
						t.Fatalf("sample %d of pixel %d %d is covered %d times around %v", s, x, y, n[s], center)
					}
				}
			}
		}
	}
}

// vertexAt returns a vertex.
func vertexAt(x, y, z, w float32) *Vertex { return &Vertex{Position: [4]float32{x, y, z, w}} }

// TestClip: triangles are cut at the depth planes, at clip distances and at w = 0; culled primitives and NaN
// coordinates leave nothing.
func TestClip(t *testing.T) {
	nan := float32(math.NaN())
	inside := [3]*Vertex{vertexAt(0, 0, 0.5, 1), vertexAt(1, 0, 0.5, 1), vertexAt(0, 1, 0.5, 1)}
	clipped, culled := *inside[0], *inside[0]
	clipped.Clips, clipped.Clip[0] = 1, -1
	culled.Culls, culled.Cull[0] = 1, -1
	other := *inside[1]
	other.Clip[0], other.Cull[0] = 1, -1
	last := *inside[2]
	last.Cull[0] = -1
	for _, test := range []struct {
		name    string
		v       [3]*Vertex
		clamp   bool
		corners int
		minusW  bool
	}{
		{"inside", inside, false, 3, false},
		{"one vertex before the near plane", [3]*Vertex{vertexAt(0, 0, -1, 1), inside[1], inside[2]}, false, 4, false},
		{"two vertices before the near plane", [3]*Vertex{vertexAt(0, 0, -1, 1), vertexAt(1, 0, -1, 1), inside[2]}, false, 3, false},
		{"all behind the far plane", [3]*Vertex{vertexAt(0, 0, 2, 1), vertexAt(1, 0, 2, 1), vertexAt(0, 1, 2, 1)}, false, 0, false},
		{"behind the far plane, clamped", [3]*Vertex{vertexAt(0, 0, 2, 1), vertexAt(1, 0, 2, 1), vertexAt(0, 1, 2, 1)}, true, 3, false},
		{"behind the viewer", [3]*Vertex{vertexAt(0, 0, 0, -1), vertexAt(1, 0, 0, -1), vertexAt(0, 1, 0, -1)}, true, 0, false},
		{"a clip distance", [3]*Vertex{&clipped, &other, inside[2]}, false, 4, false},
		{"cull distances", [3]*Vertex{&culled, &other, &last}, false, 0, false},
		{"one cull distance", [3]*Vertex{&culled, inside[1], inside[2]}, false, 3, false},
		{"not a number", [3]*Vertex{vertexAt(nan, 0, 0, 1), inside[1], inside[2]}, false, 0, false},
		{"between w and -w", [3]*Vertex{vertexAt(0, 0, -0.5, 1), inside[1], inside[2]}, false, 3, true},
		{"one vertex before -w", [3]*Vertex{vertexAt(0, 0, -2, 1), inside[1], inside[2]}, false, 4, true},
	} {
		s := State{DepthClamp: test.clamp, NearMinusW: test.minusW}
		if got := len(s.clip(&test.v)); got != test.corners {
			t.Errorf("%s: %d corners, want %d", test.name, got, test.corners)
		}
	}
}

// TestBarycentric: at a vertex's position the coordinates are the vertex's own. Half way in clip coordinates they are a
// half; half way on the screen they are not.
func TestBarycentric(t *testing.T) {
	v := [3]*Vertex{vertexAt(-1, -1, 0, 1), vertexAt(4, -4, 4, 4), vertexAt(-2, 2, 1, 2)}
	p := newPrimitive(v, 0, true, &Viewport{Width: 100, Height: 100, MaxDepth: 1})
	near := func(what string, got, want [2]float32) {
		if math.Abs(float64(got[0]-want[0])) > 1e-5 || math.Abs(float64(got[1]-want[1])) > 1e-5 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for _, mode := range []kind.InterpMode{kind.InterpSmooth, kind.InterpNoperspective} {
		near("vertex 0", p.Barycentric(0, 0, mode), [2]float32{0, 0})
		near("vertex 1", p.Barycentric(100, 0, mode), [2]float32{1, 0})
		near("vertex 2", p.Barycentric(0, 100, mode), [2]float32{0, 1})
	}
	// Half way between vertices 0 and 1 in clip coordinates: x/w is 1.5/2.5.
	near("perspective", p.Barycentric(80, 0, kind.InterpSmooth), [2]float32{0.5, 0})
	near("linear", p.Barycentric(80, 0, kind.InterpNoperspective), [2]float32{0.8, 0})
	if z, w := p.Depth(80, 0), p.W(80, 0); math.Abs(float64(z)-0.8) > 1e-6 || math.Abs(float64(w)-1/2.5) > 1e-6 {
		t.Errorf("depth %g, 1/w %g", z, w)
	}
}

// flat is a Shaders that passes positions through and draws one color.
type flat struct {
	inputs []Input
	quads  int
	err    error
}

func (f *flat) Vertices(_ context.Context, in []Input, out []Vertex) error {
	f.inputs = append(f.inputs, in...)
	for i := range in {
		for c, x := range in[i].Attributes[0] {
			out[i].Position[c] = math.Float32frombits(x)
		}
	}
	return nil
}

func (f *flat) Fragments(_ context.Context, quads []Quad) error {
	f.quads += len(quads)
	for i := range quads {
		for k := range quads[i].Pixels {
			px := &quads[i].Pixels[k]
			px.Live, px.Written, px.Colors[0] = true, 1, [4]uint32{0x3f800000, 0, 0, 0x3f800000}
		}
	}
	return f.err
}

func formatNamed(t *testing.T, name string) *texture.Format {
	t.Helper()
	f, err := texture.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// square returns a state that covers a picture of 4×4 pixels with a triangle strip.
func square(t *testing.T) *State {
	var data []byte
	for _, x := range []int8{-127, -127, 127, -127, -127, 127, 127, 127} {
		data = append(data, byte(x))
	}
	return &State{
		Topology: TriangleStrip, Width: 4, Height: 4, Viewport: Viewport{Width: 4, Height: 4, MaxDepth: 1},
		Attributes: []Attribute{{Format: formatNamed(t, "R8G8_SNORM"), Data: data, Stride: 2}},
		Colors: []Color{{Attachment: Attachment{Format: formatNamed(t, "R8G8B8A8_UNORM"), Width: 4, Height: 4,
			Data: make([]byte, 64)}}},
	}
}

// TestCulling: the strip is clockwise on the screen, so it is front-facing if clockwise triangles are.
func TestCulling(t *testing.T) {
	for _, test := range []struct {
		cull      Cull
		clockwise bool
		drawn     bool
	}{{0, false, true}, {CullBack, false, false}, {CullFront, false, true}, {CullBack, true, true}, {CullFront, true, false}} {
		s := square(t)
		s.Cull, s.Clockwise = test.cull, test.clockwise
		if err := Run(t.Context(), s, &Call{Count: 4, Instances: 1}, &flat{}); err != nil {
			t.Fatal(err)
		}
		if drawn := s.Colors[0].Data[0] == 255; drawn != test.drawn {
			t.Errorf("%+v: drawn %v", test, drawn)
		}
	}
}

// TestFetch: each vertex is shaded once per instance; an attribute outside its buffer is 0, 0, 0, 1; an index outside
// its buffer is an error.
func TestFetch(t *testing.T) {
	s := square(t)
	f := &flat{}
	call := &Call{Count: 6, Instances: 2, FirstInstance: 5, Indices: []byte{0, 1, 2, 2, 1, 9}, IndexBytes: 1}
	if err := Run(t.Context(), s, call, f); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, in := range f.inputs {
		got += fmt.Sprint(in.Vertex, "/", in.Instance, " ")
	}
	if got != "0/5 1/5 2/5 9/5 0/6 1/6 2/6 9/6 " {
		t.Errorf("vertices %s", got)
	}
	if a := f.inputs[3].Attributes[0]; a != [4]uint32{0, 0, 0, 0x3f800000} {
		t.Errorf("outside the buffer: %v", a)
	}
	call.Count = 7
	if err := Run(t.Context(), s, call, f); err == nil || err.Error() != "index 6 of the draw is outside the 6 bytes of indices" {
		t.Errorf("got %v", err)
	}
}

// TestRunStops: a draw ends with the error of a shader or of the context.
func TestRunStops(t *testing.T) {
	wrong := errors.New("wrong")
	if err := Run(t.Context(), square(t), &Call{Count: 4, Instances: 1}, &flat{err: wrong}); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, square(t), &Call{Count: 4, Instances: 1}, &flat{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestNoVertices: a draw without vertices ends at once, however many instances it has.
func TestNoVertices(t *testing.T) {
	f := &flat{}
	if err := Run(t.Context(), square(t), &Call{Instances: math.MaxUint32}, f); err != nil || len(f.inputs) > 0 {
		t.Errorf("%d vertices, %v", len(f.inputs), err)
	}
}

// TestRefused: an unsupported state is an error that names the feature.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(s *State, c *Call)
	}{
		{"color attachment 0 has 4x4 pixels, but the framebuffer has 5x4", func(s *State, _ *Call) { s.Width = 5 }},
		{"a draw of 4194305 vertices and 1 instances; the limit is 4194304 vertices in total", func(_ *State, c *Call) { c.Count = 1<<22 + 1 }},
		{"3 samples; there can be 1, 2, 4, 8 or 16", func(s *State, _ *Call) { s.Samples = 3 }},
		{"17 samples; there can be 1, 2, 4, 8 or 16", func(s *State, _ *Call) { s.Samples = 17 }},
		{"vertex attributes of format R64_UINT are not supported yet", func(s *State, _ *Call) { s.Attributes[0].Format = formatNamed(t, "R64_UINT") }},
		{"color attachment 0 has format R32_UINT, which cannot be blended", func(s *State, _ *Call) {
			s.Colors[0].Format, s.Colors[0].Blend.Enabled = formatNamed(t, "R32_UINT"), true
		}},
	} {
		s, c := square(t), &Call{Count: 4, Instances: 1}
		test.change(s, c)
		if err := Run(t.Context(), s, c, &flat{}); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
