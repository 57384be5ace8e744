// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
)

// The rows of generated/intel/select call the methods in this file.

// boolType returns the type of a value in a register; one-bit values take 32 bits.
func (c *Context) boolType(v ir.Value, t isa.Type) isa.Type {
	if t.Size() < 4 && c.S.At(v).Bits == 1 {
		return isa.TypeUD
	}
	return t
}

// Reg returns the scalar r, off bytes into each lane's slot, read as type t.
func (c *Context) Reg(_ ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand {
	o := c.Use(r, c.boolType(r.Val, t))
	if o.File == mir.Imm {
		o.Num >>= 8 * off
		return o
	}
	return o.At(off)
}

// Src is like Reg. A later pass moves immediates to where they are legal.
func (c *Context) Src(v ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand {
	return c.Reg(v, r, off, t)
}

// Dst returns the register of v's result, or the null register while v is computed into a flag.
func (c *Context) Dst(v ir.Value, off uint32, t isa.Type) mir.Operand {
	if c.flagMode.on {
		return mir.Null(t)
	}
	return c.Result(v, c.boolType(v, t)).At(off)
}

// Temp returns a new register for one value.
func (c *Context) Temp(_ ir.Value, t isa.Type) mir.Operand { return c.NewTemp(t) }

// Emit inserts an instruction of a row at the cursor. For a comparison, it chooses the destination and the flag.
func (c *Context) Emit(v ir.Value, in mir.Inst) {
	for k := range in.Src {
		if o := &in.Src[k]; o.File == mir.VReg && c.F.Reg(mir.Reg(o.Num)).Uniform {
			o.Stride = 0
		}
	}
	if in.Op == isa.OpCmp && v != 0 && c.S.At(v).Bits == 1 && c.isCompare(v) {
		c.compare(v, in)
		return
	}
	if in.ReadsFlag() || in.WritesFlag() {
		in.Flag = c.rowFlag(in.Flag)
	}
	c.Insert(in)
}

// rowFlag returns the virtual flag for a flag number in a row.
func (c *Context) rowFlag(n mir.Flag) mir.Flag {
	if c.RowFlags[n] == 0 {
		c.RowFlags[n] = c.F.NewFlag()
	}
	return c.RowFlags[n]
}

// Condition does nothing: the condition of an if is computed at the branch.
func (c *Context) Condition(ir.Node, ir.Src) {}

// Vector emits nothing: uses read through it.
func (c *Context) Vector(ir.Value) {}

// SubgroupInvocation copies the lane numbers, which are packed words, to the lanes' slots.
func (c *Context) SubgroupInvocation(v ir.Value) {
	c.B.Vector()
	c.B.Mov(c.Result(v, isa.TypeUD), mir.V(c.LaneID(), isa.TypeUW))
}

// MulHigh emits the high half of a product: mul and mach through the accumulator, for as many lanes at a time as a
// register has doublewords (a later pass splits them).
func (c *Context) MulHigh(v ir.Value, a, b ir.Src) {
	t := isa.TypeUD
	if c.S.At(v).ALUOp() == op.IMulHigh {
		t = isa.TypeD
	}
	x, y := c.Plain(c.Use(a, t), t), c.Plain(c.Use(b, t), t)
	c.Insert(mir.Inst{Op: mir.OpMulHigh, Dst: c.Result(v, t), Src: [3]mir.Operand{x, y}})
}
