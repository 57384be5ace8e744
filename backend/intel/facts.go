// SPDX-License-Identifier: MIT

package intel

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/backend/intel/ra"
)

// Facts are properties of compiled code that its lines do not show.
type Facts struct {
	// Peak is the index in Binary.Lines of the first line with the most live registers; Held lists their contents.
	Peak    int
	Held    []Held
	Spilled []Spilled
	Loops   []perf.Loop // by their start, those around others first
	// Pushed lists the loads of uniform buffers, as ir.Values, whose data is wholly or partly in the push data.
	Pushed []uint32
}

// Held is the content of a general register.
type Held struct {
	mir.Origin
	Payload  bool // part of the thread payload
	Register int
}

// Spilled is a register that was spilled.
type Spilled struct {
	mir.Origin        // origin of the first instruction that writes it
	How        ra.How // the treatment of the spilled register
	Bytes      int
	Peak       mir.Origin // instruction in its live range with the most live registers when it was spilled
	Live       int        // the number of registers live at Peak
	Stores     int        // messages
	Fills      int
	Cycles     int // cycles of the instructions that spilling added for it
}

// facts returns the facts of the code, and sets in its lines the spilled register that each spill and fill belongs
// to. The lines must have been built.
func (j *job) facts() *Facts {
	x := &Facts{Loops: j.c.perf.Loops()}
	if j.s != nil {
		x.Pushed = value.Pushed(j.s, j.u.Ranges)
	}
	a := j.account
	if a == nil {
		return x
	}
	origin := func(loc uint32) mir.Origin { return j.u.Origins[loc] }
	for _, h := range a.Held {
		x.Held = append(x.Held, Held{origin(h.Loc), h.Payload, h.GRF})
	}
	for _, s := range a.Spilled {
		x.Spilled = append(x.Spilled, Spilled{
			Origin: origin(s.Loc), How: s.How, Bytes: s.Bytes, Peak: origin(s.Peak), Live: s.Live, Stores: s.Stores, Fills: s.Fills,
		})
	}
	times, n := j.c.perf.Times(), 0
	for i := range j.c.emit.Offsets() {
		if i == a.Peak {
			x.Peak = n
		}
		if k, ok := a.Made[i]; ok {
			j.lines[n].Spilled = int(k) + 1
			x.Spilled[k].Cycles += (times[n].Wait + times[n].Issue) * times[n].Times
		}
		n++
	}
	return x
}
