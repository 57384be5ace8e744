// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// maxIterations bounds the iterations that are executed to prove that a loop ends. maxBound bounds the instructions
// that are visited to prove that its bound is invariant.
const maxIterations, maxBound = 1024, 16

// ending finds loops that end for all invocations, whatever their inputs: loops with a constant trip count, and loops
// whose counter goes by one to a bound that is uniform in a subgroup. CFG and Div have to be built.
type ending struct {
	context
	sim    analysis.Trips // simulation of the loop at hand
	budget int            // instructions that invariant may still visit
	// of a certain loop: the number of exits at the top level of its body that all invocations take together, or that
	// none takes
	exits int
}

// certain reports whether a loop ends for every invocation that enters it, in the same iteration as for the others.
func (e *ending) certain(loop ir.Node) bool {
	s := e.S
	body := e.CFG.Index[s.Body(loop)]
	if body < 0 { // unreachable
		return false
	}
	// A predecessor of the body other than the entry and the end of the body is a continue, which may skip the exits.
	if again := e.CFG.Preds(int(body)); len(again) != 2 || again[1] != e.CFG.Index[s.BodyEnd(loop)] {
		return false
	}
	ends := e.sim.Count(s, loop, maxIterations)
	if e.exits = len(e.sim.Exits); ends {
		return true
	}
	for n := s.Body(loop); n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) != ir.NodeIf {
			continue
		}
		if then, els := e.leaves(s.ThenEnd(n)), e.leaves(s.ElseEnd(n)); then != els && e.counts(loop, s.Cond(n).Val, els) {
			e.exits++
			return true
		}
	}
	return false
}

// leaves reports whether the list that ends with block end leaves the loop there.
func (e *ending) leaves(end ir.Node) bool {
	j := e.S.Jump(end)
	return j != 0 && kind.JumpKind(e.S.At(j).Op) == kind.JumpBreak
}

// counts reports whether a counter bounds the iterations: an invocation stays in the loop while the condition is
// whileTrue, and the condition compares a counter that goes up by one with an upper bound, or a counter that goes down
// by one with a lower bound. The comparison has to be strict: a counter that may equal the bound might overflow.
func (e *ending) counts(loop ir.Node, cond ir.Value, whileTrue bool) bool {
	s := e.S
	in := s.At(cond)
	if in.Kind != kind.ALU {
		return false
	}
	switch o := in.ALUOp(); {
	case o != op.ILt && o != op.ULt && o != op.IGe && o != op.UGe:
		return false
	case (o == op.ILt || o == op.ULt) != whileTrue:
		return false
	}
	// In the loop, the first operand is less than the second: for a condition ≥ the loop continues while it is false.
	low, high := s.Src(cond, 0), s.Src(cond, 1)
	return e.fixed(high, loop) && e.steps(low, loop) == 1 || e.fixed(low, loop) && e.steps(high, loop) == -1
}

// steps returns the step of a counter whose initial value is uniform, or 0 if x is not such a counter or its next
// value.
func (e *ending) steps(x ir.Src, loop ir.Node) int64 {
	s := e.S
	phi := x.Val
	if in := s.At(phi); in.Kind == kind.ALU && in.ALUOp() == op.IAdd { // the counter's next value
		if phi = s.Src(x.Val, 0).Val; s.At(phi).IsConst() {
			phi = s.Src(x.Val, 1).Val
		}
	}
	in := s.At(phi)
	if in.Kind != kind.Phi || in.Comps != 1 || in.NSrc != 2 || in.Block() != s.Body(loop) {
		return 0
	}
	first, next := s.Src(phi, 0), s.Src(phi, 1).Val
	if s.PhiPred(phi, 0) != s.PrevNode(loop) {
		first, next = s.Src(phi, 1), s.Src(phi, 0).Val
	}
	if e.Div.Value(first.Val) || x.Val != phi && x.Val != next {
		return 0
	}
	return e.adds(next, phi)
}

// fixed reports whether an operand is uniform and invariant in a loop.
func (e *ending) fixed(x ir.Src, loop ir.Node) bool {
	e.budget = maxBound
	return !e.Div.Value(x.Val) && e.invariant(x.Val, loop)
}

func (e *ending) invariant(v ir.Value, loop ir.Node) bool {
	s := e.S
	in := s.At(v)
	if in.Kind == kind.LoadConst || !e.inside(in.Block(), loop) {
		return true
	}
	if e.budget--; e.budget < 0 || !s.CanReorder(v) && !e.reads(v) {
		return false
	}
	for i := range int(in.NSrc) {
		if !e.invariant(s.Src(v, i).Val, loop) {
			return false
		}
	}
	return true
}

// inside reports whether a block is in a loop, at any depth.
func (c context) inside(b, loop ir.Node) bool {
	at := c.S.LoopOf(b)
	for at != 0 && at != loop {
		at = c.S.LoopOf(at)
	}
	return at == loop
}

// reads reports whether an instruction loads from read-only memory.
func (e *ending) reads(v ir.Value) bool {
	if e.S.At(v).Kind != kind.Intrinsic || e.S.At(v).Intrinsic() != intrinsic.LoadDeref {
		return false
	}
	access := kind.Access(e.S.Index(v, intrinsic.IxAccess))
	return access&kind.AccessNonWriteable != 0 && access&(kind.AccessCoherent|kind.AccessVolatile) == 0
}
