// SPDX-License-Identifier: MIT

package opt

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// needs records, for each unit of registers joined by copies, where it is touched and where it is live. When
// units are merged, their sets are united, the smaller into the larger.
type needs struct {
	order   []mir.ID // instructions by position
	pos     []int32  // by instruction: its position
	first   []int32  // by block: position of its first instruction; one extra at the end
	sets    spans
	units   []unitNeeds
	touches []touch // touches of all units, as long as no copies have been merged
}

// touch is an access to a unit by an instruction.
type touch struct {
	next   int32 // next touch of the unit
	place  int32 // position of the instruction
	block  int32
	reads  uint8 // bytes of each dword, or components
	writes uint8 // the same, as returned by defined
}

// unitNeeds has the sets of one unit and their sizes.
type unitNeeds struct {
	touches, writes, outs    int32 // sets of positions; outs: set of blocks at whose end the unit is live
	nTouches, nWrites, nOuts int32

	touched, last int32 // first and last element so far of its list in needs.touches
	killed        int32 // index + 1 of the last block so far that writes the unit
	has           uint8 // the bytes or components that this block writes
	exposed       bool  // a block may read it before the block has written it
}

// number assigns positions to all instructions.
func (n *needs) number(f *mir.Func) {
	n.order, n.pos, n.first = reuse.Slice(n.order, f.NumInsts())[:0], reuse.Slice(n.pos, f.NumInsts()),
		reuse.Slice(n.first, len(f.Blocks)+1)
	n.sets.reset()
	n.touches = append(n.touches[:0], touch{})
	for b := range f.Blocks {
		n.first[b] = int32(len(n.order))
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			n.pos[i] = int32(len(n.order))
			n.order = append(n.order, i)
		}
	}
	n.first[len(f.Blocks)] = int32(len(n.order))
}

// touch returns the record of the touch of a unit by the instruction at position p of a block. Positions must
// not decrease between calls.
func (n *needs) touch(u *unitNeeds, p, block int32) *touch {
	if u.last == 0 || n.touches[u.last].place != p {
		u.touches = n.sets.push(u.touches, n.sets.node(p, p))
		u.nTouches++
		n.touches = append(reuse.Room(n.touches, 1), touch{place: p, block: block})
		at := int32(len(n.touches) - 1)
		if u.last == 0 {
			u.touched = at
		} else {
			n.touches[u.last].next = at
		}
		u.last = at
	}
	return &n.touches[u.last]
}

// write records that the instruction at position p writes a unit.
func (n *needs) write(u *unitNeeds, p int32) {
	u.writes = n.sets.push(u.writes, n.sets.node(p, p))
	u.nWrites++
}

// join adds the sets of unit a to unit b.
func (n *needs) join(a, b uint32) {
	x, y := &n.units[a], &n.units[b]
	y.touches, y.nTouches = n.unite(x.touches, y.touches, x.nTouches, y.nTouches, false)
	y.writes, y.nWrites = n.unite(x.writes, y.writes, x.nWrites, y.nWrites, false)
	y.outs, y.nOuts = n.unite(x.outs, y.outs, x.nOuts, y.nOuts, true)
	*x = unitNeeds{}
}

func (n *needs) unite(a, b, na, nb int32, joined bool) (root, size int32) {
	if na > nb {
		a, b = b, a
		na, nb = nb, na
	}
	root, more := n.sets.unite(b, a, joined)
	return root, nb + int32(more)
}

// findNeeds finds the touches of the units that copies may join, and the blocks at whose end each unit is live:
// backwards from its reads to complete writes.
func (c *coalescer) findNeeds() {
	f, n := c.f, &c.needs
	n.number(f)
	units := int(c.base[len(f.Regs)])
	n.units, c.bytes = reuse.Zeroed(n.units, units), reuse.Zeroed(c.bytes, units)
	c.users = c.users[:0]
	for p, i := range n.order {
		in, p := f.At(i), int32(p)
		block, used := int32(f.BlockOf(i)), false
		for k := range in.Src {
			if o := &in.Src[k]; o.File == mir.VReg && c.copied[o.Num] {
				used = true
				first, last := c.span(o, f.SrcBytes(in, k))
				read := c.read(in, k)
				for unit := first; unit <= last; unit++ {
					u := &n.units[unit]
					n.touch(u, p, block).reads |= read
					u.exposed = u.exposed || u.killed != block+1 || read&^u.has != 0
					c.bytes[unit] |= read
				}
			}
		}
		if in.Dst.File == mir.VReg && c.copied[in.Dst.Num] {
			used = true
			bytes := f.DstBytes(in)
			first, last := c.span(&in.Dst, bytes)
			for unit := first; unit <= last; unit++ {
				u, writes := &n.units[unit], c.defined(in, bytes, unit-first)
				n.touch(u, p, block).writes = writes
				n.write(u, p)
				if kills(writes, 0xF) || c.vectors { // the bytes that are read are not known yet
					if u.killed != block+1 {
						u.killed, u.has = block+1, 0
					}
					u.has |= writes
				}
			}
		}
		if used {
			c.users = append(c.users, i)
		}
	}
	for r := 1; r < len(f.Regs); r++ {
		if c.copied[r] {
			for u := c.base[r]; u < c.base[r+1]; u++ {
				if n.units[u].exposed {
					c.findOuts(u, f.Regs[r].Uniform)
				}
			}
		}
	}
}

