// SPDX-License-Identifier: MIT

package ra

import "jacquard.example/backend/intel/mir"

// part is the end of the live range of one GRF of a register: a component of a vector dies after its last read,
// although other components are still needed.
type part struct {
	end  int32
	loop int32 // innermost loop around the last access, until the range is extended
	read bool
}

// reads records that a source that touches some parts is read at position p in a loop.
func reads(parts []part, p, loop int32) {
	for k := range parts {
		x := &parts[k]
		x.read = true
		if p >= x.end {
			x.end, x.loop = p, loop
		}
	}
}

// writes is like reads, for a destination.
func writes(parts []part, p, loop int32) {
	for k := range parts {
		if x := &parts[k]; p >= x.end {
			x.end, x.loop = p, loop
		}
	}
}

// stretchParts extends the ends of the parts of r over loops, as stretch does for the register. If r was
// extended to the front, it may be live around a loop, and all its parts live as long as r. A part that is never
// read lives until another part is read, since the message that fills all of them may still be in flight; as long
// as r if it is written later.
func (l *Live) stretchParts(r mir.Reg, fromStart bool) {
	first := &l.regs[r]
	for k := l.base[r]; k < l.base[r+1]; k++ {
		x := &l.parts[k]
		if !fromStart || !x.read && first.read <= x.end {
			x.end = l.End[r]
			continue
		}
		end, loop := x.end, x.loop
		if !x.read {
			end, loop = first.read, first.readLoop
		}
		if out, _ := l.f.Apart(loop, first.startLoop); out != 0 {
			_, end = l.loop(out)
		}
		x.end = min(end, l.End[r])
	}
}

// partsOf returns the live ranges of the GRFs of a register.
func (l *Live) partsOf(r mir.Reg) []part { return l.parts[l.base[r]:l.base[r+1]] }

// EndOf returns the end of the live range of GRF k of a register.
func (l *Live) EndOf(r mir.Reg, k int) int32 { return l.partsOf(r)[k].end }

// nextEnd returns the first end, at p or later, of a live range of a GRF of r, or never.
func (l *Live) nextEnd(r mir.Reg, p int32) int32 {
	next := never
	for _, x := range l.partsOf(r) {
		if x.end >= p {
			next = min(next, x.end)
		}
	}
	return next
}
