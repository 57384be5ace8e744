package ra

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// active are the registers that are live, in the order in which they were placed, and by position those
// of which the next GRF becomes free behind it.
type active struct {
	next, prev []mir.Reg // by register; those of 0 are the first and the last
	ends       []mir.Reg // by position: the first of a list
	more       []mir.Reg // by register: the next one in its list
}

// reset empties the list, for a number of registers and positions.
func (a *active) reset(regs, positions int) {
	a.next, a.prev, a.more = reuse.Slice(a.next, regs), reuse.Slice(a.prev, regs), reuse.Slice(a.more, regs)
	a.next[0], a.prev[0] = 0, 0
	a.ends = reuse.Zeroed(a.ends, positions)
}

// add adds a register at the end.
func (a *active) add(r mir.Reg) {
	last := a.prev[0]
	a.next[last], a.prev[0] = r, r
	a.next[r], a.prev[r] = 0, last
}

// remove removes a register.
func (a *active) remove(r mir.Reg) {
	next, prev := a.next[r], a.prev[r]
	a.next[prev], a.prev[next] = next, prev
}

// until adds a register to those of which a GRF becomes free behind a position, unless that is
// never: machine IR of others may name a register behind the ends of all its GRFs.
func (a *active) until(r mir.Reg, p int32) {
	if p != never {
		a.more[r], a.ends[p] = a.ends[p], r
	}
}
