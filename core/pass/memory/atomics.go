package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// LowerFloatAtomics lowers atomic float additions to compare-and-exchange loops if
// the target has no message for them, and those on texels, where no target has one, as well as
// minima and maxima of texels that are floats.
func LowerFloatAtomics(pc *pass.Context) bool {
	c := in(pc)
	adds := c.Target().Can(target.FloatAtomicAdd)
	return c.Rewrite(func(v ir.Value) (ir.Src, bool) {
		if op, ok := c.texelFloatAtomic(v); ok {
			return c.texelExchangeLoop(v, op), true
		}
		if adds || !c.isFloatAdd(v) {
			return ir.Src{}, false
		}
		return c.exchangeLoop(v), true
	})
}

// FloatAtomics returns the operations that LowerFloatAtomics may lower.
func FloatAtomics() []intrinsic.ID {
	list := []intrinsic.ID{intrinsic.SSBOAtomic, intrinsic.SharedAtomic, intrinsic.GlobalAtomic}
	for id := range intrinsic.Count {
		if texelFloats[id] != 0 {
			list = append(list, id)
		}
	}
	return list
}

func (c context) isFloatAdd(v ir.Value) bool {
	in := c.S.At(v)
	if in.Kind != kind.Intrinsic {
		return false
	}
	id := in.Intrinsic()
	return (id == intrinsic.SSBOAtomic || id == intrinsic.SharedAtomic || id == intrinsic.GlobalAtomic) &&
		kind.AtomicOp(c.S.Index(v, intrinsic.IxAtomicOp)) == kind.AtomicFadd
}

// exchangeLoop inserts before v a loop that adds its data to memory, and returns the
// previous value:
//
//	old = 0
//	loop {
//	    expected = old
//	    old = compare and exchange: expected, expected + data
//	    if old == expected { break }
//	}
//
// The values are compared as integers, so that NaN and -0 compare equal to
// themselves. A wrong guess costs one iteration, as a load before the loop would;
// out of bounds, where an atomic returns 0, the first guess is right. In each
// iteration at least one of the invocations that add to one location leaves.
func (c context) exchangeLoop(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := *s.At(v)
	n := int(in.NSrc)
	var src [3]ir.Src
	for i := range n {
		src[i] = s.Operand(v, i)
	}
	return c.exchangeUntil(v, func(expected ir.Src) ir.Src {
		sum := b.FAdd(expected, src[n-1])
		switch in.Intrinsic() {
		case intrinsic.SharedAtomic:
			return b.SharedAtomicSwap(in.Bits, src[0], expected, sum, int32(s.Index(v, intrinsic.IxBase)), kind.AtomicCmpxchg)
		case intrinsic.GlobalAtomic:
			return b.GlobalAtomicSwap(in.Bits, src[0], expected, sum, kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicCmpxchg)
		}
		return b.SSBOAtomicSwap(in.Bits, src[0], src[1], expected, sum, kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicCmpxchg)
	})
}

// exchangeUntil inserts the loop of exchangeLoop around what exchange inserts, which returns
// the previous value.
func (c context) exchangeUntil(v ir.Value, exchange func(expected ir.Src) ir.Src) ir.Src {
	s, b := c.S, c.B
	b.Before(v)
	b.Float = 0 // every addition rounds as written
	bits := s.At(v).Bits
	guess := b.Const(bits, 0)

	before, body := c.loopBefore(v)
	b.AtEnd(body)
	phi := b.Phi(1, bits, 2)
	expected := s.All(phi)
	old := exchange(expected)
	iff := s.InsertIf(body, b.IEq(old, expected))
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	s.AddPhiSrc(phi, before, guess)
	s.AddPhiSrc(phi, s.NextNode(iff), old)
	b.Before(v)
	return old
}

// texelFloats are the atomics on texels that are floats and have no message.
var texelFloats = [intrinsic.Count]kind.AtomicOp{
	intrinsic.ImageAtomicFadd: kind.AtomicFadd, intrinsic.ImageAtomicMin: kind.AtomicFmin, intrinsic.ImageAtomicMax: kind.AtomicFmax,
}

// texelFloatAtomic returns what an atomic on a texel does that is a loop on all targets.
func (c context) texelFloatAtomic(v ir.Value) (kind.AtomicOp, bool) {
	if c.S.At(v).Kind != kind.Intrinsic {
		return 0, false
	}
	op := texelFloats[c.S.At(v).Intrinsic()]
	return op, op != 0 && kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase)) == kind.BaseFloat
}

// texelExchangeLoop is exchangeLoop on a texel.
func (c context) texelExchangeLoop(v ir.Value, op kind.AtomicOp) ir.Src {
	s, b := c.S, c.B
	var src [4]ir.Src // coordinates, sample, data, image
	for i := range src {
		src[i] = s.Operand(v, i)
	}
	return c.exchangeUntil(v, func(expected ir.Src) ir.Src {
		var x ir.Src
		switch op {
		case kind.AtomicFadd:
			x = b.FAdd(expected, src[2])
		case kind.AtomicFmin:
			x = b.FMin(expected, src[2])
		default:
			x = b.FMax(expected, src[2])
		}
		return b.ImageAtomicCompSwap(s.At(v).Bits, src[0], src[1], expected, x, src[3],
			kind.ImageDim(s.Index(v, intrinsic.IxImageDim)), s.Index(v, intrinsic.IxImageArray) != 0, kind.Format(s.Index(v, intrinsic.IxFormat)),
			kind.Access(s.Index(v, intrinsic.IxAccess)), kind.BaseFloat, s.TargetForm(v))
	})
}

// loopBefore inserts an empty loop before v, splitting its block, and returns the
// block before the loop and that of its body.
func (c context) loopBefore(v ir.Value) (before, body ir.Node) {
	s := c.S
	before = s.SplitFront(v)
	return before, s.Body(s.InsertLoopBetween(before))
}
