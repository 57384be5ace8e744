// SPDX-License-Identifier: MIT

package num_test

import (
	"math"
	"testing"

	"jacquard.example/core/num"
)

// TestPackedFloat compares the elements with the values that the format gives to all bytes.
func TestPackedFloat(t *testing.T) {
	found := 0
	for b := range 256 {
		want := math.Ldexp(1+float64(b&15)/16, b>>4&7-3)
		if b&0x7F == 0 {
			want = 0
		}
		if b>>7 != 0 {
			want = math.Copysign(want, -1)
		}
		got, ok := num.PackedFloat(math.Float32bits(float32(want)))
		if !ok || int(got) != b {
			t.Errorf("%g is %#x (%v), want %#x", want, got, ok, b)
			continue
		}
		found++
	}
	for _, x := range []float32{0.125, 0.1, 1.03125, 32, -31.5, float32(math.Inf(1)), float32(math.NaN()), 1e-40} {
		if b, ok := num.PackedFloat(math.Float32bits(x)); ok {
			t.Errorf("%g is %#x, but no element has this value", x, b)
		}
	}
	if found != 256 {
		t.Errorf("%d elements", found)
	}
}
