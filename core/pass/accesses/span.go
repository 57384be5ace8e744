// SPDX-License-Identifier: MIT

package accesses

import (
	"math/bits"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// span is the memory that an access by offset touches: bytes bytes from at, relative to the sum of its terms. Spans
// with the same terms and surface are comparable. Others may overlap unless package analysis proves that their surfaces
// do not alias.
type span struct {
	v       ir.Value
	id      intrinsic.ID
	surface ir.Src // of a buffer; unset if binding.Known
	terms   [maxTerms]term
	at      uint64 // modulo 2^32, or 2^64 for addresses
	bytes   uint32
	size    uint32 // of a component
	binding analysis.Surface
	form    memForm
	space   space
	pos     int32 // position in the block
	fixed   bool  // must not be reordered with stores to the same memory
	effect  bool  // has an effect beyond its result
	wide    bool  // by a 64-bit address
}

// term is a scalar value times a factor. A term without a value is unused; used terms come first.
type term struct {
	factor uint64
	val    ir.Value
	comp   uint8
}

func (t *term) src() ir.Src { return ir.Src{Val: t.val, Swz: ir.Swizzle(t.comp), N: 1} }

// set makes t a scalar times a factor.
func (t *term) set(x ir.Src, factor uint64) { *t = term{factor, x.Val, x.Swz.Comp(0)} }

const (
	// maxTerms bounds the terms of a span. A sum that would need more is a term itself.
	maxTerms = 3
	// termSteps bounds the number of instructions that spanOf looks through.
	termSteps = 12
)

// spanOf completes the span of an access whose form is f.
func (c context) spanOf(in *ir.Instr, f *memForm, x *span) {
	s := c.S
	x.id, x.fixed = in.Intrinsic(), !s.CanReorder(x.v)
	x.size = uint32(in.Bits) / 8
	x.form, x.space = *f, f.space
	if f.value >= 0 {
		x.size = uint32(s.At(s.Src(x.v, int(f.value)).Val).Bits) / 8
	}
	x.bytes = uint32(in.Comps) * x.size
	if f.surface >= 0 {
		x.surface = s.Src(x.v, int(f.surface))
		if x.binding = analysis.SurfaceOf(s, x.surface); x.binding.Known {
			x.surface = ir.Src{}
		}
	}
	if f.base >= 0 {
		x.at = uint64(s.Words(x.v)[f.base])
	}
	off := s.Src(x.v, int(f.offset))
	x.terms[0].set(off, 1)
	x.wide = s.At(off.Val).Bits == 64
	if c.indexed {
		c.index(x)
		return
	}
	c.expand(x)
	if !x.wide {
		x.at = uint64(uint32(x.at))
	}
}

// expand splits the offset of a span, its only term, into terms.
func (c context) expand(x *span) {
	n, steps := 1, 0
	for i := 0; i < n && steps < termSteps; {
		steps++
		t := &x.terms[i]
		if k, ok := c.S.ConstOf(t.src()); ok {
			x.at += t.factor * k
			n--
			*t, x.terms[n] = x.terms[n], term{}
			continue
		}
		if c.constant(x, t) || n < maxTerms && c.sum(x, i, n) {
			for n < maxTerms && x.terms[n].val != 0 {
				n++
			}
			continue
		}
		i++
	}
	x.order(n)
}

// order brings the n terms of a span into the order of their values, and merges terms of one value.
func (x *span) order(n int) {
	for i := 1; i < n; i++ {
		for k := i; k > 0 && x.terms[k].before(&x.terms[k-1]); k-- {
			x.terms[k], x.terms[k-1] = x.terms[k-1], x.terms[k]
		}
	}
	used := 0
	for i := range n {
		t := x.terms[i]
		if !x.wide {
			t.factor = uint64(uint32(t.factor))
		}
		x.terms[i] = term{}
		if used > 0 && x.terms[used-1].same(&t) {
			used--
			t.factor += x.terms[used].factor
			if !x.wide {
				t.factor = uint64(uint32(t.factor))
			}
			x.terms[used] = term{}
		}
		if t.factor != 0 {
			x.terms[used] = t
			used++
		}
	}
}

func (t *term) before(u *term) bool { return t.val < u.val || t.val == u.val && t.comp < u.comp }

func (t *term) same(u *term) bool { return t.val == u.val && t.comp == u.comp }

// sum replaces term i of a span, whose n terms leave room, with two terms if its value is a sum, and reports whether it is.
func (c context) sum(x *span, i, n int) bool {
	t := &x.terms[i]
	if in := c.S.At(t.val); !in.IsALU(op.IAdd) || in.Comps != 1 {
		return false
	}
	v := t.val
	x.terms[n].set(c.S.Src(v, 1), t.factor)
	t.set(c.S.Src(v, 0), t.factor)
	return true
}

// constant moves a constant that is added to the value of a term of a span, or multiplied by it, into at or factor. It
// reports whether there is such a constant.
func (c context) constant(x *span, t *term) bool {
	s := c.S
	in := s.At(t.val)
	if in.Kind != kind.ALU || in.Comps != 1 {
		return false
	}
	o := in.ALUOp()
	if o != op.IAdd && o != op.IMul && o != op.IShl {
		return false
	}
	rest, other := s.Src(t.val, 0), s.Src(t.val, 1)
	k, ok := c.S.ConstOf(other)
	if !ok && o != op.IShl {
		rest, other = other, rest
		k, ok = c.S.ConstOf(other)
	}
	if !ok {
		return false
	}
	factor := t.factor
	switch o {
	case op.IAdd:
		x.at += factor * k
	case op.IMul:
		factor *= k
	default:
		factor <<= k & uint64(in.Bits-1)
	}
	t.set(rest, factor)
	return true
}

// comparable reports whether two spans are a constant number of bytes apart.
func comparable(a, b *span) bool {
	return a.terms == b.terms && a.binding == b.binding && a.space == b.space && a.surface.Val == b.surface.Val &&
		a.surface.Swz.Comp(0) == b.surface.Swz.Comp(0)
}

// less returns the number of bytes from the start of b to the start of a, for comparable spans.
func less(a, b *span) int64 {
	if a.wide {
		return int64(a.at - b.at)
	}
	return int64(int32(uint32(a.at - b.at)))
}

// space is a class of memory that is disjoint from the others.
type space uint8

const (
	elsewhere space = iota // memory shared with other workgroups: buffers, images, addresses
	workgroup
	private
	numSpaces
)

func spaceOf(id intrinsic.ID) space {
	switch {
	case id.Is(intrinsic.TraitAtomic):
	case id.Is(intrinsic.TraitShared):
		return workgroup
	case id.Is(intrinsic.TraitScratch):
		return private
	}
	return elsewhere
}

// overlap reports whether two spans may have bytes in common.
func (c context) overlap(a, b *span) bool {
	if a.space != b.space {
		return false
	}
	if !comparable(a, b) {
		return analysis.MayAlias(c.S, a.binding, b.binding)
	}
	d := less(a, b)
	return d < int64(b.bytes) && -d < int64(a.bytes)
}

// wraps reports whether the n bytes from d bytes after the start of an access may extend past the end of the offset
// range. One message for all of them would then be out of bounds, although messages for some of the parts are not. This
// matters only if accesses to buffers are robust: the first part is out of bounds too, so that otherwise behavior is
// undefined (Vulkan, "Robust Buffer Access").
func (c context) wraps(x *span, d int64, n uint32) bool {
	s := c.S
	off := s.Src(x.v, int(x.form.offset))
	if x.space != elsewhere || s.At(off.Val).Bits == 64 || !c.Options.Robust {
		return false // memory without bounds that a shader may rely on
	}
	if c.indexed {
		return false // elements past the end are out of bounds anyway
	}
	start := uint64(uint32(x.at + uint64(d)))
	if x.terms[0].val == 0 {
		return start+uint64(n) > 1<<32
	}
	mul, at := uint64(s.Index(x.v, intrinsic.IxAlignMul)), uint64(s.Index(x.v, intrinsic.IxAlignOffset))
	if (at+uint64(d))&(mul-1)+uint64(n) <= mul {
		return false
	}
	zeros, most := c.bounds(x)
	if mul = 1 << min(zeros, 31); start&(mul-1)+uint64(n) <= mul {
		return false
	}
	return most+start+uint64(n) > 1<<32
}

// bounds returns the number of low bits that are zero in the sum of a span's terms, and an upper bound of the sum, which
// is 2^32 or more if the sum may wrap around.
func (c context) bounds(x *span) (zeros int, most uint64) {
	zeros = 64
	for i := range x.terms {
		t := &x.terms[i]
		if t.val == 0 {
			break
		}
		m := analysis.MayBeOnes(c.S, t.src())
		zeros = min(zeros, bits.TrailingZeros64(m)+bits.TrailingZeros64(t.factor))
		if hi, lo := bits.Mul64(m, t.factor); hi != 0 || lo > 1<<32 {
			most += 1 << 32
		} else {
			most += lo
		}
	}
	return zeros, most
}
