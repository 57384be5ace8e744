// SPDX-License-Identifier: MIT

package whole

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
)

// formulas compute loose operations from exact ones. Nothing in these shaders may be relaxed, so rules must not turn a
// formula into the operation, and the results have the same bits everywhere.
var formulas = []struct {
	of op.Op
	f  func(x *randomShader, bits uint8) ir.Src
}{
	{op.FFract, func(x *randomShader, bits uint8) ir.Src {
		a := x.pick(bits, true)
		return x.b.FAdd(a, x.b.FNeg(x.b.FFloor(a)))
	}},
	{op.FFract, func(x *randomShader, bits uint8) ir.Src {
		a := x.pick(bits, true)
		return x.b.FSub(a, x.b.FFloor(a))
	}},
	{op.FFract, func(x *randomShader, bits uint8) ir.Src {
		a := x.pick(bits, true)
		return x.b.FAdd(x.b.FCeil(a), x.b.FNeg(a))
	}},
	{op.FFract, func(x *randomShader, bits uint8) ir.Src {
		a := x.pick(bits, true)
		return x.b.FSub(x.b.FFloor(a), a)
	}},
	{op.FDot2, func(x *randomShader, bits uint8) ir.Src {
		b := x.b
		return b.FAdd(b.FMul(x.pick(bits, true), x.pick(bits, true)), b.FMul(x.pick(bits, true), x.pick(bits, true)))
	}},
	{op.FLrp, func(x *randomShader, bits uint8) ir.Src {
		a, c, b := x.pick(bits, true), x.pick(bits, true), x.b
		return b.FAdd(b.FMul(a, b.FSub(b.ImmN(bits, one[bits]), c)), b.FMul(x.pick(bits, true), c))
	}},
	{op.FLrp, func(x *randomShader, bits uint8) ir.Src {
		a, b := x.pick(bits, true), x.b
		return b.FAdd(a, b.FMul(x.pick(bits, true), b.FSub(x.pick(bits, true), a)))
	}},
}

// one is the float 1.
var one = map[uint8]uint64{16: 0x3c00, 32: 0x3f800000}

// formulas adds each formula twice at both sizes.
func (x *randomShader) formulas() {
	for _, e := range formulas {
		for i := range 4 {
			bits := uint8(16 << (i & 1))
			x.store(e.f(x, bits), result{op: e.of, bits: bits, float: true})
		}
	}
}
