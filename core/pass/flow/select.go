package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// maxSpeculate is the maximum number of instructions in an arm that is executed unconditionally instead of by a branch.
const maxSpeculate = 4

// PeepholeSelect turns ifs with few pure instructions into selects. Reads of system values and push constants are not
// counted.
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

// speculable reports whether an arm is a single block with few instructions, all of which may be executed
// speculatively.
func (c context) speculable(b ir.Node) bool {
	return c.S.NextNode(b) == 0 && c.cheap(b)
}

// cheap reports whether a block has few instructions and all may be executed speculatively.
func (c context) cheap(b ir.Node) bool {
	s := c.S
	n := 0
	for v := s.First(b); v != 0; {
		in := s.At(v)
		switch in.Kind {
		case kind.LoadConst, kind.Undef, kind.Deref:
		case kind.ALU:
			if n++; n > maxSpeculate {
				return false
			}
		case kind.Intrinsic:
			if !c.free(v) {
				return false
			}
		default:
			return false
		}
		v = in.Next()
	}
	return true
}

// free reports whether an intrinsic reads a value that the thread receives in registers: a system value, or push
// constants at a constant offset.
func (c context) free(v ir.Value) bool {
	s := c.S
	id := s.At(v).Intrinsic()
	if id == intrinsic.LoadPushConstant {
		return s.At(s.Src(v, 0).Val).IsConst()
	}
	return s.At(v).NSrc == 0 && s.CanReorder(v) && id.Slot(intrinsic.IxAlignMul) < 0
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
				a = s.Src(v, i)
			} else {
				b = s.Src(v, i)
			}
		}
		c.B.AtEnd(before)
		c.B.Loc = in.Loc
		s.ReplaceUses(v, c.B.BCsel(cond, a, b))
		s.Remove(v)
	}
	s.RemoveNode(n)
	MovePhiPreds(c.Context, after, before)
	s.MergeBlocks(before)
}
