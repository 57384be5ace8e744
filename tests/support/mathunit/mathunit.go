// SPDX-License-Identifier: MIT

// Package mathunit makes the interpreter compute the functions of the math unit with the model of
// the execution units ([Override]). Everything else must then agree to the last bit: tests that
// compare interpreter and machine code run with it. It joins two packages that otherwise share
// nothing, so only tests may import it.
package mathunit

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
)

// Ops maps the operations that the math unit computes to its functions.
var Ops = map[op.Op]isa.MathFn{
	op.FRcp: isa.MathInv, op.FRsq: isa.MathRsqrt, op.FSqrt: isa.MathSqrt, op.FExp2: isa.MathExp2,
	op.FLog2: isa.MathLog2, op.FSin: isa.MathSin, op.FCos: isa.MathCos,
}

// Override serves as the Override of an interp.Call. It computes an operation as the model's math unit does, and
// returns false for an operation or a size that the unit does not have.
func Override(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, dst *[fold.MaxComps]uint64, mode fold.Mode) bool {
	fn, ok := Ops[o]
	if !ok {
		return false
	}
	f := thread.MathUnit(fn)
	switch bits {
	case 16:
		dst[0] = num.Store16(num.Narrow16(f(float64(num.Load16(src[0][0], mode))), mode), mode)
	case 32:
		dst[0] = num.Store32(num.Narrow32(f(float64(num.Load32(src[0][0], mode))), mode), mode)
	default:
		return false
	}
	return true
}
