// SPDX-License-Identifier: MIT

package lower_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// textureResults runs a shader on images with levels.
func textureResults(t *testing.T, s *ir.Shader) (out [32]float32) {
	t.Helper()
	format, err := texture.Named("R32G32B32A32_SFLOAT")
	if err != nil {
		t.Fatal(err)
	}
	filled := func(dim kind.ImageDim, size, layers uint32) *texture.Image {
		depth := uint32(1)
		if dim == kind.Dim3D {
			depth = size
		}
		m := texture.NewImage(dim, format, size, size, depth, layers, 1, 4)
		x := uint32(1)
		for _, l := range m.Levels {
			for i := 0; i < len(l.Data); i += 4 {
				x = x*1664525 + 1013904223
				binary.LittleEndian.PutUint32(l.Data[i:], math.Float32bits(float32(x>>8)/(1<<24)))
			}
		}
		return m
	}
	x := texture.DefaultSampler()
	x.Mag, x.Min, x.Mip = texture.Linear, texture.Linear, texture.Linear
	less := x
	less.CompareOp = texture.Less
	data := make([]byte, 128)
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Binding: 4, Data: data}}, Images: []interp.Image{
		{Texture: filled(kind.Dim2D, 16, 1), Sampler: &x}, {Binding: 1, Texture: filled(kind.DimCube, 16, 6), Sampler: &x},
		{Binding: 2, Texture: filled(kind.Dim2D, 8, 1), Sampler: &x},
		{Binding: 6, Texture: filled(kind.Dim3D, 8, 1), Sampler: &x}, {Binding: 7, Texture: filled(kind.Dim2D, 8, 3), Sampler: &less},
		{Binding: 3, Dim: kind.DimCube, Format: kind.FormatRgba8, Width: 4, Height: 4, Layers: 12, Data: make([]byte, 4*4*4*12)},
	}}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

// TestLowerTextures: the cases of lower_textures have the same results before and after the pass.
func TestLowerTextures(t *testing.T) {
	for _, c := range passtest.Cases(t, "lower_textures") {
		if c.Name == "rectangles" || c.Name == "storage_images" {
			continue // TestRectangles; of vertex shaders, run by tests/suite/draw
		}
		before, s := passtest.Parse(t, c.Text), passtest.Parse(t, c.Text)
		pc := pass.New(s)
		for _, m := range slices.Concat(target.All, target.Partial) {
			if strings.Contains(c.Text, "// target "+m.Name+"\n") {
				pc.Options.Target = m
			}
		}
		lower.LowerTextures(pc)
		after := text.Print(s)
		want, got := textureResults(t, before), textureResults(t, s)
		for i := range want {
			if d := float64(want[i] - got[i]); !(math.Abs(d) < 1e-4) {
				t.Errorf("%s: invocation %d component %d: %g, without the pass %g\n%s", c.Name, i/4, i%4, got[i], want[i], after)
				break
			}
		}
		if fmt.Sprint(want[:4]) == fmt.Sprint(want[4:8]) && !strings.Contains(c.Name, "size") {
			t.Errorf("%s: shows nothing: %v", c.Name, want)
		}
	}
}
