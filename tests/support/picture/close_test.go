// SPDX-License-Identifier: MIT

package picture

import (
	"testing"

	"jacquard.example/core/texture"
)

// TestRoundingIsClose: a step of a byte is rounding, but a change from one end of its range to the other is not.
func TestRoundingIsClose(t *testing.T) {
	for _, c := range []struct {
		format string
		a, b   float32
		want   bool
	}{
		{"R8G8B8A8_UNORM", 0.4, 0.4 + 1.0/255, true}, {"R8G8B8A8_UNORM", 0.4, 0.4 + 2.0/255, false}, {"R8G8B8A8_UNORM", 0, 1, false},
		{"R8G8B8A8_SNORM", 0, -1.0 / 127, true}, {"R8G8B8A8_SNORM", 1, -1, false}, {"R8G8B8A8_SNORM", -1.0 / 127, 1.0 / 127, false},
		{"R8G8B8A8_SRGB", 0, 1, false}, {"R32G32B32A32_SFLOAT", 1, 1.00005, true}, {"R32G32B32A32_SFLOAT", 1, 1.001, false},
		{"R16G16B16A16_UNORM", 0, 1, false},
	} {
		f, err := texture.Named(c.format)
		if err != nil {
			t.Fatal(err)
		}
		var a, b texture.Texel
		for i := range a {
			a.SetFloat(i, 0.25)
			b.SetFloat(i, 0.25)
		}
		a.SetFloat(1, c.a)
		b.SetFloat(1, c.b)
		if got := Close(f, &a, &b); got != c.want || Close(f, &b, &a) != got {
			t.Errorf("%s: %g and %g: %v", c.format, c.a, c.b, got)
		}
	}
}
