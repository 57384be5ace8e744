// SPDX-License-Identifier: MIT

package allocheck

// waiter propagates the facts about lanes that wait while others run. The effect of blocks on a row is
// memoized, since many lanes wait while a block runs.
type waiter struct {
	effects []*blockEffect // by block; nil if not computed yet
	memo    map[waitKey]*row
	rows    []*row // by block on a path, and register
	reached []bool // by block on a path
	due     []bool
	mark    []uint32 // by register
	now     uint32
	regs    []int32 // tracked registers, and the facts about them
	before  []*row
}

type waitKey struct {
	block, reg int32
	row        *row
}

// blockEffect is the set of places and registers that a block may change for waiting lanes.
type blockEffect struct {
	places bucketMask // places that it writes, and places that it copies from
	writes []int32    // registers that it writes without a mask
	copies bool       // whether it has unmasked copies between registers
}

// effectOf returns the effect of a block.
func (c *checker) effectOf(b int) *blockEffect {
	if c.wait.effects == nil {
		c.wait.effects = make([]*blockEffect, len(c.steps))
	}
	if x := c.wait.effects[b]; x != nil {
		return x
	}
	x := &blockEffect{}
	c.wait.effects[b] = x
	for i := range c.steps[b] {
		s := &c.steps[b][i]
		if a, _, shift := c.written(s); a != nil {
			x.places.addPlaces(a.start, len(a.lane))
			x.places.addPlaces(a.start+shift, len(a.lane))
		}
		for _, r := range c.stale(s) {
			x.places.addPlaces(r.place, int(r.bytes))
		}
		if s.old == 0 {
			continue
		}
		in := c.old.At(s.old)
		if in.NoMask && in.Dst.IsReg() {
			r, _ := c.reg(&in.Dst)
			x.writes = append(x.writes, int32(r))
			x.copies = x.copies || s.kind == copied
		}
	}
	return x
}

// arrive returns the facts about lanes that take an edge from the current state, in the order of the registers
// that are live at its end. While they wait, the thread may run the blocks in between.
func (c *checker) arrive(e *edge) []*row {
	need := c.need.lanes[e.to]
	n, w := e.last-e.first, &c.wait
	w.rows = zeroed(w.rows, (n+2)*len(need))
	w.reached, w.due = zeroed(w.reached, n), zeroed(w.due, n)
	at := func(i int) []*row { return w.rows[i*len(need) : (i+1)*len(need)] }
	end, after := at(n), at(n+1)
	again := false
	leave := func(b int) {
		for _, to := range c.threadTo[b] {
			switch i := to - e.first; {
			case to == e.to:
				c.join(end, need, func(i int, _ int32) *row { return after[i] })
			case i >= 0 && i < n:
				changed := c.join(at(i), need, func(i int, _ int32) *row { return after[i] })
				if changed || !w.reached[i] {
					w.reached[i], w.due[i] = true, true
					again = again || to <= b
				}
			}
		}
	}
	for i, r := range need {
		after[i] = c.lanes.row(r)
	}
	leave(e.from)
	for again = true; again; {
		again = false
		for i := range n {
			if w.due[i] {
				w.due[i] = false
				c.runWhile(e.first+i, need, at(i), after)
				leave(e.first + i)
			}
		}
	}
	return end
}

// runWhile applies the effect of a block to the rows of waiting lanes.
func (c *checker) runWhile(b int, need []int32, before, after []*row) {
	w, x := &c.wait, c.effectOf(b)
	c.new.Work.Spend(len(need))
	if w.mark == nil {
		w.mark, w.memo = make([]uint32, len(c.owner)), map[waitKey]*row{}
	}
	w.now++
	for _, r := range x.writes {
		w.mark[r] = w.now
	}
	w.regs, w.before = w.regs[:0], w.before[:0]
	for i, r := range need {
		after[i] = before[i]
		if !x.copies {
			if w.mark[r] != w.now && (before[i] == nil || !before[i].mask.meets(&x.places)) {
				continue
			}
			if m, ok := w.memo[waitKey{int32(b), r, before[i]}]; ok {
				after[i] = m
				continue
			}
		}
		w.regs, w.before = append(w.regs, r), append(w.before, before[i])
	}
	if len(w.regs) == 0 {
		return
	}
	c.waiting.load(w.regs, w.before)
	for k := range c.steps[b] {
		c.new.Work.Spend(stepSteps)
		c.waitStep(&c.steps[b][k])
	}
	k := 0
	for i, r := range need {
		if k < len(w.regs) && w.regs[k] == r {
			after[i] = c.waiting.row(r)
			if !x.copies {
				w.memo[waitKey{int32(b), r, before[i]}] = after[i]
			}
			k++
		}
	}
}

// zeroed returns a slice of n zeros, reusing the memory of s if it has room.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
