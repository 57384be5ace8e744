// SPDX-License-Identifier: MIT

package vars

// placePhis places a phi without sources at every block where different values of a live slot join.
func (c context) placePhis() {
	st := &c.ssa
	st.long.slots = st.long.slots[:0]
	long := 0 // the next slot of st.long
	for slot := range int32(len(st.slots)) {
		switch {
		case long < len(st.long.slots) && st.long.slots[long].slot == slot:
			c.joins(slot, &st.long.slots[long])
			long++
		case c.findLive(slot):
			c.joins(slot, nil)
		default:
			c.findLong(slot)
			c.joins(slot, &st.long.slots[0])
			long = 1
		}
	}
}

// shortLife is the number of steps that findLive may make for a slot, and accessSteps the number that each access adds.
const shortLife, accessSteps = 64, 16

// findLive computes the blocks at whose start a slot is live. It reports whether it has: it gives up for a slot that is
// live in many more blocks than access it.
func (c context) findLive(slot int32) bool {
	st := &c.ssa
	most := shortLife
	st.live.Start(len(c.CFG.Blocks), 0)
	for u := st.slots[slot].uses; u >= 0; u = st.defs[u].next {
		st.live.Use(st.defs[u].block)
		most += accessSteps
	}
	for d := st.slots[slot].defs; d >= 0; d = st.defs[d].next {
		st.live.Define(st.defs[d].block)
		most += accessSteps
	}
	steps, all := st.live.SolveWithin(&c.CFG.Graph, most)
	c.Work.Spend(lookSteps * steps)
	return all
}

// joins finds the blocks where different values of a slot join: the iterated dominance frontier of the definitions. It
// places a phi where the slot is live. For a slot with a long life, that is at the joins which findLong has found live;
// before they are known, joins only records all joins.
func (c context) joins(slot int32, long *longSlot) {
	st := &c.ssa
	s := &st.slots[slot]
	st.mark++
	mark := st.mark
	record := long != nil && !st.long.known
	if long != nil && st.long.known {
		st.live.Start(len(c.CFG.Blocks), 0)
		for _, j := range st.long.joins[long.from:long.to] {
			if j.live {
				st.live.Use(j.block)
			}
		}
	}
	for d := s.defs; d >= 0; d = st.defs[d].next {
		b := st.defs[d].block
		st.isDef[b] = mark
		if c.Dom.Reachable(int(b)) {
			st.work = append(st.work, b)
		}
	}
	for len(st.work) > 0 {
		b := st.work[len(st.work)-1]
		st.work = st.work[:len(st.work)-1]
		for r := st.dfAt[b]; r >= 0; r = st.df[r].next {
			c.Work.Spend(lookSteps)
			j := st.df[r].block
			switch {
			case st.seen[j] == mark:
				continue
			case record:
				st.long.addJoin(slot, j)
			case st.live.In(j):
				c.placePhi(slot, j)
			default:
				continue
			}
			st.seen[j] = mark
			if st.isDef[j] != mark {
				st.isDef[j] = mark
				st.work = append(st.work, j)
			}
		}
	}
}

func (c context) placePhi(slot, block int32) {
	st := &c.ssa
	s := &st.slots[slot]
	c.B.AtStart(c.CFG.Blocks[block])
	c.B.Loc = 0
	v := c.B.Phi(s.comps, s.bits, len(c.CFG.Preds(int(block))))
	st.phis = append(st.phis, placedPhi{slot, v, st.first[block]})
	st.first[block] = int32(len(st.phis) - 1)
}
