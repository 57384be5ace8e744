// SPDX-License-Identifier: MIT

package vars

import "jacquard.example/core/reuse"

// longLives finds the joins at which slots with long lives are live, for all these slots together, in time proportional
// to the joins and accesses rather than to the blocks between them: one walk over the dominator tree finds which join
// each use, and each other join, reads.
type longLives struct {
	slots []longSlot // ascending
	known bool       // whether live of joins is known
	joins []join
	reads []joinRead
	work  []int32 // live joins whose reads have to become live
	cur   []int32 // by slot: the join that the current value comes from, or -1 if none
	undo  []longUndo
	marks []int32 // by block: length of undo at its start

	// By block, lists: accesses of slots, and the joins there.
	accesses       []longAccess
	uses, defs, at []int32
}

type longSlot struct {
	slot     int32
	from, to int32 // joins
}

// join is a block where values of a slot join.
type join struct {
	slot, block int32
	live        bool
	reads       int32 // first in longLives.reads, or -1
	next        int32 // next join in the block
}

// joinRead is an edge from a join to another one whose value reaches it.
type joinRead struct {
	join int32
	next int32
}

type longAccess struct {
	slot int32
	next int32 // in the block
}

type longUndo struct {
	slot, old int32
}

func (l *longLives) addJoin(slot, block int32) {
	l.joins = append(l.joins, join{slot: slot, block: block, reads: -1, next: l.at[block]})
	l.at[block] = int32(len(l.joins) - 1)
}

// findLong finds the slots, starting at first, that have long lives, and the joins at which they are live.
func (c context) findLong(first int32) {
	st := &c.ssa
	l := &st.long
	l.start(len(c.CFG.Blocks), len(st.slots))
	for slot := first; int(slot) < len(st.slots); slot++ {
		if c.findLive(slot) {
			continue
		}
		x := longSlot{slot: slot, from: int32(len(l.joins))}
		c.joins(slot, &x)
		x.to = int32(len(l.joins))
		l.slots = append(l.slots, x)
		for u := st.slots[slot].uses; u >= 0; u = st.defs[u].next {
			l.access(l.uses, slot, st.defs[u].block)
		}
		for d := st.slots[slot].defs; d >= 0; d = st.defs[d].next {
			l.access(l.defs, slot, st.defs[d].block)
		}
	}
	c.walkDominators(c.enterLong, l.leave)
	for len(l.work) > 0 {
		j := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		for r := l.joins[j].reads; r >= 0; r = l.reads[r].next {
			c.Work.Spend(lookSteps)
			l.use(l.reads[r].join)
		}
	}
	l.known = true
}

// start clears the lists for a number of blocks and slots.
func (l *longLives) start(nblocks, nslots int) {
	l.known = false
	l.slots, l.joins, l.reads = l.slots[:0], l.joins[:0], l.reads[:0]
	l.accesses, l.undo = l.accesses[:0], l.undo[:0]
	l.cur, l.marks = reuse.Slice(l.cur, nslots), reuse.Slice(l.marks, nblocks)
	l.uses, l.defs, l.at = reuse.Slice(l.uses, nblocks), reuse.Slice(l.defs, nblocks), reuse.Slice(l.at, nblocks)
	for i := range l.cur {
		l.cur[i] = -1
	}
	for i := range nblocks {
		l.uses[i], l.defs[i], l.at[i] = -1, -1, -1
	}
}

// access adds an access in a block to one of the lists.
func (l *longLives) access(list []int32, slot, block int32) {
	l.accesses = append(l.accesses, longAccess{slot, list[block]})
	list[block] = int32(len(l.accesses) - 1)
}

// use makes a join live. It does nothing for -1, no join.
func (l *longLives) use(j int32) {
	if j >= 0 && !l.joins[j].live {
		l.joins[j].live = true
		l.work = append(l.work, j)
	}
}

func (l *longLives) set(slot, j int32) {
	l.undo = append(l.undo, longUndo{slot, l.cur[slot]})
	l.cur[slot] = j
}

// enterLong visits a block before the blocks that it dominates.
func (c context) enterLong(b int) {
	l := &c.ssa.long
	l.marks[b] = int32(len(l.undo))
	for j := l.at[b]; j >= 0; j = l.joins[j].next {
		l.set(l.joins[j].slot, j)
	}
	for a := l.uses[b]; a >= 0; a = l.accesses[a].next {
		l.use(l.cur[l.accesses[a].slot])
	}
	for a := l.defs[b]; a >= 0; a = l.accesses[a].next {
		l.set(l.accesses[a].slot, -1)
	}
	for _, t := range c.CFG.Succs(b) {
		for j := l.at[t]; j >= 0; j = l.joins[j].next {
			c.Work.Spend(lookSteps)
			if from := l.cur[l.joins[j].slot]; from >= 0 {
				l.reads = append(l.reads, joinRead{from, l.joins[j].reads})
				l.joins[j].reads = int32(len(l.reads) - 1)
			}
		}
	}
}

// leave undoes what enterLong did to the current values.
func (l *longLives) leave(b int) {
	for i := int32(len(l.undo)); i > l.marks[b]; i-- {
		l.cur[l.undo[i-1].slot] = l.undo[i-1].old
	}
	l.undo = l.undo[:l.marks[b]]
}
