// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// maxLeaving bounds the ifs in a loop that contain breaks: each may add a level of nesting.
const maxLeaving = 32

// OneTripLoops replaces loops that never repeat with their bodies. The code that a break skips moves into the arm of the
// if that does not break, so no code is copied. If the code would have to be in both arms, the loop is left alone.
func OneTripLoops(pc *pass.Context) bool {
	s := pc.S
	t := pass.Scratch[nester](pc)
	t.context, t.s = in(pc), s
	t.way, t.jump = breaks, kind.JumpBreak
	return t.visit(s.Body(s.Func(pc.F).Node))
}

// nester removes the jumps of one kind from a loop: the code that a jump skips moves into the arm of the if that does
// not jump.
type nester struct {
	context
	s       *ir.Shader
	way     ways          // the destination of the jumps
	jump    kind.JumpKind // the kind of the jumps
	paths   []ways        // by node: the destinations of the arms of an if
	leaving int           // ifs of the loop that contain such jumps
	after   ir.Node       // the block that the jumps go to
}

// ways is a set of destinations of control at the end of a list of nodes, or of the two arms of an if.
type ways uint8

const (
	falls   ways = 1 << iota // to the code after the list
	breaks                   // out of the loop
	repeats                  // to the start of the body
	unclean                  // there is unreachable code: dead_control_flow removes it first

	elseShift = 4 // shift of the else arm's destinations
)

// visit replaces the loops of a list that never repeat, inner loops first.
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

// expressible reports whether a loop never repeats and can be replaced by its body.
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

// reached reports whether control falls through the list that ends with block end. It may be wrong for lists with
// unreachable code, which scan rejects.
func (t *nester) reached(end ir.Node) bool {
	s := t.s
	if s.Jump(end) != 0 {
		return false
	}
	n := s.PrevNode(end)
	return n == 0 || s.NodeKind(n) != ir.NodeIf || s.First(end) != 0 || t.reached(s.ThenEnd(n)) || t.reached(s.ElseEnd(n))
}

// nestable reports whether the jumps can be removed from a loop that has been scanned.
func (t *nester) nestable(loop ir.Node) bool {
	return t.leaving <= maxLeaving && t.nests(t.s.Body(loop), true)
}

// scan returns the destinations of control from a list, and records the destinations of the arms of its ifs.
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

// nests reports whether the list and its arms can be nested so that control only falls through them. last is set if
// nothing is executed between the end of the list and the end of the loop.
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

// idle reports whether a block has no instructions but phis, and either ends with a jump of the nester's kind or is the
// last block that is executed.
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

// unwrap replaces a loop with its body. It returns the block that the loop's predecessor, the body and its successor are
// merged into.
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

// nest makes control fall through to the end of a list, after which the loop ends, and returns the list's last block.
// During nesting, the phis at t.after have a source for the end of each list.
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

// nestIf moves the code after an if into the arm that falls through to it, and makes control fall through both arms. An
// empty block is left after the if.
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

// moveRest moves the instructions of block rest and the nodes after it to the end of an arm. Block rest stays, empty.
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

// splitIdle empties block rest, which has only phis and perhaps a jump. The sources of t.after's phis for rest become sources
// for the ends of the two arms before it.
func (t *nester) splitIdle(rest, then, els ir.Node) {
	s := t.s
	for p := s.First(t.after); p != 0 && s.At(p).Kind == kind.Phi; {
		next := s.At(p).Next()
		if r, ok := t.takeSrc(p, rest); ok {
			longer := t.withRoom(p, 2)
			if r.Val == p { // a phi at the start of the loop that keeps its value
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

// takeSrc removes a phi's source for pred and returns it.
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

// join replaces the sources of phi p of t.after for then and els, the ends of the arms of an if, with one for rest, the
// block after the if.
func (t *nester) join(p ir.Value, then, els, rest ir.Node) {
	s := t.s
	in := s.At(p)
	t.takeSrc(p, rest) // undefined: no invocation came from there
	x, fromThen := t.takeSrc(p, then)
	y, fromElse := t.takeSrc(p, els)
	if !fromThen && !fromElse {
		return // unreachable
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
