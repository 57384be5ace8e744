package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// DiscardToDemote makes helpers of invocations that a fragment shader ends in an if without
// another arm: where the others take derivatives of what was computed before,
// they still find all of their quad, as shaders expect although the specification leaves it
// undefined (Vulkan specification, "Derivative Operations"). A shader asks with OpTerminateInvocation
// that this is not done. It first leaves of what [KeepQuads] made only what is necessary. That pass has been at work where
// whole quads are needed behind a discard and a loop or an operation that the invocation may not take part in; elsewhere,
// those that are discarded run on unless there is such a loop or operation (noticed.go). Then they end where the shader says.
func DiscardToDemote(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if s.Info.Stage != kind.StageFragment {
		return false
	}
	changed := c.settleKills()
	var halts []ir.Value // the discards, and which block of the function each ends
	var at []int
	loop, n := 0, 0 // the last block that is a loop's own, and all
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

// safe returns the last block that a discard has to be behind to demote: that of a loop that might not end, or,
// without derivatives in or behind the last loop, that of any loop.
func (c context) safe() int {
	s := c.S
	c.CFG.Build(s, s.Entry())
	c.Div.Build(s, s.Entry(), &c.CFG)
	e := ending{context: c}
	ends := reuse.Slice(c.Marks, s.NumNodes()) // by loop
	c.Marks = ends
	last, loop, quads, n := 0, 0, 0, 0
	for b := range s.Blocks(s.Entry()) {
		n++
		if l := s.LoopOf(b); l != 0 {
			if b == s.Body(l) {
				ends[l] = e.certain(l)
			}
			for at := s.LoopOf(l); at != 0 && !ends[l] && ends[at]; at = s.LoopOf(at) {
				ends[at] = false // it goes through the inner loop again
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

// quads reports whether a block takes differences within quads, or exchanges values in them.
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

// optional reports whether a block is all of an if's arm, and the other one is empty. A phi behind the if
// would lack a value for the block.
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
