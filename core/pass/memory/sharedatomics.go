// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerSharedAtomics lowers 64-bit atomics on workgroup memory, which no target has messages for, to reads and writes
// under a lock of the workgroup. In a shader with such atomics, 64-bit atomic loads and stores take the lock too.
func LowerSharedAtomics(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	found := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			found = found || c.lockedAtomic(v) && s.At(v).Intrinsic().Is(intrinsic.TraitAtomic)
		}
	}
	if !found {
		return false
	}
	lock := s.NewVar(ir.VarInfo{
		Name: s.Strs.Intern("lock"), Mode: kind.ModeShared, Type: s.Types.Scalar(ir.TypeUint, 32), ZeroInit: true, Location: -1,
	})
	return c.Rewrite(func(v ir.Value) (ir.Src, bool) {
		if !c.lockedAtomic(v) {
			return ir.Src{}, false
		}
		return c.underLock(v, lock), true
	})
}

// lockedAtomic reports whether an instruction accesses 64 bits of workgroup memory
// atomically.
func (c context) lockedAtomic(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	if in.Kind != kind.Intrinsic {
		return false
	}
	bits := in.Bits
	switch id := in.Intrinsic(); {
	case id.Source(intrinsic.RoleDeref) < 0:
		return false
	case id.Is(intrinsic.TraitAtomic):
	case id == intrinsic.LoadDeref, id == intrinsic.StoreDeref:
		if kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessCoherent == 0 {
			return false
		}
		if id == intrinsic.StoreDeref {
			bits = s.At(s.Src(v, 1).Val).Bits
		}
	default:
		return false
	}
	return bits == 64 && s.Modes(s.Src(v, 0).Val) == kind.ModeShared
}

// underLock inserts before v a loop that performs v's operation, and returns the previous value:
//
//	loop {
//	    if compare and exchange of lock, 0, 1 returns 0 {
//	        old = load
//	        store operation(old, data)
//	        lock = 0
//	        break
//	    }
//	}
//
// Of the invocations of a thread that try at the same time, one gets the lock. It releases the lock before the others
// try again.
func (c context) underLock(v ir.Value, lock ir.Var) ir.Src {
	s, b := c.S, c.B
	in := *s.At(v)
	ptr := s.Src(v, 0)
	b.Before(v)
	_, body := c.loopBefore(v)
	b.AtEnd(body)
	at := s.All(b.DerefVar(lock))
	got := b.DerefAtomicSwap(32, at, b.Imm(0), b.Imm(1), 0, kind.AtomicCmpxchg)
	iff := s.InsertIf(body, b.IEq(got, b.Imm(0)))
	b.AtEnd(s.Then(iff))
	// The barriers keep the plain accesses between the accesses to the lock.
	order := func(how kind.Semantics) { b.Barrier(kind.ScopeNone, kind.ScopeWorkgroup, how, kind.ModeShared) }
	order(kind.SemAcquire)
	var old ir.Src
	switch in.Intrinsic() {
	case intrinsic.LoadDeref:
		old = b.LoadDeref(in.Comps, 64, ptr, 0)
	case intrinsic.StoreDeref:
		b.StoreDeref(ptr, s.Src(v, 1), s.Index(v, intrinsic.IxWriteMask), 0)
	default:
		old = b.LoadDeref(1, 64, ptr, 0)
		b.StoreDeref(ptr, c.combined(v, old), 1, 0)
	}
	order(kind.SemRelease)
	b.DerefAtomic(32, at, b.Imm(0), 0, kind.AtomicXchg)
	b.Jump(kind.JumpBreak)
	b.Before(v)
	return old
}

// combined returns the new value that an atomic writes.
func (c context) combined(v ir.Value, old ir.Src) ir.Src {
	s := c.S
	o := kind.AtomicOp(s.Index(v, intrinsic.IxAtomicOp))
	var operands [3]ir.Src // pointer, data; or pointer, compare, data
	n := int(s.At(v).NSrc)
	for i := range n {
		operands[i] = s.Src(v, i)
	}
	x, ok := c.B.AtomicValue(o, old, operands[n-1], operands[1])
	if !ok || !atomic.Has(o, s.At(v).Bits) {
		c.FailAt(s.At(v).Loc, "the 64-bit atomic %s on workgroup memory is not supported", o)
		return old
	}
	return x
}
