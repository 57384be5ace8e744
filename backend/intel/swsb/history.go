// SPDX-License-Identifier: MIT

package swsb

const (
	// maxAge is the distance beyond which in-order instructions are finished.
	maxAge = 10
	far    = uint32(maxAge + 1) // distance of finished instructions

	// historySize is a power of two larger than maxAge.
	historySize = 16
)

// history holds the in-order instructions that may be unfinished: for each of the last maxAge instructions, the
// registers that it writes, and the registers that it writes or reads. Instructions are numbered; a distance is
// a difference of numbers.
type history struct {
	now    uint32              // number of the next instruction
	recent regSet              // superset of all sets in wrote
	wrote  [historySize]regSet // by number modulo historySize
	used   [historySize]regSet
}

// next begins the next instruction.
func (h *history) next() {
	h.now++
	at := h.now % historySize
	h.wrote[at], h.used[at] = regSet{}, regSet{}
	if at == 0 {
		h.recent = regSet{}
		for k := range h.wrote {
			h.recent.addAll(&h.wrote[k])
		}
	}
}

// writes records registers that the next instruction writes; uses records registers that it writes or reads.
func (h *history) writes(regs *regSet) {
	h.wrote[h.now%historySize].addAll(regs)
	h.recent.addAll(regs)
}

func (h *history) uses(regs *regSet) { h.used[h.now%historySize].addAll(regs) }

// lastWrite returns the distance of the last instruction that writes a register of a set, if the distance is
// from first to last-1; otherwise it returns last.
func (h *history) lastWrite(regs *regSet, first, last uint32) uint32 {
	for d := first; d < last; d++ {
		if h.wrote[(h.now-d)%historySize].meets(regs) {
			return d
		}
	}
	return last
}

// lastUse is like lastWrite, for an instruction that writes or reads a register, starting at distance 1.
func (h *history) lastUse(regs *regSet, last uint32) uint32 {
	for d := uint32(1); d < last; d++ {
		if h.used[(h.now-d)%historySize].meets(regs) {
			return d
		}
	}
	return last
}

// join adds the history of another path, and reports whether the last write or use of some register is later
// there.
func (h *history) join(o *history) bool {
	changed := false
	var wrote, used regSet // registers of the instructions up to a distance
	for d := range far {
		to, from := (h.now-d)%historySize, (o.now-d)%historySize
		if wrote.addAll(&h.wrote[to]); !wrote.has(&o.wrote[from]) {
			h.wrote[to].addNew(&o.wrote[from], &wrote)
			changed = true
		}
		if used.addAll(&h.used[to]); !used.has(&o.used[from]) {
			h.used[to].addNew(&o.used[from], &used)
			changed = true
		}
	}
	h.recent.addAll(&o.recent)
	return changed
}
