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
		for n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf; n = s.NextNode(b) {
			if !c.mergeInner(n) && !c.mergeNext(n) && !c.breakEarly(n) {
				break
			}
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

// breakEarly makes the empty arm of an if break, if the phis after the if make the next one break whenever control comes
// from that arm, as in the loop of "while (a && b)". The next if is then only reached from the other arm, so that its
// condition is no phi, and a bound on the iterations that the first condition implies can be found. It reports whether
// it changed the if. Arms that PeepholeSelect flattens are left to it.
func (c context) breakEarly(first ir.Node) bool {
	s := c.S
	join := s.NextNode(first)
	second := s.NextNode(join)
	if second == 0 || !c.onlyPhis(join) || c.jumps(first) {
		return false
	}
	empty, arm := c.skipped(first)
	if empty == 0 || s.NextNode(arm) == 0 && c.cheap(arm) {
		return false
	}
	leaving := c.armFrom(first, empty, join, second)
	if leaving == 0 || !c.breaks(leaving) {
		return false
	}
	loop := s.Parent(first)
	for loop != 0 && s.NodeKind(loop) != ir.NodeLoop {
		loop = s.Parent(loop)
	}
	if !c.usedWithin(join, loop) {
		return false
	}
	other := s.ThenEnd(first)
	if other == empty {
		other = s.ElseEnd(first)
	}
	c.breakFrom(empty, other, leaving, join, s.NextNode(loop))
	return true
}

// onlyPhis reports whether a block consists of one or more phis.
func (c context) onlyPhis(b ir.Node) bool {
	return c.startsWithPhi(b) && c.S.At(c.S.Last(b)).Kind == kind.Phi
}

// armFrom returns the arm of if second that control takes from the empty arm of if first, or 0 if that is unknown. The
// block between the ifs, join, has only phis.
func (c context) armFrom(first, empty, join, second ir.Node) ir.Node {
	s := c.S
	cond := c.through(s.Cond(second), join, empty)
	holds := empty == s.Then(first)
	if cond != s.Cond(first) {
		x, ok := s.ConstOf(cond)
		if !ok {
			return 0
		}
		holds = x != 0
	}
	if holds {
		return s.Then(second)
	}
	return s.Else(second)
}

// breaks reports whether the arm of an if that begins with block b consists of a break.
func (c context) breaks(b ir.Node) bool {
	j := c.S.Jump(b)
	return j != 0 && j == c.S.First(b) && kind.JumpKind(c.S.At(j).Op) == kind.JumpBreak
}

// usedWithin reports whether the phis of block b are used in a loop only, which includes the phis that the loop's
// breaks lead to.
func (c context) usedWithin(b, loop ir.Node) bool {
	for p := range c.S.Instrs(b) {
		for u := range c.S.Uses(p) {
			if !c.within(c.usedAt(u), loop) {
				return false
			}
		}
	}
	return true
}

// breakFrom makes the empty arm of an if break as the arm leaving does, which is reached through the phis of block
// join, so that only block other precedes join. Block after follows the loop.
func (c context) breakFrom(empty, other, leaving, join, after ir.Node) {
	s := c.S
	for p := s.First(after); p != 0 && s.At(p).Kind == kind.Phi; {
		next := s.At(p).Next()
		from := c.through(c.phiSrc(p, leaving), join, empty)
		s.AddPhiSrc(c.withRoom(p, 1), empty, from)
		p = next
	}
	c.B.AtEnd(empty)
	c.B.Jump(kind.JumpBreak)
	c.keepPhiSrcs(join, other)
	c.foldPhis(join)
}
