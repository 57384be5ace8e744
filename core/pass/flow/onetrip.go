package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// maxLeaving bounds the ifs of a one-trip loop that contain breaks: each may become a
// level of nesting.
const maxLeaving = 32

// OneTripLoops replaces loops that never repeat by the code of their bodies. What a break
// skips moves into the arm of the if that does not break, so no code is copied; a loop in
// which it would have to be in both arms stays.
func OneTripLoops(pc *pass.Context) bool {
	s := pc.S
	t := pass.Scratch[nester](pc)
	t.context, t.s = in(pc), s
	t.way, t.jump = breaks, kind.JumpBreak
	return t.visit(s.Body(s.Func(pc.F).Node))
}

// nester removes jumps of a kind from a loop: the code that a jump skips moves into the arm of
// the if that does not jump.
type nester struct {
	context
	s       *ir.Shader
	way     ways          // where the jumps go
	jump    kind.JumpKind // their kind
	paths   []ways        // by node: an if of the loop
	leaving int           // ifs of the loop that contain such jumps
	after   ir.Node       // where they go
}

// ways says where control goes from a list of nodes, or from the two arms of an if.
type ways uint8

const (
	falls   ways = 1 << iota // to what follows
	breaks                   // out of the loop
	repeats                  // to the start of the body
	unclean                  // there is unreachable code: dead_control_flow removes it first

	elseShift = 4 // of those of the else arm
)

// visit replaces the loops of a list, inner loops first.
func (t *nester) visit(first ir.Node) (changed bool) {
	s := t.s
	for n := first; n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeBlock {
			continue
		}
		for _, list := range [...]ir.Node{s.Then(n), s.Else(n)} {
			if list != 0 {
				changed = t.visit(list) || changed
			}
		}
		if s.NodeKind(n) == ir.NodeLoop && t.expressible(n) {
			n = t.unwrap(n)
			changed = true
		}
	}
	return changed
}

// expressible reports whether a loop has one trip and can do without being a loop.
func (t *nester) expressible(loop ir.Node) bool {
	s := t.s
	end := s.BodyEnd(loop)
	if j := s.Jump(end); j != 0 && kind.JumpKind(s.At(j).Op) != kind.JumpBreak || t.reached(end) {
		return false
	}
	t.paths = reuse.Slice(t.paths, s.NumNodes())
	t.leaving = 0
	return t.scan(s.Body(loop)) == breaks && t.nestable(loop)
}

// reached reports whether control falls through a list that ends with a block, unless scan finds
// that to be unclean.
func (t *nester) reached(end ir.Node) bool {
	s := t.s
	if s.Jump(end) != 0 {
		return false
	}
	n := s.PrevNode(end)
	return n == 0 || s.NodeKind(n) != ir.NodeIf || s.First(end) != 0 || t.reached(s.ThenEnd(n)) || t.reached(s.ElseEnd(n))
}

// nestable reports whether a loop that has been scanned can do without the jumps.
func (t *nester) nestable(loop ir.Node) bool {
	return t.leaving <= maxLeaving && t.nests(t.s.Body(loop), true)
}

// scan returns where control goes from a list, and records it for the arms of its ifs.
func (t *nester) scan(first ir.Node) (out ways) {
	s := t.s
	for n := first; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			j := s.Jump(n)
			if j == 0 {
				continue
			}
			if s.NextNode(n) != 0 {
				out |= unclean
			}
			switch kind.JumpKind(s.At(j).Op) {
			case kind.JumpBreak:
				return out | breaks
			case kind.JumpContinue:
				return out | repeats
			}
			return out
		case ir.NodeIf:
			then, els := t.scan(s.Then(n)), t.scan(s.Else(n))
			t.paths[n] = then | els<<elseShift
			if (then|els)&t.way != 0 {
				t.leaving++
			}
			out |= (then | els) &^ falls
			if (then|els)&falls == 0 {
				if rest := s.NextNode(n); s.First(rest) != 0 || s.NextNode(rest) != 0 {
					out |= unclean
				}
				return out
			}
		}
	}
	return out | falls
}

// nests reports whether the list and those in it can be nested such that control only falls
// through. last says that nothing is executed between the list's end and the loop's.
func (t *nester) nests(first ir.Node, last bool) bool {
	s := t.s
	for n := first; n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) != ir.NodeIf {
			continue
		}
		then, els := t.paths[n], t.paths[n]>>elseShift
		if (then|els)&t.way == 0 {
			continue
		}
		rest := s.NextNode(n)
		empty := s.NextNode(rest) == 0 && t.idle(rest, last)
		if then&els&falls != 0 && !empty {
			return false
		}
		if !t.nests(s.Then(n), then&falls == 0 || empty) || !t.nests(s.Else(n), els&falls == 0 || empty) {
			return false
		}
	}
	return true
}

// idle reports whether a block has nothing but phis and ends with such a jump, or needs none
// because it is the last that is executed.
func (t *nester) idle(b ir.Node, last bool) bool {
	s := t.s
	for v := range s.Instrs(b) {
		switch s.At(v).Kind {
		case kind.Phi:
		case kind.Jump:
			return kind.JumpKind(s.At(v).Op) == t.jump
		default:
			return false
		}
	}
	return last
}

// unwrap replaces a loop by its body and returns the block that this ends up in.
func (t *nester) unwrap(loop ir.Node) ir.Node {
	s := t.s
	before, first := s.PrevNode(loop), s.Body(loop)
	t.after = s.NextNode(loop)
	t.keepPhiSrcs(first, before)
	t.foldPhis(first)
	last := t.nest(first)
	t.foldPhis(t.after)
	s.MoveNodes(first, last, loop)
	s.RemoveNode(loop)
	MovePhiPreds(t.Context, t.after, last)
	s.MergeBlocks(last)
	MovePhiPreds(t.Context, first, before)
	s.MergeBlocks(before)
	return before
}