// findOuts finds the blocks at whose end a unit is live.
func (c *coalescer) findOuts(unit uint32, uniform bool) {
	n, l, g := &c.needs, &c.live, &c.f.Lanes
	if uniform {
		g = &c.f.Thread
	}
	l.Start(len(c.f.Blocks), 0)
	has, block := uint8(0), int32(-1) // components that the block writes
	for at := n.units[unit].touched; at != 0; at = n.touches[at].next {
		x := &n.touches[at]
		if x.block != block || !c.vectors {
			has, block = 0, x.block
		}
		if x.reads&^has != 0 {
			l.Use(x.block)
		}
		if has |= x.writes; kills(has, c.bytes[unit]) {
			l.Define(x.block)
		}
	}
	c.f.Work.Spend(blockSteps * l.Solve(g))
	slices.Sort(l.Outs)
	u := &n.units[unit]
	for k := 0; k < len(l.Outs); {
		lo := l.Outs[k]
		for k++; k < len(l.Outs) && l.Outs[k] == l.Outs[k-1]+1; k++ {
		}
		u.outs = n.sets.push(u.outs, n.sets.node(lo, l.Outs[k-1]))
		u.nOuts++
	}
}

// Costs of steps of work per block and per instruction visited.
const blockSteps, lookSteps = 4, 20

// liveAfter reports whether a unit is live after instruction i.
func (c *coalescer) liveAfter(i mir.ID, unit uint32) bool {
	f, n := c.f, &c.needs
	in := f.At(i)
	b, here := f.BlockOf(i), n.pos[i]
	touches := n.units[unit].touches
	at := n.sets.next(touches, here)
	if at != 0 && n.sets.nodes[at].lo == here {
		late := f.LateSrcs(in)
		for k := range in.Src {
			if late>>k&1 != 0 && c.covers(in, k, unit) {
				return true
			}
		}
		at = n.sets.next(touches, here+1)
	}
	for at != 0 && n.sets.nodes[at].lo < n.first[b+1] {
		f.Work.Spend(lookSteps)
		p := n.sets.nodes[at].lo
		x := f.At(n.order[p])
		if c.reads(x, unit) {
			return true
		}
		if c.kills(x, unit) {
			return false
		}
		at = n.sets.next(touches, p+1)
	}
	return n.sets.has(n.units[unit].outs, int32(b))
}

// clobbers reports whether unit a is written, other than by a copy of unit b, at a point after which b is live.
// It looks at all writes to a, or at the writes where b is touched or live, whichever are fewer.
func (c *coalescer) clobbers(a, b uint32) bool {
	n := &c.needs
	x, y := &n.units[a], &n.units[b]
	if x.nWrites <= y.nTouches+y.nOuts {
		return c.clobbersWithin(a, b, 0, int32(len(n.order)))
	}
	start := int32(0) // the position after the previous touch
	for at := n.sets.next(y.touches, 0); at != 0; {
		p := n.sets.nodes[at].lo
		c.f.Work.Spend(lookSteps)
		if c.clobbersWithin(a, b, max(start, n.first[c.f.BlockOf(n.order[p])]), p) {
			return true
		}
		start = p
		at = n.sets.next(y.touches, p+1)
	}
	for at := n.sets.next(y.outs, 0); at != 0; {
		out := n.sets.nodes[at]
		c.f.Work.Spend(lookSteps)
		if c.clobbersWithin(a, b, n.first[out.lo], n.first[out.hi+1]-1) {
			return true
		}
		at = n.sets.next(y.outs, out.lo+1)
	}
	return false
}

// clobbersWithin is like clobbers, restricted to the writes between two positions.
func (c *coalescer) clobbersWithin(a, b uint32, from, to int32) bool {
	n := &c.needs
	writes := n.units[a].writes
	for at := n.sets.next(writes, from); at != 0 && n.sets.nodes[at].lo <= to; {
		p := n.sets.nodes[at].lo
		c.f.Work.Spend(lookSteps)
		i := n.order[p]
		in := c.f.At(i)
		copied := false
		if c.isCopy[i] {
			s, _ := c.span(&in.Src[0], 4)
			copied = s == b
		}
		if !copied && c.liveAt(i, b, in) {
			return true
		}
		at = n.sets.next(writes, p+1)
	}
	return false
}
