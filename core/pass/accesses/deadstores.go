// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// DeadStores removes stores that a later store of their block overwrites, if nothing may read them in between: a load
// that may overlap, a barrier, an atomic, or an access to unknown memory. Stores to workgroup memory are removed if the
// shader never reads workgroup memory.
func DeadStores(pc *pass.Context) bool {
	c := in(pc)
	m := pass.Scratch[forwarder](pc)
	changed := c.unreadShared()
	for b := range c.S.Blocks(c.F) {
		changed = c.deadStores(m, b) || changed
	}
	return changed
}

// unreadShared removes the stores to workgroup memory if the shader has no loads of it and no atomics on it. Other
// workgroups have separate memory.
func (c context) unreadShared() bool {
	s := c.S
	if s.Info.SharedSize == 0 {
		return false
	}
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic().Is(intrinsic.TraitShared) && s.At(v).HasResult() {
				return false
			}
		}
	}
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() == intrinsic.StoreShared && s.Index(v, intrinsic.IxAccess)&uint32(kind.AccessVolatile) == 0 {
				s.Remove(v)
				changed = true
			}
		}
	}
	return changed
}

// deadStores visits a block from its end back to its first store, and records the memory that will be overwritten.
func (c context) deadStores(m *forwarder, b ir.Node) bool {
	s := c.S
	first := c.firstStore(b)
	if first == 0 {
		return false
	}
	m.records = records{list: m.list[:0]}
	changed := false
	var x span
	for v, done := s.Last(b), false; !done; {
		at, in := v, s.At(v)
		v, done = in.Prev(), v == first
		switch {
		case !pass.MayTouch(in), len(m.list) == 0 && (done || memForms[in.Intrinsic()].value < 0): // no records yet
		case !c.touches(at, &x):
		case x.id == intrinsic.None: // may read anything
			c.forgetEffect(m.current(), at)
		case x.form.value < 0:
			c.forget(m.current(), &x)
		default:
			changed = c.deadStore(m, &x) || changed
		}
	}
	return changed
}

// firstStore returns the first instruction of a block that stores to memory by offset, or 0 if there is none.
func (c context) firstStore(b ir.Node) ir.Value {
	s := c.S
	for v := s.First(b); v != 0; {
		in := s.At(v)
		if in.Kind == kind.Intrinsic {
			if f := &memForms[in.Intrinsic()]; f.bytes && f.value >= 0 {
				return v
			}
		}
		v = in.Next()
	}
	return 0
}

// deadStore removes a store if all of its components are overwritten, and reports whether it did. Otherwise it records
// the components that the store writes.
func (c context) deadStore(m *forwarder, x *span) bool {
	s := c.S
	val := s.Src(x.v, int(x.form.value))
	mask := s.Index(x.v, intrinsic.IxWriteMask) & (1<<val.N - 1)
	size := uint32(s.At(val.Val).Bits) / 8
	if size == 0 {
		return false
	}
	for k := range uint32(val.N) {
		if mask>>k&1 != 0 && c.valueAt(m, x, k*size, size, false).Val == 0 {
			m.add(record{span: *x, val: val, mask: mask})
			return false
		}
	}
	s.Remove(x.v)
	return true
}
