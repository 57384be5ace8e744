// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// temps are the modes of private memory, which may be stored in the thread's memory.
const temps = kind.ModeShaderTemp | kind.ModeFunctionTemp

// noticed returns the number of the last block in which a killed invocation would be noticed, or of the last block of a
// loop around it: an operation there counts it as an active invocation of the subgroup, or it accesses memory without
// bounds checks, which the discard may have been meant to prevent. Only discards after that block may be demoted.
func (c context) noticed() int {
	s := c.S
	last, n := 0, 0
	outer := ir.Node(0) // the outermost loop around that block
	for b := range s.Blocks(s.Entry()) {
		n++
		if outer != 0 && c.inside(b, outer) {
			last = n
			continue
		}
		outer = 0
		for v := range s.Instrs(b) {
			if s.At(v).Kind == kind.Intrinsic && (asksOthers(s.At(v).Intrinsic()) || c.stray(v, b) != 0) {
				last, outer = n, c.outermost(b)
				break
			}
		}
	}
	return last
}

// outermost returns the outermost loop around a block, or 0 if there is none.
func (c context) outermost(b ir.Node) (loop ir.Node) {
	for at := c.S.LoopOf(b); at != 0; at = c.S.LoopOf(at) {
		loop = at
	}
	return loop
}

// asksOthers reports whether the result of an intrinsic depends on the set of active invocations of the subgroup.
// Operations on quads do not count: they expect all invocations of the quad, helpers or not.
func asksOthers(id intrinsic.ID) bool {
	return id.Info().Flags&intrinsic.Convergent != 0 && !id.Is(intrinsic.TraitOfQuad)
}

// stray returns the deref that lets an access reach memory without a bounds check, by an address or an index that is
// not known to be in bounds; 0 if there is none. Accesses through descriptors are checked, and helpers store to private
// memory only.
func (c context) stray(v ir.Value, b ir.Node) ir.Value {
	s := c.S
	id := s.At(v).Intrinsic()
	if id != intrinsic.LoadDeref && id != intrinsic.StoreDeref {
		return 0
	}
	for d := s.Src(v, 0).Val; s.At(d).Kind == kind.Deref; d = s.Src(d, 0).Val {
		modes := s.Modes(d)
		free := modes&temps != 0 || id == intrinsic.LoadDeref && (modes&kind.ModeGlobal != 0 || c.byAddress(modes))
		switch s.At(d).DerefKind() {
		case kind.DerefVar:
			return 0
		case kind.DerefCast, kind.DerefPtrAsArray:
			if free {
				return d
			}
		case kind.DerefArray:
			if free && !c.bounded(s.Src(d, 1), s.Types.At(s.DerefType(s.Src(d, 0).Val)).Len, b) {
				return d
			}
		}
	}
	return 0
}

// byAddress reports whether buffers of these modes may be accessed by address, without bounds checks.
func (c context) byAddress(modes kind.Mode) bool {
	for _, mode := range [...]kind.Mode{kind.ModeUBO, kind.ModeSSBO} {
		if modes&mode != 0 && c.BufferFormat(mode, 0) == pass.Address64 {
			return true
		}
	}
	return false
}

// bounded reports whether an index used in block b is less than n: a constant, a value with few bits, the minimum with
// a constant, or the counter of a loop around the block.
func (c context) bounded(x ir.Src, n uint32, b ir.Node) bool {
	s := c.S
	if at, known := s.ConstOf(x); known {
		return at < uint64(n)
	}
	if analysis.MayBeOnes(s, x) < uint64(n) {
		return true
	}
	if in := s.At(x.Val); in.Kind == kind.ALU && in.ALUOp() == op.UMin {
		if most, known := s.ConstOf(s.Src(x.Val, 1)); known && most < uint64(n) {
			return true
		}
	}
	phi := s.At(x.Val)
	loop := s.LoopOf(phi.Block())
	if phi.Kind != kind.Phi || phi.Comps != 1 || phi.NSrc != 2 || loop == 0 || phi.Block() != s.Body(loop) {
		return false
	}
	k := 0
	if s.PhiPred(x.Val, 0) != s.PrevNode(loop) {
		k = 1
	}
	if s.PhiPred(x.Val, 1-k) != s.BodyEnd(loop) { // a continue may skip the exits
		return false
	}
	first, known := s.ConstOf(s.Src(x.Val, k))
	by := c.adds(s.Src(x.Val, 1-k).Val, x.Val)
	var sim analysis.Trips
	if !known || by == 0 || !sim.Count(s, loop, maxIterations) {
		return false
	}
	steps := int64(sim.Entries - 1)
	if c.follows(b, sim.Exits[sim.Last].If, loop) {
		steps-- // the block does not run in the last iteration
	}
	final := int64(first) + by*steps
	return int64(first) < int64(n) && final >= 0 && final < int64(n)
}

// adds returns the constant that instruction sum adds to value to, or 0 if it is not such a sum.
func (c context) adds(sum, to ir.Value) int64 {
	s := c.S
	in := s.At(sum)
	if in.Kind != kind.ALU || in.ALUOp() != op.IAdd {
		return 0
	}
	for i := range 2 {
		if by, ok := s.ConstOf(s.Src(sum, 1-i)); ok && s.Src(sum, i).Val == to {
			return int64(by<<(64-in.Bits)) >> (64 - in.Bits)
		}
	}
	return 0
}

// follows reports whether block b comes after exit, an if at the top level of a loop's body.
func (c context) follows(b, exit, loop ir.Node) bool {
	s := c.S
	for b != 0 && s.Parent(b) != loop {
		b = s.Parent(b)
	}
	for n := s.NextNode(exit); n != 0; n = s.NextNode(n) {
		if n == b {
			return true
		}
	}
	return false
}
