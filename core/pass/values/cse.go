// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// probeSteps is the cost of a comparison with an instruction that has nearly the same hash.
const probeSteps = 16

// CSE merges instructions that compute the same value if one dominates the other. The remaining instruction keeps only
// the float relaxations that both allowed.
//
// Sampled memory does not change while a shader runs: a store to the image goes through another descriptor, and
// barriers order only accesses through one reference (Vulkan specification, "Memory Model", "Location-Ordered"), so
// that a later sample is a data race. The quads that execute the dominating instruction include all quads that execute
// the other. But after a loop, an invocation's neighbors may have left it in another iteration: an instruction there
// that takes derivatives is not merged with one in the loop.
func CSE(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	size := 64
	for size < 2*s.NumValues() {
		size *= 2
	}
	c.cse = reuse.Zeroed(c.cse, size)
	mask := uint32(size - 1)
	if b := s.FirstBlock(c.F); s.NextBlock(b) == 0 {
		return c.mergeEqual(b, 0, mask)
	}
	g := &c.CFG
	g.Build(s, c.F)
	c.Dom.Build(g)
	changed := false
	for bi, b := range g.Blocks {
		changed = c.mergeEqual(b, bi, mask) || changed
	}
	return changed
}

// mergeEqual merges instructions of block b, which has number bi, with equal instructions that have been seen.
func (c context) mergeEqual(b ir.Node, bi int, mask uint32) bool {
	s, table := c.S, c.cse
	changed := false
	for next := s.First(b); next != 0; {
		v, in := next, s.At(next)
		next = in.Next()
		switch in.Kind {
		case kind.ALU, kind.LoadConst, kind.Tex, kind.Deref:
		case kind.Intrinsic:
			if !in.HasResult() || !s.CanReorder(v) {
				continue
			}
		default:
			continue
		}
		at := s.Hash(in) & mask
		for table[at] != 0 && !s.Equal(table[at], v) {
			c.Work.Spend(probeSteps)
			at = (at + 1) & mask
		}
		old := table[at]
		if old == 0 || s.At(old).Block() != b && !c.replaces(s.At(old).Block(), b, bi, in) {
			table[at] = v
			continue
		}
		s.At(old).Float &= in.Float
		s.ReplaceUses(v, s.All(old))
		s.Remove(v)
		changed = true
	}
	return changed
}

// replaces reports whether an equal instruction of block other, with the same operands, may replace one of block b,
// which has number bi.
func (c context) replaces(other, b ir.Node, bi int, in *ir.Instr) bool {
	if !c.Dom.Dominates(int(c.CFG.Index[other]), bi) {
		return false
	}
	quads := in.Kind == kind.Tex || in.Kind == kind.ALU && in.ALUOp().Info().Has(op.Derivative)
	return !quads || c.inside(b, c.S.LoopOf(other))
}

// inside reports whether a block is in a loop, at any depth; loop 0 is the whole function.
func (c context) inside(b, loop ir.Node) bool {
	at := c.S.LoopOf(b)
	for at != loop && at != 0 {
		at = c.S.LoopOf(at)
	}
	return at == loop
}
