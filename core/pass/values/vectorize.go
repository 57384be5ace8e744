// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// vectorComps is the number of components of a register of a machine with vectors.
const vectorComps = 4

// laneKey identifies operations that one vector operation can compute: they have the same opcode, and each source reads
// the same value or the same constant.
type laneKey struct {
	op    op.Op
	bits  uint8
	float uint16
	src   [op.MaxSrc]laneSource
}

// laneSource is a value, or if that is 0, a constant.
type laneSource struct {
	val   ir.Value
	reg   uint8 // of the components, four of which are in a register
	bits  uint8
	value uint64 // of the constant
	other bool   // other constants can be in other lanes
}

// Vectorize combines scalar operations of a block into vector operations, for machines whose instructions compute four
// components. Operations are combined if they read components of the same values. The vector operation takes the place
// of the first one, where all these values are known, so that nothing else moves. Operations that read the results in
// turn read one value, and are combined as well.
func Vectorize(pc *pass.Context) bool {
	c := in(pc)
	if !c.Target().Can(target.Vectors) {
		return false
	}
	changed := c.mergePhis()
	changed = c.mergeInputs() || changed
	changed = c.mergeLanes() || changed
	if c.findDots() { // they read vectors, and operations on them can be combined
		c.mergeLanes()
		changed = true
	}
	if changed { // vectors that are composed of all components of an operation become that operation
		CopyProp(pc)
		DeadCode(pc)
	}
	return changed
}

// mergeLanes combines the operations of each block.
func (c context) mergeLanes() (changed bool) {
	s := c.S
	if c.lanes == nil {
		c.lanes = map[laneKey]ir.Value{}
	}
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		clear(c.lanes)
		for next := s.First(b); next != 0; {
			v := next
			next = s.At(v).Next()
			changed = c.vectorize(v) || changed
		}
	}
	return changed
}

// vectorize appends the components of v to an earlier operation with the same key. If there is none, it records v under its
// key for later operations.
func (c context) vectorize(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	if in.Kind != kind.ALU || !isLanewise(in) {
		return false
	}
	key := c.laneKey(v, in)
	first := c.lanes[key]
	if first == 0 && in.ALUOp().Info().Has(op.Commutative) {
		other := key
		other.src[0], other.src[1] = key.src[1], key.src[0]
		if first = c.lanes[other]; first != 0 {
			a, b := s.Src(v, 0), s.Src(v, 1)
			s.SetSrc(v, 0, b)
			s.SetSrc(v, 1, a)
			key = other
		}
	}
	if first == 0 || s.At(first).Comps+in.Comps > vectorComps {
		c.lanes[key] = v
		return false
	}
	c.addLanes(first, v)
	return true
}

// isPacked reports whether all constants that a source reads are floats of eight bits, which an instruction can have four
// of as an immediate.
func (c context) isPacked(r ir.Src) bool {
	s := c.S
	if s.At(r.Val).Bits != 32 {
		return false
	}
	for i := range int(r.N) {
		if _, ok := num.PackedFloat(uint32(s.Const(r.Val, int(r.Swz.Comp(i))))); !ok {
			return false
		}
	}
	return true
}

// isLanewise reports whether each component of a result depends only on the same component of the sources.
func isLanewise(in *ir.Instr) bool {
	info := in.ALUOp().Info()
	if in.Comps >= vectorComps || in.Bits > 32 || info.Out.Comps != 0 || in.ALUOp() == op.Mov {
		return false
	}
	for k := range int(in.NSrc) {
		if info.Src[k].Comps != 0 {
			return false
		}
	}
	return true
}

func (c context) laneKey(v ir.Value, in *ir.Instr) laneKey {
	s := c.S
	key := laneKey{op: in.ALUOp(), bits: in.Bits, float: in.Float}
	for k := range int(in.NSrc) {
		r := s.Src(v, k)
		key.src[k].val, key.src[k].reg = r.Val, r.Swz.Comp(0)/vectorComps
		if !s.At(r.Val).IsConst() {
			continue
		}
		key.src[k] = laneSource{bits: s.At(r.Val).Bits, other: true}
		if x, ok := c.sameConst(r); ok && in.NSrc < 3 && !c.isPacked(r) {
			key.src[k] = laneSource{bits: s.At(r.Val).Bits, value: x}
		}
	}
	return key
}

