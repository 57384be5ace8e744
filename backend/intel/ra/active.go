// SPDX-License-Identifier: MIT

package ra

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// active is the linear scan's active list: the live registers in placement order. For each position it also
// lists the registers with a GRF whose live range ends there.
type active struct {
	next, prev []mir.Reg // by register; next[0] and prev[0] are the first and the last
	ends       []mir.Reg // by position: head of the list of registers with a GRF that expires
	more       []mir.Reg // by register: next one in the same list
}

// reset empties the lists for a number of registers and positions.
func (a *active) reset(regs, positions int) {
	a.next, a.prev, a.more = reuse.Slice(a.next, regs), reuse.Slice(a.prev, regs), reuse.Slice(a.more, regs)
	a.next[0], a.prev[0] = 0, 0
	a.ends = reuse.Zeroed(a.ends, positions)
}

// add appends a register.
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

// expireAt adds r to the registers with a GRF that expires at position p. p may be never: foreign machine IR may
// use a register after the ends of all its GRFs' live ranges.
func (a *active) expireAt(r mir.Reg, p int32) {
	if p != never {
		a.more[r], a.ends[p] = a.ends[p], r
	}
}
