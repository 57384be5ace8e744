package opt

import (
	"slices"

	"jacquard.example/backend/intel/liveness"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// Coalesce gives the two sides of copies one register where neither is written
// while the other is needed. A unit is one component of a register: a register
// of one unit may become a part of a larger one, such as a message's payload.
//
// Divergent registers are compared lane by lane, along the logical flow, since
// every write to them is masked; uniform ones along the physical flow. Registers
// of lanes that are written without mask are left alone.
func Coalesce(f *mir.Func) {
	c := coalescer{f: f}
	c.units()
	if len(c.copies) == 0 {
		return
	}
	c.liveness()
	slices.SortStableFunc(c.copies, func(a, b copyOf) int { return int(b.loops - a.loops) })
	merged := false
	for _, x := range c.copies {
		if c.merge(x) {
			merged = true
		}
	}
	if merged {
		c.rewrite()
	}
}

type copyOf struct {
	id    mir.ID
	loops int32
}

// home is where a register went: into register reg, unit units on.
type home struct {
	reg  mir.Reg
	unit uint32
}

// defList is the instructions that write a register, chained by coalescer.next.
type defList struct{ first, last mir.ID }

type coalescer struct {
	f      *mir.Func
	base   []uint32 // by register: its first unit
	n      uint32   // units
	home   []home
	fixed  []bool // by register: may not be merged
	copies []copyOf
	sends  []mir.ID
	defs   []defList // by register
	next   []mir.ID  // by instruction: the next one that writes the same register
	words  int
	out    []uint64 // by block: units live at its end
	bytes  []uint8  // by unit: which bytes of its dwords anything reads
}

func (c *coalescer) pitch(r mir.Reg) uint32 {
	info := c.f.Reg(r)
	if info.Uniform {
		return uint32(info.Lane)
	}
	return c.f.Pitch(int(info.Lane))
}

func (c *coalescer) unitsOf(r mir.Reg) uint32 {
	p := c.pitch(r)
	return (c.f.Reg(r).Bytes + p - 1) / p
}

// units numbers the components of all registers and lists copies.
func (c *coalescer) units() {
	f := c.f
	n := len(f.Regs)
	c.base, c.home, c.fixed = make([]uint32, n+1), make([]home, n), make([]bool, n)
	c.defs, c.next = make([]defList, n), make([]mir.ID, f.NumInsts())
	for r := 1; r < n; r++ {
		c.base[r] = c.n
		c.home[r] = home{reg: mir.Reg(r)}
		c.n += c.unitsOf(mir.Reg(r))
		c.fixed[r] = f.Reg(mir.Reg(r)).Lane == 2
	}
	c.base[n] = c.n
	c.bytes = make([]uint8, c.n)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k := range in.Src {
				first, last := c.span(&in.Src[k], in.SrcBytes(k))
				for u := first; u <= last; u++ {
					c.bytes[u] |= dwordBytes(in, k)
				}
			}
			if in.IsSend() {
				c.sends = append(c.sends, i)
			}
			if in.Dst.File != mir.VReg {
				continue
			}
			d := mir.Reg(in.Dst.Num)
			c.join(d, defList{i, i})
			if in.NoMask && !f.Reg(d).Uniform {
				c.fixed[d] = true
			}
			if c.isCopy(in) {
				c.copies = append(c.copies, copyOf{i, f.Blocks[b].Loops})
			}
		}
	}
}

// join puts l at the end of the writers of a register.
func (c *coalescer) join(r mir.Reg, l defList) {
	d := &c.defs[r]
	switch {
	case l.first == 0:
		return
	case d.first == 0:
		d.first = l.first
	default:
		c.next[d.last] = l.first
	}
	d.last = l.last
}

// isCopy reports a whole unit copied bit by bit.
func (c *coalescer) isCopy(in *mir.Inst) bool {
	s, d := &in.Src[0], &in.Dst
	if in.Op != isa.OpMov || in.Pred != 0 || in.CMod != 0 || in.Sat || s.HasMods() || s.File != mir.VReg || d.File != mir.VReg {
		return false
	}
	if s.Type.Size() != 4 || d.Type.Size() != 4 || s.Type.IsFloat() != d.Type.IsFloat() || s.Num == d.Num {
		return false
	}
	sr, dr := mir.Reg(s.Num), mir.Reg(d.Num)
	if c.f.Reg(sr).Uniform != c.f.Reg(dr).Uniform {
		return false
	}
	if c.f.Reg(sr).Uniform {
		return in.Exec == 1 && in.NoMask && s.Off%c.pitch(sr) == 0 && d.Off%c.pitch(dr) == 0
	}
	return int(in.Exec) == c.f.Width && !in.NoMask && s.Stride == 1 && d.Stride == 1 &&
		s.Off%c.pitch(sr) == 0 && d.Off%c.pitch(dr) == 0
}

