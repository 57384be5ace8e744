// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
)

// The rows of generated/intel/select call the methods in this file.

// Reg returns the components of r that the value being selected reads, as type t.
func (c *Context) Reg(v ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand {
	if off != 0 || t.Size() != 4 {
		c.Fail(v, "%s: operands of less than 32 bits are not supported in vectors yet", c.S.At(v).ALUOp())
		return mir.ImmOp(0, isa.TypeUD)
	}
	return c.read(c.frame, r, t)
}

// Src is like Reg.
func (c *Context) Src(v ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand {
	return c.Reg(v, r, off, t)
}

// Dst returns the register of v's result, or the null register while v is computed into a flag.
func (c *Context) Dst(v ir.Value, off uint32, t isa.Type) mir.Operand {
	if c.to.on {
		return mir.Null(t)
	}
	if off != 0 || t.Size() != 4 {
		c.Fail(v, "%s: results of less than 32 bits are not supported in vectors yet", c.S.At(v).ALUOp())
	}
	p := c.placeOf(v)
	return mir.V(p.reg, t).At(p.off)
}

// Temp returns a new register with the channels of the value being selected.
func (c *Context) Temp(_ ir.Value, t isa.Type) mir.Operand { return mir.V(c.newReg(1), t) }

// IsUniform reports that no value is computed for both vertices together.
func (c *Context) IsUniform(ir.Value) bool { return false }

// Emit inserts an instruction of a row. For a comparison, it chooses the destination and the flag.
func (c *Context) Emit(v ir.Value, in mir.Inst) {
	if in.Op == isa.OpCmp && v != 0 && c.isCompare(v) {
		c.compare(in)
		return
	}
	if in.ReadsFlag() || in.WritesFlag() {
		n := in.Flag
		if c.RowFlags[n] == 0 {
			c.RowFlags[n] = c.F.NewFlag()
		}
		in.Flag = c.RowFlags[n]
	}
	c.insert(in)
}

// Vector composes a vector in the register that a reader gave it. Values that are used only there are computed in it.
func (c *Context) Vector(v ir.Value) {
	p := c.place[v]
	if p.reg == 0 {
		return // uses read through it
	}
	c.place[v] = place{} // its parts are read where they are
	var srcs [channels]ir.Src
	comps := int(c.S.At(v).Comps)
	for i := range comps {
		srcs[i] = c.S.Src(v, i)
	}
	used := analysis.UsedComps(c.S, v)
	f := p.frame(comps, used)
	c.fill(&filling{dst: mir.V(p.reg, isa.TypeUD).At(p.off), rest: f, taken: f, zero: empty}, srcs)
	c.place[v] = p
}

// isCompare reports whether v is a comparison of values wider than one bit.
func (c *Context) isCompare(v ir.Value) bool {
	in := c.S.At(v)
	return in.ALUOp().Info().Has(op.Comparison) && in.Bits == 1 && c.S.At(c.S.Src(v, 0).Val).Bits != 1
}

// Condition does nothing: the condition of an if is computed at the branch.
func (c *Context) Condition(ir.Node, ir.Src) {}

// IMul emits the low half of a product of 32-bit integers. A multiplication uses the low half of its second source.
func (c *Context) IMul(v ir.Value, a, b ir.Src) {
	dst := c.Dst(v, 0, isa.TypeUD)
	if _, ok := c.S.ConstOf(a); ok {
		a, b = b, a
	}
	x, y := c.read(c.frame, a, isa.TypeUD), c.read(c.frame, b, isa.TypeUD)
	if y.File == mir.Imm && y.Num < 1<<16 {
		c.emit(isa.OpMul, dst, x, y)
		return
	}
	low, high := c.Temp(v, isa.TypeUD), c.Temp(v, isa.TypeUD)
	c.emit(isa.OpShr, high, y, mir.UD(16))
	c.emit(isa.OpMul, high, x, high)
	c.emit(isa.OpShl, high, high, mir.UD(16))
	c.emit(isa.OpMul, low, x, y)
	c.emit(isa.OpAdd, dst, low, high)
}

// Dot emits a dot product, which reads the components of its sources in order, and has the result in every channel.
func (c *Context) Dot(v ir.Value, a, b ir.Src) {
	n := int(a.N)
	x, y := c.read(whole(n), a, isa.TypeF), c.read(whole(n), b, isa.TypeF)
	c.emit(dots[n], c.Dst(v, 0, isa.TypeF), x, y)
}

// dots are the dot products of vectors by their number of components.
var dots = [...]isa.Op{2: isa.OpDp2, 3: isa.OpDp3, 4: isa.OpDp4}

// InPlace emits nothing: the value is read in place.
func (c *Context) InPlace(ir.Value) {}

// DynamicPush emits nothing: push constants are read in place.
func (c *Context) DynamicPush(v ir.Value) {
	if _, _, ok := c.given(v, 0, isa.TypeUD); !ok {
		c.Fail(v, "push constants at a non-constant offset must be lowered before selection")
	}
}

// Input emits nothing: an input is read in place.
func (c *Context) Input(v ir.Value) { c.Lowered(v) }

// Output emits nothing: outputs are written at the end of the thread.
func (c *Context) Output(v ir.Value) { c.Lowered(v) }

// VertexID adds the first vertex to the zero-based vertex ID.
func (c *Context) VertexID(v ir.Value) {
	c.counted(v, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadBaseVertex)
}

// InstanceID adds the first instance to the zero-based instance ID.
func (c *Context) InstanceID(v ir.Value) {
	c.counted(v, intrinsic.LoadInstanceIDZeroBase, intrinsic.LoadBaseInstance)
}

func (c *Context) counted(v ir.Value, zero, first intrinsic.ID) {
	var src [2]mir.Operand
	for i, id := range [...]intrinsic.ID{zero, first} {
		o, ch := c.systemValue(id, isa.TypeUD)
		src[i] = o.source(all(0), [channels]uint8{ch, ch, ch, ch}, isa.TypeUD)
	}
	c.emit(isa.OpAdd, c.Dst(v, 0, isa.TypeUD), src[0], src[1])
}

// MulHigh emits the high half of a product: mul and mach through the accumulator.
func (c *Context) MulHigh(v ir.Value, a, b ir.Src) {
	t := isa.TypeUD
	if c.S.At(v).ALUOp() == op.IMulHigh {
		t = isa.TypeD
	}
	x, y := c.read(c.frame, a, t), c.read(c.frame, b, t)
	if x.File == mir.Imm {
		x = c.loaded(x)
	}
	acc := mir.V(c.F.NewAccumulator(c.Width), t)
	c.emit(isa.OpMul, acc, x, y)
	c.insert(mir.Inst{Op: isa.OpMach, AccWrEn: true, Dst: c.Dst(v, 0, t), Src: [3]mir.Operand{x, y, acc}})
}
