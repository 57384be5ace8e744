// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// DiscardToDemote turns a discard into a demotion to a helper if it ends the only nonempty arm of an if.
// Derivatives of values computed before the discard are then taken over a whole quad. Shaders expect that, although the
// specification leaves such derivatives undefined (Vulkan specification, "Derivative Operations").
// OpTerminateInvocation opts out.
//
// The pass first simplifies the code that [KeepQuads] inserted (settleKills). KeepQuads handles discards before quad
// operations if a loop or an operation in which the invocation may not take part follows. Here, any other discard is
// demoted, unless such a loop or operation follows it (noticed.go): then the invocation ends at the discard.
func DiscardToDemote(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if s.Info.Stage != kind.StageFragment {
		return false
	}
	changed := c.settleKills()
	var halts []ir.Value // the discards, and the number of the block that each ends
	var at []int
	loop, n := 0, 0 // number of the last block that is directly in a loop's body, and of the current block
	for b := range s.Blocks(s.Entry()) {
		n++
		if s.NodeKind(s.Parent(b)) == ir.NodeLoop {
			loop = n
		}
		if j := s.Jump(b); j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpHalt && c.optional(b) {
			halts, at = append(halts, j), append(at, n)
		}
	}
	if len(halts) == 0 {
		return changed
	}
	from := loop
	if at[0] < loop {
		from = c.safe()
	}
	if at[len(at)-1] > from {
		from = max(from, c.noticed())
	}
	for i, j := range halts {
		if at[i] > from {
			c.B.Before(j)
			c.B.Demote()
			s.Remove(j)
			changed = true
		}
	}
	return changed
}

// safe returns the number of a block: as far as loops are concerned, only discards after it may be demoted. It is the last
// block in a loop that might not end or, if no quad operation comes after that block, in any loop; 0 if there is none.
func (c context) safe() int {
	s := c.S
	c.CFG.Build(s, s.Entry())
	c.Div.Build(s, s.Entry(), &c.CFG)
	e := ending{context: c}
	ends := reuse.Slice(c.Marks, s.NumNodes()) // by loop
	c.Marks = ends
	last, loop := 0, 0
	quads, n := 0, 0
	for b := range s.Blocks(s.Entry()) {
		n++
		if l := s.LoopOf(b); l != 0 {
			if b == s.Body(l) {
				ends[l] = e.certain(l)
			}
			for at := s.LoopOf(l); at != 0 && !ends[l] && ends[at]; at = s.LoopOf(at) {
				ends[at] = false // it repeats the inner loop
			}
			if loop = n; !ends[l] {
				last = n
			}
		}
		if c.quads(b) {
			quads = n
		}
	}
	if quads <= last {
		return loop
	}
	return last
}

// quads reports whether a block has quad operations: derivatives, implicit levels of detail, or exchanges within quads.
func (c context) quads(b ir.Node) bool {
	for v := range c.S.Instrs(b) {
		switch in := c.S.At(v); in.Kind {
		case kind.Tex:
			if o := kind.TexOp(in.Op); o == kind.TexTex || o == kind.TexTxb || o == kind.TexLOD {
				return true
			}
		case kind.Intrinsic:
			if id := in.Intrinsic(); id == intrinsic.QuadBroadcast || id == intrinsic.QuadSwap {
				return true
			}
		case kind.ALU:
			if in.ALUOp().Info().Has(op.Derivative) {
				return true
			}
		}
	}
	return false
}

// optional reports whether a block is a whole arm of an if with an empty other arm. No phi may follow the if: it would
// lack a value for the block.
func (c context) optional(b ir.Node) bool {
	s := c.S
	n := s.Parent(b)
	if s.NodeKind(n) != ir.NodeIf || s.PrevNode(b) != 0 || s.NextNode(b) != 0 {
		return false
	}
	other := s.Then(n)
	if other == b {
		other = s.Else(n)
	}
	if s.NextNode(other) != 0 || s.First(other) != 0 {
		return false
	}
	first := s.First(s.NextNode(n))
	return first == 0 || s.At(first).Kind != kind.Phi
}
