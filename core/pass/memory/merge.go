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
	rowBytes, rowHole = 32, 16
	// reach is how many instructions an access moves at most. A load that moves up keeps its
	// result in a register for longer.
	reach = 48
	// mostOpen is how many groups of accesses are collected at the same time.
	mostOpen = 16
	// maxMembers is the number of accesses of a group.
	maxMembers = 8
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
	order []span // the accesses of the block so far, with no intrinsic if their memory is not known
}

// MergeAccesses merges accesses of a block to neighbouring dwords of the same memory
// into accesses to vectors of up to four, loads at a uniform offset of a buffer into vectors of
// up to eight: loads at the place of the first one, stores at that of the last, without what
// later ones overwrite. Loads of buffers may read a dword more than the shader does, at a
// uniform offset four dwords; stores write nothing else, and other memory has no bounds that
// make the additional read harmless. Nothing moves across an access that may touch the same
// memory, except two loads, nor across a barrier, an atomic or another access whose memory is
// not known.
// Volatile and coherent accesses stay as they are.
func MergeAccesses(pc *pass.Context) bool {
	c := in(pc)
	m := pass.Scratch[merger](pc)
	m.known = false
	changed := false
	for b := range c.S.Blocks(c.F) {
		// Stores second: what they may move across depends on where loads are.
		changed = c.mergeBlock(m, b, false) || changed
		changed = c.mergeBlock(m, b, true) || changed
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
		pos++
		x, is := c.touches(v)
		if !is {
			continue
		}
		x.pos = pos
		x.row = !stores && c.uniformRow(m, &x)
		if f := x.form; c.mergeable(&x) && f.value >= 0 == stores {
			if !c.join(m, &x) {
				changed = c.begin(m, &x) || changed
			}
		}
		m.order = append(m.order, x)
	}
	for i := range m.open[:m.used] {
		changed = c.merge(&m.open[i]) || changed
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

// mergeable reports whether an access is to whole dwords.
func (c context) mergeable(x *span) bool {
	s := c.S
	if x.id == intrinsic.None {
		return false
	}
	in := s.At(x.v)
	if x.form.value < 0 {
		return in.Bits == 32 && (x.bytes < mostBytes || x.row && x.bytes < rowBytes)
	}
	return s.At(s.SrcVal(x.v, int(x.form.value))).Bits == 32 && x.bytes < mostBytes && s.Index(x.v, intrinsic.IxWriteMask) == 1<<in.Comps-1
}

// join adds an access to a group, if there is one that it fits.
func (c context) join(m *merger, x *span) bool {
	for i := m.used - 1; i >= 0; i-- {
		g := &m.open[i]
		first := &g.member[0]
		if g.n == maxMembers || x.pos-first.pos > reach || first.id != x.id || !comparable(first, x) || !c.alike(first.v, x.v) {
			continue
		}
		d := c.less(x, first)
		lo, hi := min(g.lo, d), max(g.hi, d+int64(x.bytes))
		gap := max(d-g.hi, g.lo-d-int64(x.bytes))
		most, hole := int64(mostBytes), int64(mostHole)
		if x.row && first.row {
			most, hole = rowBytes, rowHole
		}
		if hi-lo > most || d&3 != 0 {
			continue
		}
		if gap > hole || gap > 0 && x.id != intrinsic.LoadSSBO && x.id != intrinsic.LoadUBO {
			continue
		}
		if c.wraps(first, lo, uint32(vectorBytes(hi-lo))) || !c.movable(m, g, x) {
			continue
		}
		g.member[g.n] = *x
		g.n++
		g.lo, g.hi = lo, hi
		return true
	}
	return false
}

// vectorBytes rounds a size up to that of a vector: those of more than five components
// have eight.
func vectorBytes(n int64) int64 {
	if n > 5*4 {
		return rowBytes
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
		changed = c.merge(&m.open[0])
		copy(m.open[:], m.open[1:])
		m.used--
	}
	g := &m.open[m.used]
	m.used++
	g.n, g.lo, g.hi = 1, 0, int64(x.bytes)
	g.member[0] = *x
	return changed
}

// merge replaces the accesses of a group by one.
func (c context) merge(g *group) bool {
	if g.n < 2 {
		return false
	}
	s, b := c.S, c.B
	first, at := &g.member[0], &g.member[0]
	store := first.form.value >= 0
	if store {
		at = &g.member[g.n-1]
	}
	b.Before(at.v)
	from := g.lo - c.less(at, first) // of the vector, relative to the access in whose place it is
	var src [3]ir.Src
	for i := range int(s.At(at.v).NSrc) {
		src[i] = s.Operand(at.v, i)
	}
	if from != 0 {
		o := &src[at.form.offset]
		*o = b.IAdd(*o, b.Const(s.At(o.Val).Bits, uint64(from)&(1<<(s.At(o.Val).Bits-1)<<1-1)))
	}
	comps := uint8(vectorBytes(g.hi-g.lo) / 4)
	bits := uint8(32)
	if store {
		bits = 0
		var parts [mostBytes / 4]ir.Src
		for i := range g.member[:g.n] {
			e := &g.member[i]
			val := s.Operand(e.v, int(e.form.value))
			for k := range int(val.N) { // what a later member stores to the same place replaces it
				parts[int(c.less(e, first)-g.lo)/4+k] = val.Comp(k)
			}
		}
		src[at.form.value] = vecOrOne(b, parts[:comps])
	}
	n := b.Intrinsic(at.id, comps, bits, src[:s.At(at.v).NSrc]...)
	for i := range int(s.At(at.v).NAux) {
		s.SetWord(n, i, s.Word(at.v, i))
	}
	c.align(n, g)
	if store {
		s.SetIndex(n, intrinsic.IxWriteMask, 1<<comps-1)
	}
	for i := range g.member[:g.n] {
		e := &g.member[i]
		if !store {
			s.ReplaceUses(e.v, slice(s.All(n), int(c.less(e, first)-g.lo)/4, int(s.At(e.v).Comps)))
		}
		s.Remove(e.v)
	}
	return true
}

// align gives an access in place of a group the largest alignment known of a member.
func (c context) align(n ir.Value, g *group) {
	s := c.S
	best, mul := &g.member[0], uint32(0)
	for i := range g.member[:g.n] {
		if e := &g.member[i]; s.Index(e.v, intrinsic.IxAlignMul) > mul {
			best, mul = e, s.Index(e.v, intrinsic.IxAlignMul)
		}
	}
	more := uint32(g.lo - c.less(best, &g.member[0]))
	s.SetIndex(n, intrinsic.IxAlignMul, mul)
	s.SetIndex(n, intrinsic.IxAlignOffset, (s.Index(best.v, intrinsic.IxAlignOffset)+more)&(mul-1))
}
