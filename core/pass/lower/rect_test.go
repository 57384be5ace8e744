// SPDX-License-Identifier: MIT

package lower_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/texture"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// TestRectangles: coordinates of images of shape Rect are in texels, before and after the pass.
func TestRectangles(t *testing.T) {
	format, err := texture.Named("R32_SFLOAT")
	if err != nil {
		t.Fatal(err)
	}
	m := texture.NewImage(kind.Dim2D, format, 5, 3, 1, 1, 1, 1)
	for i := range 15 {
		binary.LittleEndian.PutUint32(m.Levels[0].Data[4*i:], math.Float32bits(float32(i)))
	}
	sampler := texture.DefaultSampler()
	results := func(s *ir.Shader) (out [16]float32) {
		data := make([]byte, 64)
		_, err := interp.Run(context.Background(), s, &interp.Call{
			Groups: [3]uint32{1, 1, 1}, Width: 8,
			Images:  []interp.Image{{Texture: m, Sampler: &sampler}},
			Buffers: []interp.Buffer{{Binding: 1, Data: data}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		return out
	}
	s := passtest.Parse(t, passtest.Find(t, "lower_textures", "rectangles"))
	want := [16]float32{7, 0, 0, 1, 6, 7, 2, 1, 14, 0, 0, 1, 5, 3, 5, 3}
	if got := results(s); got != want {
		t.Errorf("before: %v, want %v", got, want)
	}
	if !lower.LowerTextures(pass.New(s)) {
		t.Error("nothing changed")
	}
	if err := validate.Shader(s); err != nil {
		t.Fatal(err)
	}
	if got := results(s); got != want {
		t.Errorf("after: %v, want %v", got, want)
	}
	if lower.LowerTextures(pass.New(s)) {
		t.Error("the second time something changed")
	}
}
