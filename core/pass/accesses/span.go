package accesses

import (
	"math/bits"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// span is the memory that an access by offset touches: bytes bytes from at, relative to factor times base. Spans with
// the same base, factor and surface are comparable. Others may overlap unless package analysis proves that their
// surfaces do not alias.
type span struct {
	v       ir.Value
	id      intrinsic.ID
	surface ir.Src // of a buffer; unset if binding.Known
	base    ir.Src // unset: 0
	factor  uint64
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

// maxTerms bounds the number of instructions that spanOf looks through.
const maxTerms = 8

// spanOf completes the span of an access whose form is f.
func (c context) spanOf(in *ir.Instr, f *memForm, x *span) {
	s := c.S
	x.id, x.fixed = in.Intrinsic(), !s.CanReorder(x.v)
	x.factor, x.size = 1, uint32(in.Bits)/8
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
	x.base = s.Src(x.v, int(f.offset))
	x.wide = s.At(x.base.Val).Bits == 64
	if c.indexed {
		c.index(x)
		return
	}
	for range maxTerms {
		if k, ok := c.S.ConstOf(x.base); ok {
			x.at += x.factor * k
			x.base, x.factor = ir.Src{}, 1
			break
		}
		if !c.term(x) {
			break
		}
	}
	if !x.wide {
		x.factor, x.at = uint64(uint32(x.factor)), uint64(uint32(x.at))
	}
}

// term moves a constant that is added to the base of a span, or multiplied by it, into at or factor.
func (c context) term(x *span) bool {
	s := c.S
	in := s.At(x.base.Val)
	if in.Kind != kind.ALU || in.Comps != 1 {
		return false
	}
	o := in.ALUOp()
	if o != op.IAdd && o != op.IMul && o != op.IShl {
		return false
	}
	rest, other := s.Src(x.base.Val, 0), s.Src(x.base.Val, 1)
	k, ok := c.S.ConstOf(other)
	if !ok && o != op.IShl {
		rest = other
		k, ok = c.S.ConstOf(s.Src(x.base.Val, 0))
	}
	if !ok {
		return false
	}
	switch o {
	case op.IAdd:
		x.at += x.factor * k
	case op.IMul:
		x.factor *= k
	default:
		x.factor <<= k & uint64(in.Bits-1)
	}
	x.base = rest
	return true
}

// comparable reports whether two spans are a constant number of bytes apart.
func comparable(a, b *span) bool {
	return a.base.Val == b.base.Val && a.binding.Entry == b.binding.Entry && a.space == b.space && a.factor == b.factor &&
		(a.base.Val == 0 || a.base.Swz.Comp(0) == b.base.Swz.Comp(0)) &&
		a.binding == b.binding && a.surface.Val == b.surface.Val && a.surface.Swz.Comp(0) == b.surface.Swz.Comp(0)
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
// range. One message for all of them would then be out of bounds, although messages for some of the parts are not. The
// first part is: unless accesses to buffers are robust, behavior is undefined then (Vulkan, "Robust Buffer Access").
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
	if x.base.Val == 0 {
		return start+uint64(n) > 1<<32
	}
	mul, at := uint64(s.Index(x.v, intrinsic.IxAlignMul)), uint64(s.Index(x.v, intrinsic.IxAlignOffset))
	if (at+uint64(d))&(mul-1)+uint64(n) <= mul {
		return false
	}
	m := analysis.MayBeOnes(s, x.base)
	if mul = x.factor & -x.factor << min(bits.TrailingZeros64(m), 31); start&(mul-1)+uint64(n) <= mul {
		return false
	}
	hi, most := bits.Mul64(m, x.factor)
	return hi != 0 || most > 1<<32-1 || most+start+uint64(n) > 1<<32
}
