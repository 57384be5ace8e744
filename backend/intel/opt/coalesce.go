// SPDX-License-Identifier: MIT

package opt

import (
	"slices"

	"jacquard.example/backend/intel/bytemask"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// Coalesce merges the two sides of copies into one register if neither is written while the other is live. A
// unit is one component of a register: a register may become some units of a larger one, such as a message's
// payload.
//
// Divergent registers are compared lane by lane, along the logical control flow, since every write to them is
// masked. Uniform registers are compared along the physical control flow. Divergent registers with unmasked
// writes are not merged.
//
// If lanes are the components of vertices, a unit is one vector of each vertex, of which instructions write some components.
// Components of two vectors are compared one by one.
func (m *Workspace) Coalesce(f *mir.Func) {
	c := &m.coalescer
	c.f, c.vectors = f, hasVectors(f)
	c.units()
	if len(c.copies) == 0 {
		return
	}
	c.findNeeds()
	c.findPairs()
	c.joined, c.clashes = reuse.Zeroed(c.joined, len(f.Regs)), reuse.Zeroed(c.clashes, len(f.Regs))
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

// home is the place of a register after merging: it starts at unit unit of register reg.
type home struct {
	reg  mir.Reg
	unit uint32
}

type coalescer struct {
	f       *mir.Func
	vectors bool     // lanes are components
	held    []bool   // by unit: must not be merged
	pitch   []uint32 // by register: bytes per unit
	base    []uint32 // by register: index of its first unit; one extra at the end
	home    []home
	fixed   []bool // by register: must not be merged
	copies  []copyOf
	isCopy  []bool   // by instruction: it copies a whole unit bit by bit
	copied  []bool   // by register: a copy reads or writes it
	users   []mir.ID // instructions with operands that are copied
	needs   needs
	live    graph.Live
	pairs   payloadPairs
	bytes   []uint8 // by unit of registers joined by copies: the bytes of its dwords that are read, or its components

	joined  []int32 // by register: number of registers merged into it
	clashes []clashed
}

// unitsOf returns the number of units of a register.
func (c *coalescer) unitsOf(r mir.Reg) uint32 { return c.base[r+1] - c.base[r] }

// units numbers the components of all registers and lists copies.
func (c *coalescer) units() {
	f := c.f
	n := len(f.Regs)
	c.pitch, c.base, c.home = reuse.Zeroed(c.pitch, n), reuse.Zeroed(c.base, n+1), reuse.Zeroed(c.home, n)
	c.fixed, c.copied, c.copies = reuse.Zeroed(c.fixed, n), reuse.Zeroed(c.copied, n), c.copies[:0]
	c.isCopy = reuse.Zeroed(c.isCopy, f.NumInsts())
	units := uint32(0)
	for r := 1; r < n; r++ {
		info := f.Reg(mir.Reg(r))
		p := uint32(info.Lane)
		if !info.Uniform {
			p = f.Pitch(int(info.Lane))
		}
		c.pitch[r], c.base[r] = p, units
		c.home[r] = home{reg: mir.Reg(r)}
		c.fixed[r] = info.Lane == 2
		units += (info.Bytes + p - 1) / p
	}
	c.base[n] = units
	c.held = reuse.Zeroed(c.held, int(units))
	for b := range f.Blocks {
		loops := f.Constructs[f.Blocks[b].In].Loops
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if c.vectors {
				if c.vector(in) {
					c.isCopy[i] = true
					c.copies = append(c.copies, copyOf{i, loops})
				}
				continue
			}
			if in.Swizzled() { // reads elements of lanes that may be inactive
				for k := range in.Src {
					if o := &in.Src[k]; o.Swizzle != 0 {
						c.fixed[o.VReg()] = true
					}
				}
			}
			if in.Dst.File != mir.VReg {
				continue
			}
			d := mir.Reg(in.Dst.Num)
			if in.NoMask && !f.Reg(d).Uniform {
				c.fixed[d] = true
			}
			if in.Op == isa.OpMov && c.copiesUnit(in) {
				c.isCopy[i] = true
				c.copies = append(c.copies, copyOf{i, loops})
			}
		}
	}
	c.copies = slices.DeleteFunc(c.copies, func(x copyOf) bool {
		in := f.At(x.id)
		d, s := in.Dst.Num, in.Src[0].Num
		if c.fixed[d] || c.fixed[s] {
			return true
		}
		c.copied[d], c.copied[s] = true, true
		return false
	})
}

// copiesUnit reports whether a mov copies a whole unit bit by bit.
func (c *coalescer) copiesUnit(in *mir.Inst) bool {
	s, d := &in.Src[0], &in.Dst
	if in.Pred != 0 || in.CMod != 0 || in.Sat || s.HasMods() || s.File != mir.VReg || d.File != mir.VReg {
		return false
	}
	if s.Type.Size() != 4 || d.Type.Size() != 4 || s.Type.IsFloat() != d.Type.IsFloat() || s.Num == d.Num {
		return false
	}
	sr, dr := mir.Reg(s.Num), mir.Reg(d.Num)
	if c.f.Reg(sr).Uniform != c.f.Reg(dr).Uniform || c.f.Reg(sr).Class != c.f.Reg(dr).Class {
		return false
	}
	if c.f.Reg(sr).Uniform {
		return in.Exec == 1 && in.NoMask && s.Off%c.pitch[sr] == 0 && d.Off%c.pitch[dr] == 0
	}
	return int(in.Exec) == c.f.Width && !in.NoMask && s.HasStride(1) && d.HasStride(1) &&
		s.Off%c.pitch[sr] == 0 && d.Off%c.pitch[dr] == 0
}

// at resolves an operand's register and first unit, with path compression.
func (c *coalescer) at(o *mir.Operand) (mir.Reg, uint32) {
	r := mir.Reg(o.Num)
	unit := o.Off
	if unit != 0 {
		unit /= c.pitch[r]
	}
	h := c.home[r]
	if h.reg != r {
		h = c.root(r)
	}
	return h.reg, unit + h.unit
}

// root returns the register that r was finally merged into, and its unit there.
func (c *coalescer) root(r mir.Reg) home {
	to := c.home[r]
	for up := c.home[to.reg]; up.reg != to.reg; up = c.home[to.reg] {
		c.f.Work.Spend(2)
		to = home{up.reg, to.unit + up.unit}
	}
	for at := to.unit; r != to.reg; {
		up := c.home[r]
		c.home[r] = home{to.reg, at}
		r, at = up.reg, at-up.unit
	}
	return to
}

// span returns the range of units that n bytes of an operand overlap.
func (c *coalescer) span(o *mir.Operand, n uint32) (first, last uint32) {
	if o.File != mir.VReg || n == 0 {
		return 1, 0
	}
	r, unit := c.at(o)
	p := c.pitch[o.Num]
	first = c.base[r] + unit
	if o.Off == 0 && n <= p {
		return first, first
	}
	return first, first + (o.Off%p+n-1)/p
}

// kills reports whether an instruction defines the whole unit for the active lanes.
func (c *coalescer) kills(in *mir.Inst, unit uint32) bool {
	if in.Dst.File != mir.VReg {
		return false
	}
	n := c.f.DstBytes(in)
	first, last := c.span(&in.Dst, n)
	return unit >= first && unit <= last && kills(c.defined(in, n, unit-first), c.bytes[unit])
}

// kills reports whether the defined bytes of each dword include all bytes that are read.
func kills(defined, read uint8) bool { return defined != 0 && read&^defined == 0 }

// defined returns the bytes of each dword that an instruction defines, for the active lanes, in the k-th unit
// of its destination. The destination is a virtual register and spans n bytes. The result is 0 if some dword of
// the unit is not written.
func (c *coalescer) defined(in *mir.Inst, n, k uint32) uint8 {
	if c.vectors {
		if in.Pred != 0 && in.Op != isa.OpSel || !in.IsSend() && !in.Align16 {
			return 0
		}
		return written(in)
	}
	// The write must reach the last slots of the unit.
	if p := c.pitch[in.Dst.Num]; in.Partial() || in.Dst.Off%p != 0 || n+3 < (k+1)*p {
		return 0
	}
	return elementBytes(&in.Dst, in.IsSend())
}

// dwordBytes returns the bytes of each dword of source k that are read: bit n for byte n.
func dwordBytes(f *mir.Func, in *mir.Inst, k int) uint8 {
	if o := &in.Src[k]; o.Type.Size() == 4 && o.Off%4 == 0 && !in.IsSend() {
		return 0xF
	}
	var m bytemask.Mask
	for j := range f.GRF.Count(f.SrcBytes(in, k) + f.GRF.In(in.Src[k].Off)) {
		m |= bytemask.SrcReadPattern(f, in, k, uint(j))
	}
	m |= m >> 32
	m |= m >> 16
	m |= m >> 8
	m |= m >> 4
	return uint8(m & 0xF)
}

// elementBytes returns the bytes of each dword that a destination writes.
func elementBytes(o *mir.Operand, whole bool) uint8 {
	size := uint32(o.Type.Size())
	if whole || size >= 4 || o.Stride == 1 {
		return 0xF
	}
	return uint8(1<<size-1) << (o.Off % 4)
}

func (c *coalescer) reads(in *mir.Inst, unit uint32) bool {
	for k := range in.Src {
		if c.covers(in, k, unit) {
			return true
		}
	}
	return false
}

// covers reports whether source k of an instruction overlaps a unit.
func (c *coalescer) covers(in *mir.Inst, k int, unit uint32) bool {
	o := &in.Src[k]
	if o.File != mir.VReg {
		return false
	}
	if r, u := c.at(o); unit < c.base[r]+u {
		return false
	}
	first, last := c.span(o, c.f.SrcBytes(in, k))
	return unit >= first && unit <= last
}

// merge tries to merge the sides of a copy into one register.
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
	// One side becomes a part of the other, at the distance implied by the copy.
	if su <= du && c.into(sr, dr, du-su) {
		return true
	}
	return du <= su && c.into(dr, sr, su-du)
}

