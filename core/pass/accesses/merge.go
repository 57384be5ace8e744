// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

const (
	// mostBytes is the size of the largest message in bytes.
	mostBytes = 16
	// mostHole is the maximum number of unused bytes in a merged load.
	mostHole = 4
	// rowBytes is the size of the largest message for a uniform vector, of which each lane reads a dword, and rowHole
	// the maximum number of unused bytes in it: unused lanes cost nothing.
	rowBytes, rowHole = 64, 16
	// smallComps is the maximum number of bytes or words that are merged, and smallHole the maximum number of unused
	// bytes in such a load.
	smallComps, smallHole = 8, 3
	// reach is the maximum number of instructions that an access moves across, which bounds the time to compare it with
	// the accesses between. Scheduling limits how long the components of a merged load occupy registers.
	reach = 500
	// mostOpen is the maximum number of groups of accesses that are collected at the same time.
	mostOpen = 16
	// maxMembers is the maximum number of accesses in a group.
	maxMembers = 16
	// orderSteps is the cost of comparing two accesses.
	orderSteps = 2
)

// group is a set of accesses in a block that become one access.
type group struct {
	n      int
	member [maxMembers]span
	lo     int64 // start and end in bytes, relative to the first member
	hi     int64
}

// merger is the scratch memory of MergeAccesses.
type merger struct {
	open   [mostOpen]group
	used   int
	known  bool   // Div has been built
	small  bool   // a group of bytes or words was merged
	order  []span // the accesses of the block; id is None if their memory is not known
	loads  int    // number of loads in order that may be merged
	stores int    // number of stores
}

// MergeAccesses merges accesses of a block to neighboring dwords of the same memory into accesses to vectors of up to
// four dwords, and loads at a uniform offset of a buffer into vectors of up to sixteen. A merged load is at the place
// of the first load, a merged store at the place of the last store, without components that later stores overwrite.
// Accesses to bytes and words become accesses to the dwords or words that their alignment allows, if that saves
// messages. Loads of buffers may read one additional dword, or four at a uniform offset. Other memory has no bounds that
// make additional reads harmless. Stores never write additional bytes. Nothing moves across an access that may touch the
// same memory, except a load across a load, nor across a barrier, an atomic or another access to unknown memory. Volatile
// and coherent accesses stay as they are.
func MergeAccesses(pc *pass.Context) bool { return in(pc).mergeBlocks() }

// MergeAddresses is like MergeAccesses, for accesses at 64-bit addresses only. It must run before 64-bit additions become
// pairs of 32-bit additions with a carry, which hide the constant distances between addresses.
func MergeAddresses(pc *pass.Context) bool {
	c := in(pc)
	c.wide = true
	return c.mergeBlocks()
}

// AtAddresses reports whether the shader loads from or stores to 64-bit addresses.
func AtAddresses(c *pass.Context) bool {
	for b := range c.S.Blocks(c.F) {
		for v := range c.S.Instrs(b) {
			if id := c.S.At(v).Intrinsic(); id.Is(intrinsic.TraitGlobal) && !id.Is(intrinsic.TraitAtomic) {
				return true
			}
		}
	}
	return false
}

func (c context) mergeBlocks() bool {
	m := pass.Scratch[merger](c.Context)
	m.known = false
	changed := false
	for b := range c.S.Blocks(c.F) {
		changed = c.mergeBlock(m, b) || changed
	}
	return changed
}

// mergeBlock merges the accesses of a block.
func (c context) mergeBlock(m *merger, b ir.Node) bool {
	changed, stale := false, true
	// Stores second: the places of loads limit how far stores may move.
	for _, stores := range [...]bool{false, true} {
		if stores && m.stores < 2 {
			break
		}
		for m.small = true; m.small; { // bytes become dwords, which may have neighbors
			m.small = false
			if stale {
				c.collect(m, b)
			}
			stale = c.mergeOrder(m, stores)
			changed = changed || stale
		}
	}
	return changed
}