// at resolves an operand's register and first unit.
func (c *coalescer) at(o *mir.Operand) (mir.Reg, uint32) {
	r := mir.Reg(o.Num)
	unit := o.Off / c.pitch(r)
	for c.home[r].reg != r {
		c.f.Work.Spend(2)
		unit += c.home[r].unit
		r = c.home[r].reg
	}
	return r, unit
}

// within reports an operand that lies in register r, which has no home but
// itself.
func (c *coalescer) within(o *mir.Operand, r mir.Reg) bool {
	if o.File != mir.VReg {
		return false
	}
	at := mir.Reg(o.Num)
	for c.home[at].reg != at {
		c.f.Work.Spend(2)
		at = c.home[at].reg
	}
	return at == r
}

// span is the run of unit numbers that n bytes of an operand touch.
func (c *coalescer) span(o *mir.Operand, n uint32) (first, last uint32) {
	if o.File != mir.VReg || n == 0 {
		return 1, 0
	}
	r, unit := c.at(o)
	p := c.pitch(mir.Reg(o.Num))
	first = c.base[r] + unit
	return first, first + (o.Off%p+n-1)/p
}

// kills reports that an instruction defines all of the unit for the lanes that
// are active.
func (c *coalescer) kills(in *mir.Inst, unit uint32) bool {
	if in.Dst.File != mir.VReg || in.Partial() {
		return false
	}
	n := in.DstBytes()
	r := mir.Reg(in.Dst.Num)
	p := c.pitch(r)
	first, last := c.span(&in.Dst, n)
	if unit < first || unit > last || in.Dst.Off%p != 0 {
		return false
	}
	// The last slots of the unit must be reached, and in each what anything reads.
	return n+3 >= (unit-first+1)*p && c.bytes[unit]&^elementBytes(&in.Dst, in.IsSend()) == 0
}

// dwordBytes is which bytes of the dwords that source k spans are read: bit n for
// byte n.
func dwordBytes(in *mir.Inst, k int) uint8 {
	var m liveness.Mask
	for j := range uint(in.SrcBytes(k)+in.Src[k].Off%32+31) / 32 {
		m |= liveness.SrcReadPattern(in, k, j)
	}
	m |= m >> 16
	m |= m >> 8
	m |= m >> 4
	return uint8(m & 0xF)
}

// elementBytes is which bytes of each dword a destination writes.
func elementBytes(o *mir.Operand, whole bool) uint8 {
	size := uint32(o.Type.Size())
	if whole || size >= 4 || o.Stride == 1 {
		return 0xF
	}
	return uint8(1<<size-1) << (o.Off % 4)
}

func (c *coalescer) reads(in *mir.Inst, unit uint32) bool {
	for k := range in.Src {
		if first, last := c.span(&in.Src[k], in.SrcBytes(k)); unit >= first && unit <= last {
			return true
		}
	}
	return false
}

