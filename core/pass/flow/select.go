// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// maxSpeculate is the maximum number of instructions in an arm that is executed unconditionally instead of by a branch.
// Over the corpus, 8 instead of 4 takes 0.91 of the estimated cycles of the fragment shaders that it changes.
const maxSpeculate = 8

// PeepholeSelect turns ifs with few pure instructions into selects, and a demotion that ends an arm into one with a
// condition. Reads of system values and push constants are not counted; reads of uniform buffers at constant places are.
func PeepholeSelect(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf; n = s.NextNode(b) {
			changed = c.demoteIf(n) || changed
			if !c.speculable(s.Then(n)) || !c.speculable(s.Else(n)) {
				break
			}
			c.flatten(n)
			changed = true
		}
	}
	return changed
}

// demoteIf moves a demotion that is the last instruction of an arm of an if after it, as a demotion with the if's
// condition, if both arms can be speculated then. It reports whether it did.
func (c context) demoteIf(n ir.Node) bool {
	s := c.S
	arm, other, inverted := s.Then(n), s.Else(n), false
	if !c.demotes(s.Last(arm)) {
		arm, other, inverted = other, arm, true
	}
	v := s.Last(arm)
	if !c.demotes(v) || !c.speculable(other) || s.NextNode(arm) != 0 || !c.cheapUntil(arm, v) {
		return false
	}
	cond := s.Cond(n)
	if inverted {
		c.B.AtEnd(s.PrevNode(n))
		cond = c.B.INot(cond)
	}
	c.B.AtStart(s.NextNode(n))
	c.B.Loc = s.At(v).Loc
	c.B.DemoteIf(cond)
	s.Remove(v)
	return true
}

// demotes reports whether an instruction, or 0, is a demotion.
func (c context) demotes(v ir.Value) bool {
	return v != 0 && c.S.At(v).Kind == kind.Intrinsic && c.S.At(v).Intrinsic() == intrinsic.Demote
}

// speculable reports whether an arm is a single block with few instructions, all of which may be executed
// speculatively.
func (c context) speculable(b ir.Node) bool {
	return c.S.NextNode(b) == 0 && c.cheap(b)
}

// cheap reports whether a block has few instructions and all may be executed speculatively.
func (c context) cheap(b ir.Node) bool { return c.cheapUntil(b, 0) }

// cheapUntil is like cheap, for the instructions before end.
func (c context) cheapUntil(b ir.Node, end ir.Value) bool {
	s := c.S
	n := 0
	for v := s.First(b); v != end; {
		in := s.At(v)
		switch in.Kind {
		case kind.LoadConst, kind.Undef, kind.Deref:
		case kind.ALU:
			if n++; n > maxSpeculate {
				return false
			}
		case kind.Intrinsic:
			if c.free(v) {
				break
			}
			if n++; n > maxSpeculate || !ConstantLoad(c.Context, v) {
				return false
			}
		default:
			return false
		}
		v = in.Next()
	}
	return true
}

// ConstantLoad reports whether an intrinsic loads from a uniform buffer at a constant place within its block, through a
// descriptor that is not an element of an array. Such a load is harmless where the shader does not execute it: a
// descriptor that a shader uses statically must be valid, unless its binding is partially bound (Vulkan, "Descriptor
// Validity", VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT), as arrays of descriptors often are. If a single descriptor is
// not valid, a load through the binding table returns zeros, but a load by address may fault. Constant data is always
// bound, so that any load from it will do.
func ConstantLoad(pc *pass.Context, v ir.Value) bool {
	c := in(pc)
	s := c.S
	if kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0 {
		return false
	}
	switch s.At(v).Intrinsic() {
	case intrinsic.LoadUBO:
		entry, ok := s.ConstOf(s.Src(v, 0))
		return ok && (c.constantData(entry) || c.single(entry) && s.At(s.Src(v, 1).Val).IsConst())
	case intrinsic.LoadDeref:
		d := s.Src(v, 0).Val
		return s.Modes(d) == kind.ModeUBO && c.BufferFormat(kind.ModeUBO, 0) == pass.IndexOffset && c.constantPath(d)
	}
	return false
}

// constantData reports whether an entry of the binding table is the constant data of the program.
func (c context) constantData(entry uint64) bool {
	list := c.S.Info.Bindings
	return len(list) > 0 && list[len(list)-1].Mode == kind.ModeConstant && uint64(list[len(list)-1].Index) == entry
}

// single reports whether an entry of the binding table is a descriptor that is not an element of an array. An array may
// have only one element.
func (c context) single(entry uint64) bool {
	for i := range c.S.Info.Bindings {
		if b := &c.S.Info.Bindings[i]; uint64(b.Index) == entry {
			return b.Count == 1 && !c.array(b)
		}
	}
	return false
}

// array reports whether a variable declares a binding as an array of uniform buffers.
func (c context) array(b *ir.Binding) bool {
	s := c.S
	for x := range s.Vars(kind.ModeUBO) {
		if v := s.Var(x); v.Set == b.Set && v.Binding == b.Binding && s.Types.At(v.Type).Kind == ir.TypeArray {
			return true
		}
	}
	return false
}

// constantPath reports whether a deref refers to a variable by constant indices that are within their arrays, and that
// do not choose a descriptor: an index of a variable itself does.
func (c context) constantPath(d ir.Value) bool {
	s := c.S
	for {
		switch s.At(d).DerefKind() {
		case kind.DerefVar:
			return true
		case kind.DerefStruct:
		case kind.DerefArray:
			i, ok := s.ConstOf(s.Src(d, 1))
			if !ok || s.At(s.Src(d, 0).Val).DerefKind() == kind.DerefVar || i >= uint64(s.Types.At(s.DerefType(s.Src(d, 0).Val)).Len) {
				return false
			}
		default:
			return false
		}
		d = s.Src(d, 0).Val
	}
}

// free reports whether an intrinsic reads a value that the thread receives in registers: a system value, or push
// constants at a constant offset.
func (c context) free(v ir.Value) bool {
	s := c.S
	id := s.At(v).Intrinsic()
	if id == intrinsic.LoadPushConstant {
		return s.At(s.Src(v, 0).Val).IsConst()
	}
	return s.At(v).NSrc == 0 && s.CanReorder(v) && id.Slot(intrinsic.IxAlignMul) < 0
}

func (c context) flatten(n ir.Node) {
	s := c.S
	before, after := s.PrevNode(n), s.NextNode(n)
	cond := s.Cond(n)
	then, els := s.Then(n), s.Else(n)
	for _, arm := range [2]ir.Node{then, els} {
		for v := s.First(arm); v != 0; v = s.First(arm) {
			s.MoveToEnd(v, before)
		}
	}
	for v := range s.Instrs(after) {
		in := s.At(v)
		if in.Kind != kind.Phi {
			break
		}
		var a, b ir.Src
		for i := range int(in.NSrc) {
			if s.PhiPred(v, i) == then {
				a = s.Src(v, i)
			} else {
				b = s.Src(v, i)
			}
		}
		c.B.AtEnd(before)
		c.B.Loc = in.Loc
		s.ReplaceUses(v, c.B.BCsel(cond, a, b))
		s.Remove(v)
	}
	s.RemoveNode(n)
	MovePhiPreds(c.Context, after, before)
	s.MergeBlocks(before)
}
