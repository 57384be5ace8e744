package ir

import (
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// reductions holds the operation and the identity of each reduction.
var reductions = [...]struct {
	op   op.Op
	unit func(bits uint8) uint64
}{
	kind.ReduceIadd: {op.IAdd, zero},
	kind.ReduceFadd: {op.FAdd, signBit}, // adding -0 preserves every value, even -0
	kind.ReduceImul: {op.IMul, func(uint8) uint64 { return 1 }},
	kind.ReduceFmul: {op.FMul, floatOne},
	kind.ReduceImin: {op.IMin, func(bits uint8) uint64 { return ones(bits) >> 1 }},
	kind.ReduceUmin: {op.UMin, ones},
	kind.ReduceFmin: {op.FMin, infinity},
	kind.ReduceImax: {op.IMax, signBit},
	kind.ReduceUmax: {op.UMax, zero},
	kind.ReduceFmax: {op.FMax, func(bits uint8) uint64 { return signBit(bits) | infinity(bits) }},
	kind.ReduceIand: {op.IAnd, ones},
	kind.ReduceIor:  {op.IOr, zero},
	kind.ReduceIxor: {op.IXor, zero},
}

// ReductionALU returns the operation that combines two values of a reduction or scan.
func ReductionALU(r kind.ReductionOp) op.Op { return reductions[r].op }

// ReductionUnit returns the identity of a reduction's operation as the bit pattern of a value
// of that many bits: combining it with a value returns the value.
func ReductionUnit(r kind.ReductionOp, bits uint8) uint64 { return reductions[r].unit(bits) }

func zero(uint8) uint64         { return 0 }
func ones(bits uint8) uint64    { return ^uint64(0) >> (64 - bits) }
func signBit(bits uint8) uint64 { return 1 << (bits - 1) }

// floatOne and infinity return 1 and infinity in the IEEE 754 format of a size.
func floatOne(bits uint8) uint64 {
	return bySize(bits, 0x3c00, 0x3f800000, 0x3ff0000000000000)
}

func infinity(bits uint8) uint64 {
	return bySize(bits, 0x7c00, 0x7f800000, 0x7ff0000000000000)
}

func bySize(bits uint8, half, single, double uint64) uint64 {
	switch bits {
	case 16:
		return half
	case 32:
		return single
	}
	return double
}
