// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
)

// PackHalf converts two floats to half floats, and puts the second one above the first (Haswell PRM vol. 7, "f32to16": the
// result is in the low word, and the high word is zero).
func (c *Context) PackHalf(v ir.Value, a, b ir.Src) {
	low, high := c.Temp(v, isa.TypeUD), c.Temp(v, isa.TypeUD)
	c.emit(isa.OpF32to16, low, c.float(a))
	c.emit(isa.OpF32to16, high, c.float(b))
	c.emit(isa.OpShl, high, high, mir.UD(16))
	c.emit(isa.OpOr, c.Dst(v, 0, isa.TypeUD), low, high)
}

// UnpackHalf converts the lower or the upper half float of a doubleword to a float.
func (c *Context) UnpackHalf(v ir.Value, a ir.Src) {
	x := c.read(c.frame, a, isa.TypeUD)
	if x.File == mir.Imm {
		x = c.loaded(x)
	}
	if c.S.At(v).ALUOp() == op.UnpackHalf2x16SplitY {
		high := c.Temp(v, isa.TypeUD)
		c.emit(isa.OpShr, high, x, mir.UD(16))
		x = high
	}
	c.emit(isa.OpF16to32, c.Dst(v, 0, isa.TypeF), x)
}

// float returns a float for an instruction that takes no immediate.
func (c *Context) float(r ir.Src) mir.Operand {
	x := c.read(c.frame, r, isa.TypeF)
	if x.File == mir.Imm {
		x = c.loaded(x)
	}
	return x
}
