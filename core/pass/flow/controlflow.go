// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// DeadControlFlow removes unreachable code, ifs whose condition is known, and
// empty ifs.
func DeadControlFlow(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	return c.deadList(s.Body(s.Func(c.F).Node))
}

// deadList cleans up n and the nodes after it.
func (c context) deadList(n ir.Node) (changed bool) {
	s := c.S
	for n != 0 {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			if last := s.Last(n); last != 0 && s.At(last).IsJump() && s.NextNode(n) != 0 {
				c.dropBehind(n)
				changed = true
			}
			n = s.NextNode(n)
		case ir.NodeLoop:
			changed = c.deadList(s.Body(n)) || changed
			n = s.NextNode(n)
		default:
			changed = c.deadList(s.Then(n)) || changed
			changed = c.deadList(s.Else(n)) || changed
			next, did := c.deadIf(n)
			n, changed = next, changed || did
		}
	}
	return changed
}

// deadIf cleans up an if, but not its arms. It returns the node to continue with.
func (c context) deadIf(n ir.Node) (next ir.Node, changed bool) {
	s := c.S
	cond := s.Cond(n)
	if x, ok := s.ConstOf(cond); ok {
		return c.takeArm(n, x != 0), true
	}
	after := s.NextNode(n)
	if c.leaves(s.ThenEnd(n)) && c.leaves(s.ElseEnd(n)) && (s.First(after) != 0 || s.NextNode(after) != 0) {
		c.emptyBehind(after)
		return after, true
	}
	if c.emptyArm(s.Then(n)) && c.emptyArm(s.Else(n)) && !c.startsWithPhi(after) {
		before := s.PrevNode(n)
		s.RemoveNode(n)
		MovePhiPreds(c.Context, after, before)
		s.MergeBlocks(before)
		return before, true
	}
	return after, false
}

func (c context) leaves(end ir.Node) bool { return c.S.Jump(end) != 0 }

func (c context) emptyArm(b ir.Node) bool { return c.S.First(b) == 0 && c.S.NextNode(b) == 0 }

func (c context) startsWithPhi(b ir.Node) bool {
	v := c.S.First(b)
	return v != 0 && c.S.At(v).Kind == kind.Phi
}

// dropBehind removes all nodes after block b, which ends in a jump.
func (c context) dropBehind(b ir.Node) {
	s := c.S
	for n := s.NextNode(b); n != 0; n = s.NextNode(b) {
		c.forget(n)
		s.RemoveNode(n)
	}
}

// emptyBehind empties block b and removes everything after it.
func (c context) emptyBehind(b ir.Node) {
	s := c.S
	c.forgetBlock(b)
	if s.NextNode(b) != 0 {
		c.dropBehind(b)
	}
	for v := s.Last(b); v != 0; v = s.Last(b) {
		s.Remove(v)
	}
	c.undefFrom(b)
}

// undefFrom adds an undefined source for predecessor b to the phis after block b that have none: b is unreachable, but
// falls through in the structured control flow.
func (c context) undefFrom(b ir.Node) {
	s := c.S
	for _, t := range Successors(c.Context, b) {
		if t == 0 {
			continue
		}
		for v := range s.Instrs(t) {
			if s.At(v).Kind != kind.Phi {
				break
			}
			if !c.hasPhiSrc(v, b) {
				c.addUndefSrc(v, t, b)
			}
		}
	}
}

func (c context) hasPhiSrc(phi ir.Value, pred ir.Node) bool {
	for i := range int(c.S.At(phi).NSrc) {
		if c.S.PhiPred(phi, i) == pred {
			return true
		}
	}
	return false
}

// addUndefSrc replaces a phi of block t with a phi with an additional, undefined source for pred.
func (c context) addUndefSrc(phi ir.Value, t, pred ir.Node) {
	s := c.S
	in := s.At(phi)
	c.B.AtStart(s.FirstBlock(c.F))
	undef := c.B.Undef(in.Comps, in.Bits)
	c.B.AtStart(t)
	longer := c.B.Phi(in.Comps, in.Bits, int(in.NSrc)+1)
	for i := range int(in.NSrc) {
		s.AddPhiSrc(longer, s.PhiPred(phi, i), s.Src(phi, i))
	}
	s.AddPhiSrc(longer, pred, undef)
	s.ReplaceUses(phi, ir.Src{Val: longer, Swz: ir.Identity, N: in.Comps})
	s.Remove(phi)
}

// forget removes all references from outside to a node that is about to be removed.
func (c context) forget(n ir.Node) {
	s := c.S
	switch s.NodeKind(n) {
	case ir.NodeBlock:
		c.forgetBlock(n)
	default:
		for _, list := range [...]ir.Node{s.Then(n), s.Else(n)} {
			for m := list; m != 0; m = s.NextNode(m) {
				c.forget(m)
			}
		}
	}
}

// forgetBlock replaces uses of a block's values with undefined values, and removes
// its sources from the phis of its successors.
func (c context) forgetBlock(b ir.Node) {
	s := c.S
	c.dropPhiSrcs(b)
	for v := range s.Instrs(b) {
		if in := s.At(v); in.Used() {
			c.B.AtStart(s.FirstBlock(c.F))
			s.ReplaceUses(v, c.B.Undef(in.Comps, in.Bits))
		}
	}
}

