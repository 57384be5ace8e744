// SPDX-License-Identifier: MIT

package ra

import "jacquard.example/backend/intel/mir"

// blockSteps is the work of visiting a block.
const blockSteps = 4

// walk finds the blocks at whose start r is live, along the physical control flow: backwards from its reads to
// its definitions, among the blocks that a write may reach. Since a thread can always fall through to the next
// block, these are a certain block and all blocks after it.
func (l *Live) walk(r mir.Reg) {
	x := &l.regs[r]
	l.way.Start(len(l.f.Blocks), x.written)
	for n := x.uses; n != 0; n = l.nodes[n].next {
		l.way.Use(l.nodes[n].block)
	}
	for n := x.defs; n != 0; n = l.nodes[n].next {
		l.way.Define(l.nodes[n].block)
	}
	l.f.Work.Spend(blockSteps * l.way.Solve(&l.f.Thread))
}

// LiveIn reports whether r is live at the start of block b, along the physical control flow.
func (l *Live) LiveIn(b int, r mir.Reg) bool {
	if !l.whole {
		l.compute(l.f, true)
	}
	l.walk(r)
	return l.way.In(int32(b))
}
