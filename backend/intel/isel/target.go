package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
)

// The generated selector calls the methods in this file.

// boolType returns the type of a value in a register; one-bit values take 32 bits.
func (c *Ctx) boolType(v ir.Value, t isa.Type) isa.Type {
	if t.Size() < 4 && c.S.At(v).Bits == 1 {
		return isa.TypeUD
	}
	return t
}

// Reg returns the scalar r, off bytes into each lane's slot, read as type t.
func (c *Ctx) Reg(_ ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand {
	o := c.Use(r, c.boolType(r.Val, t))
	if o.File == mir.Imm {
		o.Num >>= 8 * off
		return o
	}
	return o.At(off)
}

// Src is Reg. A later pass moves immediates to where they are legal.
func (c *Ctx) Src(v ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand {
	return c.Reg(v, r, off, t)
}

// Dst returns the register of v's result.
func (c *Ctx) Dst(v ir.Value, off uint32, t isa.Type) mir.Operand {
	if c.flagMode.on {
		return mir.Null(t)
	}
	return c.dst(v, c.boolType(v, t)).At(off)
}

// Temp returns a new register for one value.
func (c *Ctx) Temp(_ ir.Value, t isa.Type) mir.Operand { return c.temp(t) }

// Emit inserts an instruction at the cursor.
func (c *Ctx) Emit(v ir.Value, in mir.Inst) {
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
	c.insert(in)
}

// rowFlag returns the virtual flag for a flag number in a row.
func (c *Ctx) rowFlag(n mir.Flag) mir.Flag {
	if c.rowFlags[n] == 0 {
		c.rowFlags[n] = c.F.NewFlag()
	}
	return c.rowFlags[n]
}

// Condition does nothing: the condition of an if is computed at the branch.
func (c *Ctx) Condition(ir.Node, ir.Src) {}

// Vector emits nothing: uses read through it.
func (c *Ctx) Vector(ir.Value) {}

// SubgroupInvocation copies the lane numbers, which are packed words, to the lanes' slots.
func (c *Ctx) SubgroupInvocation(v ir.Value) {
	c.B.Vector()
	c.B.Mov(c.dst(v, isa.TypeUD), mir.V(c.laneID(), isa.TypeUW))
}

// MulHigh emits the high half of a product: mul and mach through the accumulator, eight lanes at a time (a
// later pass splits them).
func (c *Ctx) MulHigh(v ir.Value, a, b ir.Src) {
	t := isa.TypeUD
	if c.S.At(v).ALUOp() == op.IMulHigh {
		t = isa.TypeD
	}
	x, y := c.plain(c.Use(a, t), t), c.plain(c.Use(b, t), t)
	c.insert(mir.Inst{Op: mir.OpMulHigh, Dst: c.dst(v, t), Src: [3]mir.Operand{x, y}})
}
