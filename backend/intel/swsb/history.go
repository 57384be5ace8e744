package swsb

const (
	// maxAge is how many instructions ago an in-order instruction may still be unfinished.
	maxAge = 10
	far    = uint32(maxAge + 1) // the distance of what is finished

	// historySize is a power of two that is larger than maxAge.
	historySize = 16
)

// history is what in-order instructions may not have finished: the registers that each of the
// last maxAge ones writes, and those that it writes or reads. They are numbered; a distance is
// how many numbers ago one was.
type history struct {
	now    uint32              // the number of the next one
	recent regSet              // no others are in wrote
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

// writes notes registers that the next instruction writes, and uses those that it writes or reads.
func (h *history) writes(regs *regSet) {
	h.wrote[h.now%historySize].addAll(regs)
	h.recent.addAll(regs)
}

func (h *history) uses(regs *regSet) { h.used[h.now%historySize].addAll(regs) }

// lastWrite returns the distance of the last instruction that writes a register of a set, if it
// is from first to last-1, and else last.
func (h *history) lastWrite(regs *regSet, first, last uint32) uint32 {
	for d := first; d < last; d++ {
		if h.wrote[(h.now-d)%historySize].meets(regs) {
			return d
		}
	}
	return last
}

// lastUse is lastWrite of an instruction that writes or reads one, from the last instruction on.
func (h *history) lastUse(regs *regSet, last uint32) uint32 {
	for d := uint32(1); d < last; d++ {
		if h.used[(h.now-d)%historySize].meets(regs) {
			return d
		}
	}
	return last
}

// join adds those of another path, and reports whether the last write or use of a register is
// later there.
func (h *history) join(o *history) bool {
	changed := false
	var wrote, used regSet // by the instructions up to a distance
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