// into makes register from a part of register to, starting at unit unit, if it fits there and no unit of either
// is written while its counterpart is live.
func (c *coalescer) into(from, to mir.Reg, unit uint32) bool {
	n := c.unitsOf(from)
	if unit+n > c.unitsOf(to) || c.pitch[from] != c.pitch[to] && n > 1 {
		return false
	}
	was, is := c.f.Reg(from), c.f.Reg(to)
	if was.Uniform && (was.Align > is.Align || unit*c.pitch[to]%uint32(was.Align) != 0) || was.Bytes > n*c.pitch[to] {
		return false // a message could not start in the middle of it, or would overwrite adjacent units
	}
	for k := range n {
		if c.held[c.base[from]+k] || c.held[c.base[to]+unit+k] {
			return false
		}
	}
	if c.clash(from, to, unit) || c.payloadsClash(from, to, unit) {
		return false
	}
	c.home[from] = home{to, unit}
	c.joined[to]++
	c.pairs.join(from, to)
	for k := range n {
		a, b := c.base[from]+k, c.base[to]+unit+k
		c.bytes[b] |= c.bytes[a]
		c.needs.join(a, b)
	}
	return true
}

// clashed caches the last register that a register clashed with, the unit there, and the numbers of registers
// merged into both by then.
type clashed struct {
	with         home
	joined, whom int32
}

