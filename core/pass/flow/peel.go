// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// elements returns the plan to peel a loop with an unknown trip count that indexes an array in a uniform buffer by its
// counter: one iteration for each element of the array from the counter's start on. The indices in the copies become
// constant, and in vertex and fragment shaders, loads at constant offsets are pushed into registers. The loop remains for
// further iterations. The plan has no copies if the loop stays as it is.
func (u *unroller) elements(loop ir.Node) plan {
	s := u.s
	if s.Node(loop).Hints&ir.HintDontUnroll != 0 || !pushes(s) {
		return plan{}
	}
	u.sim.Entries, u.sim.Exits = maxCopies, u.sim.Exits[:0]
	if !u.measure(loop) || !u.array || u.nested {
		return plan{}
	}
	n := 0
	for _, b := range u.blocks {
		for v := range s.Instrs(b) {
			if s.At(v).Kind == kind.Deref && s.Modes(v) == kind.ModeUBO && u.indexed(v) {
				n = max(n, u.left(loop, v))
			}
		}
	}
	grows := n * u.size
	if n < 2 || n > maxCopies || grows > maxUnrolled*betterBy || int(u.Unrolled)+grows > maxGrowth {
		return plan{}
	}
	u.Unrolled += uint32(grows)
	return plan{copies: n, rest: true}
}

// pushes reports whether loads from uniform buffers at constant offsets can be pushed into registers before a thread
// starts: only in vertex and fragment shaders.
func pushes(s *ir.Shader) bool {
	return s.Info.Stage == kind.StageVertex || s.Info.Stage == kind.StageFragment
}

// left returns the number of array elements from a loop counter's start to the end of the array that a deref indexes by
// the counter. The counter starts with a constant and is incremented by one. If the index is not such a counter, left
// returns 0.
func (u *unroller) left(loop ir.Node, deref ir.Value) int {
	s := u.s
	x, first := s.Src(deref, 1).Val, s.Body(loop)
	if in := s.At(x); in.Kind != kind.Phi || in.Block() != first || in.NSrc != 2 {
		return 0
	}
	start, known := s.ConstOf(u.phiSrc(x, s.PrevNode(loop)))
	next := u.phiSrc(x, s.BodyEnd(loop))
	length := uint64(s.Types.At(s.DerefType(s.Src(deref, 0).Val)).Len)
	if add := s.At(next.Val); !known || start >= length || add.Kind != kind.ALU || add.ALUOp() != op.IAdd {
		return 0
	}
	for i := range 2 {
		if step, ok := s.ConstOf(s.Src(next.Val, i)); ok && step == 1 && s.Src(next.Val, 1-i).Val == x {
			return int(length - start)
		}
	}
	return 0
}

// keep moves a loop after the last peeled copy, which ends with block end, inside the loop of copies, which does not
// repeat. The initial values of its phis are the values after the copies. before is the block before the copies, in
// which the loop used to start.
func (u *unroller) keep(loop, before, after, joined, end ir.Node) {
	s := u.s
	s.Node(loop).Hints |= ir.HintDontUnroll
	s.Node(loop).Trips = trips.Unknown
	k := 0
	for p := s.First(s.Body(loop)); p != 0 && s.At(p).Kind == kind.Phi; p = s.At(p).Next() {
		for i := range int(s.At(p).NSrc) {
			if s.PhiPred(p, i) == before {
				s.Words(p)[i] = uint32(end)
				s.SetSrc(p, i, u.cur[k])
			}
		}
		k++
	}
	rest := s.SplitBlock(end, 0)
	s.MoveNodes(loop, loop, end)
	q := s.First(joined)
	for p := s.First(after); p != 0 && s.At(p).Kind == kind.Phi; p = s.First(after) {
		in := *s.At(p)
		u.B.AtStart(rest)
		u.B.Loc = in.Loc
		phi := u.B.Phi(in.Comps, in.Bits, int(in.NSrc))
		for i := range int(in.NSrc) {
			s.AddPhiSrc(phi, s.PhiPred(p, i), s.Src(p, i))
		}
		s.AddPhiSrc(q, rest, s.All(phi))
		s.ReplaceUses(p, s.All(q))
		s.Remove(p)
		q = s.At(q).Next()
	}
	u.B.AtEnd(rest)
	u.B.Jump(kind.JumpBreak)
}
