// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

// LowerInt64 lowers the 64-bit integer operations that the rewrite rules under lower_int64 cannot lower. Phis and
// undefined values become pairs of 32-bit values, divisions become loops, and conversions from and to floats and the
// rarer bit operations become operations that the rules lower. 64-bit atomics at physical addresses take and return
// pairs; other 64-bit atomics are rejected. After the rules have run too, the only 64-bit values left are packed and
// unpacked pairs.
func LowerInt64(pc *pass.Context) bool {
	c := in(pc)
	if !c.Target().Rewrite.Has(option.LowerInt64) {
		return false
	}
	return c.wide() && c.Rewrite(c.lowerInt64)
}

// wide reports whether the function has 64-bit values: every operation that is lowered has a 64-bit operand or result.
func (c context) wide() bool {
	s := c.S
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			in := s.At(v)
			if in.Bits == 64 {
				return true
			}
			v = in.Next()
		}
	}
	return false
}

func (c context) lowerInt64(v ir.Value) (ir.Src, bool) {
	s := c.S
	in := s.At(v)
	switch in.Kind {
	case kind.Phi:
		if in.Bits == 64 && in.Comps == 1 {
			return c.phi64(v), true
		}
	case kind.Undef:
		if in.Bits == 64 && in.Comps == 1 {
			c.B.Before(v)
			return c.B.Pack64_2x32Split(c.B.Undef(1, 32), c.B.Undef(1, 32)), true
		}
	case kind.ALU:
		f := int64Ops[in.ALUOp()]
		if f == nil || in.Comps != 1 || !in.Used() {
			return ir.Src{}, false
		}
		if info := in.ALUOp().Info(); info.Src[0].Base == op.Float {
			if s.At(s.Src(v, 0).Val).Bits == 64 {
				return ir.Src{}, false // a 64-bit float
			}
		} else if s.At(s.Src(v, 0).Val).Bits != 64 {
			return ir.Src{}, false
		}
		c.B.Before(v)
		return f(c, v), true
	case kind.Intrinsic:
		if in.Bits == 64 && in.Intrinsic().Is(intrinsic.TraitAtomic) {
			return c.atomic64(v)
		}
	}
	return ir.Src{}, false
}

// atomic64 replaces a 64-bit atomic with an atomic on pairs of 32 bits. There are messages only for 64-bit addresses.
func (c context) atomic64(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	id := s.At(v).Intrinsic()
	acc, o := kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicOp(s.Index(v, intrinsic.IxAtomicOp))
	pair := func(x ir.Src) ir.Src {
		return pass.Vec(b, []ir.Src{b.Unpack64_2x32SplitX(x), b.Unpack64_2x32SplitY(x)})
	}
	b.Before(v)
	var old ir.Src
	switch id {
	case intrinsic.GlobalAtomic:
		old = b.GlobalAtomic2x32(c.S.Src(v, 0), pair(c.S.Src(v, 1)), acc, o)
	case intrinsic.GlobalAtomicSwap:
		old = b.GlobalAtomicSwap2x32(c.S.Src(v, 0), pair(c.S.Src(v, 1)), pair(c.S.Src(v, 2)), acc, o)
	default:
		c.FailAt(s.At(v).Loc, "%s has 64-bit atomics only at 64-bit addresses (%s)", c.Target(), id)
		return ir.Src{}, false
	}
	return b.Pack64_2x32Split(old.Comp(0), old.Comp(1)), true
}

// phi64 splits a phi in two.
func (c context) phi64(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	block := in.Block()
	b.Loc = in.Loc
	b.AtStart(block)
	lo, hi := b.Phi(1, 32, int(in.NSrc)), b.Phi(1, 32, int(in.NSrc))
	for i := range int(in.NSrc) {
		pred := s.PhiPred(v, i)
		x := s.Src(v, i)
		b.AtEnd(pred)
		s.AddPhiSrc(lo, pred, b.Unpack64_2x32SplitX(x))
		s.AddPhiSrc(hi, pred, b.Unpack64_2x32SplitY(x))
	}
	b.AtStart(block)
	return b.Pack64_2x32Split(s.All(lo), s.All(hi))
}

