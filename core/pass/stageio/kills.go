// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// kills describes the code that KeepQuads inserted. Positions are block numbers, starting with 1.
type kills struct {
	context
	first  int        // the block of the first kill
	quads  int        // just past the last block after which quad operations may follow
	checks []check    // checks for loops
	gone   []ir.Value // the QuadIsGone instruction of each kill
	at     []int      // the block of each in gone
	alone  []ir.Value // instructions that killed invocations must not execute
	votes  []ir.Value // votes within quads; killed invocations have no vote
	tail   ir.Value   // the first instruction after the last quad operation that killed invocations must not execute
	tailAt int
	top    ir.Node // the last node at the top level of the function that contains a quad operation
}

// check is an if that lets abandoned invocations leave a loop.
type check struct {
	iff, loop ir.Node
	cond      ir.Src
	at        int
	behind    bool // whether it is after the last quad operation
}

// settleKills removes unnecessary code that KeepQuads inserted, and reports whether there was any. Loops that end for
// all invocations need no check. If no checks are left, and no operations that must not notice killed invocations, then
// these become plain helpers. After the last quad operation killed invocations end, if any code there would have to
// track them.
func (c context) settleKills() bool {
	k := kills{context: c}
	if !k.find() {
		return false
	}
	k.dropChecks()
	k.bound()
	ends := k.end()
	k.guard()
	if !k.looks() && !ends {
		k.demote()
	}
	return true
}

// find finds the inserted instructions and the last quad operation. It reports whether KeepQuads inserted any.
func (k *kills) find() bool {
	s := k.S
	n := 0
	for b := range s.Blocks(s.Entry()) {
		n++
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Intrinsic {
				continue
			}
			switch s.At(v).Intrinsic() {
			case intrinsic.Kill:
				if k.first == 0 {
					k.first = n
				}
			case intrinsic.QuadIsGone:
				k.gone, k.at = append(k.gone, v), append(k.at, n)
			case intrinsic.IsAbandoned:
				k.addCheck(v, n)
			}
		}
	}
	if k.first == 0 {
		return false
	}
	n = 0
	for b := range s.Blocks(s.Entry()) {
		n++
		if k.context.quads(b) {
			k.top = k.outer(b)
		}
		if k.top != 0 && k.outer(b) == k.top {
			k.quads = n + 1
			if s.NodeKind(k.top) == ir.NodeBlock {
				k.quads = n
			}
		}
	}
	return true
}

// addCheck records the if that tests an IsAbandoned instruction, or a condition computed from it.
func (k *kills) addCheck(v ir.Value, at int) {
	s := k.S
	cond := v
	for u := range s.Uses(v) {
		if u.If == 0 && s.At(u.User).Kind == kind.ALU {
			cond = u.User
		}
	}
	for u := range s.Uses(cond) {
		if u.If != 0 {
			k.checks = append(k.checks, check{iff: u.If, loop: s.LoopOf(u.If), cond: s.Cond(u.If), at: at})
		}
	}
}

// outer returns the node at the top level of the function that contains a block.
func (k *kills) outer(b ir.Node) ir.Node {
	s := k.S
	for s.NodeKind(s.Parent(b)) != ir.NodeFunc {
		b = s.Parent(b)
	}
	return b
}

// dropChecks drops the checks of loops that certainly end for killed invocations in the same iteration as for all
// others.
func (k *kills) dropChecks() {
	s := k.S
	k.B.AtStart(s.FirstBlock(s.Entry()))
	no := k.B.Const(1, 0)
	for i := range k.checks {
		s.SetCond(k.checks[i].iff, no)
	}
	k.CFG.Build(s, s.Entry())
	k.Div.Build(s, s.Entry(), &k.CFG)
	e := ending{context: k.context}
	left := k.checks[:0]
	for _, x := range k.checks {
		if e.certain(x.loop) && e.exits == k.exits(x.loop) { // both counts include the check
			continue
		}
		x.behind = x.at >= k.quads && k.outer(x.loop) != k.top
		left = append(left, x)
	}
	k.checks = left
}

// exits returns the number of breaks out of a loop.
func (k *kills) exits(loop ir.Node) (n int) {
	s := k.S
	for b := s.Body(loop); b != 0 && k.inside(b, loop); b = s.NextBlock(b) {
		if j := s.Jump(b); j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpBreak && s.LoopOf(b) == loop {
			n++
		}
	}
	return n
}

// bound clamps the indices of private arrays that may be out of bounds in killed invocations, and collects the
// instructions that killed invocations must not execute.
func (k *kills) bound() {
	s := k.S
	outer := ir.Node(0) // the outermost loop around the first kill: all of it may run after the kill
	n := 0
	for b := range s.Blocks(s.Entry()) {
		if n++; n == k.first {
			outer = k.outermost(b)
		}
	}
	n = 0
	for b := range s.Blocks(s.Entry()) {
		n++
		if n < k.first && (outer == 0 || !k.inside(b, outer)) {
			continue
		}
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Intrinsic || !asksOthers(s.At(v).Intrinsic()) && !k.escapes(v, b) {
				continue
			}
			if n >= k.quads && k.outer(b) != k.top {
				if k.tail == 0 {
					k.tail, k.tailAt = v, n
				}
				continue
			}
			if id := s.At(v).Intrinsic(); id == intrinsic.QuadVoteAny || id == intrinsic.QuadVoteAll {
				k.votes = append(k.votes, v)
			} else {
				k.alone = append(k.alone, v)
			}
		}
	}
}

