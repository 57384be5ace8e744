package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// elements returns how the first iterations of a loop are copied in front of it, whose number is not
// known, but which indexes an array in a uniform buffer by its counter: one for each element. Their
// indices become constant, and what is loaded at constant offsets is in registers of vertex and fragment
// shaders. The loop remains for a counter that goes further.
func (u *unroller) elements(loop ir.Node) plan {
	s := u.s
	if s.Node(loop).Hints&ir.HintDontUnroll != 0 || !pushes(s) {
		return plan{}
	}
	u.trips.Entries, u.trips.Exits = maxCopies, u.trips.Exits[:0]
	if !u.measure(loop) || !u.array {
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

// pushes reports whether what a shader reads of uniform buffers at constant offsets can be loaded into
// registers before a thread starts: only vertex and fragment shaders have such ranges.
func pushes(s *ir.Shader) bool {
	return s.Info.Stage == kind.StageVertex || s.Info.Stage == kind.StageFragment
}

// left returns how many elements of an array a counter of a loop passes that indexes it by a deref: one
// that starts with a constant and is incremented. It returns 0 if the index is no counter.
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

// keep moves a loop behind the last copy of its body, which ends with block end, in the loop that does not
// repeat. Its phis start with what the copies leave; before is the block in front of all.
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
