// SPDX-License-Identifier: MIT

package vary_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/interp/vary"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

const shader = `shader compute "main"
workgroup_size 1 1 1
denorm_preserve 2
CONTROLSstruct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "x" ssbo S1 set=0 binding=0
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x2)
    %3 = deref_var.32 modes=ssbo type=S1 var=@1
    %4 = deref_struct.32 %3 modes=ssbo type=[0 x u32, 4]
    %5 = deref_array.32 %4, %0 modes=ssbo type=u32
    %6 = deref_array.32 %4, %1 modes=ssbo type=u32
    %7 = deref_array.32 %4, %2 modes=ssbo type=u32
    %8 = load_deref.32 %5
    %9 = load_deref.32 %6
    %10 = load_deref.32 %7
INSTR
    store_deref.x1 %5, %20 write_mask=1
}
`

// results returns the distinct words that the variants of an instruction compute from three words, in a shader with the
// given float controls.
func results(t *testing.T, controls, instr string, words [3]uint32) []uint32 {
	t.Helper()
	var out []uint32
	for seed := range uint64(40) {
		s, err := text.Parse([]byte(strings.NewReplacer("INSTR", instr, "CONTROLS", controls).Replace(shader)))
		if err != nil {
			t.Fatal(err)
		}
		vary.Shader(s, seed)
		if err := validate.Shader(s); err != nil {
			t.Fatal(err)
		}
		var data []byte
		for _, w := range words {
			data = binary.LittleEndian.AppendUint32(data, w)
		}
		call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Data: data}}}
		if _, err := interp.Run(t.Context(), s, call); err != nil {
			t.Fatal(err)
		}
		out = append(out, binary.LittleEndian.Uint32(data))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestShader: the variants of an instruction differ only in the ways that it leaves unspecified.
func TestShader(t *testing.T) {
	const one, two, zero, minusZero, inf, nan, denormal, half = 0x3f800000, 0x40000000, 0, 0x80000000, 0x7f800000, 0x7fc00000, 0x200000, 3
	for _, c := range []struct {
		instr string
		words [3]uint32
		want  int // number of distinct results; negative means at least that many
	}{
		{"    %20 = fadd.32 %8, %9", [3]uint32{one, two}, 1},
		{"    %20 = fadd.32 %8, %9 float=nan|inf|nsz|denorm", [3]uint32{one, two}, 1},
		{"    %20 = fadd.32 %8, %9 float=reassoc", [3]uint32{one, two}, -3},
		{"    %20 = fmul.32 %8, %9 float=contract", [3]uint32{one, two}, -3},
		{"    %20 = fmul.32 %8, %9 float=contract|denorm", [3]uint32{minusZero, two}, 1},
		{"    %20 = fmul.32 %8, %9 float=nsz", [3]uint32{minusZero, two}, 2},
		{"    %20 = unpack_half_2x16_split_x.32 %8", [3]uint32{half}, 2},
		{"    %11 = unpack_snorm_4x8.32x4 %8\n    %20 = mov.32 %11.y", [3]uint32{0x1100}, -3},
		{"    %11 = unpack_unorm_2x16.32x2 %8\n    %20 = mov.32 %11.x", [3]uint32{0x11}, -3},
		{"    %20 = fneg.32 %8 float=nsz", [3]uint32{denormal}, 1},
		{"    %20 = fmul.32 %8, %9 float=inf", [3]uint32{inf, two}, -2},
		{"    %20 = fmul.32 %8, %9 float=nan", [3]uint32{inf, two}, 1},
		{"    %20 = fmul.32 %8, %9 float=nan", [3]uint32{nan, two}, -2},
		{"    %20 = fmin.32 %8, %9", [3]uint32{minusZero, zero}, 2},
		{"    %20 = fmin.32 %8, %9", [3]uint32{one, two}, 1},
		{"    %20 = fsqrt.32 %8", [3]uint32{two}, -3},
		{"    %11 = flt.1 %8, %9 float=nsz\n    %20 = bcsel.32 %11, %9, %10", [3]uint32{zero, zero, one}, 2},
		{"    %11 = flt.1 %8, %9 float=nsz\n    %20 = bcsel.32 %11, %9, %10", [3]uint32{one, two, one}, 1},
		{"    %11 = flt.1 %8, %9 float=nan\n    %20 = bcsel.32 %11, %9, %10", [3]uint32{nan, two, one}, 2},
		{"    %20 = f2i32.32 %8 float=inf", [3]uint32{inf}, -2},
		{"    %20 = fneg.32 %8 float=denorm", [3]uint32{denormal}, 1}, // the shader keeps them
		{"    %20 = iadd.32 %8, %9", [3]uint32{inf, nan}, 1},
		{"    %20 = reduce.32 %8 reduction_op=fadd cluster_size=0", [3]uint32{two}, -3},
		{"    %20 = inclusive_scan.32 %8 reduction_op=fmax", [3]uint32{minusZero}, 2},
		{"    %20 = inclusive_scan.32 %8 reduction_op=fmax", [3]uint32{two}, 1},
		{"    %20 = inclusive_scan.32 %8 reduction_op=imax", [3]uint32{minusZero}, 1},
	} {
		got := results(t, "", c.instr, c.words)
		if len(got) != c.want && (c.want > 0 || len(got) < -c.want) {
			t.Errorf("%s of %#x: %s, want %d", strings.TrimSpace(c.instr), c.words, fmt.Sprintf("%#x", got), c.want)
		}
	}
	// The interpreter flushes denormal halves, and denormal single-precision floats unless this shader's control
	// preserves them.
	const there, back = "    %11 = u2u16.16 %8\n    %12 = f2f32.32 %11", "\n    %13 = f2f16.16 %12"
	for _, c := range []struct {
		float string
		want  int
	}{{" float=denorm", 2}, {"", 1}} {
		instr := there + c.float + back + c.float + "\n    %20 = u2u32.32 %13"
		if got := results(t, "", instr, [3]uint32{half}); len(got) != c.want {
			t.Errorf("a denormal half converted there and back,%s: %#x, want %d", c.float, got, c.want)
		}
	}
	// It also flushes denormals of a subgroup operation, even if no other instruction may flush any.
	scan := "    %11 = u2u16.16 %8\n    %12 = inclusive_scan.16 %11 reduction_op=fadd\n    %20 = u2u32.32 %12"
	if got := results(t, "", scan, [3]uint32{half}); !slices.Contains(got, half) || !slices.Contains(got, 0) {
		t.Errorf("an operation of the subgroup on a denormal half: %#x", got)
	}
	const controls, instr = "signed_zero_inf_nan 2\n", "    %20 = fmul.32 %8, %9 float=nan|inf|nsz"
	for _, words := range [][3]uint32{{inf, two}, {nan, two}, {minusZero, two}} {
		if n := len(results(t, "", instr, words)); n < 2 {
			t.Errorf("%#x: %d results", words, n)
		}
		if n := len(results(t, controls, instr, words)); n != 1 {
			t.Errorf("%#x: %d results, but a control asks to keep signs of zeros, infinities and NaN", words, n)
		}
	}
}
