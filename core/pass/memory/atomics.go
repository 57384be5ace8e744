package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerAtomics lowers atomics on buffers and texels for which the target has no message, to
// loops around a compare-and-exchange.
func LowerAtomics(pc *pass.Context) bool {
	c := in(pc)
	return c.Rewrite(func(v ir.Value) (ir.Src, bool) {
		if c.S.At(v).Kind != kind.Intrinsic {
			return ir.Src{}, false
		}
		id := c.S.At(v).Intrinsic()
		if exchanges[id] == nil {
			return ir.Src{}, false
		}
		o, ok := c.atomicOf(v)
		if !ok || !atomic.Has(o, c.S.At(v).Bits) || !c.lacks(id, o) {
			return ir.Src{}, false
		}
		return c.exchangeLoop(v, o), true
	})
}

// lacks reports whether the target has no message for an atomic.
func (c context) lacks(id intrinsic.ID, o kind.AtomicOp) bool {
	if id.Info().Family == intrinsic.FamilyImageAtomic {
		return !c.Target().TexelAtomic(o)
	}
	return !c.Target().Atomic(o)
}

// atomicOf returns the operation of an atomic. It reports false if the image has texels of a type
// for which the intrinsic has no operation.
func (c context) atomicOf(v ir.Value) (kind.AtomicOp, bool) {
	id := c.S.At(v).Intrinsic()
	if id.Info().Family == intrinsic.FamilyImageAtomic {
		return atomic.Texel(id, kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase)))
	}
	return kind.AtomicOp(c.S.Index(v, intrinsic.IxAtomicOp)), true
}

// exchange inserts a compare-and-exchange of the memory that v accesses: it writes x if the memory
// contains expected, and returns the previous value.
type exchange func(c context, v ir.Value, expected, x ir.Src) ir.Src

// exchanges holds the compare-and-exchange that replaces each atomic. It is nil for other intrinsics.
var exchanges = everyTexelAtomic([intrinsic.Count]exchange{
	intrinsic.SSBOAtomic: func(c context, v ir.Value, expected, x ir.Src) ir.Src {
		s := c.S
		return c.B.SSBOAtomicSwap(s.At(v).Bits, s.Src(v, 0), s.Src(v, 1), expected, x,
			kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicCmpxchg)
	},
	intrinsic.SharedAtomic: func(c context, v ir.Value, expected, x ir.Src) ir.Src {
		s := c.S
		return c.B.SharedAtomicSwap(s.At(v).Bits, s.Src(v, 0), expected, x, int32(s.Index(v, intrinsic.IxBase)), kind.AtomicCmpxchg)
	},
	intrinsic.GlobalAtomic: func(c context, v ir.Value, expected, x ir.Src) ir.Src {
		s := c.S
		return c.B.GlobalAtomicSwap(s.At(v).Bits, s.Src(v, 0), expected, x,
			kind.Access(s.Index(v, intrinsic.IxAccess)), kind.AtomicCmpxchg)
	},
})

// everyTexelAtomic adds the atomics on texels to a table.
func everyTexelAtomic(table [intrinsic.Count]exchange) [intrinsic.Count]exchange {
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if id.Info().Family == intrinsic.FamilyImageAtomic && id.Source(intrinsic.RoleCompare) < 0 {
			table[id] = texelExchange
		}
	}
	return table
}

// texelExchange is the entry of exchanges for atomics on texels.
func texelExchange(c context, v ir.Value, expected, x ir.Src) ir.Src {
	s := c.S
	return c.B.ImageAtomicCompSwap(s.At(v).Bits, s.Src(v, 0), s.Src(v, 1), expected, x, s.Src(v, int(s.At(v).NSrc)-1),
		kind.ImageDim(s.Index(v, intrinsic.IxImageDim)), s.Index(v, intrinsic.IxImageArray) != 0,
		kind.Format(s.Index(v, intrinsic.IxFormat)), kind.Access(s.Index(v, intrinsic.IxAccess)),
		kind.BaseType(s.Index(v, intrinsic.IxTexelBase)), s.TargetForm(v))
}

// exchangeLoop inserts before v a loop that does to memory what v does, and returns the
// previous value:
//
//	old = 0
//	loop {
//	    expected = old
//	    old = compare and exchange: expected, what v makes of expected
//	    if old == expected { break }
//	}
//
// The values are compared as integers, so that NaN and -0 compare equal to
// themselves. A wrong guess costs one iteration, as a load before the loop would;
// out of bounds, where an atomic returns 0, the first guess is right. In each
// iteration at least one of the invocations that change one location leaves.
func (c context) exchangeLoop(v ir.Value, o kind.AtomicOp) ir.Src {
	s, b := c.S, c.B
	data := s.Src(v, s.At(v).Intrinsic().Source(intrinsic.RoleData))
	exchange := exchanges[s.At(v).Intrinsic()]
	b.Before(v)
	b.Float = 0 // every addition rounds as written
	bits := s.At(v).Bits
	guess := b.Const(bits, 0)

	before, body := c.loopBefore(v)
	b.AtEnd(body)
	phi := b.Phi(1, bits, 2)
	expected := s.All(phi)
	x, _ := b.AtomicValue(o, expected, data, data) // exchanges has no atomic that compares
	old := exchange(c, v, expected, x)
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
