// SPDX-License-Identifier: MIT

package values

import (
	"math/bits"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// OptDivConst turns divisions and remainders by constants into multiplications by the
// result of num.Multiplier, which is exact. Powers of two, 0, 1, -1 and unsigned
// divisors above half of the range have rewrite rules.
func OptDivConst(c *pass.Context) bool { return c.Rewrite(in(c).divideByConst) }

func (c context) divideByConst(v ir.Value) (ir.Src, bool) {
	s := c.S
	in := s.At(v)
	if in.Kind != kind.ALU || in.Comps != 1 || !in.Used() {
		return ir.Src{}, false
	}
	f := byConstant[in.ALUOp()]
	if f == nil {
		return ir.Src{}, false
	}
	d, ok := s.ConstOf(s.Src(v, 1))
	if _, both := s.ConstOf(s.Src(v, 0)); !ok || both {
		return ir.Src{}, false
	}
	n := s.Src(v, 0)
	c.B.Before(v)
	return f(c, n, d, in.Bits)
}

// byConstant has functions that divide n by a constant d of the given size. They return false if rewrite rules give
// better code.
var byConstant = [op.Count]func(c context, n ir.Src, d uint64, bits uint8) (ir.Src, bool){
	op.UDiv: (context).udivConst,
	op.UMod: func(c context, n ir.Src, d uint64, bits uint8) (ir.Src, bool) {
		q, ok := c.udivConst(n, d, bits)
		if !ok {
			return q, false
		}
		return c.remainder(n, q, d, bits), true
	},
	op.IDiv: (context).idivConst,
	op.IRem: (context).iremConst,
	// The remainder with the sign of the divisor: d is added if the signs differ, masked
	// by the sign bits.
	op.IMod: func(c context, n ir.Src, d uint64, bits uint8) (ir.Src, bool) {
		b := c.B
		r, ok := c.iremConst(n, d, bits)
		if !ok {
			return r, false
		}
		sign := r
		if d>>(bits-1) != 0 {
			sign = b.INeg(r)
		}
		sign = b.IShr(sign, b.Imm(uint32(bits)-1))
		return b.IAdd(r, b.IAnd(sign, b.ImmN(bits, d))), true
	},
}

func (c context) remainder(n, q ir.Src, d uint64, bits uint8) ir.Src {
	b := c.B
	return b.ISub(n, b.IMul(q, b.ImmN(bits, d)))
}

// udivConst divides unsigned numbers. If the product fits in 32 bits, n is multiplied
// and shifted; otherwise the high half of a product is taken.
func (c context) udivConst(n ir.Src, d uint64, size uint8) (ir.Src, bool) {
	b := c.B
	if d&(d-1) == 0 || d>>(size-1) != 0 { // for a large divisor the quotient is 0 or 1
		return ir.Src{}, false
	}
	w := uint8(bits.Len64(analysis.MayBeOnes(c.S, n)))
	if uint8(bits.Len64(d)) > w {
		return b.ImmN(size, 0), true // d is above the maximum of n
	}
	if size <= 32 {
		m, p, _ := num.Multiplier(d, w, w)
		if int(w)+bits.Len64(m) <= 32 {
			return c.narrow(b.UShr(b.IMul(c.wide(n, size), b.Imm(uint32(m))), b.Imm(uint32(p))), size), true
		}
	}
	x, full := n, size
	if size < 32 {
		x, full = c.wide(n, size), 32
	}
	m, p, fits := num.Multiplier(d, w, full)
	if even := bits.TrailingZeros64(d); (!fits || m>>(full-1)>>1 != 0) && even > 0 {
		// Without the common factor n has fewer bits, and so does m.
		x = b.UShr(x, b.Imm(uint32(even)))
		m, p, fits = num.Multiplier(d>>even, w-uint8(even), full)
	}
	q := b.UMulHigh(x, b.ImmN(full, m&(1<<(full-1)<<1-1)))
	if !fits || m>>(full-1)>>1 != 0 {
		// m has one bit more: q + x, halved without losing the carry, for which
		// p - full ≥ 1 leaves room.
		q = b.IAdd(b.UShr(b.ISub(x, q), b.Imm(1)), q)
		p--
	}
	return c.narrow(b.UShr(q, b.Imm(uint32(p-full))), size), true
}

// idivConst divides signed numbers.
func (c context) idivConst(n ir.Src, d uint64, size uint8) (ir.Src, bool) {
	b := c.B
	all := ^uint64(0) >> (64 - size)
	negative := d>>(size-1) != 0
	a := d
	if negative {
		a = -d & all
	}
	switch {
	case a <= 1 || a == 1<<(size-1):
		return ir.Src{}, false
	case a&(a-1) == 0:
		if !negative {
			return ir.Src{}, false
		}
		return b.INeg(b.IDiv(n, b.ImmN(size, a))), true
	}
	var q ir.Src
	if size < 32 { // a product of 16 by 16 bits with a sign
		m, p, _ := num.SignedMultiplier(a, size, size-1)
		x := b.I2I32(n)
		q = b.IShr(b.IMul(x, b.Imm(uint32(m))), b.Imm(uint32(p)))
		q = b.ISub(q, b.IShr(x, b.Imm(31)))
		if negative {
			q = b.INeg(q)
		}
		return c.narrow(q, size), true
	}
	m, p, _ := num.SignedMultiplier(a, size, size)
	q = b.IMulHigh(n, b.ImmN(size, m))
	if m>>(size-1) != 0 { // as a signed number, m is too small by 2^size
		q = b.IAdd(q, n)
	}
	q = b.IShr(q, b.Imm(uint32(p-size)))
	q = b.ISub(q, b.IShr(n, b.Imm(uint32(size)-1)))
	if negative {
		q = b.INeg(q)
	}
	return q, true
}

func (c context) iremConst(n ir.Src, d uint64, size uint8) (ir.Src, bool) {
	if d>>(size-1) != 0 { // the sign of the divisor is irrelevant
		d = -d & (^uint64(0) >> (64 - size))
		if d&(d-1) == 0 && d > 1 && d>>(size-1) == 0 {
			return c.B.IRem(n, c.B.ImmN(size, d)), true
		}
	}
	q, ok := c.idivConst(n, d, size)
	if !ok {
		return q, false
	}
	return c.remainder(n, q, d, size), true
}

// wide extends an unsigned number to 32 bits.
func (c context) wide(n ir.Src, size uint8) ir.Src {
	if size == 32 {
		return n
	}
	return c.B.U2U32(n)
}

// narrow truncates a result computed in 32 bits.
func (c context) narrow(q ir.Src, size uint8) ir.Src {
	switch size {
	case 8:
		return c.B.U2U8(q)
	case 16:
		return c.B.U2U16(q)
	}
	return q
}
