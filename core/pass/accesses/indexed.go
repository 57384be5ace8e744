// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/op"
)

// MergeIndexed merges accesses to neighboring dwords of buffers, like [MergeAccesses], while their offsets still have
// the form that package explicitio generates for an index: index times stride, plus a constant. If such an offset is computed
// without wrapping around, it shows whether the element is in bounds. A vector may then extend past the end of the
// offset range, since elements there are out of bounds anyway. Simplified offsets do not show this: the offsets of
// a[i-1] and a[i], where a[i] is in bounds for i = 0, look like those of a[i>>2] and a[(i>>2)+1].
func MergeIndexed(pc *pass.Context) bool {
	c := in(pc)
	c.indexed = true
	m := pass.Scratch[merger](c.Context)
	changed := false
	for b := range c.S.Blocks(c.F) {
		changed = c.mergeBlock(m, b) || changed
	}
	return changed
}

// maxConstant bounds the constant part of an offset with an index, so that constant parts that are close modulo 2^32
// are close without wrapping.
const maxConstant = 1<<31 - 1

// index moves the constants in an offset with one index into the constant part of its span. The distance between spans
// with the same term is then the distance between their elements.
func (c context) index(x *span) {
	y := *x
	if k, ok := c.without(&y, op.IAdd); ok {
		y.at += k
	}
	k, ok := c.without(&y, op.IMul)
	if !ok {
		return
	}
	y.terms[0].factor = k
	// Move a constant out of the index itself only if the addition certainly does not wrap around.
	z := y
	if k, ok := c.without(&z, op.IAdd); ok && analysis.MayBeOnes(c.S, z.terms[0].src())+k < 1<<32 {
		z.at += z.terms[0].factor * k
		y = z
	}
	if y.at <= maxConstant {
		*x = y
	}
}

// without removes an operation with a constant operand from the only term of a span, and returns the constant.
func (c context) without(x *span, o op.Op) (k uint64, ok bool) {
	t := &x.terms[0]
	in := c.S.At(t.val)
	if !in.IsALU(o) || in.Bits != 32 || in.Comps != 1 {
		return 0, false
	}
	if k, ok = c.S.ConstOf(c.S.Src(t.val, 1)); ok {
		t.set(c.S.Src(t.val, 0), t.factor)
	}
	return k, ok
}

// indexable reports whether an access reads or writes dwords of a buffer at an offset with one index times a stride.
func indexable(x *span) bool { return OfBuffer(x.id) && x.terms[0].factor != 1 && x.size == 4 }

// OfBuffer reports whether an intrinsic loads from or stores to a buffer.
func OfBuffer(id intrinsic.ID) bool {
	return id.Is(intrinsic.TraitBuffer) && !id.Is(intrinsic.TraitAtomic)
}

func loadsBuffer(id intrinsic.ID) bool { return OfBuffer(id) && id.Info().HasDest }
