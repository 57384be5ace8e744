// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

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
	c.breakFrom(empty, leaving, join, s.NextNode(loop))
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
// join. Block after follows the loop.
func (c context) breakFrom(empty, leaving, join, after ir.Node) {
	s := c.S
	for p := s.First(after); p != 0 && s.At(p).Kind == kind.Phi; {
		next := s.At(p).Next()
		from := c.through(c.phiSrc(p, leaving), join, empty)
		s.AddPhiSrc(c.withRoom(p, 1), empty, from)
		p = next
	}
	c.B.AtEnd(empty)
	c.B.Jump(kind.JumpBreak)
	for p := range s.Instrs(join) {
		for i := range int(s.At(p).NSrc) {
			if s.PhiPred(p, i) == empty {
				s.RemovePhiSrc(p, i)
				break
			}
		}
	}
	c.foldPhis(join)
}
