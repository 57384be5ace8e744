// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// floatParts describes the bit layout of a float.
type floatParts struct {
	bits     uint8
	mantissa uint32 // number of mantissa bits
	exponent uint64 // mask of the exponent
	half     uint64 // 0.5
	up       uint64 // a power of two that makes every denormal normal
	upBy     uint32 // its exponent
	bias     uint32 // the exponent field of 0.5
}

var (
	parts16 = floatParts{bits: 16, mantissa: 10, exponent: 0x7c00, half: 0x3800, up: 0x6800, upBy: 11, bias: 14}
	parts32 = floatParts{bits: 32, mantissa: 23, exponent: 0x7f800000, half: 0x3f000000, up: 0x4b800000, upBy: 24, bias: 126}
)

// LowerFrexp decomposes floats with bit operations. It scales denormals first; if the shader's mode flushes denormals,
// this correctly yields a zero.
func LowerFrexp(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if in.Kind != kind.ALU || in.Comps != 1 || in.ALUOp() != op.FrexpSig && in.ALUOp() != op.FrexpExp {
				continue
			}
			x := s.Src(v, 0)
			p := &parts32
			switch s.At(x.Val).Bits {
			case 16:
				p = &parts16
			case 64:
				continue
			}
			c.B.Before(v)
			s.ReplaceUses(v, p.frexp(c.B, x, in.ALUOp()))
			s.Remove(v)
			changed = true
		}
	}
	return changed
}

func (p *floatParts) frexp(b *build.Builder, a ir.Src, o op.Op) ir.Src {
	imm := func(x uint64) ir.Src { return b.ImmN(p.bits, x) }
	mask, zero := imm(p.exponent), imm(0)
	small := b.IEq(b.IAnd(a, mask), zero)
	x := b.BCsel(small, b.FMul(a, imm(p.up)), a)
	e := b.IAnd(x, mask)
	special := b.IOr(b.IEq(e, zero), b.IEq(e, mask)) // zeros; infinities and NaN
	if o == op.FrexpSig {
		return b.BCsel(special, x, b.IOr(b.IAnd(x, imm(^p.exponent)), imm(p.half)))
	}
	n := b.UShr(e, b.Imm(p.mantissa))
	if p.bits != 32 {
		n = b.U2U32(n)
	}
	n = b.ISub(n, b.BCsel(small, b.Imm(p.bias+p.upBy), b.Imm(p.bias)))
	return b.BCsel(special, b.Imm(0), n)
}