// liveness finds the units live at the end of each block.
func (c *coalescer) liveness() {
	f := c.f
	c.words = int(c.n+63) / 64
	nb := len(f.Blocks)
	work.Sets(4, nb, int(c.n))
	c.out = make([]uint64, nb*c.words)
	in, use, def := make([]uint64, nb*c.words), make([]uint64, nb*c.words), make([]uint64, nb*c.words)
	uniform := make([]uint64, c.words)
	for r := 1; r < len(f.Regs); r++ {
		if f.Regs[r].Uniform {
			for u := c.base[r]; u < c.base[r]+c.unitsOf(mir.Reg(r)); u++ {
				uniform[u>>6] |= 1 << (u & 63)
			}
		}
	}
	for b := range f.Blocks {
		us, de := use[b*c.words:(b+1)*c.words], def[b*c.words:(b+1)*c.words]
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			x := f.At(i)
			for k := range x.Src {
				first, last := c.span(&x.Src[k], x.SrcBytes(k))
				for u := first; u <= last; u++ {
					if de[u>>6]>>(u&63)&1 == 0 {
						us[u>>6] |= 1 << (u & 63)
					}
				}
			}
			first, last := c.span(&x.Dst, x.DstBytes())
			for u := first; u <= last; u++ {
				if c.kills(x, u) {
					de[u>>6] |= 1 << (u & 63)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for b := nb - 1; b >= 0; b-- {
			f.Work.Spend(c.words * (2 + len(f.Blocks[b].Succ) + len(f.Blocks[b].Phys)))
			for w := range c.words {
				var o uint64
				for _, s := range f.Blocks[b].Succ {
					o |= in[int(s)*c.words+w] &^ uniform[w]
				}
				for _, s := range f.Blocks[b].Phys {
					o |= in[int(s)*c.words+w] & uniform[w]
				}
				at := b*c.words + w
				c.out[at] = o
				if x := use[at] | o&^def[at]; x&^in[at] != 0 {
					in[at] |= x
					changed = true
				}
			}
		}
	}
}

func (c *coalescer) liveOut(b int, unit uint32) bool {
	return c.out[b*c.words+int(unit>>6)]>>(unit&63)&1 != 0
}

// liveAfter reports that a unit is needed behind instruction i.
func (c *coalescer) liveAfter(i mir.ID, unit uint32) bool {
	f := c.f
	in := f.At(i)
	if late := in.LateSrcs(); late != 0 {
		for k := range in.Src {
			if first, last := c.span(&in.Src[k], in.SrcBytes(k)); late>>k&1 != 0 && unit >= first && unit <= last {
				return true
			}
		}
	}
	for j := f.Next(i); j != 0; j = f.Next(j) {
		f.Work.Spend(40)
		x := f.At(j)
		if c.reads(x, unit) {
			return true
		}
		if c.kills(x, unit) {
			return false
		}
	}
	return c.liveOut(f.BlockOf(i), unit)
}

// merge tries to give a copy's sides one register.
func (c *coalescer) merge(x copyOf) bool {
	in := c.f.At(x.id)
	sr, su := c.at(&in.Src[0])
	dr, du := c.at(&in.Dst)
	if sr == dr {
		return false
	}
	if c.fixed[sr] || c.fixed[dr] {
		return false
	}
	// One goes wholly into the other, at the distance that the copy says.
	if su <= du && c.into(sr, dr, du-su) {
		return true
	}
	return du <= su && c.into(dr, sr, su-du)
}

// into makes register from a part of register to, unit units in, if no unit of
// either is written while its counterpart is needed.
func (c *coalescer) into(from, to mir.Reg, unit uint32) bool {
	n := c.unitsOf(from)
	if unit+n > c.unitsOf(to) || c.pitch(from) != c.pitch(to) && n > 1 {
		return false
	}
	if c.f.Reg(from).Uniform && c.f.Reg(from).Align > c.f.Reg(to).Align {
		return false
	}
	for k := range n {
		a, b := c.base[from]+k, c.base[to]+unit+k
		if c.interfere(from, a, b) || c.interfere(to, b, a) {
			return false
		}
	}
	c.home[from] = home{to, unit}
	if c.sendsClash(to) {
		c.home[from] = home{reg: from}
		return false
	}
	c.join(to, c.defs[from])
	for k := range n {
		a, b := c.base[from]+k, c.base[to]+unit+k
		c.bytes[b] |= c.bytes[a]
		c.f.Work.Spend(2 * len(c.f.Blocks))
		for blk := range c.f.Blocks {
			if c.liveOut(blk, a) {
				c.out[blk*c.words+int(b>>6)] |= 1 << (b & 63)
			}
		}
	}
	return true
}

// interfere reports that unit b is needed behind a write to unit a, which is of
// register r, other than a copy of it.
func (c *coalescer) interfere(r mir.Reg, a, b uint32) bool {
	for i := c.defs[r].first; i != 0; i = c.next[i] {
		in := c.f.At(i)
		c.f.Work.Spend(8)
		first, last := c.span(&in.Dst, in.DstBytes())
		if a < first || a > last {
			continue
		}
		if c.isCopy(in) {
			if s, _ := c.span(&in.Src[0], 4); s == b {
				continue
			}
		}
		if c.liveAfter(i, b) {
			return true
		}
	}
	return false
}

// sendsClash reports a message whose two payloads would overlap in register r.
func (c *coalescer) sendsClash(r mir.Reg) bool {
	c.f.Work.Spend(8 * len(c.sends))
	for _, i := range c.sends {
		in := c.f.At(i)
		if !c.within(&in.Src[0], r) || !c.within(&in.Src[1], r) {
			continue
		}
		f0, l0 := c.span(&in.Src[0], in.SrcBytes(0))
		f1, l1 := c.span(&in.Src[1], in.SrcBytes(1))
		if f0 <= l1 && f1 <= l0 && f0 <= l0 && f1 <= l1 {
			return true
		}
	}
	return false
}

// rewrite renames operands and drops copies that have become one register.
func (c *coalescer) rewrite() {
	f := c.f
	fix := func(o *mir.Operand) {
		if o.File != mir.VReg {
			return
		}
		r := mir.Reg(o.Num)
		p := c.pitch(r)
		h, unit := c.at(o)
		if h != r {
			o.Num = uint32(h)
			o.Off = unit*c.pitch(h) + o.Off%p
		}
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Next(i)
			in := f.At(i)
			copied := in.Dst.File == mir.VReg && in.Src[0].File == mir.VReg && c.isCopy(in)
			fix(&in.Dst)
			for k := range in.Src {
				fix(&in.Src[k])
			}
			if copied && in.Dst.Num == in.Src[0].Num && in.Dst.Off == in.Src[0].Off {
				f.Remove(i)
			}
			i = next
		}
	}
	for r := 1; r < len(f.Regs); r++ {
		h := c.home[r]
		if h.reg == mir.Reg(r) {
			continue
		}
		info := f.Reg(h.reg)
		info.Align = max(info.Align, f.Reg(mir.Reg(r)).Align)
	}
}
