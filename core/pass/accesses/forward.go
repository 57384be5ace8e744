// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// forwarder is the scratch memory of ForwardAccesses and DeadStores.
type forwarder struct {
	records
	fixed []uint32 // by binding: number of bytes that every buffer is assumed to have
}

// ForwardAccesses replaces loads of values that are known from earlier loads and stores of the invocation, and removes
// stores of values that memory already contains. A known value holds in the blocks that its block dominates, until a
// store, barrier or atomic that may change it. Memory that a loop may change is unknown in the loop. Volatile and
// coherent accesses stay, and no value is known across them.
//
// A value stored to a buffer is forwarded only if it is certain to be in bounds: at a constant offset in the fixed-size
// part of a block. If a buffer is shorter than that, loads yield the stored value instead of zero. With Options.Robust,
// no buffer is assumed to have a size.
func ForwardAccesses(pc *pass.Context) bool {
	c := in(pc)
	m := pass.Scratch[forwarder](pc)
	m.records = records{list: m.list[:0]}
	c.fixedSizes(m)
	return c.forwardList(m, c.S.Body(c.S.Func(c.F).Node))
}

// fixedSizes computes the minimum size of the buffers of each binding.
func (c context) fixedSizes(m *forwarder) {
	list := c.S.Info.Bindings
	m.fixed = reuse.Zeroed(m.fixed, len(list))
	if c.Options.Robust {
		return
	}
	for i := range list {
		m.fixed[i] = c.fixedSize(&list[i])
	}
}

// fixedSize returns the size of the fixed part of a binding's block, before a runtime array. It returns the smallest size
// if there are several blocks, or 0 if there is none.
func (c context) fixedSize(b *ir.Binding) uint32 {
	s := c.S
	least, found := uint32(0), false
	for x := range s.Vars(kind.ModeSSBO) {
		info := s.Var(x)
		if info.Set != b.Set || info.Binding != b.Binding {
			continue
		}
		if end := s.LayoutOfVar(x).End(s.Types.Innermost(info.Type)); !found || end < least {
			least, found = end, true
		}
	}
	return least
}

// forwardList visits a list of nodes.
func (c context) forwardList(m *forwarder, n ir.Node) bool {
	s := c.S
	changed := false
	for ; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			changed = c.forwardBlock(m, n) || changed
		case ir.NodeIf:
			changed = c.forwardIf(m, n) || changed
		default:
			c.forgetList(m, s.Body(n))
			old := m.push()
			changed = c.forwardList(m, s.Body(n)) || changed
			m.pop(old)
		}
	}
	return changed
}

// forwardIf visits the arms of an if. Afterwards, a value that was known before stays known if both arms leave the
// memory alone.
func (c context) forwardIf(m *forwarder, n ir.Node) bool {
	s := c.S
	changed := false
	for i := range m.current() {
		x := &m.current()[i]
		x.afterIf = x.mask
	}
	for _, arm := range [2]ir.Node{s.Then(n), s.Else(n)} {
		old := m.push()
		changed = c.forwardList(m, arm) || changed
		for i := range m.list[old.frame:m.frame] {
			m.list[old.frame+i].afterIf &= m.list[m.frame+i].mask
		}
		m.pop(old)
	}
	for i := range m.current() {
		x := &m.current()[i]
		x.mask = x.afterIf
	}
	return changed
}

// forgetList drops the values in memory that n and the nodes after it may change.
func (c context) forgetList(m *forwarder, n ir.Node) {
	s := c.S
	for ; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			c.forgetBlock(m, n)
		case ir.NodeIf:
			c.forgetList(m, s.Then(n))
			c.forgetList(m, s.Else(n))
		default:
			c.forgetList(m, s.Body(n))
		}
	}
}

// forgetBlock drops the values in memory that a block may change.
func (c context) forgetBlock(m *forwarder, b ir.Node) {
	s := c.S
	list := m.current()
	if len(list) == 0 {
		return
	}
	var x span
	for v := s.First(b); v != 0; {
		in := s.At(v)
		switch {
		case !pass.MayTouch(in) || c.justLoads(v) || !c.touches(v, &x):
		case x.id != intrinsic.None:
			c.forget(list, &x)
		case x.effect:
			c.forgetEffect(list, v)
		}
		v = in.Next()
	}
}

