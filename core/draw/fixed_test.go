// SPDX-License-Identifier: MIT

package draw

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/core/texture"
)

// picture renders a color attachment as text: # for a pixel with red, a dot otherwise, and a slash after each row.
func picture(a *Attachment) string {
	var b strings.Builder
	for y := range a.Height {
		for x := range a.Width {
			t := a.Texel(x, y)
			b.WriteByte(".#"[min(int(t.Float(0)*2), 1)])
		}
		b.WriteByte('/')
	}
	return b.String()
}

// canvas returns a state that draws to 8×8 pixels, with vertex positions in pixels.
func canvas(t *testing.T, topology Topology, at ...float32) *State {
	t.Helper()
	s := square(t)
	s.Topology, s.Width = topology, 8
	s.Height, s.Viewport = 8, Viewport{Width: 8, Height: 8, MaxDepth: 1}
	s.Colors[0].Attachment = Attachment{Format: s.Colors[0].Format, Width: 8, Height: 8, Data: make([]byte, 256)}
	var data []byte
	for _, x := range at {
		bits := math.Float32bits(x/4 - 1)
		data = append(data, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	s.Attributes = []Attribute{{Format: formatNamed(t, "R32G32_SFLOAT"), Data: data, Stride: 8}}
	return s
}

// layered is a Shaders that draws to a layer.
type layered struct {
	flat
	layer uint32
}

func (l *layered) Vertices(ctx context.Context, in []Input, out []Vertex) error {
	err := l.flat.Vertices(ctx, in, out)
	for i := range out {
		out[i].Layer = l.layer
	}
	return err
}

// drawn draws n vertices and returns the picture.
func drawn(t *testing.T, s *State, n int, sh Shaders) string {
	t.Helper()
	if err := Run(t.Context(), s, &Call{Count: uint32(n), Instances: 1}, sh); err != nil {
		t.Fatal(err)
	}
	return picture(&s.Colors[0].Attachment)
}

// TestLinesAndPoints covers lines in both modes, points with a size, and outlines of triangles.
func TestLinesAndPoints(t *testing.T) {
	const empty = "......../"
	for _, test := range []struct {
		name string
		at   []float32
		set  func(s *State)
		want string
	}{
		{"a horizontal line", []float32{1, 2.5, 4, 2.5}, func(s *State) { s.Topology = LineList },
			strings.Repeat(empty, 2) + ".###..../" + strings.Repeat(empty, 5)},
		{"a wide vertical line", []float32{4, 6, 4, 1}, func(s *State) { s.Topology, s.LineWidth = LineList, 2 },
			empty + strings.Repeat("...##.../", 5) + strings.Repeat(empty, 2)},
		{"Bresenham, from the center of a pixel to that of another, which is left out", []float32{1.5, 1.5, 4.5, 2.5},
			func(s *State) { s.Topology, s.Lines = LineList, BresenhamLines },
			empty + ".##...../...#..../" + strings.Repeat(empty, 5)},
		{"Bresenham, the other way", []float32{4.5, 2.5, 1.5, 1.5}, func(s *State) { s.Topology, s.Lines = LineList, BresenhamLines },
			empty + "..#...../...##.../" + strings.Repeat(empty, 5)},
		{"Bresenham, a steep line", []float32{1.5, 1.5, 2.5, 4.5}, func(s *State) { s.Topology, s.Lines = LineList, BresenhamLines },
			empty + ".#....../.#....../..#...../" + strings.Repeat(empty, 4)},
		{"a strip of lines", []float32{1, 1.5, 4, 1.5, 4, 4.5}, func(s *State) { s.Topology, s.Lines = LineStrip, BresenhamLines },
			empty + ".###..../...#..../...#..../...#..../" + strings.Repeat(empty, 3)},
		{"a point of one pixel", []float32{3.5, 2.5}, nil, strings.Repeat(empty, 2) + "...#..../" + strings.Repeat(empty, 5)},
		{"an outline", []float32{1.5, 1.5, 6.5, 1.5, 1.5, 6.5}, func(s *State) { s.Topology, s.Polygons, s.Lines = TriangleList, Line, BresenhamLines },
			empty + ".######./.#...#../.#..#.../.#.#..../.##...../.#....../" + empty},
		{"the vertices of a triangle", []float32{1.5, 1.5, 6.5, 1.5, 1.5, 6.5}, func(s *State) { s.Topology, s.Polygons = TriangleList, Point },
			empty + ".#....#./" + strings.Repeat(empty, 4) + ".#....../" + empty},
	} {
		s := canvas(t, PointList, test.at...)
		if test.set != nil {
			test.set(s)
		}
		if got := drawn(t, s, len(test.at)/2, &flat{}); got != test.want {
			t.Errorf("%s:\n%swant\n%s", test.name, strings.ReplaceAll(got, "/", "\n"), strings.ReplaceAll(test.want, "/", "\n"))
		}
	}
}

// TestPointSize: a point is a square of its size, and its coordinates go from 0 to 1 in it.
func TestPointSize(t *testing.T) {
	s := canvas(t, PointList)
	r := &run{ctx: t.Context(), s: s, samples: locations[1], viewport: &s.Viewport, area: area{0, 0, 8, 8}, layers: 1}
	if err := r.point(&Vertex{Position: [4]float32{0, 0, 0.25, 1}, PointSize: 3}, 0); err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range r.quads {
		for k, c := range r.quads[i].Coverage {
			if c != 0 {
				n++
				x, y := r.quads[i].Center(k)
				p := r.quads[i].Primitive
				if got, want := p.PointCoord(x, y), [2]float32{float32((x - 2.5) / 3), float32((y - 2.5) / 3)}; got != want {
					t.Errorf("at %g %g: %v, want %v", x, y, got, want)
				}
				if z := p.Depth(x, y); z != 0.25 {
					t.Errorf("depth %g", z)
				}
			}
		}
	}
	if n != 9 {
		t.Errorf("a point of size 3 covers %d pixels", n)
	}
}

// TestLineInterpolation: interpolation along a line is perspective-correct, and clipping does not change it.
func TestLineInterpolation(t *testing.T) {
	s := canvas(t, LineList)
	r := &run{ctx: t.Context(), s: s, samples: locations[1], viewport: &s.Viewport, area: area{0, 0, 8, 8}, layers: 1}
	a, b := vertexAt(-1, 0, 0, 1), vertexAt(3, 0, 1.5, 3)
	if err := r.line([]*Vertex{a, b}, 0); err != nil {
		t.Fatal(err)
	}
	p := r.quads[0].Primitive
	if got := p.Barycentric(4, 4, 0)[0]; math.Abs(float64(got)-0.25) > 1e-6 { // x is 0 at s with −1+4s = 0
		t.Errorf("perspective: %g", got)
	}
	if z, w := p.Depth(4, 4), p.W(4, 4); z != 0.25 || math.Abs(float64(w)-2.0/3) > 1e-6 {
		t.Errorf("depth %g, 1/w %g", z, w)
	}
	r.quads = nil
	behind := vertexAt(-1, 0, -1, -3) // clipped, since its depth is negative
	if err := r.line([]*Vertex{b, behind}, 0); err != nil {
		t.Fatal(err)
	}
	for i := range r.quads {
		for k, c := range r.quads[i].Coverage {
			x, y := r.quads[i].Center(k)
			f := float64(r.quads[i].Primitive.Barycentric(x, y, 0)[0])
			if px := (3 - 4*f) / (3 - 6*f); c != 0 && math.Abs((px+1)*4-x) > 1e-4 {
				t.Errorf("at %g the coordinate is %g, which is at %g", x, f, (px+1)*4)
			}
		}
	}
}

// TestStencilOps: each operation on values at the ends of the range, through the write mask.
func TestStencilOps(t *testing.T) {
	for op, want := range map[StencilOp]string{
		Keep: "0 255 17", SetZero: "0 0 0", Replace: "6 6 6", IncrementAndClamp: "1 255 18", DecrementAndClamp: "0 254 16",
		Invert: "255 0 238", IncrementAndWrap: "1 0 18", DecrementAndWrap: "255 254 16",
	} {
		f := &StencilFace{WriteMask: 255}
		if got := fmt.Sprint(f.apply(op, 6, 0), f.apply(op, 6, 255), f.apply(op, 6, 17)); got != want {
			t.Errorf("operation %d: %s, want %s", op, got, want)
		}
	}
	f := &StencilFace{WriteMask: 0xf0, CompareMask: 0x0f, Compare: texture.Less}
	if got := f.apply(Invert, 0, 0x35); got != 0xc5 {
		t.Errorf("write mask: %#x", got)
	}
	if !f.passes(0x71, 0x02) || f.passes(0x02, 0x71) {
		t.Error("the compare mask is not applied to both")
	}
}

// TestStencilTest: the right operation applies when the stencil test fails, the depth test fails, or both pass; a
// failed test writes no color.
func TestStencilTest(t *testing.T) {
	for _, test := range []struct {
		name    string
		compare texture.Compare
		depth   float32
		value   byte
		drawn   bool
	}{
		{"fails", texture.Less, 1, 0, false},
		{"passes, the depth fails", texture.Greater, 0, 3, false},
		{"passes", texture.Greater, 1, 7, true},
	} {
		s := square(t)
		s.Depth = Depth{Test: true, Compare: texture.Less,
			Attachment: Attachment{Format: formatNamed(t, "D24_UNORM_S8_UINT"), Width: 4, Height: 4, Data: make([]byte, 64)}}
		var clear texture.Texel
		clear.SetFloat(0, test.depth)
		s.Depth.Attachment.Clear(clear)
		s.Depth.Attachment.ClearStencil(2)
		s.Stencil = Stencil{Test: true, Back: StencilFace{ // the strip is back-facing; the front face never passes
			Fail: SetZero, DepthFail: IncrementAndWrap, Pass: Replace, Compare: test.compare, CompareMask: 3, WriteMask: 255, Reference: 7,
		}}
		if err := Run(t.Context(), s, &Call{Count: 4, Instances: 1}, &flat{}); err != nil {
			t.Fatal(err)
		}
		texel := s.Depth.Attachment.Data[:4]
		if drawn := s.Colors[0].Data[0] == 255; drawn != test.drawn || texel[3] != test.value {
			t.Errorf("%s: drawn %v, value %d, want %d", test.name, drawn, texel[3], test.value)
		}
		if t0 := s.Depth.Attachment.Texel(0, 0); t0.Float(0) != test.depth {
			t.Errorf("%s: the depth %g was written", test.name, t0.Float(0))
		}
	}
}

// TestEarlyTests: quads in which no pixel passes the early tests are not shaded.
func TestEarlyTests(t *testing.T) {
	for _, early := range []bool{false, true} {
		s := square(t)
		s.EarlyTests = early
		s.Depth = Depth{Test: true, Compare: texture.Less,
			Attachment: Attachment{Format: formatNamed(t, "D32_SFLOAT"), Width: 4, Height: 4, Data: make([]byte, 64)}}
		s.Depth.Attachment.Data[3] = 0x3f // one pixel, 0.5: the others are in front of the strip
		sh := &flat{}
		if err := Run(t.Context(), s, &Call{Count: 4, Instances: 1}, sh); err != nil {
			t.Fatal(err)
		}
		drawn := 0
		for i := 0; i < 64; i += 4 {
			drawn += int(s.Colors[0].Data[i] & 1)
		}
		// Without early tests, the strip's two triangles have three quads each.
		if want := map[bool]int{false: 6, true: 1}[early]; sh.quads != want || drawn != 1 {
			t.Errorf("early tests %v: %d quads are shaded, want %d; %d pixels are drawn", early, sh.quads, want, drawn)
		}
	}
}

// TestLogicOps checks each operation on all pairs of bits against the table of the specification.
func TestLogicOps(t *testing.T) {
	for op, want := range map[LogicOp]func(s, d byte) byte{
		LogicClear: func(s, d byte) byte { return 0 }, LogicAnd: func(s, d byte) byte { return s & d }, LogicAndReverse: func(s, d byte) byte { return s &^ d },
		LogicCopy: func(s, d byte) byte { return s }, LogicAndInverted: func(s, d byte) byte { return d &^ s }, LogicNoOp: func(s, d byte) byte { return d },
		LogicXor: func(s, d byte) byte { return s ^ d }, LogicOr: func(s, d byte) byte { return s | d }, LogicNor: func(s, d byte) byte { return ^(s | d) },
		LogicEquivalent: func(s, d byte) byte { return ^(s ^ d) }, LogicInvert: func(s, d byte) byte { return ^d }, LogicOrReverse: func(s, d byte) byte { return s | ^d },
		LogicCopyInverted: func(s, d byte) byte { return ^s }, LogicOrInverted: func(s, d byte) byte { return ^s | d },
		LogicNand: func(s, d byte) byte { return ^(s & d) }, LogicSet: func(s, d byte) byte { return 255 },
	} {
		if got := op.bits(0x3c, 0x5a); got != want(0x3c, 0x5a) {
			t.Errorf("operation %d: %#x, want %#x", op, got, want(0x3c, 0x5a))
		}
	}
}

// TestSamples: a pixel that an edge crosses has some samples covered, and its resolved color is in between.
func TestSamples(t *testing.T) {
	s := canvas(t, TriangleList, 0, 0, 8, 0, 0, 8)
	s.Samples = 4
	multi := &s.Colors[0].Attachment
	multi.Samples, multi.Data = 4, make([]byte, 4*256)
	resolved := Attachment{Format: multi.Format, Width: 8, Height: 8, Data: make([]byte, 256)}
	if err := Run(t.Context(), s, &Call{Count: 3, Instances: 1}, &flat{}); err != nil {
		t.Fatal(err)
	}
	Resolve(&resolved, multi)
	var got [3]byte
	for i, x := range []int{2, 3, 4} {
		got[i] = resolved.Data[4*(8*4+x)]
	}
	// In pixel 3 4, only samples 0 and 2 are covered: they are to the left of the edge and above it.
	if got != [3]byte{255, 128, 0} {
		t.Errorf("pixels around the edge: %v", got)
	}
	s.NoSamples = 1
	clear(multi.Data)
	if err := Run(t.Context(), s, &Call{Count: 3, Instances: 1}, &flat{}); err != nil {
		t.Fatal(err)
	}
	if Resolve(&resolved, multi); resolved.Data[0] != 191 {
		t.Errorf("without sample 0: %d", resolved.Data[0])
	}
}

// TestDepthBias covers the slope, the constant in the format's unit, and the clamp.
func TestDepthBias(t *testing.T) {
	v := [3]*Vertex{vertexAt(-1, -1, 0, 1), vertexAt(1, -1, 0.5, 1), vertexAt(-1, 1, 0.25, 1)}
	for _, test := range []struct {
		format string
		bias   DepthBias
		want   float64
	}{
		{"D16_UNORM", DepthBias{Enabled: true, Constant: 2}, 2.0 / 65536},
		{"D16_UNORM", DepthBias{Constant: 2}, 0},
		{"D32_SFLOAT", DepthBias{Enabled: true, Constant: 2}, 2.0 / (1 << 24)},
		{"D16_UNORM", DepthBias{Enabled: true, Slope: 2}, 2 * 0.5 / 8},
		{"D16_UNORM", DepthBias{Enabled: true, Slope: 2, Clamp: 0.1}, float64(float32(0.1))},
		{"D16_UNORM", DepthBias{Enabled: true, Slope: -2, Clamp: -0.1}, -float64(float32(0.1))},
	} {
		s := canvas(t, TriangleList)
		s.DepthBias, s.Depth.Attachment.Format = test.bias, formatNamed(t, test.format)
		r := &run{s: s, viewport: &s.Viewport}
		if got := r.bias(newPrimitive(v, 0, true, &s.Viewport), corners(v[:])); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s %+v: %g, want %g", test.format, test.bias, got, test.want)
		}
	}
}

// TestLayers: a primitive is drawn to the layer of its provoking vertex; nothing is drawn if the layer does not exist.
func TestLayers(t *testing.T) {
	for layer, want := range []string{"1 0", "0 1", "0 0"} {
		s := square(t)
		s.Colors[0].Layers, s.Colors[0].Data = 2, make([]byte, 128)
		if err := Run(t.Context(), s, &Call{Count: 4, Instances: 1}, &layered{layer: uint32(layer)}); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Colors[0].Data[0]/255, s.Colors[0].Data[64]/255); got != want {
			t.Errorf("layer %d: %s, want %s", layer, got, want)
		}
	}
}

// TestDepthBounds: samples are drawn where the attachment's depth is within the bounds, independent of their own depth.
func TestDepthBounds(t *testing.T) {
	for _, test := range []struct {
		stored float32
		drawn  bool
	}{{0.25, false}, {0.375, true}, {0.5, true}, {0.75, true}, {0.875, false}} {
		s := square(t)
		s.Depth = Depth{Bounds: true, Low: 0.375, High: 0.75,
			Attachment: Attachment{Format: formatNamed(t, "D32_SFLOAT"), Width: 4, Height: 4, Data: make([]byte, 64)}}
		var clear texture.Texel
		clear.SetFloat(0, test.stored)
		s.Depth.Attachment.Clear(clear)
		if err := Run(t.Context(), s, &Call{Count: 4, Instances: 1}, &flat{}); err != nil {
			t.Fatal(err)
		}
		if drawn := s.Colors[0].Data[0] == 255; drawn != test.drawn {
			t.Errorf("depth %g: drawn %v", test.stored, drawn)
		}
	}
}
