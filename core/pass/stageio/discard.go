package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// DiscardToDemote makes helpers of invocations that a fragment shader ends in an if without
// another arm, with no loop around or behind it: where the others take derivatives of what was computed before,
// they still find all of their quad, as shaders expect although the specification leaves it
// undefined (Vulkan specification, "Derivative Operations"). A shader asks with OpTerminateInvocation
// that this is not done. A loop may not end for invocations that the discard keeps from it. Elsewhere invocations
// end where the shader says.
func DiscardToDemote(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if s.Info.Stage != kind.StageFragment {
		return false
	}
	at, loop := 0, 0 // the numbers of a block, and of the last one that is a loop's own
	for b := range s.Blocks(s.Entry()) {
		if at++; s.NodeKind(s.Parent(b)) == ir.NodeLoop {
			loop = at
		}
	}
	at = 0
	changed := false
	for b := range s.Blocks(s.Entry()) {
		at++
		if j := s.Jump(b); j != 0 && at > loop && kind.JumpKind(s.At(j).Op) == kind.JumpHalt && c.optional(b) {
			c.B.Before(j)
			c.B.Demote()
			s.Remove(j)
			changed = true
		}
	}
	return changed
}

// optional reports whether a block is all of an if's arm, the other one is empty, and no loop
// is around them. A phi behind the if would lack a value for the block.
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
	if first := s.First(s.NextNode(n)); first != 0 && s.At(first).Kind == kind.Phi {
		return false
	}
	for at := s.Parent(n); s.NodeKind(at) != ir.NodeFunc; at = s.Parent(at) {
		if s.NodeKind(at) == ir.NodeLoop {
			return false
		}
	}
	return true
}