// forwardBlock visits a block.
func (c context) forwardBlock(m *forwarder, b ir.Node) bool {
	s := c.S
	changed := false
	var x span
	for next := s.First(b); next != 0; {
		v := next
		next = s.At(v).Next()
		switch {
		case !pass.MayTouch(s.At(v)) || !c.touches(v, &x):
		case x.id == intrinsic.None:
			if x.effect {
				c.forgetEffect(m.current(), v)
			}
		case x.form.value < 0:
			changed = c.forwardLoad(m, &x) || changed
		default:
			changed = c.forwardStore(m, &x) || changed
		}
	}
	return changed
}

// forwardLoad replaces a load if the values of all its components are known, and reports whether it did. Otherwise it
// records the loaded values.
func (c context) forwardLoad(m *forwarder, x *span) bool {
	s := c.S
	in := s.At(x.v)
	comps, size := uint32(in.Comps), uint32(in.Bits)/8
	if comps > fold.MaxComps || size == 0 {
		return false
	}
	var parts [fold.MaxComps]ir.Src
	for k := range comps {
		if parts[k] = c.valueAt(m, x, k*size, size, true); parts[k].Val == 0 {
			m.add(record{span: *x, val: s.All(x.v), mask: 1<<comps - 1, readable: true})
			return false
		}
	}
	c.B.Before(x.v)
	s.ReplaceUses(x.v, pass.VecOrOne(c.B, parts[:comps]))
	s.Remove(x.v)
	return true
}

// valueAt returns the known value of the n bytes that start more bytes after the start of access x, or no value if they
// are not known. A load may be replaced only by a readable value.
func (c context) valueAt(m *forwarder, x *span, more, n uint32, readable bool) ir.Src {
	list := m.current()
	c.Work.Spend(lookSteps * len(list))
	for i := len(list) - 1; i >= 0; i-- {
		y := &list[i]
		if y.terms[0] != x.terms[0] || y.binding.Entry != x.binding.Entry || readable && !y.readable {
			continue
		}
		if k := covers(y, x, more, n); k >= 0 {
			return y.val.Comp(k)
		}
	}
	return ir.Src{}
}

// forwardStore records the values that a store writes, or removes the store if memory contains them already. It reports
// whether it removed the store.
func (c context) forwardStore(m *forwarder, x *span) bool {
	s := c.S
	val := s.Src(x.v, int(x.form.value))
	mask := s.Index(x.v, intrinsic.IxWriteMask) & (1<<val.N - 1)
	size := uint32(s.At(val.Val).Bits) / 8
	if size == 0 || val.N > fold.MaxComps {
		c.forget(m.current(), x)
		return false
	}
	news := false
	for k := range uint32(val.N) {
		if mask>>k&1 != 0 {
			news = news || !sameScalar(c.valueAt(m, x, k*size, size, false), val.Comp(int(k)))
		}
	}
	if !news {
		s.Remove(x.v)
		return true
	}
	c.forget(m.current(), x)
	m.add(record{span: *x, val: val, mask: mask, readable: c.inBounds(m, x)})
	return false
}

// sameScalar reports whether two scalars are the same component of the same value.
func sameScalar(a, b ir.Src) bool { return a.Val == b.Val && a.Swz.Comp(0) == b.Swz.Comp(0) }

// inBounds reports whether store x is certainly in bounds, so that a later load reads the stored value.
func (c context) inBounds(m *forwarder, x *span) bool {
	switch {
	case x.id.Source(intrinsic.RoleSurface) < 0: // memory without bounds that a shader may rely on
		return true
	case x.terms[0].val != 0 || x.binding.Binding == 0:
		return false
	}
	return x.at+uint64(x.bytes) <= uint64(m.fixed[x.binding.Binding-1])
}
