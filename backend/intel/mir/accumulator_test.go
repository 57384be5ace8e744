// SPDX-License-Identifier: MIT

package mir_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
)

// TestAccumulator checks that the upper half of a product follows the lower one, for the same lanes.
func TestAccumulator(t *testing.T) {
	name := func(f *mir.Func, mul, mach mir.ID) {
		acc := mir.V(f.NewAccumulator(8), ud)
		f.At(mul).Dst, f.At(mach).Src[2] = acc, acc
	}
	for _, c := range []struct {
		name, want string
		change     func(f *mir.Func, mul, mach mir.ID)
	}{
		{"as it should be", "", func(*mir.Func, mir.ID, mir.ID) {}},
		{"something between that leaves it alone", "", func(f *mir.Func, mul, mach mir.ID) {
			f.Before(mach, mir.Inst{Op: isa.OpAdd, Exec: 8, Dst: mir.Fixed(9, ud), Src: [3]mir.Operand{mir.Fixed(8, ud), mir.UD(1)}})
		}},
		{"the lower half is gone", "reads the accumulator, which is not written before it in its block", func(f *mir.Func, mul, mach mir.ID) { f.Remove(mul) }},
		{"in another block", "reads the accumulator, which is not written before it in its block", func(f *mir.Func, mul, mach mir.ID) {
			in := f.At(mach).Detached()
			f.Remove(mach)
			f.Append(f.NewBlock(), in)
		}},
		{"other lanes between", "reads lanes of the accumulator that mul(8|M8) acc0<1>:ud r2:ud r4<2>:uw does not write", func(f *mir.Func, mul, mach mir.ID) {
			in := f.At(mul).Detached()
			in.Chan = 8
			f.Before(mach, in)
		}},
		{"fewer lanes", "reads lanes of the accumulator that mul(4) acc0<1>:ud r2:ud r4<2>:uw does not write", func(f *mir.Func, mul, mach mir.ID) { f.At(mul).Exec = 4 }},
		{"without a mask", "reads lanes of the accumulator that mul(8) acc0<1>:ud r2:ud r4<2>:uw does not write", func(f *mir.Func, mul, mach mir.ID) { f.At(mach).NoMask = true }},
		{"a virtual one", "", name},
		{"another virtual one", "reads the accumulator, which is not written before it in its block", func(f *mir.Func, mul, mach mir.ID) {
			name(f, mul, mach)
			f.At(mach).Src[2] = mir.V(f.NewAccumulator(8), ud)
		}},
		{"a virtual one, and then the machine's", "reads the accumulator, which is not written before it in its block", func(f *mir.Func, mul, mach mir.ID) {
			name(f, mul, mach)
			f.At(mach).Src[2] = mir.Operand{}
		}},
		{"a virtual accumulator that was overwritten", "reads the accumulator, which is not written before it in its block", func(f *mir.Func, mul, mach mir.ID) {
			name(f, mul, mach)
			in := f.At(mul).Detached()
			in.Dst = mir.Arch(isa.ARFAcc0, 0, ud)
			f.Before(mach, in)
		}},
		{"fewer lanes of a virtual one", "reads lanes of the accumulator that mul(4) v1<1>:ud r2:ud r4<2>:uw does not write", func(f *mir.Func, mul, mach mir.ID) {
			name(f, mul, mach)
			f.At(mul).Exec = 4
		}},
		{"as an operand", "reads the accumulator, which is not written before it in its block", func(f *mir.Func, mul, mach mir.ID) {
			f.Before(mul, mir.Inst{Op: isa.OpMov, Exec: 8, Dst: mir.Fixed(9, ud), Src: [3]mir.Operand{mir.Arch(isa.ARFAcc0, 0, ud)}})
		}},
	} {
		f := mir.New(16, isa.TGL.Registers())
		mul := f.Append(0, mir.Inst{Op: isa.OpMul, Exec: 8, Dst: mir.Arch(isa.ARFAcc0, 0, ud), Src: [3]mir.Operand{mir.Fixed(2, ud), mir.Fixed(4, isa.TypeUW).WithStride(2)}})
		mach := f.Append(0, mir.Inst{Op: isa.OpMach, Exec: 8, AccWrEn: true, Dst: mir.Fixed(6, ud), Src: [3]mir.Operand{mir.Fixed(2, ud), mir.Fixed(4, ud)}})
		c.change(f, mul, mach)
		f.BuildCFG()
		switch err := validate.Func(f); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)):
			t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
		}
	}
}
