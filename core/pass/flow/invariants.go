// SPDX-License-Identifier: MIT

package flow

import (
	"slices"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// maxLive is the number of dwords per invocation live in a loop up to which values are hoisted out of it; only values
// that differ between invocations count. At 16 lanes a dword takes two of 128 registers.
const maxLive = 16

// HoistInvariants moves computations that are the same in every iteration of a loop to the block before the loop,
// inner loops first. An instruction stays in the loop if selection folds it into its user, as it does with signs and
// comparisons, or if control leaves the loop after its block. No instruction is moved if more than maxLive dwords
// would then be live in the loop at the same time.
//
// Loads move if nothing in the loop writes memory, or if access rules allow it. A load that some iterations do not
// reach stays. A load that the first iteration may not reach moves only if it has bounds and its descriptor is not
// chosen by an index, which may be out of bounds.
func HoistInvariants(pc *pass.Context) bool {
	s := pc.S
	g := &pc.CFG
	g.Build(s, pc.F)
	loops := false
	for _, b := range g.Blocks {
		loops = loops || g.Loop[b] != 0
	}
	if !loops {
		return false
	}
	h := pass.Scratch[hoister](pc)
	h.context, h.s = in(pc), s
	h.g, h.measured = g, false
	h.invariant = reuse.Zeroed(h.invariant, s.NumValues())
	return h.visit(s.Body(s.Func(pc.F).Node))
}

// hoister holds the state of HoistInvariants, which is reused.
type hoister struct {
	context
	s         *ir.Shader
	g         *analysis.CFG
	live      []int32    // by block number: the most dwords live at the same time
	invariant []bool     // by value; false outside hoist
	found     []ir.Value // that find marked
	loop      ir.Node
	first     int32 // the block number of the loop's first block
	before    ir.Node
	writes    bool // something in the loop writes memory, or waits for other invocations
	measured  bool // live is known

	// Used by measure.
	place  []int32 // by value, in the order of the code
	start  []int32 // by block number: the place of its first instruction
	change []int32 // by place: dwords whose live range starts less dwords whose live range ends
}

// visit hoists invariant instructions out of the loops in a list of nodes, including nested ones.
func (h *hoister) visit(first ir.Node) (changed bool) {
	s := h.s
	for n := first; n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeBlock {
			continue
		}
		for _, list := range [...]ir.Node{s.Then(n), s.Else(n)} {
			if list != 0 {
				changed = h.visit(list) || changed
			}
		}
		if s.NodeKind(n) == ir.NodeLoop {
			changed = h.hoist(n) || changed
		}
	}
	return changed
}

// hoist moves the invariant instructions of a loop before it. Instructions of nested loops are not considered.
func (h *hoister) hoist(loop ir.Node) (changed bool) {
	s := h.s
	first, last := h.g.Index[s.Body(loop)], h.g.Index[s.BodyEnd(loop)]
	h.loop, h.first, h.before = loop, first, s.PrevNode(loop)
	h.writes = h.writesIn(first, last)
	if h.find(first, last) {
		changed = h.move(first, last)
	}
	for _, v := range h.found {
		h.invariant[v] = false
	}
	return changed
}

// move moves the marked instructions of a loop, which has a range of blocks, while registers suffice.
func (h *hoister) move(first, last int32) (changed bool) {
	h.measure()
	most := slices.Max(h.live[first : last+1])
	for _, v := range h.found {
		if h.invariant[v] && h.wanted(v) {
			if n := h.dwords(v); n == 0 || most+n <= maxLive && !h.displaced(v) {
				h.bring(v)
				most += n
				changed = true
			}
		}
	}
	for i := first; i <= last; i++ {
		h.live[i] = most
	}
	return changed
}

// writesIn reports whether something in a range of blocks writes memory, or waits for other invocations.
func (h *hoister) writesIn(first, last int32) bool {
	s := h.s
	for i := first; i <= last; i++ {
		for v := s.First(h.g.Blocks[i]); v != 0; {
			in := s.At(v)
			if in.Kind == kind.Intrinsic && !s.CanEliminate(v) {
				return true
			}
			v = in.Next()
		}
	}
	return false
}

// find marks the movable instructions that are invariant, and reports whether there are any.
func (h *hoister) find(first, last int32) (any bool) {
	s := h.s
	h.found = h.found[:0]
	for i := first; i <= last; i++ {
		b := h.g.Blocks[i]
		if h.g.Loop[b] != h.loop {
			continue
		}
		h.Work.Spend(1)
		leaves := h.leaves(b)
		for v := s.First(b); v != 0; {
			if h.movable(v, b, leaves) && h.reads(v) {
				h.invariant[v] = true
				h.found = append(h.found, v)
			}
			v = s.At(v).Next()
		}
	}
	// An instruction that selection folds into its users stays with them if they stay.
	for _, v := range slices.Backward(h.found) {
		if h.folded(v) && h.wanted(v) {
			h.invariant[v] = false
		} else {
			any = true
		}
	}
	return any
}

// reads reports whether all operands of an instruction are invariant or computed before the loop.
func (h *hoister) reads(v ir.Value) bool {
	for i := range int(h.s.At(v).NSrc) {
		if x := h.s.Src(v, i).Val; !h.invariant[x] && !h.outside(x) {
			return false
		}
	}
	return true
}

