// SPDX-License-Identifier: MIT

package value

import (
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// MulConst emits dst = x · k for 32-bit integers.
func (c *Context) MulConst(dst, x mir.Operand, k uint32) {
	switch {
	case bits.OnesCount32(k) == 1:
		if k == 1 {
			c.B.Mov(dst, x)
			return
		}
		c.B.Emit(isa.OpShl, dst, x, mir.UD(uint32(bits.TrailingZeros32(k))))
	case k < 1<<16:
		c.B.Emit(isa.OpMul, dst, x, mir.UW(uint16(k)))
	case int32(k) >= -1<<15 && int32(k) < 0:
		c.B.Emit(isa.OpMul, dst.As(isa.TypeD), x, mir.ImmOp(k&0xFFFF, isa.TypeW))
	default:
		c.mulWide(dst, x, mir.UD(k))
	}
}

// IMul emits the low half of a product of 32-bit integers. Every machine multiplies 32 by 16 bits, so one
// instruction suffices if one factor is known to be small.
func (c *Context) IMul(v ir.Value, a, b ir.Src) {
	dst := c.Result(v, isa.TypeUD)
	if _, ok := c.constOf(a); ok {
		a, b = b, a
	}
	if k, ok := c.constOf(b); ok {
		c.MulConst(dst, c.Plain(c.Use(a, isa.TypeUD), isa.TypeUD), uint32(k))
		return
	}
	if c.maxOf(a, 8) < 1<<16 {
		a, b = b, a
	}
	x, y := c.Use(a, isa.TypeUD), c.Use(b, isa.TypeUD)
	if y.Type.Size() == 2 && !y.HasMods() {
		c.B.Emit(isa.OpMul, dst, x, y)
		return
	}
	if c.maxOf(b, 8) < 1<<16 && y.IsReg() {
		c.B.Emit(isa.OpMul, dst, c.Plain(x, isa.TypeUD), y.LowWords())
		return
	}
	c.mulWide(dst, c.Plain(x, isa.TypeUD), c.Plain(y, isa.TypeUD))
}

// Plain returns o if it is a 32-bit operand without modifiers. It copies any other operand to a temporary of
// type t.
func (c *Context) Plain(o mir.Operand, t isa.Type) mir.Operand {
	if o.File == mir.Imm && o.Type.Size() == 4 || o.Type.Size() == 4 && !o.HasMods() {
		return o
	}
	tmp := c.NewTemp(t)
	c.B.Mov(tmp, o)
	return c.Source(tmp)
}

// mulWide computes the 32×32-bit product from 16-bit pieces: x·low(y), plus x·high(y) added to the upper half.
func (c *Context) mulWide(dst, x, y mir.Operand) {
	if y.File == mir.Imm {
		t := c.NewTemp(isa.TypeUD)
		c.B.Mov(t, y)
		y = c.Source(t)
	}
	lo, hi := c.NewTemp(isa.TypeUD), c.NewTemp(isa.TypeUD)
	c.B.Emit(isa.OpMul, lo, x, y.LowWords())
	c.B.Emit(isa.OpMul, hi, x, y.LowWords().At(2))
	// The sum is formed in lo, so that a single instruction writes dst.
	half := c.Source(hi)
	c.B.Emit(isa.OpAdd, Upper(lo), c.Source(lo).LowWords().At(2), half.LowWords())
	c.B.Mov(dst, c.Source(lo))
}

// Upper returns the high words of a 32-bit destination.
func Upper(o mir.Operand) mir.Operand {
	o.Type, o.Stride = isa.TypeUW, 2
	return o.At(2)
}

// constOf returns the value of a source that is constant or the subgroup size.
func (c *Context) constOf(r ir.Src) (uint64, bool) {
	v, comp := c.Resolve(r)
	switch {
	case c.S.At(v).IsConst():
		return c.S.Const(v, comp), true
	case c.S.At(v).Intrinsic() == intrinsic.LoadSubgroupSize:
		return uint64(c.Width), true
	}
	return 0, false
}

// maxOf returns an upper bound of a 32-bit unsigned source, found by looking at most depth instructions back.
func (c *Context) maxOf(r ir.Src, depth int) uint64 {
	const top = 1<<32 - 1
	v, comp := c.Resolve(r)
	in := c.S.At(v)
	switch in.Kind {
	case kind.LoadConst:
		return c.S.Const(v, comp)
	case kind.Intrinsic:
		switch in.Intrinsic() {
		case intrinsic.LoadSubgroupInvocation:
			return uint64(c.Width) - 1
		case intrinsic.LoadSubgroupID:
			return 1<<10 - 1
		case intrinsic.LoadSubgroupSize:
			return uint64(c.Width)
		}
		return top
	case kind.ALU:
	default:
		return top
	}
	if depth == 0 || in.Bits > 32 || in.Bits == 1 {
		return top
	}
	src := func(i int) uint64 { return c.maxOf(c.S.Src(v, i).X(), depth-1) }
	switch in.ALUOp() {
	case op.IAnd, op.UMin:
		return min(src(0), src(1))
	case op.UMax, op.BCsel:
		if in.ALUOp() == op.BCsel {
			return max(src(1), src(2))
		}
		return max(src(0), src(1))
	case op.IOr, op.IXor:
		return 1<<bits.Len64(src(0)|src(1)) - 1
	case op.IAdd:
		if s := src(0) + src(1); s <= top {
			return s
		}
	case op.IMul:
		a, b := src(0), src(1)
		if a == 0 || b <= top/a {
			return a * b
		}
	case op.UShr:
		if k, ok := c.constOf(c.S.Src(v, 1).X()); ok {
			return src(0) >> (k & 31)
		}
		return src(0)
	case op.IShl:
		if k, ok := c.constOf(c.S.Src(v, 1).X()); ok {
			if s := src(0) << (k & 31); s <= top {
				return s
			}
		}
	case op.UDiv:
		if k, ok := c.constOf(c.S.Src(v, 1).X()); ok && k != 0 {
			return src(0) / k
		}
		return top
	case op.UMod:
		if k, ok := c.constOf(c.S.Src(v, 1).X()); ok && k != 0 {
			return min(src(0), k-1)
		}
	case op.U2U32:
		return 1<<c.S.At(c.S.Src(v, 0).Val).Bits - 1
	case op.B2I32:
		return 1
	case op.BitCount:
		return 64
	}
	return top
}