// int64Ops has functions that lower the 64-bit integer operations that no rule lowers. The builder is before the
// instruction. The functions may insert other 64-bit operations for which there are rules.
var int64Ops = [op.Count]func(c context, v ir.Value) ir.Src{
	op.UDiv: func(c context, v ir.Value) ir.Src { q, _ := c.divide64(v, c.S.Src(v, 0), c.S.Src(v, 1)); return q },
	op.UMod: func(c context, v ir.Value) ir.Src { _, r := c.divide64(v, c.S.Src(v, 0), c.S.Src(v, 1)); return r },
	op.IDiv: func(c context, v ir.Value) ir.Src { q, _ := c.divideSigned64(v); return q },
	op.IRem: func(c context, v ir.Value) ir.Src { _, r := c.divideSigned64(v); return r },
	op.IMod: func(c context, v ir.Value) ir.Src {
		b := c.B
		_, r := c.divideSigned64(v)
		d, z := c.S.Src(v, 1), b.ImmN(64, 0)
		other := b.IAnd(b.INe(r, z), b.ILt(b.IXor(r, d), z))
		return b.BCsel(other, b.IAdd(r, d), r)
	},

	op.UMulHigh: func(c context, v ir.Value) ir.Src { return c.mulHigh64(c.S.Src(v, 0), c.S.Src(v, 1)) },
	// A negative factor counts as 2^64 more than its value
	op.IMulHigh: func(c context, v ir.Value) ir.Src {
		b := c.B
		x, y, z := c.S.Src(v, 0), c.S.Src(v, 1), b.ImmN(64, 0)
		h := c.mulHigh64(x, y)
		h = b.ISub(h, b.BCsel(b.ILt(x, z), y, z))
		return b.ISub(h, b.BCsel(b.ILt(y, z), x, z))
	},

	op.U2F16: func(c context, v ir.Value) ir.Src {
		return c.B.U2F16(c.B.U2U32(c.B.UMin(c.S.Src(v, 0), c.B.ImmN(64, 1<<32-1))))
	},
	// Beyond 32 bits everything is infinite, or the largest number, anyway
	op.I2F16: func(c context, v ir.Value) ir.Src {
		b := c.B
		x := b.IMax(b.IMin(c.S.Src(v, 0), b.ImmN(64, 1<<31-1)), b.ImmN(64, ^uint64(1<<31-1)))
		return b.I2F16(b.I2I32(x))
	},
	op.U2F32: func(c context, v ir.Value) ir.Src { return c.uint64ToFloat(c.S.Src(v, 0)) },
	op.I2F32: func(c context, v ir.Value) ir.Src {
		b := c.B
		x := c.S.Src(v, 0)
		f := c.uint64ToFloat(b.IAbs(x))
		return b.BCsel(b.ILt(b.Unpack64_2x32SplitY(x), b.Imm(0)), b.FNeg(f), f)
	},
	op.F2U64: func(c context, v ir.Value) ir.Src { return c.floatToUint64(c.float32(c.S.Src(v, 0))) },
	op.F2I64: func(c context, v ir.Value) ir.Src {
		b := c.B
		x := c.float32(c.S.Src(v, 0))
		m := c.floatToUint64(b.FAbs(x))
		r := b.BCsel(b.FLt(x, pass.ImmF(b, 0)), b.INeg(m), m)
		r = b.BCsel(b.FGe(x, pass.ImmF(b, 1<<63)), b.ImmN(64, 1<<63-1), r)
		return b.BCsel(b.FGe(pass.ImmF(b, -(1<<63)), x), b.ImmN(64, 1<<63), r)
	},

	op.UClz: func(c context, v ir.Value) ir.Src {
		b := c.B
		lo, hi := c.halves(c.S.Src(v, 0))
		return b.BCsel(b.IEq(hi, b.Imm(0)), b.IAdd(b.UClz(lo), b.Imm(32)), b.UClz(hi))
	},
	op.IFindMsb: func(c context, v ir.Value) ir.Src {
		b := c.B
		x := c.S.Src(v, 0)
		return b.UFindMsb(b.IXor(x, b.IShr(x, b.Imm(63))))
	},
	op.URol: func(c context, v ir.Value) ir.Src {
		b := c.B
		x, n := c.S.Src(v, 0), c.S.Src(v, 1)
		return b.IOr(b.IShl(x, n), b.UShr(x, b.INeg(n)))
	},
	op.URor: func(c context, v ir.Value) ir.Src {
		b := c.B
		x, n := c.S.Src(v, 0), c.S.Src(v, 1)
		return b.IOr(b.UShr(x, n), b.IShl(x, b.INeg(n)))
	},

	op.ExtractU8:  func(c context, v ir.Value) ir.Src { return c.B.U2U64(c.B.U2U8(c.fieldDown(v, 8))) },
	op.ExtractI8:  func(c context, v ir.Value) ir.Src { return c.B.I2I64(c.B.I2I8(c.fieldDown(v, 8))) },
	op.ExtractU16: func(c context, v ir.Value) ir.Src { return c.B.U2U64(c.B.U2U16(c.fieldDown(v, 16))) },
	op.ExtractI16: func(c context, v ir.Value) ir.Src { return c.B.I2I64(c.B.I2I16(c.fieldDown(v, 16))) },
	op.InsertU8:   func(c context, v ir.Value) ir.Src { return c.fieldUp(v, 8) },
	op.InsertU16:  func(c context, v ir.Value) ir.Src { return c.fieldUp(v, 16) },

	op.UBitfieldExtract: func(c context, v ir.Value) ir.Src {
		b := c.B
		x, o, n := c.S.Src(v, 0), c.S.Src(v, 1), c.S.Src(v, 2)
		return b.BCsel(b.UGe(n, b.Imm(64)), x, b.IAnd(b.UShr(x, o), c.ones64(n)))
	},
	op.IBitfieldExtract: func(c context, v ir.Value) ir.Src {
		b := c.B
		x, n := c.S.Src(v, 0), c.S.Src(v, 2)
		o := b.IAnd(c.S.Src(v, 1), b.Imm(63))
		up := b.ISub(b.Imm(64), n)
		r := b.IShr(b.IShl(x, b.ISub(up, o)), up)
		r = b.BCsel(b.ULt(b.IAdd(o, n), b.Imm(64)), r, b.IShr(x, o))
		r = b.BCsel(b.IEq(n, b.Imm(0)), b.ImmN(64, 0), r)
		return b.BCsel(b.UGe(n, b.Imm(64)), x, r)
	},
	op.BitfieldInsert: func(c context, v ir.Value) ir.Src {
		b := c.B
		base, x := c.S.Src(v, 0), c.S.Src(v, 1)
		o, n := c.S.Src(v, 2), c.S.Src(v, 3)
		m := b.IShl(c.ones64(n), o)
		r := b.IOr(b.IAnd(base, b.INot(m)), b.IAnd(b.IShl(x, o), m))
		return b.BCsel(b.UGe(n, b.Imm(64)), x, r)
	},
}

