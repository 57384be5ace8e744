// SPDX-License-Identifier: MIT

package texture_test

import (
	"fmt"
	"math"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// counting returns an image in which texel number i, counted over all levels, has the value i.
func counting(t *testing.T, dim kind.ImageDim, w, h, d, layers uint32, levels int) *texture.Image {
	t.Helper()
	m := texture.NewImage(dim, named(t, "R32_SFLOAT"), w, h, d, layers, 1, levels)
	n := 0
	for _, l := range m.Levels {
		for i := 0; i < len(l.Data); i += 4 {
			v := floats(float32(n))
			m.Format.Encode(l.Data[i:i+4], &v)
			n++
		}
	}
	return m
}

func red(m *texture.Image, s texture.Sampler, q texture.Query) float32 {
	t := m.Sample(&s, &q)
	return t.Float(0)
}

// TestAddressModes: which of four texels replaces a texel outside, from texel -6 to 9. A texel is a letter, and the
// border a minus.
func TestAddressModes(t *testing.T) {
	m := counting(t, kind.Dim1D, 4, 1, 1, 1, 1)
	for a, want := range map[texture.Address]string{
		texture.Repeat:            "cdabcdabcdabcdab",
		texture.MirroredRepeat:    mirrored(),
		texture.ClampToEdge:       "aaaaaaabcddddddd",
		texture.ClampToBorder:     "------abcd------",
		texture.MirrorClampToEdge: "dddcbaabcddddddd",
	} {
		got := ""
		for i := -6; i < 10; i++ {
			s := texture.DefaultSampler()
			s.Address[0], s.Border = a, texture.OpaqueWhite
			x := red(m, s, texture.Query{Coord: [3]float32{(float32(i) + 0.5) / 4}})
			if a == texture.ClampToBorder && (i < 0 || i > 3) {
				if x != 1 {
					t.Errorf("the border is %v", x)
				}
				got += "-"
			} else {
				got += string(rune('a' + int(x)))
			}
		}
		if got != want {
			t.Errorf("mode %d: %s, want %s", a, got, want)
		}
	}
}

// mirrored returns the result of MirroredRepeat: the row, then the row reversed.
func mirrored() string {
	row := "abcddcba"
	out := ""
	for i := -6; i < 10; i++ {
		out += string(row[(i+8)%8])
	}
	return out
}

// TestLinear checks the weights of linear filtering at places computed by hand.
func TestLinear(t *testing.T) {
	s := texture.DefaultSampler()
	s.Mag, s.Min, s.Address = texture.Linear, texture.Linear, [3]texture.Address{texture.ClampToEdge, texture.ClampToEdge, texture.ClampToEdge}
	row := counting(t, kind.Dim1D, 4, 1, 1, 1, 1)
	square := counting(t, kind.Dim2D, 2, 2, 1, 1, 1)
	cube3 := counting(t, kind.Dim3D, 2, 2, 2, 1, 1)
	for _, c := range []struct {
		m    *texture.Image
		at   [3]float32
		want float32
	}{
		{row, [3]float32{0.5}, 1.5}, {row, [3]float32{0.375}, 1}, {row, [3]float32{0.4375}, 1.25}, {row, [3]float32{0}, 0}, {row, [3]float32{1}, 3},
		{row, [3]float32{-5}, 0},
		{square, [3]float32{0.5, 0.5}, 1.5}, {square, [3]float32{0.25, 0.5}, 1}, {square, [3]float32{0.375, 0.25}, 0.25},
		{cube3, [3]float32{0.5, 0.5, 0.5}, 3.5}, {cube3, [3]float32{0.25, 0.25, 0.5}, 2},
	} {
		if got := red(c.m, s, texture.Query{Coord: c.at}); got != c.want {
			t.Errorf("%s at %v: %v, want %v", c.m.Dim, c.at, got, c.want)
		}
	}
	s.Unnormalized = true
	if got := red(row, s, texture.Query{Coord: [3]float32{2}}); got != 1.5 {
		t.Errorf("texel 2, unnormalized: %v", got)
	}
	s = texture.DefaultSampler()
	s.Mag, s.Address[0], s.Border = texture.Linear, texture.ClampToBorder, texture.TransparentBlack
	if got := red(row, s, texture.Query{Coord: [3]float32{1}}); got != 1.5 {
		t.Errorf("half texel, half border: %v", got)
	}
}

// TestLevels checks the level that an explicit level of detail, or derivatives, select.
func TestLevels(t *testing.T) {
	m := texture.NewImage(kind.Dim2D, named(t, "R32_SFLOAT"), 8, 4, 1, 1, 1, 4)
	for i, l := range m.Levels { // every texel of a level is its number
		for k := 0; k < len(l.Data); k += 4 {
			v := floats(float32(i))
			m.Format.Encode(l.Data[k:k+4], &v)
		}
	}
	s := texture.DefaultSampler()
	for lod, want := range map[float32]float32{-1: 0, 0: 0, 0.5: 0, 0.51: 1, 1.5: 1, 1.6: 2, 3: 3, 99: 3} {
		if got := red(m, s, texture.Query{LOD: lod}); got != want {
			t.Errorf("nearest level of %v: %v, want %v", lod, got, want)
		}
	}
	s.Mip = texture.Linear
	for lod, want := range map[float32]float32{-1: 0, 0.25: 0.25, 1.5: 1.5, 99: 3} {
		if got := red(m, s, texture.Query{LOD: lod}); got != want {
			t.Errorf("level %v: %v, want %v", lod, got, want)
		}
	}
	// A distance of one texel along x is 1/8: two texels along x, four along y.
	q := texture.Query{Grad: true, Ddx: [3]float32{0.25}, Ddy: [3]float32{0, 1}}
	if got := red(m, s, q); got != 2 {
		t.Errorf("derivatives of 2 and 4 texels: level %v, want 2", got)
	}
	s.Bias, s.MaxLOD = 0.5, 1.25
	if got := red(m, s, texture.Query{LOD: 0.25}); got != 0.75 {
		t.Errorf("bias: %v", got)
	}
	if got := red(m, s, texture.Query{LOD: 2}); got != 1.25 {
		t.Errorf("largest level: %v", got)
	}
	s.MinLOD = 1
	if got := red(m, s, texture.Query{LOD: 0}); got != 1 {
		t.Errorf("smallest level: %v", got)
	}
	if got := red(m, s, texture.Query{LOD: 0, MinLOD: 1.125}); got != 1.125 {
		t.Errorf("smallest level of the query: %v", got)
	}
}

// TestMagnification: up to level 0, the magnification filter is used.
func TestMagnification(t *testing.T) {
	m := counting(t, kind.Dim1D, 4, 1, 1, 1, 1)
	s := texture.DefaultSampler()
	s.Mag = texture.Linear
	for lod, want := range map[float32]float32{0: 1.5, 0.01: 2} {
		if got := red(m, s, texture.Query{Coord: [3]float32{0.5}, LOD: lod}); got != want {
			t.Errorf("level %v: %v, want %v", lod, got, want)
		}
	}
}

// TestLayers: the layer is rounded to the nearest (in the middle to even) and clamped.
func TestLayers(t *testing.T) {
	m := counting(t, kind.Dim2D, 1, 1, 1, 4, 1)
	for a, want := range map[float32]float32{-3: 0, 0.4: 0, 0.5: 0, 0.6: 1, 1.5: 2, 2.5: 2, 9: 3} {
		if got := red(m, texture.DefaultSampler(), texture.Query{Layer: a}); got != want {
			t.Errorf("layer %v: %v, want %v", a, got, want)
		}
	}
}

// TestCubeFaces checks the table of the specification: the face of each direction, and the directions of its
// coordinates.
func TestCubeFaces(t *testing.T) {
	m := counting(t, kind.DimCube, 2, 2, 1, 12, 1)
	for _, c := range []struct {
		v    [3]float32
		want float32 // 4 face + 2 t + s
	}{
		{[3]float32{1, 0.5, 0.5}, 0}, {[3]float32{1, 0.5, -0.5}, 1}, {[3]float32{1, -0.5, 0.5}, 2},
		{[3]float32{-1, 0.5, -0.5}, 4}, {[3]float32{-1, 0.5, 0.5}, 5}, {[3]float32{-1, -0.5, -0.5}, 6},
		{[3]float32{-0.5, 1, -0.5}, 8}, {[3]float32{0.5, 1, -0.5}, 9}, {[3]float32{-0.5, 1, 0.5}, 10},
		{[3]float32{-0.5, -1, 0.5}, 12}, {[3]float32{0.5, -1, 0.5}, 13}, {[3]float32{-0.5, -1, -0.5}, 14},
		{[3]float32{-0.5, 0.5, 1}, 16}, {[3]float32{0.5, 0.5, 1}, 17}, {[3]float32{-0.5, -0.5, 1}, 18},
		{[3]float32{0.5, 0.5, -1}, 20}, {[3]float32{-0.5, 0.5, -1}, 21}, {[3]float32{0.5, -0.5, -1}, 22},
		{[3]float32{3, 3, 3}, 17}, // z before y before x; its top edge, on the right
		{[3]float32{3, 3, 1}, 11}, // y before x
	} {
		for cube := range 2 {
			if got := red(m, texture.DefaultSampler(), texture.Query{Coord: c.v, Layer: float32(cube)}); got != c.want+float32(24*cube) {
				t.Errorf("direction %v of cube %d: %v, want %v", c.v, cube, got, c.want+float32(24*cube))
			}
		}
	}
}

// TestCubeSeams: linear filtering is continuous across every edge and corner of a cube: close directions on both sides
// have close values.
func TestCubeSeams(t *testing.T) {
	m := counting(t, kind.DimCube, 4, 4, 1, 6, 1)
	s := texture.DefaultSampler()
	s.Mag = texture.Linear
	const eps = 1e-4
	for _, axes := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		other := 3 - axes[0] - axes[1]
		for k := range 4 {
			for step := -9; step <= 9; step++ {
				var a, b [3]float32
				sign := func(bit int) float32 { return float32(1 - 2*(k>>bit&1)) }
				a[axes[0]], a[axes[1]], a[other] = sign(0)*(1+eps), sign(1), float32(step)/9*(1-eps)
				b[axes[0]], b[axes[1]], b[other] = sign(0), sign(1)*(1+eps), a[other]
				x, y := red(m, s, texture.Query{Coord: a}), red(m, s, texture.Query{Coord: b})
				if math.Abs(float64(x-y)) > 0.2 { // neighbours differ by up to 100
					t.Errorf("%v gives %v, %v gives %v", a, x, b, y)
				}
			}
		}
	}
}

