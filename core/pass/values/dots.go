// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// dots are the dot products of vectors by their number of components.
var dots = [...]op.Op{2: op.FDot2, 3: op.FDot3, 4: op.FDot4}

// associative is the freedom to add products in another order, and to round them or not.
const associative = uint16(kind.FloatReassoc | kind.FloatContract)

// findDots replaces sums of products of the components of two values by dot products, if the source allows sums in
// another order. Scalar arithmetic was made from them so that other rewrites apply to the components.
func (c context) findDots() (changed bool) {
	s := c.S
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.Last(b); v != 0; { // from the last sum
			prev := s.At(v).Prev()
			changed = c.findDot(v) || changed
			v = prev
		}
	}
	return changed
}

// findDot replaces v, if it is a sum of two to four products that are not used otherwise.
func (c context) findDot(v ir.Value) bool {
	s := c.S
	var x, y ir.Src
	n := 0
	at := v
	for {
		in := s.At(at)
		isSum := in.IsALU(op.FFma)
		if !isSum && !in.IsALU(op.FMul) || in.Comps != 1 || in.Bits != 32 || in.Float&associative != associative ||
			n == vectorComps || at != v && !s.UsedOnce(at) {
			return false
		}
		a, b := s.Src(at, 0), s.Src(at, 1)
		switch {
		case s.At(a.Val).IsConst() || s.At(b.Val).IsConst() || a.Val == b.Val && a.Swz.Comp(0) != b.Swz.Comp(0):
			return false
		case n == 0:
			x, y = ir.Src{Val: a.Val}, ir.Src{Val: b.Val}
		case a.Val != x.Val:
			a, b = b, a
		}
		if a.Val != x.Val || b.Val != y.Val || n > 0 && (apart(a, x) || apart(b, y)) {
			return false
		}
		x.Swz, y.Swz = x.Swz.With(n, a.Swz.Comp(0)), y.Swz.With(n, b.Swz.Comp(0))
		n++
		if !isSum {
			break
		}
		at = s.Src(at, 2).Val
	}
	if n < 2 || s.At(x.Val).Comps < 2 || s.At(y.Val).Comps < 2 {
		return false
	}
	x.N, y.N = uint8(n), uint8(n)
	c.B.Before(v)
	c.B.Float = s.At(v).Float
	s.ReplaceUses(v, c.B.ALU(dots[n], x, y))
	s.Remove(v)
	return true
}

// apart reports whether the first components of two reads of a value are in different registers of four.
func apart(a, b ir.Src) bool { return a.Swz.Comp(0)/vectorComps != b.Swz.Comp(0)/vectorComps }