func (c context) halves(x ir.Src) (lo, hi ir.Src) {
	return c.B.Unpack64_2x32SplitX(x), c.B.Unpack64_2x32SplitY(x)
}

// ones64 returns a number with n ones, for n below 64.
func (c context) ones64(n ir.Src) ir.Src {
	b := c.B
	return b.ISub(b.IShl(b.ImmN(64, 1), n), b.ImmN(64, 1))
}

// fieldAt returns the first bit of the byte or word that operand 1 of v selects.
func (c context) fieldAt(v ir.Value, bits uint32) ir.Src {
	b := c.B
	return b.IMul(b.IAnd(b.U2U32(c.S.Src(v, 1)), b.Imm(64/bits-1)), b.Imm(bits))
}

func (c context) fieldDown(v ir.Value, bits uint32) ir.Src {
	return c.B.U2U32(c.B.UShr(c.S.Src(v, 0), c.fieldAt(v, bits)))
}

func (c context) fieldUp(v ir.Value, bits uint32) ir.Src {
	return c.B.IShl(c.B.IAnd(c.S.Src(v, 0), c.B.ImmN(64, 1<<bits-1)), c.fieldAt(v, bits))
}

// divide64 returns the unsigned quotient and remainder. If the divisor is below 2^32, the quotient's high half is a
// 32-bit division of the dividend's high half, otherwise 0. The partial remainder is below the divisor, or below 2^32,
// so that shift-and-subtract division brings in the dividend's low 32 bits without a carry out of 64 bits. Division by
// zero subtracts zero every time: the quotient is all ones, the remainder the dividend.
func (c context) divide64(v ir.Value, n, d ir.Src) (quotient, remainder ir.Src) {
	b := c.B
	nLo, nHi := c.halves(n)
	dLo, dHi := c.halves(d)
	short := b.IEq(dHi, b.Imm(0))
	qHi := b.BCsel(short, b.UDiv(nHi, dLo), b.Imm(0))
	rem := b.ISub(nHi, b.IMul(qHi, dLo)) // if dLo is zero, any remainder will do
	out := flow.LoopBefore(c.Context, v, []ir.Src{b.Imm(32), nLo, rem, b.Imm(0)}, func(cur []ir.Src) ([]ir.Src, ir.Src) {
		left, bits := cur[0], cur[1]
		rLo, rHi := cur[2], cur[3]
		one, top := b.Imm(1), b.Imm(31)
		rHi = b.IOr(b.IShl(rHi, one), b.UShr(rLo, top))
		rLo = b.IOr(b.IShl(rLo, one), b.UShr(bits, top))
		less := b.IOr(b.ULt(rHi, dHi), b.IAnd(b.IEq(rHi, dHi), b.ULt(rLo, dLo)))
		borrow := b.B2I32(b.ULt(rLo, dLo))
		rHi = b.BCsel(less, rHi, b.ISub(b.ISub(rHi, dHi), borrow))
		rLo = b.BCsel(less, rLo, b.ISub(rLo, dLo))
		bits = b.IOr(b.IShl(bits, one), b.B2I32(b.INot(less)))
		left = b.ISub(left, one)
		return []ir.Src{left, bits, rLo, rHi}, b.IEq(left, b.Imm(0))
	})
	return b.Pack64_2x32Split(out[1], qHi), b.Pack64_2x32Split(out[2], out[3])
}

