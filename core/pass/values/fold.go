// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// ConstantFold evaluates arithmetic whose sources are all constant. It replaces a select with one of its operands if the
// condition is constant or the operands are equal, and the index of an invocation, or its position along an axis, with
// zero if the workgroup has only one.
func ConstantFold(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	mode := analysis.FloatMode(s)
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			if in.Kind == kind.Intrinsic {
				changed = c.foldPosition(v) || changed
			}
			if in.Kind != kind.ALU || !in.Used() {
				continue
			}
			if in.ALUOp() == op.BCsel {
				changed = c.foldSelect(v) || changed
				continue
			}
			if s.At(s.Src(v, 0).Val).IsConst() {
				changed = c.foldALU(v, mode) || changed
			}
		}
	}
	return changed
}

func (c context) foldSelect(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	if r, t := s.Src(v, 1), s.Src(v, 2); r.Val == t.Val && r.Swz == t.Swz {
		s.ReplaceUses(v, r)
		return true
	}
	cond := s.Src(v, 0)
	first, known := s.ConstOf(cond)
	if !known {
		return false
	}
	for i := range int(in.Comps) {
		if s.Const(cond.Val, int(cond.Swz.Comp(i))) != first {
			return c.foldALU(v, analysis.FloatMode(s))
		}
	}
	s.ReplaceUses(v, s.Src(v, 2-int(first)))
	return true
}

// foldPosition replaces uses of the position of an invocation in its workgroup if they read zeros.
func (c context) foldPosition(v ir.Value) bool {
	s := c.S
	if id := s.At(v).Intrinsic(); id != intrinsic.LoadLocalInvocationID && id != intrinsic.LoadLocalInvocationIndex {
		return false
	}
	changed := false
	for use := range s.Uses(v) {
		if r := s.UseSrc(use); analysis.MayBeOnes(s, r) == 0 {
			c.B.Before(v)
			clear(c.foldDst[:])
			s.SetUse(use, c.B.Const(s.At(v).Bits, c.foldDst[:r.N]...))
			changed = true
		}
	}
	return changed
}

// foldALU replaces v with a constant if all its operands are constant.
func (c context) foldALU(v ir.Value, mode num.Mode) bool {
	s := c.S
	in := s.At(v)
	info := in.ALUOp().Info()
	bits := uint8(0)
	for i := range int(in.NSrc) {
		r := s.Src(v, i)
		if !s.At(r.Val).IsConst() {
			return false
		}
		if info.Src[i].Bits == 0 {
			bits = s.At(r.Val).Bits
		}
		for k := range int(r.N) {
			c.foldSrc[i][k] = s.Const(r.Val, int(r.Swz.Comp(k)))
		}
	}
	if bits == 0 {
		bits = s.At(s.Src(v, 0).Val).Bits
	}
	if !fold.Eval(in.ALUOp(), bits, in.Comps, &c.foldSrc, &c.foldDst, mode) {
		return false
	}
	c.B.Before(v)
	s.ReplaceUses(v, c.B.Const(in.Bits, c.foldDst[:in.Comps]...))
	return true
}
