// SPDX-License-Identifier: MIT

package memory_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
)

// TestI05FloatTexels: the loops that replace additions, minima and maxima of float texels have the effect of the
// atomics, for numbers, zeros, infinities and NaN. They compare texels bitwise: a loop that compared floats would not
// end on NaN.
func TestI05FloatTexels(t *testing.T) {
	f := math.Float32bits
	nan, inf := uint32(0x7FC00001), f(float32(math.Inf(1)))
	for _, c := range []struct {
		name    string
		old, x  uint32
		want    uint32
		anyZero bool // the sign of a zero is not checked
		noValue bool // NaN or the operand
	}{
		{"fadd", f(1.5), f(2), f(3.5), false, false}, {"fadd", inf, f(1), inf, false, false}, {"fadd", f(0), f(float32(math.Copysign(0, -1))), 0, true, false},
		{"fadd", nan, f(1), 0, false, true}, {"fadd", f(1), nan, 0, false, true},
		{"min", f(1.5), f(2), f(1.5), false, false}, {"min", f(2), f(-3), f(-3), false, false}, {"max", f(1.5), f(2), f(2), false, false}, {"max", inf, f(2), inf, false, false},
		{"min", nan, f(2), f(2), false, true}, {"max", f(1), nan, f(1), false, true},
	} {
		src := fmt.Sprintf(`shader compute "main"
workgroup_size 8 1 1
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 image count=1 index=1 access=none type=image(f32, 2d, r32f, storage)
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(0x1)
    %%2 = load_const.32 value=(%#x)
    %%3 = load_local_invocation_index.32
    %%4 = vec4.32x4 %%3, %%0, %%0, %%0
    %%5 = image_atomic_%s.32 %%4, %%0, %%2, %%1 image_dim=2d format=r32f texel_base=float form=index
    %%6 = load_const.32 value=(0x2)
    %%7 = ishl.32 %%3, %%6
    store_ssbo.x1 %%5, %%0, %%7 write_mask=1 align_mul=4
}
`, c.x, c.name)
		s := passtest.Parse(t, src)
		if !memory.LowerAtomics(pass.New(s)) {
			t.Fatalf("%s: nothing is lowered", c.name)
		}
		if got := string(text.Print(s)); strings.Contains(got, "image_atomic_"+c.name) || !strings.Contains(got, "image_atomic_comp_swap") {
			t.Fatalf("%s is still there:\n%s", c.name, got)
		}
		texels, out := make([]byte, 4*4), make([]byte, 4*8) // invocations 4 and up are out of bounds
		for i := range 4 {
			binary.LittleEndian.PutUint32(texels[4*i:], c.old)
		}
		call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Data: out}},
			Images: []interp.Image{{Binding: 1, Dim: kind.Dim2D, Format: kind.FormatR32f, Width: 4, Height: 1, Data: texels}}}
		if _, err := interp.Run(context.Background(), s, call); err != nil {
			t.Fatalf("%s of %#x and %#x: %v", c.name, c.old, c.x, err)
		}
		for i := range 8 {
			if got, want := binary.LittleEndian.Uint32(out[4*i:]), c.old; i < 4 && got != want || i >= 4 && got != 0 {
				t.Errorf("%s of %#x and %#x: the old value of texel %d is %#x", c.name, c.old, c.x, i, got)
			}
		}
		for i := range 4 {
			got := binary.LittleEndian.Uint32(texels[4*i:])
			switch isNaN := got&0x7FFFFFFF > inf; {
			case got == c.want, c.anyZero && got&0x7FFFFFFF == 0, c.noValue && isNaN:
			default:
				t.Errorf("%s of %#x and %#x leaves %#x, want %#x", c.name, c.old, c.x, got, c.want)
			}
		}
	}
}
