package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// maxSpeculate bounds the instructions of an arm that are worth executing
// unconditionally instead of branching.
const maxSpeculate = 4

// PeepholeSelect turns ifs with few pure instructions into selects.
func PeepholeSelect(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf && c.speculable(s.Then(n)) && c.speculable(s.Else(n)); n = s.NextNode(b) {
			c.flatten(n)
			changed = true
		}
	}
	return changed
}

// speculable reports whether an arm is one block of few instructions that may be
// executed speculatively.
func (c context) speculable(b ir.Node) bool {
	s := c.S
	if s.NextNode(b) != 0 {
		return false
	}
	n := 0
	for v := range s.Instrs(b) {
		switch s.At(v).Kind {
		case kind.LoadConst, kind.Undef, kind.Deref:
		case kind.ALU:
			n++
		default:
			return false
		}
	}
	return n <= maxSpeculate
}

func (c context) flatten(n ir.Node) {
	s := c.S
	before, after := s.PrevNode(n), s.NextNode(n)
	cond := s.Cond(n)
	then, els := s.Then(n), s.Else(n)
	for _, arm := range [2]ir.Node{then, els} {
		for v := s.First(arm); v != 0; v = s.First(arm) {
			s.MoveToEnd(v, before)
		}
	}
	for v := range s.Instrs(after) {
		in := s.At(v)
		if in.Kind != kind.Phi {
			break
		}
		var a, b ir.Src
		for i := range int(in.NSrc) {
			if s.PhiPred(v, i) == then {
				a = s.Operand(v, i)
			} else {
				b = s.Operand(v, i)
			}
		}
		c.B.AtEnd(before)
		c.B.Loc, c.B.Float = in.Loc, 0
		s.ReplaceUses(v, c.B.BCsel(cond, a, b))
		s.Remove(v)
	}
	s.RemoveNode(n)
	MovePhiPreds(c.Context, after, before)
	s.MergeBlocks(before)
}
