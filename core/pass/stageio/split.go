// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// SplitSlots splits accesses to inputs and outputs that the machine lacks. Inputs are in registers: a load at a dynamic
// index becomes a select among all slots that the index may refer to. Accesses to 64-bit components become accesses to
// their halves, in two components. Inputs are interpolated component by component, so that loads of overlapping
// components share what they have in common.
func SplitSlots(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if !graphics(s.Info.Stage) {
		return false
	}
	changed := false
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind == kind.Intrinsic {
					changed = c.split(v) || changed
				}
			}
		}
	}
	return changed
}

// split replaces an access if necessary, and reports whether it did.
func (c context) split(v ir.Value) bool {
	s := c.S
	id := s.At(v).Intrinsic()
	switch {
	case id.Is(intrinsic.TraitInput):
		at, known := Offset(s, v)
		if known && s.At(v).Bits != 64 && !manyInterpolated(s, v) {
			return false
		}
		c.B.Before(v)
		if known {
			s.ReplaceUses(v, c.whole(v, at))
		} else {
			s.ReplaceUses(v, c.chosen(v))
		}
	case id == intrinsic.StoreOutput:
		if s.At(s.Src(v, id.Source(intrinsic.RoleValue)).Val).Bits != 64 {
			return false
		}
		c.B.Before(v)
		c.storeHalves(v)
	default:
		return false
	}
	s.Remove(v)
	return true
}

// manyInterpolated reports whether an instruction interpolates several components of an input.
func manyInterpolated(s *ir.Shader, v ir.Value) bool {
	return s.At(v).Intrinsic() == intrinsic.LoadInterpolatedInput && s.At(v).Comps > 1
}

// chosen returns the value of an input at a dynamic index.
func (c context) chosen(v ir.Value) ir.Src {
	s, b := c.S, c.B
	offset := s.Src(v, s.At(v).Intrinsic().Source(intrinsic.RoleOffset))
	out := c.whole(v, 0)
	for i := uint32(1); i < s.Index(v, intrinsic.IxRange); i++ {
		at, x := b.IEq(offset, b.Imm(i)), c.whole(v, i)
		parts := make([]ir.Src, s.At(v).Comps)
		for k := range parts {
			parts[k] = b.BCsel(at, x.Comp(k), out.Comp(k))
		}
		out = pass.Vec(b, parts)
	}
	return out
}

// whole returns the value of an input at an offset, in slots, from the slot that an instruction names.
func (c context) whole(v ir.Value, slots uint32) ir.Src {
	s, b := c.S, c.B
	in := *s.At(v)
	first := s.Index(v, intrinsic.IxComponent)
	parts := make([]ir.Src, in.Comps)
	if manyInterpolated(s, v) {
		for k := range parts {
			parts[k] = c.part(v, slots, first+uint32(k), 1, in.Bits)
		}
		return pass.Vec(b, parts)
	}
	if in.Bits != 64 {
		return c.part(v, slots, first, in.Comps, in.Bits)
	}
	for k := range parts {
		at := first + 2*uint32(k)
		half := c.part(v, slots+at/4, at%4, 2, 32)
		parts[k] = b.Pack64_2x32Split(half.Comp(0), half.Comp(1))
	}
	return pass.Vec(b, parts)
}

// part loads components of one slot.
func (c context) part(v ir.Value, slots, component uint32, comps, bits uint8) ir.Src {
	s, b := c.S, c.B
	index := func(i intrinsic.Index) uint32 { return s.Index(v, i) }
	base, location := int32(index(intrinsic.IxBase)+slots), index(intrinsic.IxLocation)+slots
	vb, builtin, flags := kind.BaseType(index(intrinsic.IxValueBase)), kind.IOBuiltin(index(intrinsic.IxIOBuiltin)),
		kind.IOFlags(index(intrinsic.IxIOFlags))
	offset := b.Imm(0)
	switch id := s.At(v).Intrinsic(); id {
	case intrinsic.LoadInterpolatedInput:
		where := s.Src(v, id.Source(intrinsic.RoleBarycentric))
		return b.LoadInterpolatedInput(comps, bits, where, offset, base, 1, component, vb, location, builtin, flags)
	case intrinsic.LoadInputVertex:
		vertex := s.Src(v, id.Source(intrinsic.RoleVertex))
		return b.LoadInputVertex(comps, bits, vertex, offset, base, 1, component, vb, location, builtin, flags)
	}
	return b.LoadInput(comps, bits, offset, base, 1, component, vb, location, builtin, flags)
}

// storeHalves stores the halves of 64-bit output components.
func (c context) storeHalves(v ir.Value) {
	s, b := c.S, c.B
	id := s.At(v).Intrinsic()
	value, offset := s.Src(v, id.Source(intrinsic.RoleValue)), s.Src(v, id.Source(intrinsic.RoleOffset))
	index := func(i intrinsic.Index) uint32 { return s.Index(v, i) }
	for k := range int(value.N) {
		if index(intrinsic.IxWriteMask)>>k&1 == 0 {
			continue
		}
		at, x := index(intrinsic.IxComponent)+2*uint32(k), value.Comp(k)
		halves := b.Vec2(b.Unpack64_2x32SplitX(x), b.Unpack64_2x32SplitY(x))
		b.StoreOutput(halves, offset, int32(index(intrinsic.IxBase)+at/4), index(intrinsic.IxRange), 3, at%4,
			kind.BaseType(index(intrinsic.IxValueBase)),
			index(intrinsic.IxLocation)+at/4, kind.IOBuiltin(index(intrinsic.IxIOBuiltin)),
			kind.IOFlags(index(intrinsic.IxIOFlags)), index(intrinsic.IxStream))
	}
}