// addLanes appends the components of v to the operation first.
func (c context) addLanes(first, v ir.Value) {
	s := c.S
	n, more := s.At(first).Comps, s.At(v).Comps
	var src [op.MaxSrc]ir.Src
	for k := range int(s.At(first).NSrc) {
		a, b := s.Src(first, k), s.Src(v, k)
		if a.Val != b.Val { // constants
			a, b = c.joinConsts(first, a, b)
		}
		src[k] = ir.Src{Val: a.Val, Swz: appended(a.Swz, n, b.Swz, more), N: n + more}
	}
	s.At(first).Comps = n + more
	for k := range int(s.At(first).NSrc) {
		s.SetSrc(first, k, src[k])
	}
	s.ReplaceUses(v, ir.Src{Val: first, Swz: after(n), N: more})
	s.Remove(v)
}

// joinConsts returns reads of one constant, placed before first, instead of reads of two.
func (c context) joinConsts(first ir.Value, a, b ir.Src) (ir.Src, ir.Src) {
	s := c.S
	x, same := c.sameConst(a)
	if y, ok := c.sameConst(b); same && ok && x == y {
		return a, ir.Src{Val: a.Val, Swz: ir.Broadcast(int(a.Swz.Comp(0))), N: b.N}
	}
	var all [vectorComps]uint64
	for i := range int(a.N) {
		all[i] = s.Const(a.Val, int(a.Swz.Comp(i)))
	}
	for i := range int(b.N) {
		all[int(a.N)+i] = s.Const(b.Val, int(b.Swz.Comp(i)))
	}
	c.B.Before(first)
	whole := c.B.Const(s.At(a.Val).Bits, all[:a.N+b.N]...)
	return whole.Take(int(a.N)), ir.Src{Val: whole.Val, Swz: after(a.N), N: b.N}
}

// sameConst returns the constant that all components of a source read.
func (c context) sameConst(r ir.Src) (uint64, bool) {
	s := c.S
	x, ok := s.ConstOf(r)
	for i := 1; ok && i < int(r.N); i++ {
		ok = s.Const(r.Val, int(r.Swz.Comp(i))) == x
	}
	return x, ok
}

// appended returns the swizzle of the first n components of a and the first m of b.
func appended(a ir.Swizzle, n uint8, b ir.Swizzle, m uint8) ir.Swizzle {
	for i := range m {
		a = a.With(int(n+i), b.Comp(int(i)))
	}
	return a
}

// after returns the swizzle that reads the components from n on.
func after(n uint8) ir.Swizzle { return ir.Identity >> (4 * n) }

// mergeInputs replaces the loads of components of an input slot with one load of the slot, at the start, so that
// operations on them read one value.
func (c context) mergeInputs() (changed bool) {
	s := c.S
	if c.slots == nil {
		c.slots = map[uint32]ir.Value{}
	}
	clear(c.slots)
	var offset ir.Src
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			if in.Kind != kind.Intrinsic || in.Intrinsic() != intrinsic.LoadInput || in.Bits != 32 || in.Comps == vectorComps {
				continue
			}
			off, ok := s.ConstOf(s.Src(v, in.Intrinsic().Source(intrinsic.RoleOffset)))
			if !ok || off != 0 {
				continue
			}
			slot := s.Index(v, intrinsic.IxBase)
			whole := c.slots[slot]
			if whole == 0 {
				c.B.AtStart(s.FirstBlock(c.F))
				if offset.Val == 0 {
					offset = c.B.Imm(0)
				}
				c.B.After(offset.Val)
				whole = c.B.Intrinsic(intrinsic.LoadInput, vectorComps, in.Bits, offset)
				copy(s.Words(whole), s.Words(v))
				s.SetIndex(whole, intrinsic.IxComponent, 0)
				c.slots[slot] = whole
			}
			s.ReplaceUses(v, ir.Src{Val: whole, Swz: after(uint8(s.Index(v, intrinsic.IxComponent))), N: in.Comps})
			s.Remove(v)
			changed = true
		}
	}
	return changed
}
