package allocheck

import "jacquard.example/backend/intel/mir"

// regSet is a set of registers, with a bit for each.
type regSet []uint64

func (s regSet) has(r int) bool { return s[r>>6]>>(r&63)&1 != 0 }
func (s regSet) add(r int)      { s[r>>6] |= 1 << (r & 63) }

// needs lists, by block, the registers for which facts at its start may matter: along the
// logical control flow, those that a lane reads before it writes them; along the physical
// one, those with bytes that are read by others than their owning lane. Facts about other
// registers are not kept.
type needs struct {
	thread, lanes [][]int32
	threadSet     []regSet
}

// Lanes for which a byte has been written in a block.
const (
	ofOne uint8 = iota + 1 // the owning lane, when it is active
	ofAll
)

// needFinder is the memory of the search for live registers.
type needFinder struct {
	c                *checker
	cover            [][]uint8 // by register and byte: the lanes for which it has been written so far in the block
	touched          []int32   // registers with an entry in cover
	read             [][]bool  // by register and byte: whether anything reads it
	threadKill, kill []regSet
	thread, lanes    []regSet
}

// findNeeds visits each block once and then propagates backwards to a fixed point.
func (c *checker) findNeeds() {
	n, regs := len(c.old.Blocks), len(c.owner)
	words := (regs + 63) / 64
	x := &needFinder{c: c, cover: make([][]uint8, regs), read: make([][]bool, regs)}
	for _, s := range []*[]regSet{&x.threadKill, &x.kill, &x.thread, &x.lanes} {
		all := make(regSet, n*words)
		for b := range n {
			*s = append(*s, all[b*words:(b+1)*words])
		}
	}
	x.everRead()
	for b := range n {
		x.block(b)
	}
	x.flow(words)
	list := func(sets []regSet) [][]int32 {
		out := make([][]int32, n)
		for b, s := range sets {
			for r := range regs {
				if s.has(r) {
					out[b] = append(out[b], int32(r))
				}
			}
		}
		return out
	}
	c.need = needs{thread: list(x.thread), lanes: list(x.lanes), threadSet: x.thread}
}

// everRead finds the bytes that are read at all.
func (x *needFinder) everRead() {
	f := x.c.old
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k := range in.Src {
				x.sources(in, k, func(r int, at uint32, _ bool) {
					if x.read[r] == nil {
						x.read[r] = make([]bool, len(x.c.owner[r]))
					}
					x.read[r][at] = true
				})
			}
		}
	}
}

// sources calls do for each byte of a register that a source reads: own reports that the
// owning lane reads it.
func (x *needFinder) sources(in *mir.Inst, k int, do func(r int, at uint32, own bool)) {
	o := &in.Src[k]
	if !o.IsReg() {
		return
	}
	c := x.c
	r, off := c.reg(o)
	c.srcs = sources(c.srcs[:0], in, k)
	for _, s := range c.srcs {
		for at := off + s.off; at < off+s.off+s.n && int(at) < len(c.owner[r]); at++ {
			do(r, at, !in.NoMask && s.lane != noLane && s.lane == c.owner[r][at])
		}
	}
}

// block finds the upward-exposed reads of a block, and what it writes whole.
func (x *needFinder) block(b int) {
	c, f := x.c, x.c.old
	payload := c.payload
	x.thread[b].add(payload) // spills read the header
	x.lanes[b].add(payload)
	for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
		in := f.At(i)
		for k := range in.Src {
			x.sources(in, k, func(r int, at uint32, own bool) {
				has := uint8(0)
				if x.cover[r] != nil {
					has = x.cover[r][at]
				}
				if has == 0 {
					x.lanes[b].add(r)
				}
				if !own && has != ofAll {
					x.thread[b].add(r)
				}
			})
		}
		if !in.Dst.IsReg() || predicated(in) {
			continue
		}
		r, off := c.reg(&in.Dst)
		if x.cover[r] == nil {
			x.cover[r] = make([]uint8, len(c.owner[r]))
		}
		x.touched = append(x.touched, int32(r))
		lanes := ofOne
		if in.NoMask {
			lanes = ofAll
		}
		c.dsts = destination(c.dsts[:0], in)
		for _, d := range c.dsts {
			for at := off + d.off; at < off+d.off+d.n && int(at) < len(x.cover[r]); at++ {
				x.cover[r][at] = max(x.cover[r][at], lanes)
			}
		}
	}
	for _, r := range x.touched {
		least := ofAll
		for at, has := range x.cover[r] {
			if x.read[r] != nil && x.read[r][at] {
				least = min(least, has)
			}
		}
		if least >= ofOne && int(r) != payload {
			x.kill[b].add(int(r))
			if least == ofAll {
				x.threadKill[b].add(int(r))
			}
		}
		clear(x.cover[r])
	}
	x.touched = x.touched[:0]
}

// flow propagates what is live backwards along the edges into each block. Facts of the
// thread at the end of a block follow from those of lanes that may stop there. Waiting
// lanes receive what others copy for them without a mask, so the sources of those copies
// are live too.
func (x *needFinder) flow(words int) {
	c := x.c
	copies := x.copiesForAll()
	thread, lanes := make(regSet, words), make(regSet, words)
	for changed := true; changed; {
		changed = false
		for b := len(x.lanes) - 1; b >= 0; b-- {
			c.new.Work.Spend(words)
			clear(thread)
			clear(lanes)
			for _, to := range c.threadTo[b] {
				for w, v := range x.thread[to] {
					thread[w] |= v
				}
			}
			for _, e := range c.lanesTo[b] {
				for w, v := range x.lanes[e.to] {
					lanes[w] |= v
				}
			}
			for w := range lanes {
				lanes[w] |= thread[w]
				t := x.thread[b][w] | thread[w]&^x.threadKill[b][w]
				l := x.lanes[b][w] | lanes[w]&^x.kill[b][w]
				changed = changed || t != x.thread[b][w] || l != x.lanes[b][w]
				x.thread[b][w], x.lanes[b][w] = t, l
			}
			for _, r := range c.redo.all {
				changed = x.redone(b, r) || changed
			}
			for _, p := range copies {
				if x.lanes[b].has(p.dst) && !x.lanes[b].has(p.src) {
					x.lanes[b].add(p.src)
					changed = true
				}
			}
		}
	}
}

// redone adds the sources of a rematerialized operation to what is live at the start of
// a block if its result is; it reports whether anything changed.
func (x *needFinder) redone(b int, r *redo) (changed bool) {
	in := x.c.old.At(r.old)
	if !x.lanes[b].has(int(in.Dst.Num)) && !x.thread[b].has(int(in.Dst.Num)) {
		return false
	}
	for k := range in.Src {
		if o := &in.Src[k]; o.IsReg() {
			u, _ := x.c.reg(o)
			changed = changed || !x.lanes[b].has(u) || !x.thread[b].has(u)
			x.lanes[b].add(u)
			x.thread[b].add(u)
		}
	}
	return changed
}

// copyPair holds the registers of a copy.
type copyPair struct{ dst, src int }

// copiesForAll returns the unmasked copies that only the first program has.
func (x *needFinder) copiesForAll() (out []copyPair) {
	c := x.c
	for b := range c.steps {
		for i := range c.steps[b] {
			if s := &c.steps[b][i]; s.kind == copied && c.old.At(s.old).NoMask {
				in := c.old.At(s.old)
				dst, _ := c.reg(&in.Dst)
				src, _ := c.reg(&in.Src[0])
				out = append(out, copyPair{dst, src})
			}
		}
	}
	return out
}
