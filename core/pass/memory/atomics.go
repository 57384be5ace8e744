// SPDX-License-Identifier: MIT

package memory

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerAtomics lowers atomics on buffers and texels that the target has no message for to loops around a
// compare-and-exchange.
func LowerAtomics(pc *pass.Context) bool {
	c := in(pc)
	return c.Rewrite(func(v ir.Value) (ir.Src, bool) {
		if c.S.At(v).Kind != kind.Intrinsic {
			return ir.Src{}, false
		}
		id := c.S.At(v).Intrinsic()
		if exchanges[id] == intrinsic.None {
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
	if id.Is(intrinsic.TraitImageAtomic) {
		return !c.Target().TexelAtomic(o)
	}
	return !c.Target().Atomic(o)
}

// atomicOf returns the operation of an atomic. It returns false if the intrinsic has no operation for the image's type
// of texels.
func (c context) atomicOf(v ir.Value) (kind.AtomicOp, bool) {
	id := c.S.At(v).Intrinsic()
	if id.Is(intrinsic.TraitImageAtomic) {
		return atomic.Texel(id, kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase)))
	}
	return kind.AtomicOp(c.S.Index(v, intrinsic.IxAtomicOp)), true
}

// exchanges maps each atomic without a comparison to the compare-and-exchange on the same kind of memory, and other
// intrinsics to None.
var exchanges = func() (table [intrinsic.Count]intrinsic.ID) {
	memories := []intrinsic.Trait{intrinsic.TraitBuffer, intrinsic.TraitShared, intrinsic.TraitGlobal, intrinsic.TraitImageAtomic}
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if !changes(id) || id.Source(intrinsic.RoleCompare) >= 0 {
			continue
		}
		for x := intrinsic.None + 1; x < intrinsic.Count; x++ {
			both := func(m intrinsic.Trait) bool { return id.Is(m) && x.Is(m) }
			if changes(x) && x.Source(intrinsic.RoleCompare) >= 0 && slices.ContainsFunc(memories, both) {
				table[id] = x
			}
		}
	}
	return table
}()

// changes reports whether an intrinsic is an atomic on a scalar.
func changes(id intrinsic.ID) bool {
	return (id.Is(intrinsic.TraitAtomic) || id.Is(intrinsic.TraitImageAtomic)) && id.Info().DestComps == 1
}

// exchange inserts a compare-and-exchange of the memory that v accesses: it writes x if the memory
// contains expected, and returns the previous value.
func (c context) exchange(v ir.Value, expected, x ir.Src) ir.Src {
	s, old := c.S, c.S.At(v).Intrinsic()
	id := exchanges[old]
	var src [intrinsic.NumRoles]ir.Src
	for r := range intrinsic.NumRoles {
		switch i := id.Source(r); {
		case i < 0:
		case r == intrinsic.RoleCompare:
			src[i] = expected
		case r == intrinsic.RoleData:
			src[i] = x
		default:
			src[i] = s.Src(v, old.Source(r))
		}
	}
	n := id.Info().NumOperands()
	if id.Info().Target != intrinsic.TargetNone {
		src[n-1] = s.Src(v, old.Info().NumOperands()-1)
	}
	w := c.B.Intrinsic(id, 1, s.At(v).Bits, src[:n]...)
	for i, ix := range id.Info().Ix[:id.Info().NumIx] {
		if ix == intrinsic.IxAtomicOp {
			s.Words(w)[i] = uint32(kind.AtomicCmpxchg)
		} else {
			s.Words(w)[i] = s.Index(v, ix)
		}
	}
	return s.All(w)
}

// exchangeLoop inserts before v a loop that performs v's operation, and returns the previous value:
//
//	old = 0
//	loop {
//	    expected = old
//	    old = compare and exchange: expected, operation(expected, data)
//	    if old == expected { break }
//	}
//
// The values are compared as integers, so that NaN and -0 compare equal to themselves. A wrong initial guess costs one
// iteration, as much as a load before the loop; out of bounds, where an atomic returns 0, the initial guess is right.
// In each iteration at least one of the invocations that change one location leaves the loop.
func (c context) exchangeLoop(v ir.Value, o kind.AtomicOp) ir.Src {
	s, b := c.S, c.B
	data := s.Src(v, s.At(v).Intrinsic().Source(intrinsic.RoleData))
	b.Before(v)
	b.Float = 0 // every addition rounds exactly as written
	bits := s.At(v).Bits
	guess := b.Const(bits, 0)

	before, body := c.loopBefore(v)
	b.AtEnd(body)
	phi := b.Phi(1, bits, 2)
	expected := s.All(phi)
	x, _ := b.AtomicValue(o, expected, data, data) // no atomic in exchanges has a comparison
	old := c.exchange(v, expected, x)
	iff := s.InsertIf(body, b.IEq(old, expected))
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	s.AddPhiSrc(phi, before, guess)
	s.AddPhiSrc(phi, s.NextNode(iff), old)
	b.Before(v)
	return old
}

// loopBefore inserts an empty loop before v, splitting its block. It returns the block before the loop and the block in
// its body.
func (c context) loopBefore(v ir.Value) (before, body ir.Node) {
	s := c.S
	before = s.SplitFront(v)
	return before, s.Body(s.InsertLoop(before))
}
