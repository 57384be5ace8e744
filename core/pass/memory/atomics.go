package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// LowerFloatAtomics lowers atomic float additions to compare-and-exchange loops if
// the target has no message for them.
func LowerFloatAtomics(pc *pass.Context) bool {
	c := in(pc)
	if c.Target().Can(target.FloatAtomicAdd) {
		return false
	}
	return c.Rewrite(func(v ir.Value) (ir.Src, bool) {
		if !c.isFloatAdd(v) {
			return ir.Src{}, false
		}
		return c.exchangeLoop(v), true
	})
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
	b.Before(v)
	b.Float = 0 // every addition rounds as written
	guess := b.Const(in.Bits, 0)

	before, body := c.loopBefore(v)
	b.AtEnd(body)
	phi := b.Phi(1, in.Bits, 2)
	expected := s.All(phi)
	sum := b.FAdd(expected, src[n-1])
	var old ir.Src
	switch in.Intrinsic() {
	case intrinsic.SharedAtomic:
		old = b.SharedAtomicSwap(in.Bits, src[0], expected, sum, int32(s.Index(v, intrinsic.IxBase)), kind.AtomicCmpxchg)
	case intrinsic.GlobalAtomic:
		old = b.GlobalAtomicSwap(in.Bits, src[0], expected, sum, kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicCmpxchg)
	default:
		old = b.SSBOAtomicSwap(in.Bits, src[0], src[1], expected, sum, kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicCmpxchg)
	}
	iff := s.InsertIf(body, b.IEq(old, expected))
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	s.AddPhiSrc(phi, before, guess)
	s.AddPhiSrc(phi, s.NextNode(iff), old)
	b.Before(v)
	return old
}

// loopBefore inserts an empty loop before v, splitting its block, and returns the
// block before the loop and that of its body.
func (c context) loopBefore(v ir.Value) (before, body ir.Node) {
	s := c.S
	before = s.SplitFront(v)
	return before, s.Body(s.InsertLoopBetween(before))
}
