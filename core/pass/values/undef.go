// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// UndefToZero replaces undefined operands: with zero in arithmetic, and with the other operand in a select. Every use of
// an undefined value may see different bits, and instruction selection would use zeros. If they are chosen here, the
// constant folder and the rules can use them. Operands of phis are left alone, since a phi whose other sources are equal
// needs no value for an undefined one. So are operands of vectors, whose components need not be written.
func UndefToZero(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			if in.Kind == kind.Undef && in.Used() {
				changed = c.zeroUses(v) || changed
			}
		}
	}
	return changed
}

// zeroUses replaces the uses of an undefined value.
func (c context) zeroUses(v ir.Value) (changed bool) {
	s := c.S
	var zero ir.Value
	for u := range s.Uses(v) {
		if u.User == 0 || s.At(u.User).Kind != kind.ALU {
			continue
		}
		o := s.At(u.User).ALUOp()
		if copies(o) {
			continue
		}
		if o == op.BCsel && u.Index > 0 {
			if other := s.Src(u.User, 3-u.Index); other.Val != v {
				s.SetUse(u, other)
				changed = true
			}
			continue
		}
		if zero == 0 {
			in := s.At(v)
			c.B.After(v)
			var zeros [16]uint64
			zero = c.B.Const(in.Bits, zeros[:in.Comps]...).Val
		}
		r := s.UseSrc(u)
		r.Val = zero
		s.SetUse(u, r)
		changed = true
	}
	return changed
}
