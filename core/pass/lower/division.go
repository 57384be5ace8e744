// SPDX-License-Identifier: MIT

package lower

import (
	"math/bits"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

// LowerDivision lowers quotients and remainders of 32-bit integers, on targets that cannot divide integers, to products
// with the float reciprocal of the divisor. Rewrite rules reduce divisions of 8 and 16 bits to these, and the remainder
// with the sign of the divisor; LowerInt64 makes one for every 64-bit division. Divisions by constants have become
// products before, also in loops that were unrolled.
//
// Signed numbers are divided by their absolute values. A quotient is negative if the signs differ, a remainder has the
// dividend's sign.
//
// The first estimate is the float (n + 1) / d, reduced by a small part and truncated. It is never above the quotient. The
// remainder that it leaves is divided in the same way, after which the quotient is too small by 1 at most. Below, ε is
// 2^-23, the spacing of floats from 1 to 2, and terms in ε² are left out, which together are below ε.
//
//   - Conversion to a float changes n and d by at most ε, in any direction of rounding. The reciprocal is assumed to be
//     wrong by at most two units in the last place, or 2ε.
//   - The representation of the reciprocal as an integer is decremented by 16. This reduces the reciprocal by at least
//     8ε and at most 16ε, across a power of two too.
//   - The sum n r + r is rounded once, or twice if the target does not fuse it; this adds at most 2ε.
//
// The float is thus between (n + 1) / d (1 - 23ε) and (n + 1) / d (1 - ε), since the other errors sum to 6ε. Because it is
// below (n + 1) / d, its integer part q is not above n / d. The remainder n - q d is below d + (n + 1) 23ε, hence below
// d + 2^14. The second estimate is therefore below 2^14 + 1, a 16-bit factor, and its remainder is below
// d + (d + 2^14) 23ε, hence below 2d: the quotient is correct after adding 1 if the remainder is not below d.
//
// If n + 1 is at most 2^18, the float is above (n + 1) / d - 1/d, that is, n / d, so that the first estimate is already the
// quotient.
//
// The reciprocal of zero is infinite; decremented, it is a large number, so that both estimates are all ones. As products
// with zero leave n as the remainder, which is not below zero, 1 is added: the quotient is all ones, and the remainder n.
func LowerDivision(pc *pass.Context) bool {
	c := in(pc)
	if !c.Target().Rewrite.Has(option.LowerDivision) {
		return false
	}
	return c.Rewrite(c.lowerDivision)
}

// exactBits is the number of bits of dividends of which the first estimate is the quotient.
const exactBits = 18

// tooLarge is the number by which the representation of a reciprocal is decremented.
const tooLarge = 16

func (c context) lowerDivision(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	in := s.At(v)
	if in.Kind != kind.ALU || in.Bits != 32 || in.Comps != 1 || !in.Used() {
		return ir.Src{}, false
	}
	b.Before(v)
	switch o := in.ALUOp(); o {
	case op.UDiv, op.UMod:
		return c.divideUnsigned(o, s.Src(v, 0), s.Src(v, 1)), true
	case op.IDiv:
		n, d := s.Src(v, 0), s.Src(v, 1)
		q := c.divideUnsigned(op.UDiv, b.IAbs(n), b.IAbs(d))
		return b.BCsel(b.ILt(b.IXor(n, d), b.Imm(0)), b.INeg(q), q), true
	case op.IRem:
		n, d := s.Src(v, 0), s.Src(v, 1)
		r := c.divideUnsigned(op.UMod, b.IAbs(n), b.IAbs(d))
		return b.BCsel(b.ILt(n, b.Imm(0)), b.INeg(r), r), true
	}
	return ir.Src{}, false
}

// divideUnsigned returns the quotient or the remainder of two unsigned numbers.
func (c context) divideUnsigned(o op.Op, n, d ir.Src) ir.Src {
	b := c.B
	r := b.IAdd(b.FRcp(b.U2F32(d)), b.ImmN(32, 1<<32-tooLarge))
	estimate := func(n ir.Src) ir.Src { return b.F2U32(b.FFma(b.U2F32(n), r, r)) }
	q := estimate(n)
	exact := bits.Len64(analysis.MayBeOnes(c.S, n)) <= exactBits
	if exact && o == op.UDiv {
		return q
	}
	rest := b.ISub(n, b.IMul(d, q))
	if exact {
		return rest
	}
	more := estimate(rest)
	rest = b.ISub(rest, b.UMul32x16(d, more))
	if o == op.UMod {
		return b.UMin(rest, b.ISub(rest, d)) // a negative difference is a large number
	}
	return b.IAdd(b.B2I32(b.UGe(rest, d)), b.IAdd(q, more))
}
