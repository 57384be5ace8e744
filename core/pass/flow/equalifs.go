// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// lateSet has the instructions between two ifs that must move after the second one.
type lateSet struct{ of map[ir.Value]bool }

// mergeNext merges an if with the next one, if both have one condition: each arm of the first is followed by the arm of
// the second. The block between them must contain only instructions that can move before the first if, or after the
// second one because only later code uses them. mergeNext reports whether it merged the ifs.
func (c context) mergeNext(first ir.Node) bool {
	s := c.S
	between := s.NextNode(first)
	second := s.NextNode(between)
	if second == 0 || s.NodeKind(second) != ir.NodeIf || s.Cond(first) != s.Cond(second) || c.jumps(first) || c.jumps(second) {
		return false
	}
	if !c.separable(between, second) {
		return false
	}
	c.vacate(between, s.PrevNode(first), s.NextNode(second))
	for p := range s.Instrs(between) { // only phis are left
		then, els := c.phiSrc(p, s.ThenEnd(first)), c.phiSrc(p, s.ElseEnd(first))
		c.replaceIn(p, s.Then(second), then)
		c.replaceIn(p, s.Else(second), els)
	}
	c.append(s.ThenEnd(first), s.Then(second), s.ThenEnd(second), between)
	c.append(s.ElseEnd(first), s.Else(second), s.ElseEnd(second), between)
	after := s.NextNode(second)
	s.RemoveNode(second)
	MovePhiPreds(c.Context, after, between)
	s.MergeBlocks(between)
	return true
}

// jumps reports whether an arm of an if ends in a jump.
func (c context) jumps(n ir.Node) bool {
	return c.S.Jump(c.S.ThenEnd(n)) != 0 || c.S.Jump(c.S.ElseEnd(n)) != 0
}

// separable reports whether the instructions of a block before an if can all move: late ones, which depend on the
// block's phis, after the if, and the others before the phis. It records the late ones and the phis in the lateSet.
func (c context) separable(block, next ir.Node) bool {
	s := c.S
	late := pass.Scratch[lateSet](c.Context)
	if late.of == nil {
		late.of = map[ir.Value]bool{}
	}
	clear(late.of)
	for v := range s.Instrs(block) {
		in := s.At(v)
		switch in.Kind {
		case kind.Phi:
			late.of[v] = true
			continue
		case kind.ALU, kind.LoadConst, kind.Undef, kind.Deref:
		case kind.Intrinsic:
			if !c.free(v) {
				return false
			}
		default:
			return false
		}
		for i := range int(in.NSrc) {
			if late.of[s.Src(v, i).Val] {
				late.of[v] = true
			}
		}
		if late.of[v] && c.usedIn(v, next) {
			return false
		}
	}
	return true
}

// usedIn reports whether an if, or code in it, uses a value; see usedAt.
func (c context) usedIn(v ir.Value, n ir.Node) bool {
	for u := range c.S.Uses(v) {
		if c.within(c.usedAt(u), n) {
			return true
		}
	}
	return false
}

// usedAt returns the node that a use belongs to: the if whose condition it is, the predecessor for which a phi reads the
// value, or else the block of the instruction.
func (c context) usedAt(u ir.Use) ir.Node {
	s := c.S
	switch {
	case u.If != 0:
		return u.If
	case s.At(u.User).Kind == kind.Phi:
		return s.PhiPred(u.User, u.Index)
	}
	return s.At(u.User).Block()
}

// vacate empties a block except for its phis: late instructions move to the start of block after, the others to the end
// of block before.
func (c context) vacate(block, before, after ir.Node) {
	s := c.S
	late := pass.Scratch[lateSet](c.Context)
	start := s.First(after)
	for start != 0 && s.At(start).Kind == kind.Phi {
		start = s.At(start).Next()
	}
	s.SplitBlock(after, start)
	for v := s.First(block); v != 0; {
		next := s.At(v).Next()
		switch {
		case s.At(v).Kind == kind.Phi:
		case late.of[v]:
			s.MoveToEnd(v, after)
		default:
			s.MoveToEnd(v, before)
		}
		v = next
	}
	s.MergeBlocks(after)
}

// within reports whether a node is n or in it.
func (c context) within(b, n ir.Node) bool {
	for b != 0 && b != n {
		b = c.S.Parent(b)
	}
	return b == n
}

// replaceIn replaces the uses of a phi in the arm that begins with node first; see usedAt.
func (c context) replaceIn(p ir.Value, first ir.Node, by ir.Src) {
	s := c.S
	for u := range s.Uses(p) {
		if !c.inList(c.usedAt(u), first) {
			continue
		}
		r := s.UseSrc(u)
		r = ir.Src{Val: by.Val, Swz: r.Swz.Compose(by.Swz), N: r.N}
		if u.If != 0 {
			s.SetCond(u.If, r)
		} else {
			s.SetSrc(u.User, u.Index, r)
		}
	}
}

