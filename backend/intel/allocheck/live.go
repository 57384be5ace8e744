// SPDX-License-Identifier: MIT

package allocheck

// inBlock lists, for a register, the blocks that read it before they write it, and the blocks that write it
// completely. thread and threadKill are for reads by the thread, that is, by lanes other than the owner; lanes
// and kill are for reads by the owner.
type inBlock struct{ thread, lanes, threadKill, kill []int32 }

// liveness finds the blocks where registers are live, one register after another, backwards from their reads.
// The work is proportional to the number of blocks found, independent of the numbers of registers and blocks.
type liveness struct {
	c       *checker
	regs    []inBlock
	at      [2][][]int32 // for the thread, and for lanes: by register, the blocks at whose start it is live
	seen    []uint8      // by block: kinds for which the current register is live
	kills   []uint8      // by block: kinds for which the block completely writes the current register
	front   []liveAt     // worklist of the current register
	more    [][]liveAt   // by register: new blocks that follow from other registers
	again   []int32      // registers with entries in more
	redoes  map[int32][]int32
	copies  map[int32][]int32
	waiting []bool // by register: it is in again
}

// The kinds of liveness, as bits of a set: for the thread, and for the lane that owns a byte.
const (
	ofThread uint8 = 1 << iota
	ofLanes
)

// liveAt is a block with the kinds for which a register is live at its start.
type liveAt struct {
	block int32
	kinds uint8
}

// find returns the live registers at the start of each block. Where lanes may stop, the thread's facts follow
// from the lanes' facts, which are therefore needed too. Waiting lanes receive unmasked copies made by others,
// so the sources of those copies are live too, as are the sources of operations that may be rematerialized.
func (x *liveness) find() needs {
	n, regs := len(x.c.old.Blocks), len(x.regs)
	x.at = [2][][]int32{make([][]int32, regs), make([][]int32, regs)}
	x.seen, x.kills = make([]uint8, n), make([]uint8, n)
	x.more, x.waiting = make([][]liveAt, regs), make([]bool, regs)
	x.redoes, x.copies = x.c.redoSources(), x.c.copiesForAll()
	for r := range x.regs {
		in := &x.regs[r]
		for _, b := range in.thread {
			x.front = append(x.front, liveAt{b, ofThread})
		}
		for _, b := range in.lanes {
			x.front = append(x.front, liveAt{b, ofLanes})
		}
		x.register(int32(r))
	}
	for len(x.again) > 0 {
		r := x.again[0]
		x.again, x.waiting[r] = x.again[1:], false
		x.front = append(x.front, x.more[r]...)
		x.more[r] = x.more[r][:0]
		x.register(r)
	}
	return needs{thread: x.byBlock(ofThread), lanes: x.byBlock(ofLanes)}
}

// register propagates the liveness of a register backwards from the blocks in front.
func (x *liveness) register(r int32) {
	if len(x.front) == 0 {
		return
	}
	mark := func(of []uint8, blocks []int32, kind uint8) {
		for _, b := range blocks {
			of[b] |= kind
		}
	}
	wipe := func(of []uint8, blocks []int32) {
		for _, b := range blocks {
			of[b] = 0
		}
	}
	in := &x.regs[r]
	mark(x.seen, x.at[0][r], ofThread)
	mark(x.seen, x.at[1][r], ofLanes)
	mark(x.kills, in.threadKill, ofThread)
	mark(x.kills, in.kill, ofLanes)
	x.c.new.Work.Spend(len(x.at[0][r]) + len(x.at[1][r]) + len(in.kill))
	for len(x.front) > 0 {
		l := x.front[len(x.front)-1]
		x.front = x.front[:len(x.front)-1]
		x.arrive(r, l)
	}
	wipe(x.seen, x.at[0][r])
	wipe(x.seen, x.at[1][r])
	wipe(x.kills, in.threadKill)
	wipe(x.kills, in.kill)
}

// arrive records that a register is live at the start of a block, and adds its new consequences to the
// worklists.
func (x *liveness) arrive(r int32, l liveAt) {
	b := l.block
	kinds := l.kinds &^ x.seen[b]
	if kinds == 0 {
		return
	}
	x.seen[b] |= kinds
	flow := x.c.flow
	x.c.new.Work.Spend(1 + len(flow.thread[b]) + len(flow.lanes[b]))
	if kinds&ofThread != 0 {
		x.at[0][r] = append(x.at[0][r], b)
		for _, p := range flow.thread[b] {
			if k := (ofThread | ofLanes) &^ (x.kills[p] | x.seen[p]); k != 0 {
				x.front = append(x.front, liveAt{int32(p), k})
			}
		}
	}
	if kinds&ofLanes != 0 {
		x.at[1][r] = append(x.at[1][r], b)
		for i := range flow.lanes[b] {
			p := flow.lanes[b][i].from
			if (x.kills[p]|x.seen[p])&ofLanes == 0 {
				x.front = append(x.front, liveAt{int32(p), ofLanes})
			}
		}
		x.follow(x.copies[r], liveAt{b, ofLanes})
	}
	x.follow(x.redoes[r], liveAt{b, ofThread | ofLanes})
}

// follow records that other registers are live too.
func (x *liveness) follow(regs []int32, l liveAt) {
	for _, r := range regs {
		x.c.new.Work.Spend(1)
		x.more[r] = append(x.more[r], l)
		if !x.waiting[r] {
			x.waiting[r] = true
			x.again = append(x.again, r)
		}
	}
}

// byBlock returns the registers that are live at the start of each block.
func (x *liveness) byBlock(kind uint8) [][]int32 {
	at := x.at[kind-1]
	count := make([]int32, len(x.c.old.Blocks))
	total := 0
	for _, blocks := range at {
		total += len(blocks)
		for _, b := range blocks {
			count[b]++
		}
	}
	all, out := make([]int32, total), make([][]int32, len(count))
	for b, n := range count {
		out[b], all = all[:0:n], all[n:]
	}
	for r, blocks := range at {
		for _, b := range blocks {
			out[b] = append(out[b], int32(r))
		}
	}
	return out
}

// redoSources returns, by register, the sources of the operations that may rematerialize it.
func (c *checker) redoSources() map[int32][]int32 {
	out := map[int32][]int32{}
	for _, r := range c.redo.all {
		in := c.old.At(r.old)
		for k := range in.Src {
			if o := &in.Src[k]; o.IsReg() {
				u, _ := c.reg(o)
				out[int32(in.Dst.Num)] = append(out[int32(in.Dst.Num)], int32(u))
			}
		}
	}
	return out
}

// copiesForAll returns, by destination, the sources of the unmasked copies that only the first program has.
func (c *checker) copiesForAll() map[int32][]int32 {
	out := map[int32][]int32{}
	for b := range c.steps {
		for i := range c.steps[b] {
			if s := &c.steps[b][i]; s.kind == copied && c.old.At(s.old).NoMask {
				in := c.old.At(s.old)
				dst, _ := c.reg(&in.Dst)
				src, _ := c.reg(&in.Src[0])
				out[int32(dst)] = append(out[int32(dst)], int32(src))
			}
		}
	}
	return out
}
