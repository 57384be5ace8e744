// SPDX-License-Identifier: MIT

package swsb

const (
	// maxAge is the distance beyond which in-order instructions are finished, in pipes other than the long pipe.
	maxAge = 10
	far    = uint32(maxAge + 1) // distance of finished instructions

	// historySize is a power of two larger than maxAge and maxLongAge, and mathHistorySize one larger than maxMathAge.
	historySize, mathHistorySize = 16, 32
)

// history holds the in-order instructions of a pipe that may be unfinished: for each of the last instructions, the
// registers that it writes, and the registers that it writes or reads. Instructions are numbered; a distance is
// a difference of numbers.
type history struct {
	now    uint32   // number of the next instruction
	recent regSet   // superset of all sets in wrote
	wrote  []regSet // by number modulo their length, a power of two
	used   []regSet
}

// at returns the index of an instruction.
func (h *history) at(number uint32) uint32 { return number & uint32(len(h.wrote)-1) }

// set makes h a copy of o, which has the same size.
func (h *history) set(o *history) {
	h.now, h.recent = o.now, o.recent
	copy(h.wrote, o.wrote)
	copy(h.used, o.used)
}

// empty makes h the history in which nothing is unfinished.
func (h *history) empty() {
	h.now, h.recent = 0, regSet{}
	clear(h.wrote)
	clear(h.used)
}

// next begins the next instruction.
func (h *history) next() {
	h.now++
	at := h.at(h.now)
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
	h.wrote[h.at(h.now)].addAll(regs)
	h.recent.addAll(regs)
}

func (h *history) uses(regs *regSet) { h.used[h.at(h.now)].addAll(regs) }

// lastWrite returns the distance of the last instruction that writes a register of a set, if the distance is
// from first to last-1; otherwise it returns last.
func (h *history) lastWrite(regs *regSet, first, last uint32) uint32 {
	for d := first; d < last; d++ {
		if h.wrote[h.at(h.now-d)].meets(regs) {
			return d
		}
	}
	return last
}

// lastUse is like lastWrite, for an instruction that writes or reads a register, starting at distance 1.
func (h *history) lastUse(regs *regSet, last uint32) uint32 {
	for d := uint32(1); d < last; d++ {
		if h.used[h.at(h.now-d)].meets(regs) {
			return d
		}
	}
	return last
}

// join adds the history of another path, up to distance last-1, and reports whether the last write or use of some register
// is later there.
func (h *history) join(o *history, last uint32) bool {
	changed := false
	var wrote, used regSet // registers of the instructions up to a distance
	for d := range last {
		to, from := h.at(h.now-d), o.at(o.now-d)
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