// inList reports whether a node is in the list that begins with first, or nested in one of its nodes.
func (c context) inList(n, first ir.Node) bool {
	s := c.S
	for n != 0 && s.Parent(n) != s.Parent(first) {
		n = s.Parent(n)
	}
	for ; n != 0; n = s.PrevNode(n) {
		if n == first {
			return true
		}
	}
	return false
}

// append moves the nodes first to last, the arm of the second if, after the end of the arm of the first one. between is
// the block between both ifs, which has phis.
func (c context) append(end, first, last, between ir.Node) {
	s := c.S
	if last != first {
		RetargetPhis(c.Context, between, end, last)
	}
	MovePhiPreds(c.Context, first, end)
	s.MoveNodes(first, last, end)
	s.MergeBlocks(end)
}

// mostUses is the number of uses of a condition, or of an operand of it, that are examined.
const mostUses = 32

// know replaces uses of the condition of an if by constants in its arms. It also replaces values that the condition
// implies: the operands of a conjunction, disjunction or negation, and the inverse of an integer comparison.
func (c context) know(n ir.Node) (changed bool) {
	s := c.S
	cond := s.Cond(n).Val
	changed = c.knownIn(n, cond, true, true)
	changed = c.knownIn(n, cond, false, false) || changed
	if s.At(cond).Kind != kind.ALU {
		return changed
	}
	switch o := s.At(cond).ALUOp(); o {
	case op.INot:
		changed = c.knownIn(n, s.Src(cond, 0).Val, true, false) || changed
		changed = c.knownIn(n, s.Src(cond, 0).Val, false, true) || changed
	case op.IAnd, op.IOr: // all are true if a conjunction is, and false if a disjunction is
		for i := range 2 {
			changed = c.knownIn(n, s.Src(cond, i).Val, o == op.IAnd, o == op.IAnd) || changed
		}
	default:
		if x := c.inverse(cond); x != 0 {
			changed = c.knownIn(n, x, true, false) || changed
			changed = c.knownIn(n, x, false, true) || changed
		}
	}
	return changed
}

// knownIn replaces uses of x in one arm of an if, the then arm or the else arm, by the constant value. Uses by phis stay.
func (c context) knownIn(n ir.Node, x ir.Value, then, value bool) (changed bool) {
	s := c.S
	first, last := s.Then(n), s.ThenEnd(n)
	if !then {
		first, last = s.Else(n), s.ElseEnd(n)
	}
	if in := s.At(x); in.Bits != 1 || in.Comps != 1 || in.IsConst() || first == last && s.First(first) == 0 {
		return false
	}
	var by ir.Src
	left := mostUses
	for u := range s.Uses(x) {
		if left--; left < 0 {
			break
		}
		var at ir.Node
		switch {
		case u.If == n:
			continue
		case u.If != 0:
			at = s.PrevNode(u.If)
		case s.At(u.User).Kind == kind.Phi:
			continue
		default:
			at = s.At(u.User).Block()
		}
		c.CFG.Build(s, c.F)
		if i := c.CFG.Index[at]; i < c.CFG.Index[first] || i > c.CFG.Index[last] {
			continue
		}
		if by.Val == 0 {
			c.B.AtEnd(s.PrevNode(n))
			if value {
				by = c.B.True()
			} else {
				by = c.B.False()
			}
		}
		s.SetUse(u, by)
		changed = true
	}
	return changed
}

// inverses maps each comparison of integers to the comparison that is true if it is false, other opcodes to 0.
var inverses = [op.Count]op.Op{
	op.IEq: op.INe, op.INe: op.IEq,
	op.ILt: op.IGe, op.IGe: op.ILt,
	op.ULt: op.UGe, op.UGe: op.ULt,
}

// inverse returns a comparison of the same operands as cond that is true exactly if cond is false, or 0 if none is found.
func (c context) inverse(cond ir.Value) ir.Value {
	s := c.S
	want := inverses[s.At(cond).ALUOp()]
	if want == 0 {
		return 0
	}
	a, b := s.Src(cond, 0), s.Src(cond, 1)
	if s.At(a.Val).IsConst() {
		return 0 // a constant has many uses
	}
	left := mostUses
	for u := range s.Uses(a.Val) {
		if left--; left < 0 {
			break
		}
		if x := u.User; u.If == 0 && s.At(x).Kind == kind.ALU && s.At(x).ALUOp() == want && s.Src(x, 0) == a && s.Src(x, 1) == b {
			return x
		}
	}
	return 0
}
