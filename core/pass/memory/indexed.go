package memory

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/op"
)

// mergeIndexed merges accesses to neighbouring dwords of buffers like [MergeAccesses], while
// their offsets are still what ExplicitIO has made of indices: an index times a stride, plus
// a constant. Such an offset, if it is computed without wrapping around, shows whether the
// element that the shader names is in bounds, so a vector may extend past the last offset: none
// of its elements is. Simplified offsets do not show it: those of a[i-1] and a[i], of which the
// second is in bounds if i is 0, look like those of a[i>>2] and a[(i>>2)+1].
func (c context) mergeIndexed() bool {
	c.indexed = true
	m := pass.Scratch[merger](c.Context)
	changed := false
	for b := range c.S.Blocks(c.F) {
		changed = c.mergeBlock(m, b) || changed
	}
	return changed
}

// maxConstant bounds the constant part of an offset made of an index, so that spans whose
// parts differ little modulo 2^32 differ as little without.
const maxConstant = 1<<31 - 1

// index moves the constant parts of an offset made of one index into the constant part of
// its span. Spans with the same base and a factor are then as far apart as the elements are.
func (c context) index(x *span) {
	y := *x
	if k, ok := c.without(&y, op.IAdd); ok {
		y.at += k
	}
	k, ok := c.without(&y, op.IMul)
	if !ok {
		return
	}
	y.factor = k
	// Of the index itself, only what certainly does not wrap around.
	z := y
	if k, ok := c.without(&z, op.IAdd); ok && analysis.MayBeOnes(c.S, z.base)+k < 1<<32 {
		z.at += z.factor * k
		y = z
	}
	if y.at <= maxConstant {
		*x = y
	}
}

// without removes an operation with a constant from the base of a span, and returns the constant.
func (c context) without(x *span, o op.Op) (k uint64, ok bool) {
	in := c.S.At(x.base.Val)
	if !in.IsALU(o) || in.Bits != 32 || in.Comps != 1 {
		return 0, false
	}
	if k, ok = c.S.ConstOf(c.S.Src(x.base.Val, 1)); ok {
		x.base = c.S.Src(x.base.Val, 0)
	}
	return k, ok
}

// indexable reports whether an access is to dwords of a buffer at an offset made of one index.
func indexable(x *span) bool { return ofBuffer(x.id) && x.factor != 1 && x.size == 4 }

func ofBuffer(id intrinsic.ID) bool {
	return id.Is(intrinsic.TraitBuffer) && !id.Is(intrinsic.TraitAtomic)
}

func loadsBuffer(id intrinsic.ID) bool { return ofBuffer(id) && id.Info().HasDest }