// collect finds the accesses of a block.
func (c context) collect(m *merger, b ir.Node) {
	s := c.S
	m.order, m.loads, m.stores = m.order[:0], 0, 0
	pos := int32(0)
	for v := s.First(b); v != 0; {
		in := s.At(v)
		if in.Kind != kind.Deref { // derefs generate no code
			pos++
		}
		if pass.MayTouch(in) {
			m.order = append(m.order, span{})
			if x := &m.order[len(m.order)-1]; !c.touches(v, x) {
				m.order = m.order[:len(m.order)-1]
			} else {
				x.pos = pos
				m.count(x, c.skips(x))
			}
		}
		v = in.Next()
	}
}

// count counts an access if it may be merged with others.
func (m *merger) count(x *span, skipped bool) {
	switch {
	case x.id == intrinsic.None, skipped:
	case x.form.value < 0:
		m.loads++
	default:
		m.stores++
	}
}

// skips reports whether this run of the pass leaves an access alone.
func (c context) skips(x *span) bool { return c.indexed && !indexable(x) || c.wide && !x.wide }

// mergeOrder merges the loads or the stores of the block whose accesses have been collected.
func (c context) mergeOrder(m *merger, stores bool) bool {
	if stores && m.stores < 2 || !stores && m.loads < 2 {
		return false
	}
	m.used = 0
	changed := false
	for i := range m.order {
		x := &m.order[i]
		if changed { // its operands may have been merged
			pos := x.pos
			c.touches(x.v, x)
			x.pos = pos
		}
		if c.mergeable(m, x) && x.form.value >= 0 == stores {
			if !c.join(m, i) {
				changed = c.begin(m, x) || changed
			}
		}
	}
	for i := range m.open[:m.used] {
		changed = c.merge(m, &m.open[i]) || changed
	}
	return changed
}

// touches computes the span of an instruction for which pass.MayTouch holds. It reports whether the instruction's order
// among the accesses of the block matters.
func (c context) touches(v ir.Value, x *span) bool {
	s := c.S
	in := s.At(v)
	id := in.Intrinsic()
	*x = span{v: v}
	if id == intrinsic.None {
		return true
	}
	f := &memForms[id]
	switch {
	case id == intrinsic.LoadPushConstant:
		return false
	case f.bytes && !c.watched(v):
		if c.indexed && f.space != elsewhere {
			return false // only accesses to buffers are merged
		}
		c.spanOf(in, f, x)
		return true
	case !f.bytes && (s.CanReorder(v) || s.CanEliminate(v) && id.Slot(intrinsic.IxAccess) < 0):
		return false // no memory access
	}
	x.effect = f.bytes || !s.CanEliminate(v)
	return true
}

// uniformRow reports whether an access loads a uniform vector from a buffer: the lanes of one message then read its
// components.
func (c context) uniformRow(m *merger, x *span) bool {
	if c.indexed || !loadsBuffer(x.id) {
		return false
	}
	if x.binding.Known && x.terms[0].val == 0 {
		return true
	}
	if !m.known {
		c.CFG.Build(c.S, c.F)
		c.Div.Build(c.S, c.F, &c.CFG)
		m.known = true
	}
	return int(x.v) < c.Div.NumValues() && !c.Div.Value(x.v)
}

// mergeable reports whether an access may be merged: it has components of up to 32 bits, dwords at multiples of four bytes,
// writes all components if it is a store, and is smaller than the largest message.
func (c context) mergeable(m *merger, x *span) bool {
	s := c.S
	if x.id == intrinsic.None || x.size == 0 || x.size > 4 || c.skips(x) || x.size == 4 && !c.alignment(x.v).multiple(0, 4) {
		return false
	}
	if x.form.value < 0 {
		return x.bytes < mostBytes || x.bytes < rowBytes && c.uniformRow(m, x)
	}
	return x.bytes < mostBytes && s.Index(x.v, intrinsic.IxWriteMask) == 1<<s.At(x.v).Comps-1
}