// dropPhiSrcs removes the phi sources that come from block b.
func (c context) dropPhiSrcs(b ir.Node) {
	s := c.S
	for _, t := range Successors(c.Context, b) {
		if t == 0 {
			continue
		}
		for v := range s.Instrs(t) {
			if s.At(v).Kind != kind.Phi {
				break
			}
			for i := int(s.At(v).NSrc) - 1; i >= 0; i-- {
				if s.PhiPred(v, i) == b {
					s.RemovePhiSrc(v, i)
				}
			}
		}
	}
}

// RetargetPhis replaces predecessor from with to in the phis of block b.
func RetargetPhis(c *pass.Context, b, from, to ir.Node) {
	s := c.S
	for v := range s.Instrs(b) {
		if s.At(v).Kind != kind.Phi {
			break
		}
		for i := range int(s.At(v).NSrc) {
			if s.PhiPred(v, i) == from {
				s.Words(v)[i] = uint32(to)
			}
		}
	}
}

// MovePhiPreds updates the phis of the successors of block from, which is about
// to be merged into block to.
func MovePhiPreds(c *pass.Context, from, to ir.Node) {
	retarget(c, Successors(c, from), from, to)
}

// retarget replaces predecessor from with to in the phis of blocks (0 for none).
func retarget(c *pass.Context, blocks [2]ir.Node, from, to ir.Node) {
	for _, t := range blocks {
		if t != 0 {
			RetargetPhis(c, t, from, to)
		}
	}
}

// Successors returns the successors of block b; 0 means none.
func Successors(c *pass.Context, b ir.Node) [2]ir.Node {
	s := c.S
	if j := s.Jump(b); j != 0 {
		switch kind.JumpKind(s.At(j).Op) {
		case kind.JumpBreak:
			return [2]ir.Node{s.NextNode(s.LoopOf(b))}
		case kind.JumpContinue:
			return [2]ir.Node{s.Body(s.LoopOf(b))}
		}
		return [2]ir.Node{}
	}
	if n := s.NextNode(b); n != 0 {
		switch s.NodeKind(n) {
		case ir.NodeIf:
			return [2]ir.Node{s.Then(n), s.Else(n)}
		case ir.NodeLoop:
			return [2]ir.Node{s.Body(n)}
		}
		return [2]ir.Node{n}
	}
	p := s.Parent(b)
	switch s.NodeKind(p) {
	case ir.NodeIf:
		return [2]ir.Node{s.NextNode(p)}
	case ir.NodeLoop:
		return [2]ir.Node{s.Body(p)}
	}
	return [2]ir.Node{}
}

// takeArm replaces an if with one of its arms and returns the node to continue with.
func (c context) takeArm(n ir.Node, then bool) ir.Node {
	s := c.S
	before, after := s.PrevNode(n), s.NextNode(n)
	first, last, dead := s.Then(n), s.ThenEnd(n), s.Else(n)
	if !then {
		first, last, dead = s.Else(n), s.ElseEnd(n), s.Then(n)
	}
	for m := dead; m != 0; m = s.NextNode(m) {
		c.forget(m)
	}
	jumps := s.Jump(last) != 0
	// Phis after the if now have the arm as their only predecessor.
	c.foldPhis(after)
	c.foldPhis(first)
	s.MoveNodes(first, last, n)
	s.RemoveNode(n)
	// before and first are now adjacent, and so are last and after.
	if jumps {
		c.dropBehind(last)
	} else {
		MovePhiPreds(c.Context, after, last)
		s.MergeBlocks(last)
	}
	MovePhiPreds(c.Context, first, before)
	s.MergeBlocks(before)
	return before
}

// foldPhis replaces the phis of block b that have a single source with that source, and those without sources with
// undefined values.
func (c context) foldPhis(b ir.Node) {
	s := c.S
	for v := range s.Instrs(b) {
		in := s.At(v)
		if in.Kind != kind.Phi {
			break
		}
		switch in.NSrc {
		case 0:
			c.B.AtStart(s.FirstBlock(c.F))
			s.ReplaceUses(v, c.B.Undef(in.Comps, in.Bits))
		case 1:
			s.ReplaceUses(v, s.Src(v, 0))
		default:
			continue
		}
		s.Remove(v)
	}
}

// withRoom replaces a phi with a copy with room for n more sources.
func (c context) withRoom(phi ir.Value, n int) ir.Value {
	s := c.S
	in := s.At(phi)
	c.B.AtStart(in.Block())
	c.B.Loc = in.Loc
	longer := c.B.Phi(in.Comps, in.Bits, int(in.NSrc)+n)
	for i := range int(in.NSrc) {
		s.AddPhiSrc(longer, s.PhiPred(phi, i), s.Src(phi, i))
	}
	s.ReplaceUses(phi, s.All(longer))
	s.Remove(phi)
	return longer
}

// keepPhiSrcs drops the sources of the phis of block b that do not come from pred.
func (c context) keepPhiSrcs(b, pred ir.Node) {
	s := c.S
	for v := range s.Instrs(b) {
		if s.At(v).Kind != kind.Phi {
			return
		}
		for i := int(s.At(v).NSrc) - 1; i >= 0; i-- {
			if s.PhiPred(v, i) != pred {
				s.RemovePhiSrc(v, i)
			}
		}
	}
}
