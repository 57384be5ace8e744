// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/op"
)

// merge replaces the accesses of a group with one access if there are several and, for bytes and words, if this takes fewer
// messages. It reports whether it did.
func (c context) merge(m *merger, g *group) bool {
	first, at := &g.member[0], &g.member[0]
	if g.n < 2 || first.size < 4 && !c.fewer(g) {
		return false
	}
	s, b := c.S, c.B
	store := first.form.value >= 0
	if store {
		at = &g.member[g.n-1]
	}
	c.Remark(pass.Merged, s.At(first.v).Loc, g.n)
	b.Before(at.v)
	var src [3]ir.Src
	for i := range int(s.At(at.v).NSrc) {
		src[i] = s.Src(at.v, i)
	}
	from := g.lo - less(at, first) // start of the vector in bytes, relative to access at
	src[at.form.offset] = c.plus(src[at.form.offset], from)
	used := int(g.hi-g.lo) / int(first.size)
	comps := vectorComps(used)
	bits := uint8(8 * first.size)
	var mask uint32
	if store {
		bits = 0
		src[at.form.value], mask = c.stored(g, comps)
	}
	n := b.Intrinsic(at.id, uint8(comps), bits, src[:s.At(at.v).NSrc]...)
	copy(s.Words(n), s.Words(at.v))
	a := c.alignmentOf(g)
	s.SetIndex(n, intrinsic.IxAlignMul, a.mul)
	s.SetIndex(n, intrinsic.IxAlignOffset, a.off)
	if store {
		s.SetIndex(n, intrinsic.IxWriteMask, mask)
	}
	for i := range g.member[:g.n] {
		e := &g.member[i]
		if !store {
			s.ReplaceUses(e.v, pass.Slice(s.All(n), c.component(g, e), int(s.At(e.v).Comps)))
		}
		s.Remove(e.v)
	}
	if first.size < 4 {
		m.small = true
		b.Before(n)
		c.small(n, at.form, uint8(8*first.size), used)
	}
	return true
}

// plus adds a constant to an offset. If the offset is a sum with a constant, it folds the two.
func (c context) plus(o ir.Src, more int64) ir.Src {
	s := c.S
	if more == 0 {
		return o
	}
	if o.N == 1 && s.At(o.Val).IsALU(op.IAdd) && s.At(o.Val).Comps == 1 {
		if k, ok := s.ConstOf(s.Src(o.Val, 1)); ok {
			o, more = s.Src(o.Val, 0).X(), more+int64(k)
		}
	}
	bits := s.At(o.Val).Bits
	if k := uint64(more) & (1<<(bits-1)<<1 - 1); k != 0 {
		return c.B.IAdd(o, c.B.Const(bits, k))
	}
	return o
}

// component returns the index of the first component of a member in the vector of its group.
func (c context) component(g *group, e *span) int {
	return int(less(e, &g.member[0])-g.lo) / int(e.size)
}

// stored returns the vector that replaces the values of the stores in a group, and the write mask.
func (c context) stored(g *group, comps int) (val ir.Src, mask uint32) {
	var parts [mostBytes]ir.Src
	for i := range g.member[:g.n] {
		e := &g.member[i]
		val = c.S.Src(e.v, int(e.form.value))
		for k := range int(val.N) { // a later member overwrites earlier ones
			parts[c.component(g, e)+k] = val.Comp(k)
			mask |= 1 << (c.component(g, e) + k)
		}
	}
	for i := range parts[:comps] {
		if mask>>i&1 == 0 {
			parts[i] = val.Comp(0)
		}
	}
	return pass.VecOrOne(c.B, parts[:comps]), mask
}

// alignmentOf returns the alignment of the start of a group, derived from the member with the largest known alignment,
// or from the bits of the offset that are zero.
func (c context) alignmentOf(g *group) alignment {
	best, from := alignment{}, &g.member[0]
	if from.size < 4 && !c.indexed {
		best = c.lowZeros(from)
	}
	for i := range g.member[:g.n] {
		if a := c.alignment(g.member[i].v); a.mul > best.mul {
			best, from = a, &g.member[i]
		}
	}
	best.off = (best.off + uint32(g.lo-less(from, &g.member[0]))) & (best.mul - 1)
	return best
}

// lowZeros returns the alignment of a span that follows from bits of its terms that are known to be zero.
func (c context) lowZeros(x *span) alignment {
	const most = 4 // the logarithm of the largest alignment that matters
	zeros, _ := c.bounds(x)
	mul := uint64(1) << min(zeros, most)
	return alignment{uint32(mul), uint32(x.at & (mul - 1))}
}

// fewer reports whether a group of accesses to bytes or words, once merged, takes fewer messages than it has members.
func (c context) fewer(g *group) bool {
	first := &g.member[0]
	size, a := int(first.size), c.alignmentOf(g)
	var u units
	if n := int(g.hi-g.lo) / size; first.form.value < 0 {
		u = c.loadUnitsOf(first.id, a, size, n)
	} else {
		u = c.storeUnitsOf(first.id, a, size, 1<<n-1)
	}
	return u.messages() < g.n
}