// TestCompare: in every comparison, the reference is on the left; it is clamped for fixed-point depths.
func TestCompare(t *testing.T) {
	m := texture.NewImage(kind.Dim2D, named(t, "D32_SFLOAT"), 1, 1, 1, 1, 1, 1)
	v := floats(0.5)
	m.Format.Encode(m.Levels[0].Data, &v)
	for op, want := range []string{"000", "100", "010", "110", "001", "101", "011", "111"} {
		got := ""
		for _, ref := range []float32{0.25, 0.5, 0.75} {
			s := texture.DefaultSampler()
			s.CompareOp = texture.Compare(op)
			got += fmt.Sprint(red(m, s, texture.Query{Compare: true, Ref: ref}))
		}
		if got != want {
			t.Errorf("comparison %d: %s, want %s", op, got, want)
		}
	}
	fixed := texture.NewImage(kind.Dim2D, named(t, "D16_UNORM"), 1, 1, 1, 1, 1, 1)
	fixed.Levels[0].Data[0], fixed.Levels[0].Data[1] = 255, 255
	s := texture.DefaultSampler()
	s.CompareOp = texture.Equal
	if got := red(fixed, s, texture.Query{Compare: true, Ref: 2}); got != 1 {
		t.Errorf("a reference of 2 is not clamped: %v", got)
	}
	// Texels are compared before they are averaged.
	row := counting(t, kind.Dim1D, 4, 1, 1, 1, 1)
	s.CompareOp, s.Mag = texture.LessOrEqual, texture.Linear
	if got := red(row, s, texture.Query{Coord: [3]float32{0.5}, Compare: true, Ref: 1.5}); got != 0.5 {
		t.Errorf("half of two texels: %v", got)
	}
}

