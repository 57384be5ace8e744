// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// MergeIfs replaces the condition of an if, and values that it implies, with constants in the arms. It merges ifs that
// follow one another and have one condition, and an if with an if that is alone in its arm. In the second case, the
// other arms of both must be empty and yield the same values: the merged condition is the conjunction or disjunction of
// the two. Instructions in the arm before the inner if are executed speculatively. An empty arm breaks at once if the
// next if would break after it.
func MergeIfs(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			changed = c.know(n) || changed
		}
	}
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf && (c.mergeInner(n) || c.mergeNext(n) || c.breakEarly(n)); n = s.NextNode(b) {
			changed = true
		}
	}
	return changed
}

// mergeInner merges outer with the if in its arm, if possible, and reports whether it did. The inner if stays, in the place of outer.
func (c context) mergeInner(outer ir.Node) bool {
	s := c.S
	skip, arm := c.skipped(outer)
	if skip == 0 || !c.cheap(arm) || s.Jump(arm) != 0 {
		return false
	}
	inner := s.NextNode(arm)
	if inner == 0 || s.NodeKind(inner) != ir.NodeIf {
		return false
	}
	join := s.NextNode(inner)
	innerSkip, _ := c.skipped(inner)
	if innerSkip == 0 || s.NextNode(join) != 0 || s.Last(join) != 0 && s.At(s.Last(join)).Kind != kind.Phi {
		return false
	}
	after := s.NextNode(outer)
	for p := range s.Instrs(after) {
		if s.At(p).Kind != kind.Phi {
			break
		}
		if c.phiSrc(p, skip) != c.through(c.phiSrc(p, join), join, innerSkip) {
			return false
		}
	}
	c.mergeConds(outer, inner, arm, skip == s.Then(outer), innerSkip == s.Then(inner))
	for p := range s.Instrs(after) {
		if s.At(p).Kind != kind.Phi {
			break
		}
		s.ReplaceUses(p, c.phiSrc(p, join))
		s.Remove(p)
	}
	before := s.PrevNode(outer)
	s.MoveNodes(arm, join, outer)
	s.RemoveNode(outer)
	MovePhiPreds(c.Context, after, join)
	s.MergeBlocks(join)
	MovePhiPreds(c.Context, arm, before)
	s.MergeBlocks(before)
	return true
}

// skipped returns the empty arm of an if, or 0 if there is none, and the first block of the other arm.
func (c context) skipped(n ir.Node) (empty, other ir.Node) {
	then, els := c.S.Then(n), c.S.Else(n)
	switch {
	case c.emptyArm(then):
		return then, els
	case c.emptyArm(els):
		return els, then
	}
	return 0, 0
}

// through returns the value of r at block b if control comes from block pred.
func (c context) through(r ir.Src, b, pred ir.Node) ir.Src {
	if in := c.S.At(r.Val); in.Kind != kind.Phi || in.Block() != b {
		return r
	}
	x := c.phiSrc(r.Val, pred)
	return ir.Src{Val: x.Val, Swz: r.Swz.Compose(x.Swz), N: r.N}
}

// phiSrc returns the source of a phi for predecessor pred.
func (c context) phiSrc(phi ir.Value, pred ir.Node) ir.Src {
	s := c.S
	for i := range int(s.At(phi).NSrc) {
		if s.PhiPred(phi, i) == pred {
			return s.Src(phi, i)
		}
	}
	panic("flow: a phi lacks a predecessor")
}

// mergeConds makes the merged condition of both ifs the condition of the inner one. outerSkips and innerSkips are set
// if the then arm is the empty one, rather than the else arm.
func (c context) mergeConds(outer, inner, at ir.Node, outerSkips, innerSkips bool) {
	s := c.S
	a, b := s.Cond(outer), s.Cond(inner)
	c.B.AtEnd(at)
	if outerSkips != innerSkips {
		a = c.B.INot(a)
	}
	if innerSkips {
		s.SetCond(inner, c.B.IOr(a, b))
	} else {
		s.SetCond(inner, c.B.IAnd(a, b))
	}
}
