// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// LowerHalfRTZ lowers conversions to 16-bit floats that round toward zero,
// regardless of the shader's mode, to integer operations: the machine rounds all
// conversions alike.
func LowerHalfRTZ(pc *pass.Context) bool {
	c := in(pc)
	s, b := c.S, c.B
	changed := false
	for n := range s.Blocks(c.F) {
		for v := range s.Instrs(n) {
			in := s.At(v)
			if in.Kind != kind.ALU || in.Comps != 1 {
				continue
			}
			x := func(i int) ir.Src { return s.Src(v, i) }
			b.Before(v)
			switch {
			case in.IsALU(op.F2F16Rtz) && s.At(s.Src(v, 0).Val).Bits == 32:
				s.ReplaceUses(v, c.halfRTZ(x(0)))
			case in.IsALU(op.PackHalf2x16RtzSplit):
				s.ReplaceUses(v, b.Pack32_2x16Split(c.halfRTZ(x(0)), c.halfRTZ(x(1))))
			default:
				continue
			}
			s.Remove(v)
			changed = true
		}
	}
	return changed
}

// halfRTZ converts a 32-bit float to a 16-bit one by truncating bits. As 32-bit floats, the smallest normal 16-bit float is
// 0x38800000 and infinity is 0x7f800000; the exponent biases differ by 112.
func (c context) halfRTZ(a ir.Src) ir.Src {
	b := c.B
	m := b.IAnd(a, b.Imm(0x7fffffff))
	h := b.UMin(b.UShr(b.ISub(m, b.Imm(112<<23)), b.Imm(13)), b.Imm(0x7bff))
	small := b.Imm(0)
	if analysis.FloatMode(c.S)&num.Flush16 == 0 {
		one := b.IOr(b.IAnd(m, b.Imm(0x7fffff)), b.Imm(0x800000))
		small = b.UShr(one, b.UMin(b.ISub(b.Imm(126), b.UShr(m, b.Imm(23))), b.Imm(31)))
	}
	h = b.BCsel(b.ULt(m, b.Imm(0x38800000)), small, h)
	h = b.BCsel(b.UGe(m, b.Imm(0x7f800000)), b.Imm(0x7c00), h)
	h = b.BCsel(b.ULt(b.Imm(0x7f800000), m), b.Imm(0x7e00), h)
	return b.U2U16(b.IOr(h, b.IAnd(b.UShr(a, b.Imm(16)), b.Imm(0x8000))))
}
