package ra

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// way is the memory of a walk: the blocks at whose start a register is live, and those
// that define it, have the walk's mark.
type way struct {
	mark     uint32
	in, defs []uint32
	stack    []int32
}

// blockSteps is the work of visiting a block.
const blockSteps = 4

// walk marks the blocks at whose start r is live, along the physical control flow:
// backwards from its reads to its definitions, no further than where it may have been
// written. Since a thread can always fall through to the next block, these are all blocks
// from a certain one on.
func (l *Live) walk(r mir.Reg) {
	f, w, x := l.f, &l.way, &l.regs[r]
	if w.mark++; w.mark == 0 || len(w.in) < len(f.Blocks) {
		w.in, w.defs, w.mark = reuse.Zeroed(w.in, len(f.Blocks)), reuse.Zeroed(w.defs, len(f.Blocks)), 1
	}
	w.stack = w.stack[:0]
	for n := x.defs; n != 0; n = l.nodes[n].next {
		w.defs[l.nodes[n].block] = w.mark
	}
	reach := func(b int32) {
		if b >= x.written && w.in[b] != w.mark {
			w.in[b] = w.mark
			w.stack = append(w.stack, b)
		}
	}
	for n := x.uses; n != 0; n = l.nodes[n].next {
		reach(l.nodes[n].block)
	}
	for len(w.stack) > 0 {
		b := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		before := f.Blocks[b].PhysPred
		f.Work.Spend(blockSteps * (1 + len(before)))
		for _, p := range before {
			if w.defs[p] != w.mark {
				reach(p)
			}
		}
	}
}

// LiveIn reports whether r is live at the start of block b, along the physical control
// flow.
func (l *Live) LiveIn(b int, r mir.Reg) bool {
	if !l.whole {
		l.compute(l.f, true)
	}
	l.walk(r)
	return l.way.in[b] == l.way.mark
}