// keepPhiSrcs drops the sources of the phis of block b that do not come from pred.
func (t *nester) keepPhiSrcs(b, pred ir.Node) {
	s := t.s
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

// nest makes control fall through to the end of a list, which is followed by nothing but
// the end of the loop, and returns the list's last block. Meanwhile the phis at t.after have a
// source from the end of each list.
func (t *nester) nest(first ir.Node) ir.Node {
	s := t.s
	for n := first; ; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeIf && (t.paths[n]|t.paths[n]>>elseShift)&t.way != 0 {
			t.nestIf(n)
			return s.NextNode(n)
		}
		if s.NextNode(n) != 0 {
			continue
		}
		if j := s.Jump(n); j != 0 && kind.JumpKind(s.At(j).Op) == t.jump {
			s.Remove(j)
		}
		return n
	}
}

// nestIf moves what follows an if into the arm from which control reaches it, and makes
// control fall through both arms; an empty block is left after it.
func (t *nester) nestIf(n ir.Node) {
	s := t.s
	rest := s.NextNode(n)
	switch then, els := t.paths[n], t.paths[n]>>elseShift; {
	case then&els&falls != 0:
		t.splitIdle(rest, s.ThenEnd(n), s.ElseEnd(n))
	case then&falls != 0:
		t.moveRest(rest, s.ThenEnd(n))
	case els&falls != 0:
		t.moveRest(rest, s.ElseEnd(n))
	}
	then := t.nest(s.Then(n))
	els := t.nest(s.Else(n))
	for p := range s.Instrs(t.after) {
		if s.At(p).Kind != kind.Phi {
			break
		}
		t.join(p, then, els, rest)
	}
}

// moveRest moves block rest and what follows it to the end of an arm; rest stays, empty.
func (t *nester) moveRest(rest, end ir.Node) {
	s := t.s
	t.keepPhiSrcs(rest, end)
	t.foldPhis(rest)
	MovePhiPreds(t.Context, rest, end)
	RetargetPhis(t.Context, t.after, rest, end)
	for v := s.First(rest); v != 0; v = s.First(rest) {
		s.MoveToEnd(v, end)
	}
	if first := s.NextNode(rest); first != 0 {
		last := first
		for s.NextNode(last) != 0 {
			t.Work.Spend(moveSteps)
			last = s.NextNode(last)
		}
		s.MoveNodes(first, last, end)
	}
}

// splitIdle empties block rest, which has only phis and a jump: the phis of t.after get
// what they had from it from the ends of the arms before it.
func (t *nester) splitIdle(rest, then, els ir.Node) {
	s := t.s
	for p := s.First(t.after); p != 0 && s.At(p).Kind == kind.Phi; {
		next := s.At(p).Next()
		if r, ok := t.takeSrc(p, rest); ok {
			longer := t.withRoom(p, 2)
			if r.Val == p { // the start of a loop keeps what it has
				r.Val = longer
			}
			p = longer
			s.AddPhiSrc(p, then, t.through(r, rest, then))
			s.AddPhiSrc(p, els, t.through(r, rest, els))
		}
		p = next
	}
	for v := s.Last(rest); v != 0; v = s.Last(rest) {
		s.Remove(v)
	}
}

// takeSrc removes the source of a phi that comes from pred and returns it.
func (t *nester) takeSrc(phi ir.Value, pred ir.Node) (r ir.Src, ok bool) {
	s := t.s
	for i := range int(s.At(phi).NSrc) {
		if s.PhiPred(phi, i) == pred {
			r = s.Src(phi, i)
			s.RemovePhiSrc(phi, i)
			return r, true
		}
	}
	return r, false
}

// withRoom returns a phi in place of phi with room for n more sources.
func (t *nester) withRoom(phi ir.Value, n int) ir.Value {
	s := t.s
	in := s.At(phi)
	t.B.AtStart(in.Block())
	t.B.Loc = in.Loc
	longer := t.B.Phi(in.Comps, in.Bits, int(in.NSrc)+n)
	for i := range int(in.NSrc) {
		s.AddPhiSrc(longer, s.PhiPred(phi, i), s.Src(phi, i))
	}
	s.ReplaceUses(phi, s.All(longer))
	s.Remove(phi)
	return longer
}

// join makes phi p of t.after read from block rest what it read from the two blocks
// before that, the ends of the arms of an if.
func (t *nester) join(p ir.Value, then, els, rest ir.Node) {
	s := t.s
	in := s.At(p)
	t.takeSrc(p, rest) // no invocation gets there so far
	x, fromThen := t.takeSrc(p, then)
	y, fromElse := t.takeSrc(p, els)
	if !fromThen && !fromElse {
		return // no invocation gets there
	}
	if x != y {
		for _, arm := range [2]struct {
			end ir.Node
			r   *ir.Src
			has bool
		}{{then, &x, fromThen}, {els, &y, fromElse}} {
			if !arm.has && s.Jump(arm.end) == 0 {
				t.B.AtStart(s.FirstBlock(t.F))
				*arm.r = t.B.Undef(in.Comps, in.Bits)
			}
		}
		switch {
		case x.Val == 0:
			x = y
		case y.Val != 0:
			t.B.AtStart(rest)
			t.B.Loc = in.Loc
			phi := t.B.Phi(in.Comps, in.Bits, 2)
			s.AddPhiSrc(phi, then, x)
			s.AddPhiSrc(phi, els, y)
			x = s.All(phi)
		}
	}
	s.AddPhiSrc(p, rest, x)
}