// looks reports whether any instruction depends on the set of killed invocations.
func (k *kills) looks() bool { return len(k.checks) > 0 || len(k.alone) > 0 || len(k.votes) > 0 }

// escapes reports whether an access may reach memory without bounds checks. It first clamps the indices of private
// arrays.
func (k *kills) escapes(v ir.Value, b ir.Node) bool {
	s := k.S
	for d := k.stray(v, b); d != 0; d = k.stray(v, b) {
		if s.At(d).DerefKind() != kind.DerefArray || !ir.ModeMustBe(s.Modes(d), temps) {
			return true
		}
		last := s.Types.At(s.DerefType(s.Src(d, 0).Val)).Len - 1
		index := s.Src(d, 1)
		k.B.Before(d)
		s.SetSrc(d, 1, k.B.UMin(index, k.B.Const(s.At(index.Val).Bits, uint64(last))))
	}
	return false
}

// end ends killed invocations after the last quad operation, and reports so, if loops or operations there would have to
// track them.
// Discards after that point end their invocations at once.
func (k *kills) end() (ends bool) {
	s := k.S
	left := k.checks[:0]
	first := 0
	for _, x := range k.checks {
		if !x.behind {
			left = append(left, x)
		} else if first == 0 || x.at < first {
			first = x.at
		}
	}
	k.checks = left
	if ends = k.first < k.quads && (k.tail != 0 || first != 0); ends {
		k.endBefore(k.tail, first)
	}
	looks := k.looks()
	k.B.AtStart(s.FirstBlock(s.Entry()))
	for i, v := range k.gone {
		switch {
		case k.at[i] >= k.quads:
			s.ReplaceUses(v, k.B.Const(1, 1))
		case !looks:
			s.ReplaceUses(v, k.B.Const(1, 0))
		}
	}
	for _, x := range k.checks {
		s.SetCond(x.iff, x.cond)
	}
	return ends
}

// endBefore ends killed invocations before a node at the top level of the function: the node that contains instruction
// v or the node that contains block number loop, whichever comes first.
func (k *kills) endBefore(v ir.Value, loop int) {
	s := k.S
	n := 0
	for b := range s.Blocks(s.Entry()) {
		n++
		if n != loop && (v == 0 || n != k.tailAt) {
			continue
		}
		if top := k.outer(b); s.NodeKind(top) == ir.NodeBlock {
			k.B.Before(v)
			killed := k.B.IsKilled()
			k.terminate(s.InsertIf(s.SplitFront(v), killed))
		} else {
			before := s.PrevNode(top)
			k.B.AtEnd(before)
			killed := k.B.IsKilled()
			after := s.SplitBlock(before, 0)
			k.terminate(s.InsertIf(before, killed))
			if s.NodeKind(top) == ir.NodeLoop {
				flow.RetargetPhis(k.Context, s.Body(top), before, after)
			}
		}
		return
	}
}

// terminate ends the invocations in the then arm of an if.
func (k *kills) terminate(iff ir.Node) {
	k.B.AtEnd(k.S.Then(iff))
	k.B.Jump(kind.JumpTerminate)
}

// guard makes killed invocations skip the instructions in alone. They have no vote in the votes of their quad, but get
// the result.
func (k *kills) guard() {
	s := k.S
	for _, v := range k.votes {
		k.B.Before(v)
		killed := k.B.IsKilled()
		x := s.Src(v, 0)
		if s.At(v).Intrinsic() == intrinsic.QuadVoteAll {
			s.SetSrc(v, 0, k.B.IOr(x, killed))
		} else {
			s.SetSrc(v, 0, k.B.IAnd(x, k.B.INot(killed)))
		}
	}
	for _, v := range k.alone {
		k.B.Before(v)
		lives := k.B.INot(k.B.IsKilled())
		iff := s.InsertIf(s.SplitFront(v), lives)
		join := s.At(v).Block()
		in := *s.At(v)
		if in.HasResult() {
			k.B.AtStart(join)
			phi := k.B.Phi(in.Comps, in.Bits, 2)
			s.ReplaceUses(v, s.All(phi))
			k.B.AtEnd(s.Else(iff))
			none := k.B.Undef(in.Comps, in.Bits)
			s.AddPhiSrc(phi, s.Then(iff), s.All(v))
			s.AddPhiSrc(phi, s.Else(iff), none)
		}
		s.MoveToEnd(v, s.Then(iff))
	}
}

// demote turns kills into demotions.
func (k *kills) demote() {
	s := k.S
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind == kind.Intrinsic && s.At(v).Intrinsic() == intrinsic.Kill {
				k.B.Before(v)
				k.B.Demote()
				s.Remove(v)
			}
		}
	}
}