// outside reports whether a value is computed before the loop.
func (h *hoister) outside(v ir.Value) bool { return h.g.Index[h.s.At(v).Block()] < h.first }

// leaves reports whether control leaves the loop, or the function, after block b, without
// another iteration.
func (h *hoister) leaves(b ir.Node) bool {
	s := h.s
	for n := b; s.Parent(n) != h.loop; n = s.Parent(n) {
		end := n
		for s.NextNode(end) != 0 {
			h.Work.Spend(1)
			end = s.NextNode(end)
		}
		if j := s.Jump(end); j != 0 && kind.JumpKind(s.At(j).Op) != kind.JumpContinue {
			return true
		}
	}
	return false
}

// movable reports whether an instruction of block b may be executed before the loop
// if its operands are known there.
func (h *hoister) movable(v ir.Value, b ir.Node, leaves bool) bool {
	s := h.s
	in := s.At(v)
	switch in.Kind {
	case kind.LoadConst:
		return true
	case kind.ALU:
		return !leaves && !in.ALUOp().Info().Has(op.Derivative)
	case kind.Intrinsic:
		id := in.Intrinsic()
		if !h.loads(id) {
			return s.CanReorder(v)
		}
		const visible = uint32(kind.AccessVolatile | kind.AccessCoherent)
		if id.Info().Flags&intrinsic.Convergent != 0 || !s.CanEliminate(v) || s.Parent(b) != h.loop {
			return false
		}
		if !s.CanReorder(v) && (h.writes || s.Index(v, intrinsic.IxAccess)&visible != 0) {
			return false
		}
		return b == s.Body(h.loop) || h.bounded(v)
	}
	return false
}

// bounded reports whether a load is harmless on paths where the shader does not execute it: its offset has bounds,
// and its binding table entry is known to exist.
func (h *hoister) bounded(v ir.Value) bool {
	i := h.s.At(v).Intrinsic().Source(intrinsic.RoleSurface)
	return i >= 0 && h.s.At(h.s.Src(v, i).Val).IsConst()
}

// loads reports whether an intrinsic is a message that accesses memory; movable rejects the ones that write. Push
// constants are in registers.
func (h *hoister) loads(id intrinsic.ID) bool {
	return id != intrinsic.LoadPushConstant && (id.Slot(intrinsic.IxAlignMul) >= 0 || id.Source(intrinsic.RoleSurface) >= 0)
}

// wanted reports whether v has a user that is not invariant.
func (h *hoister) wanted(v ir.Value) bool {
	for u := range h.s.Uses(v) {
		if u.If != 0 || !h.invariant[u.User] {
			return true
		}
	}
	return false
}

// folds are the operations that selection folds into other instructions, or into an operand.
var folds = func() (t [op.Count]bool) {
	for _, o := range []op.Op{op.Mov, op.Vec2, op.Vec3, op.Vec4, op.FNeg, op.FAbs, op.FSat, op.INeg, op.IAbs, op.INot,
		op.U2U8, op.U2U16, op.U2U32, op.U2U64, op.I2I8, op.I2I16, op.I2I32, op.I2I64,
		op.ExtractU8, op.ExtractI8, op.ExtractU16, op.ExtractI16} {
		t[o] = true
	}
	return t
}()

// folded reports whether v costs nothing because selection folds it into its users.
func (h *hoister) folded(v ir.Value) bool {
	in := h.s.At(v)
	switch in.Kind {
	case kind.ALU:
		return in.Bits == 1 || folds[in.ALUOp()]
	case kind.Intrinsic:
		id := in.Intrinsic()
		return id != intrinsic.LoadInterpolatedInput && !h.loads(id)
	}
	return true
}

// displaced reports whether v is the sum of a constant and a value that is computed before the loop and thus in a
// register anyway: the addition costs less than another register.
func (h *hoister) displaced(v ir.Value) bool {
	s := h.s
	in := s.At(v)
	if in.Kind != kind.ALU || in.ALUOp() != op.IAdd {
		return false
	}
	_, ok := s.ConstOf(s.Src(v, 1))
	return ok && h.outside(s.Src(v, 0).Val)
}

// bring moves an invariant value before the loop, its operands first.
func (h *hoister) bring(v ir.Value) {
	s := h.s
	for i := range int(s.At(v).NSrc) {
		if x := s.Src(v, i).Val; x != 0 && !h.outside(x) {
			h.bring(x)
		}
	}
	if j := s.Jump(h.before); j != 0 {
		panic("flow: a loop is unreachable")
	}
	if s.At(v).Kind != kind.LoadConst { // a constant does not become code
		h.Remark(pass.Hoisted, s.At(v).Loc, 1)
	}
	s.MoveToEnd(v, h.before)
}

// dwords returns the number of dwords per invocation that a value takes in the register file: 0 for a Boolean, a
// constant or a uniform value.
func (h *hoister) dwords(v ir.Value) int32 {
	in := h.s.At(v)
	if in.Bits == 1 || in.Kind == kind.LoadConst || in.Kind == kind.Undef || int(v) < h.Div.NumValues() && !h.Div.Value(v) {
		return 0
	}
	return (int32(in.Comps)*int32(in.Bits) + 31) / 32
}
