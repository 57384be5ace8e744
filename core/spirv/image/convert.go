// SPDX-License-Identifier: MIT

package image

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// Fit converts the result of an operation to the size of t, the integer type of an instruction's result: some operations
// (bit counts, bit positions) have a result of fixed size. It returns s if t is not an integer type.
func Fit(r *module.Reader, s ir.Src, t *module.TypeRec) ir.Src {
	have := value.BitsOf(r, s)
	if have == t.Bits || t.Base != ir.TypeInt && t.Base != ir.TypeUint {
		return s
	}
	if t.Base == ir.TypeInt {
		return ToInt(r, s, t.Bits, true)
	}
	return ToInt(r, s, t.Bits, false)
}

var signedTo = [5]op.Op{1: op.I2I8, 2: op.I2I16, 3: op.I2I32, 4: op.I2I64}
var unsignedTo = [5]op.Op{1: op.U2U8, 2: op.U2U16, 3: op.U2U32, 4: op.U2U64}

// ToInt converts an integer to another size. It returns s if one of the sizes is 1.
func ToInt(r *module.Reader, s ir.Src, bits uint8, signed bool) ir.Src {
	if have := value.BitsOf(r, s); have == bits || have == 1 || bits == 1 {
		return s
	}
	if signed {
		return value.Alu(r, signedTo[module.SizeIndex(bits)], s)
	}
	return value.Alu(r, unsignedTo[module.SizeIndex(bits)], s)
}

// Derivatives rejects derivatives where invocations are not in quads. They are in fragment shaders, and in compute
// shaders with derivative groups.
func Derivatives(r *module.Reader) {
	if r.Opt.Stage == kind.StageCompute && r.S.Info.Modes&module.DerivativeGroups == 0 {
		r.Fail("needs an execution mode that arranges the invocations of a compute shader in derivative groups")
	}
	if r.Opt.Stage != kind.StageCompute {
		value.OnlyIn(r, kind.StageFragment)
	}
}

// AtomicData returns the operand of an atomic operation.
func AtomicData(r *module.Reader, num uint16, in []uint32, bits uint8) ir.Src {
	switch num {
	case spirvtab.OpAtomicIIncrement:
		return value.AtEntry(r).Const(bits, 1)
	case spirvtab.OpAtomicIDecrement:
		return value.AtEntry(r).Const(bits, module.Mask(bits))
	}
	v := value.Scalar(r, in[6], bits)
	if num == spirvtab.OpAtomicISub {
		v = value.Alu(r, op.INeg, v)
	}
	return v
}