// join adds the access at an index of order to a group that it fits, if there is one, and reports whether there is. It
// prefers a group of loads that does not begin after the access: the rows of a matrix that is read by columns stay whole.
func (c context) join(m *merger, at int) bool {
	x := &m.order[at]
	var after *group
	for i := m.used - 1; i >= 0; i-- {
		g := &m.open[i]
		if !c.fits(m, g, at) {
			continue
		}
		if x.form.value >= 0 || less(x, &g.member[0]) >= g.lo {
			g.add(x)
			return true
		}
		if after == nil {
			after = g
		}
	}
	if after == nil {
		return false
	}
	after.add(x)
	return true
}

// fits reports whether the access at an index of order may join a group.
func (c context) fits(m *merger, g *group, at int) bool {
	x, first := &m.order[at], &g.member[0]
	if g.n == maxMembers || x.pos-first.pos > reach || first.id != x.id ||
		first.size != x.size || !comparable(first, x) || !c.alike(first.v, x.v) {
		return false
	}
	d := less(x, first)
	lo, hi := min(g.lo, d), max(g.hi, d+int64(x.bytes))
	gap := max(d-g.hi, g.lo-d-int64(x.bytes))
	most, hole := int64(mostBytes), int64(mostHole)
	switch {
	case x.size < 4:
		most, hole = min(most, smallComps*int64(x.size)), smallHole
	case c.uniformRow(m, x) && c.uniformRow(m, first):
		most, hole = rowBytes, rowHole
	}
	if hi-lo > most || d&int64(x.size-1) != 0 || gap > hole || gap > 0 && !loadsBuffer(x.id) {
		return false
	}
	return !c.wraps(first, lo, x.size*uint32(vectorComps(int(hi-lo)/int(x.size)))) && c.movable(m, g, at)
}

// add adds an access that fits.
func (g *group) add(x *span) {
	d := less(x, &g.member[0])
	g.lo, g.hi = min(g.lo, d), max(g.hi, d+int64(x.bytes))
	g.member[g.n] = *x
	g.n++
}

// vectorComps rounds a number of components up to the size of a vector.
func vectorComps(n int) int {
	switch {
	case n > 8:
		return 16
	case n > 5:
		return 8
	}
	return n
}

// alike reports whether two accesses differ only in offset and size.
func (c context) alike(a, b ir.Value) bool {
	s := c.S
	id := s.At(a).Intrinsic()
	for i := range int(s.At(a).NAux) {
		switch id.Info().Ix[i] {
		case intrinsic.IxAlignMul, intrinsic.IxAlignOffset, intrinsic.IxWriteMask, intrinsic.IxBase:
		default:
			if s.Words(a)[i] != s.Words(b)[i] {
				return false
			}
		}
	}
	return true
}

// movable reports whether the load at an index of order may move up to the first member of a group, or whether all
// members of a group of stores may move down to the store at that index.
func (c context) movable(m *merger, g *group, at int) bool {
	x := &m.order[at]
	if !x.fixed {
		return true
	}
	for i := at - 1; i >= 0 && m.order[i].pos > g.member[0].pos; i-- {
		y := &m.order[i]
		c.Work.Spend(orderSteps)
		if x.form.value < 0 {
			if c.ordered(x, y) {
				return false
			}
			continue
		}
		for k := range g.member[:g.n] {
			if e := &g.member[k]; e.pos < y.pos && c.ordered(e, y) {
				return false
			}
		}
	}
	return true
}

// ordered reports whether access x, whose memory is known, must not move across y.
func (c context) ordered(x, y *span) bool {
	if y.id == intrinsic.None {
		return x.form.value >= 0 || y.effect // y may read anything
	}
	if x.form.value < 0 && y.form.value < 0 || !y.fixed {
		return false
	}
	return c.overlap(x, y)
}

// begin opens a group with one access. If there are too many groups, it first merges the oldest. It reports whether the
// shader changed.
func (c context) begin(m *merger, x *span) bool {
	changed := false
	if m.used == mostOpen {
		changed = c.merge(m, &m.open[0])
		copy(m.open[:], m.open[1:])
		m.used--
	}
	g := &m.open[m.used]
	m.used++
	g.n, g.lo, g.hi = 1, 0, int64(x.bytes)
	g.member[0] = *x
	return changed
}
