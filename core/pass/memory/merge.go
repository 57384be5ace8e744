package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

const (
	// mostBytes is the size of the largest message.
	mostBytes = 16
	// mostHole is how many bytes a merged load reads that nobody wants.
	mostHole = 4
	// rowBytes is the size of the largest message for a uniform vector, of which each lane reads
	// a dword; lanes that nobody wants cost nothing.
	rowBytes, rowHole = 64, 16
	// smallComps is the number of bytes or words that are merged at most, smallHole that of the
	// bytes that a load may read besides.
	smallComps, smallHole = 8, 3
	// reach is how many instructions an access moves at most. A load that moves up keeps its
	// result in a register for longer.
	reach = 48
	// mostOpen is how many groups of accesses are collected at the same time.
	mostOpen = 16
	// maxMembers is the number of accesses of a group.
	maxMembers = 16
	// orderSteps is the cost of comparing two accesses.
	orderSteps = 2
)

// group is accesses of a block that become one.
type group struct {
	n      int
	member [maxMembers]span
	lo     int64 // start and end, relative to the first member
	hi     int64
}

// merger is the memory of MergeAccesses.
type merger struct {
	open  [mostOpen]group
	used  int
	known bool   // Div has been built
	small bool   // a group of bytes or words was merged
	order []span // the accesses of the block so far, with no intrinsic if their memory is not known
}

// MergeAccesses merges accesses of a block to neighbouring dwords of the same memory
// into accesses to vectors of up to four, loads at a uniform offset of a buffer into vectors of
// up to sixteen: loads at the place of the first one, stores at that of the last, without what
// later ones overwrite. Accesses to bytes and words become accesses to the dwords or words that
// their alignment allows, if that saves messages. Loads of buffers may read a dword more than
// the shader does, at a uniform offset four dwords; stores write nothing else, and other memory
// has no bounds that make the additional read harmless. Nothing moves across an access that may
// touch the same memory, except two loads, nor across a barrier, an atomic or another access
// whose memory is not known. Volatile and coherent accesses stay as they are.
func MergeAccesses(pc *pass.Context) bool {
	c := in(pc)
	m := pass.Scratch[merger](pc)
	m.known = false
	changed := false
	for b := range c.S.Blocks(c.F) {
		// Stores second: what they may move across depends on where loads are.
		for _, stores := range [...]bool{false, true} {
			for m.small = true; m.small; { // bytes become dwords, which others may be next to
				m.small = false
				changed = c.mergeBlock(m, b, stores) || changed
			}
		}
	}
	return changed
}

// mergeBlock merges the loads, or the stores, of a block.
func (c context) mergeBlock(m *merger, b ir.Node, stores bool) bool {
	s := c.S
	m.used, m.order = 0, m.order[:0]
	pos := int32(0)
	changed := false
	for v := range s.Instrs(b) {
		if s.At(v).Kind != kind.Deref { // gone in the end
			pos++
		}
		x, is := c.touches(v)
		if !is {
			continue
		}
		x.pos = pos
		x.row = !stores && !c.indexed && c.uniformRow(m, &x)
		if f := x.form; c.mergeable(&x) && f.value >= 0 == stores {
			if !c.join(m, &x) {
				changed = c.begin(m, &x) || changed
			}
		}
		m.order = append(m.order, x)
	}
	for i := range m.open[:m.used] {
		changed = c.merge(m, &m.open[i]) || changed
	}
	return changed
}

// touches returns the span of an instruction, and whether the order of the instruction among
// accesses counts.
func (c context) touches(v ir.Value) (span, bool) {
	s := c.S
	in := s.At(v)
	id := in.Intrinsic()
	if id == intrinsic.None {
		return span{v: v}, in.Kind == kind.Tex
	}
	f, ok := memFormOf(id)
	switch {
	case id == intrinsic.LoadPushConstant:
		return span{}, false
	case ok && s.Index(v, intrinsic.IxAccess)&uint32(kind.AccessVolatile|kind.AccessCoherent) == 0:
		return c.spanOf(v, f), true
	case !ok && (s.CanReorder(v) || s.CanEliminate(v) && id.Slot(intrinsic.IxAccess) < 0):
		return span{}, false // accesses no memory
	}
	return span{v: v, effect: ok || !s.CanEliminate(v)}, true
}