// TestGather checks the order of the four texels, with and without an offset.
func TestGather(t *testing.T) {
	m := counting(t, kind.Dim2D, 4, 4, 1, 1, 1)
	s := texture.DefaultSampler()
	if got := m.Gather(&s, &texture.Query{Coord: [3]float32{0.5, 0.5}}, 0); got != floats(9, 10, 6, 5) {
		t.Errorf("%v", got)
	}
	if got := m.Gather(&s, &texture.Query{Coord: [3]float32{0.5, 0.5}, Offset: [3]int32{1, -1}}, 0); got != floats(6, 7, 3, 2) {
		t.Errorf("with an offset: %v", got)
	}
	if got := m.Gather(&s, &texture.Query{Coord: [3]float32{0.5, 0.5}}, 3); got != floats(1, 1, 1, 1) {
		t.Errorf("alpha: %v", got)
	}
}

// TestExtremeCoordinates: coordinates that are NaN, or very far away, yield some texel and no panic.
func TestExtremeCoordinates(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, dim := range []kind.ImageDim{kind.Dim1D, kind.Dim2D, kind.Dim3D, kind.DimCube} {
		m := counting(t, dim, 2, 2, 1, 6, 2)
		for a := texture.Repeat; a <= texture.MirrorClampToEdge; a++ {
			for _, f := range []texture.Filter{texture.Nearest, texture.Linear} {
				s := texture.DefaultSampler()
				s.Address, s.Mag = [3]texture.Address{a, a, a}, f
				s.Min, s.Mip = f, f
				for _, x := range []float32{nan, inf, -inf, 1e38, -1e38, 0} {
					for _, y := range []float32{nan, inf, 0} {
						q := texture.Query{Coord: [3]float32{x, y, x}, Layer: y, LOD: y, Ddx: [3]float32{x, y, x}, Ddy: [3]float32{y}}
						m.Sample(&s, &q)
						m.Gather(&s, &q, 1)
						q.Grad = true
						m.Sample(&s, &q)
					}
				}
			}
		}
	}
}

