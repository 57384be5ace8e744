// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/op"
)

// trinary has the instructions of SPV_AMD_shader_trinary_minmax, by number: minimum, maximum and median of three, each
// for floats, unsigned and signed integers.
var trinary = [...]struct {
	min, max op.Op
	mid      bool
}{
	1: {min: op.FMin}, 2: {min: op.UMin}, 3: {min: op.IMin},
	4: {max: op.FMax}, 5: {max: op.UMax}, 6: {max: op.IMax},
	7: {op.FMin, op.FMax, true}, 8: {op.UMin, op.UMax, true}, 9: {op.IMin, op.IMax, true},
}

func trinaryInst(r *module.Reader, in []uint32) {
	num := in[4]
	if num == 0 || int(num) >= len(trinary) {
		r.Fail("unknown instruction %d of SPV_AMD_shader_trinary_minmax", num)
	}
	if len(in) != 8 {
		r.Fail("has %d operands, but needs 3", len(in)-5)
	}
	for _, id := range in[5:] {
		if r.Ids[id].Typ != in[1] {
			r.Fail("id %d has a different type than the result", id)
		}
	}
	a, b, c := value.Src(r, in[5]), value.Src(r, in[6]), value.Src(r, in[7])
	x := &trinary[num]
	switch {
	case x.mid:
		value.SetSrc(r, in[2], value.Alu(r, x.max, value.Alu(r, x.min, a, b), value.Alu(r, x.min, value.Alu(r, x.max, a, b), c)))
	case x.min != 0:
		value.SetSrc(r, in[2], value.Alu(r, x.min, value.Alu(r, x.min, a, b), c))
	default:
		value.SetSrc(r, in[2], value.Alu(r, x.max, value.Alu(r, x.max, a, b), c))
	}
}
