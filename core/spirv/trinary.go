package spirv

import (
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

func (r *reader) trinaryInst(in []uint32) {
	num := in[4]
	if num == 0 || int(num) >= len(trinary) {
		r.fail("unknown instruction %d of SPV_AMD_shader_trinary_minmax", num)
	}
	if len(in) != 8 {
		r.fail("has %d operands, needs 3", len(in)-5)
	}
	for _, id := range in[5:] {
		if r.ids[id].typ != in[1] {
			r.fail("id %d has another type than the result", id)
		}
	}
	a, b, c := r.src(in[5]), r.src(in[6]), r.src(in[7])
	x := &trinary[num]
	switch {
	case x.mid:
		r.setSrc(in[2], r.alu(x.max, r.alu(x.min, a, b), r.alu(x.min, r.alu(x.max, a, b), c)))
	case x.min != 0:
		r.setSrc(in[2], r.alu(x.min, r.alu(x.min, a, b), c))
	default:
		r.setSrc(in[2], r.alu(x.max, r.alu(x.max, a, b), c))
	}
}