// uniformRow reports whether an access loads a uniform vector from a buffer. The lanes of
// one message then read its components.
func (c context) uniformRow(m *merger, x *span) bool {
	if x.id != intrinsic.LoadSSBO && x.id != intrinsic.LoadUBO {
		return false
	}
	if x.binding.Known && x.base.Val == 0 {
		return true
	}
	if !m.known {
		c.CFG.Build(c.S, c.F)
		c.Div.Build(c.S, c.F, &c.CFG)
		m.known = true
	}
	return int(x.v) < c.Div.NumValues() && !c.Div.Value(x.v)
}

// mergeable reports whether an access is to whole components of up to 32 bits, and leaves
// room for others in a message.
func (c context) mergeable(x *span) bool {
	s := c.S
	if x.id == intrinsic.None || x.size == 0 || x.size > 4 || c.indexed && !indexable(x) {
		return false
	}
	if x.form.value < 0 {
		return x.bytes < mostBytes || x.row && x.bytes < rowBytes
	}
	return x.bytes < mostBytes && s.Index(x.v, intrinsic.IxWriteMask) == 1<<s.At(x.v).Comps-1
}

// join adds an access to a group, if there is one that it fits.
func (c context) join(m *merger, x *span) bool {
	for i := m.used - 1; i >= 0; i-- {
		g := &m.open[i]
		first := &g.member[0]
		if g.n == maxMembers || x.pos-first.pos > reach || first.id != x.id || first.size != x.size || !comparable(first, x) || !c.alike(first.v, x.v) {
			continue
		}
		d := c.less(x, first)
		lo, hi := min(g.lo, d), max(g.hi, d+int64(x.bytes))
		gap := max(d-g.hi, g.lo-d-int64(x.bytes))
		most, hole := int64(mostBytes), int64(mostHole)
		switch {
		case x.size < 4:
			most, hole = min(most, smallComps*int64(x.size)), smallHole
		case x.row && first.row:
			most, hole = rowBytes, rowHole
		}
		if hi-lo > most || d&int64(x.size-1) != 0 {
			continue
		}
		if gap > hole || gap > 0 && x.id != intrinsic.LoadSSBO && x.id != intrinsic.LoadUBO {
			continue
		}
		if c.wraps(first, lo, x.size*uint32(vectorComps(int(hi-lo)/int(x.size)))) || !c.movable(m, g, x) {
			continue
		}
		g.member[g.n] = *x
		g.n++
		g.lo, g.hi = lo, hi
		return true
	}
	return false
}

// vectorComps rounds a number of components up to that of a vector.
func vectorComps(n int) int {
	switch {
	case n > 8:
		return 16
	case n > 5:
		return 8
	}
	return n
}

// alike reports whether two accesses differ in nothing but their place and size.
func (c context) alike(a, b ir.Value) bool {
	s := c.S
	id := s.At(a).Intrinsic()
	for i := range int(s.At(a).NAux) {
		switch id.Info().Ix[i] {
		case intrinsic.IxAlignMul, intrinsic.IxAlignOffset, intrinsic.IxWriteMask, intrinsic.IxBase:
		default:
			if s.Word(a, i) != s.Word(b, i) {
				return false
			}
		}
	}
	return true
}

// movable reports whether x, a load, may move up to the first member of a group, or all
// members, stores, down to x.
func (c context) movable(m *merger, g *group, x *span) bool {
	if !x.fixed {
		return true
	}
	for i := len(m.order) - 1; i >= 0 && m.order[i].pos > g.member[0].pos; i-- {
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

// ordered reports whether access x, which is known, must stay on its side of y.
func (c context) ordered(x, y *span) bool {
	if y.id == intrinsic.None {
		return x.form.value >= 0 || y.effect // may read anything
	}
	if x.form.value < 0 && y.form.value < 0 || !y.fixed {
		return false
	}
	return c.overlap(x, y)
}

// begin opens a group with one access, and merges the oldest group if there are too many.
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