// divideSigned64 divides magnitudes. The remainder has the dividend's sign; the quotient is negative if the signs
// differ.
func (c context) divideSigned64(v ir.Value) (quotient, remainder ir.Src) {
	b := c.B
	n, d, z := c.S.Src(v, 0), c.S.Src(v, 1), b.ImmN(64, 0)
	negative, differ := b.ILt(n, z), b.ILt(b.IXor(n, d), z)
	q, r := c.divide64(v, b.IAbs(n), b.IAbs(d))
	return b.BCsel(differ, b.INeg(q), q), b.BCsel(negative, b.INeg(r), r)
}

// product returns the full product of two 32-bit numbers.
func (c context) product(x, y ir.Src) ir.Src {
	return c.B.Pack64_2x32Split(c.B.IMul(x, y), c.B.UMulHigh(x, y))
}

// mulHigh64 returns the high half of the unsigned product: the sum of four partial products, each with the carry of the
// lower ones, which cannot overflow it.
func (c context) mulHigh64(x, y ir.Src) ir.Src {
	b := c.B
	xLo, xHi := c.halves(x)
	yLo, yHi := c.halves(y)
	m := b.IAdd(c.product(xLo, yHi), b.U2U64(b.UMulHigh(xLo, yLo)))
	mLo, mHi := c.halves(m)
	_, carry := c.halves(b.IAdd(c.product(xHi, yLo), b.U2U64(mLo)))
	return b.IAdd(b.IAdd(c.product(xHi, yHi), b.U2U64(mHi)), b.U2U64(carry))
}

// float32 widens a 16-bit float, which is exact.
func (c context) float32(x ir.Src) ir.Src {
	if c.S.At(x.Val).Bits == 16 {
		return c.B.F2F32(x)
	}
	return x
}

// uint64ToFloat rounds once: a number of 2^32 or more is shifted until its
// highest one is bit 63; the upper half is converted, with its lowest bit set as a
// sticky bit if any bits are lost; scaling by a power of two is exact.
func (c context) uint64ToFloat(x ir.Src) ir.Src {
	b := c.B
	lo, hi := c.halves(x)
	n := b.UClz(hi)
	sLo, sHi := c.halves(b.IShl(x, n))
	top := b.IOr(sHi, b.B2I32(b.INe(sLo, b.Imm(0))))
	scale := b.IShl(b.ISub(b.Imm(127+32), n), b.Imm(23))
	return b.BCsel(b.IEq(hi, b.Imm(0)), b.U2F32(lo), b.FMul(b.U2F32(top), scale))
}

// floatToUint64 converts each half separately: the remainder of the float below the upper half is exact. NaN and
// negative values yield 0 in both halves.
func (c context) floatToUint64(x ir.Src) ir.Src {
	b := c.B
	hi := b.F2U32(b.FMul(x, pass.ImmF(b, 1.0/(1<<32))))
	rest := b.FSub(x, b.FMul(b.U2F32(hi), pass.ImmF(b, 1<<32)))
	r := b.Pack64_2x32Split(b.F2U32(rest), hi)
	return b.BCsel(b.FGe(x, pass.ImmF(b, 1<<64)), b.ImmN(64, ^uint64(0)), r)
}