// TestQueryLOD: the accessed level is in the image, and a whole number unless levels are interpolated; the level of
// detail is not clamped. The derivatives are one texel's width times 2^want.
func TestQueryLOD(t *testing.T) {
	m := counting(t, kind.Dim2D, 16, 8, 1, 1, 5)
	for _, c := range []struct {
		mip           texture.Filter
		lod           float64 // level of detail that the derivatives select
		bias, sampler float32
		level, want   float32
	}{
		{texture.Linear, 1.5, 0, 0, 1.5, 1.5},
		{texture.Nearest, 1.5, 0, 0, 1, 1.5},
		{texture.Nearest, 1.75, 0, 0, 2, 1.75},
		{texture.Linear, 1, 0.25, 0.5, 1.75, 1.75},
		{texture.Linear, -3, 0, 0, 0, -3},
		{texture.Linear, 9, 0, 0, 4, 9},
		{texture.Linear, -2, 3, 0, 1, 1},
	} {
		s := texture.DefaultSampler()
		s.Mip, s.Bias = c.mip, c.sampler
		d := float32(math.Exp2(c.lod))
		q := texture.Query{Grad: true, Bias: c.bias, Ddx: [3]float32{d / 16}, Ddy: [3]float32{0, d / 16}}
		level, lod := m.QueryLOD(&s, &q)
		if math.Abs(float64(level-c.level)) > 1e-5 || math.Abs(float64(lod-c.want)) > 1e-5 {
			t.Errorf("%+v: level %g, level of detail %g", c, level, lod)
		}
		// Sampling uses the same level: the first texel of each level is known.
		if first := [...]float32{0, 128, 160, 168, 170}; c.mip == texture.Nearest {
			if got := red(m, s, q); got != first[int(c.level)] {
				t.Errorf("%+v: sampled %g", c, got)
			}
		}
	}
	s := texture.DefaultSampler()
	s.MinLOD, s.MaxLOD, s.Mip = 1, 2, texture.Linear
	for _, c := range [][2]float32{{0, 1}, {3, 2}} {
		if level, lod := m.QueryLOD(&s, &texture.Query{LOD: c[0]}); level != c[1] || lod != c[0] {
			t.Errorf("clamped by the sampler: level %g, level of detail %g", level, lod)
		}
	}
}