// clash reports whether a unit of register from, or its counterpart in register to, starting at unit unit, is
// written while the other is live. There can be many copies between the same two registers, so the result is
// cached until something is merged into either.
func (c *coalescer) clash(from, to mir.Reg, unit uint32) bool {
	now := clashed{home{to, unit}, c.joined[from], c.joined[to]}
	if c.clashes[from] == now {
		return true
	}
	for k := range c.unitsOf(from) {
		a, b := c.base[from]+k, c.base[to]+unit+k
		if c.clobbers(a, b) || c.clobbers(b, a) {
			c.clashes[from] = now
			return true
		}
	}
	return false
}

// rewrite renames operands and removes copies within one register.
func (c *coalescer) rewrite() {
	f := c.f
	for _, i := range c.users {
		in := f.At(i)
		c.rename(&in.Dst)
		for k := range in.Src {
			c.rename(&in.Src[k])
		}
		if c.isCopy[i] && in.Dst.Num == in.Src[0].Num && in.Dst.Off == in.Src[0].Off {
			f.Remove(i)
		}
	}
	f.MarkSingle()
	for r := 1; r < len(f.Regs); r++ {
		h := c.home[r]
		if h.reg == mir.Reg(r) {
			continue
		}
		info := f.Reg(h.reg)
		info.Align = max(info.Align, f.Reg(mir.Reg(r)).Align)
	}
}

// rename replaces a register operand with the register that it was merged into.
func (c *coalescer) rename(o *mir.Operand) {
	if o.File == mir.VReg && c.home[o.Num].reg != mir.Reg(o.Num) {
		c.move(o)
	}
}

// move is like rename, for a merged register.
func (c *coalescer) move(o *mir.Operand) {
	pitch := c.pitch[o.Num]
	h, unit := c.at(o)
	o.Num = uint32(h)
	o.Off = unit*c.pitch[h] + o.Off%pitch
}
