// SPDX-License-Identifier: MIT

package intel_test

import (
	"bytes"
	"slices"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// aligning returns a made-up target like tgl on which floats stay at their places in registers.
func aligning() *target.Target {
	t := *target.TGL
	t.Has |= target.AlignedFloats
	return &t
}

// TestAlignedFloats checks that programs that move floats compute the same for a machine on which they stay at their
// places, and that each of their instructions satisfies the restriction of the platform that has it.
func TestAlignedFloats(t *testing.T) {
	for _, name := range []string{"float16_convert.comp", "subgroup_arithmetic.comp", "subgroup_logical.comp", "unpack_norm.comp"} {
		s := lowered(t, "../../tests/shaders/"+name+".spv")
		for _, simd := range []int{8, 16, 32} {
			o := intel.Options{Target: aligning(), SIMD: simd, Buffers: dispatchedBuffers, Verify: true}
			fixed, err := intel.Compile(s, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkAligned(t, name, fixed.Code)
			o.Target = target.TGL
			free, err := intel.Compile(s, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if bytes.Equal(free.Code, fixed.Code) {
				t.Errorf("%s, SIMD%d: the code is the same", name, simd)
			}
			want, err := outputs(free, target.TGL)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got, err := outputs(fixed, aligning()); err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("%s, SIMD%d: the results differ (%v)", name, simd, err)
			}
		}
	}
}

// checkAligned checks computations by the rule of the platform that has it; their words differ only in the scoreboard
// field.
func checkAligned(t *testing.T, file string, code []byte) {
	t.Helper()
	for pc := 0; pc < len(code); {
		in, err := isa.Decode(isa.TGL, code[pc:])
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		pc += int(in.Size)
		switch isa.Ops[in.Op].Format {
		case isa.FormatBasic, isa.FormatTernary, isa.FormatMath:
		default:
			continue
		}
		in.SWSB = fields.SWSBNone
		var word [isa.InstSize]byte
		if err := isa.Encode(isa.DG2, &in, word[:]); err != nil {
			continue // the platform lacks the opcode
		}
		for _, v := range legal.Check(isa.DG2, word[:]) {
			if v.Rule == "aligned_floats" {
				t.Errorf("%s: %v\n%s", file, v, isatext.Append(nil, isa.TGL, &in, 0))
			}
		}
	}
}
