package swsb

import (
	mathbits "math/bits"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/bits"
)

// regSet is the words of a set of registers.
type regSet [(numRegs + 63) / 64]uint64

func (s *regSet) add(r int) { bits.Set(s[:]).Add(r) }

// entry is what may be outstanding for a register. Stamps count in-order instructions;
// between blocks they are relative to the block's end.
type entry struct {
	wrote, read int32  // last in-order write and read
	wTok        uint16 // tokens whose result goes there
	rTok        uint16 // tokens whose payload comes from there
	// What masked instructions and guarded messages have waited for where the thread may have
	// no lanes: others without mask do not rely on these waits.
	wLate, rLate uint16
}

// state is what may be outstanding.
type state struct {
	reg   [numRegs]entry
	busy  regSet // registers whose entry is not empty
	timed regSet // registers whose entry may have a stamp
	// holds has for each token the registers whose entries may name it.
	holds [fields.NumTokens]regSet
	any   uint16 // tokens that stand in wTok or rTok
	late  uint16 // tokens that stand in wLate or rLate
	all   uint16 // tokens of instructions without mask
}

// empty is the state in which nothing is outstanding.
var empty = func() (s state) {
	for r := range s.reg {
		s.reg[r] = entry{wrote: none, read: none}
	}
	return s
}()

// join merges what another path leaves outstanding; it reports whether anything changed.
func (s *state) join(o *state) bool {
	changed := o.all&^s.all != 0
	for w, set := range o.busy {
		s.busy[w] |= set
		s.timed[w] |= o.timed[w]
		for ; set != 0; set &= set - 1 {
			r := w<<6 + mathbits.TrailingZeros64(set)
			from, to := &o.reg[r], &s.reg[r]
			if *from == *to {
				continue
			}
			was := *to
			to.wrote, to.read = max(to.wrote, from.wrote), max(to.read, from.read)
			to.wTok |= from.wTok
			to.rTok |= from.rTok
			to.wLate |= from.wLate
			to.rLate |= from.rLate
			changed = changed || *to != was
		}
	}
	for m := o.any | o.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		for w := range s.holds[t] {
			s.holds[t][w] |= o.holds[t][w]
		}
	}
	s.any |= o.any
	s.late |= o.late
	s.all |= o.all
	return changed
}

// relative moves the stamps so that now is zero, and drops what is too old.
func (s *state) relative(now int32) {
	for w, set := range s.timed {
		for ; set != 0; set &= set - 1 {
			e := &s.reg[w<<6+mathbits.TrailingZeros64(set)]
			e.wrote, e.read = moved(e.wrote, now), moved(e.read, now)
			if e.wrote == none && e.read == none {
				s.timed[w] &^= set & -set
			}
		}
	}
	s.busy = s.timed
	for m := s.any | s.late; m != 0; m &= m - 1 {
		for w, set := range s.holds[mathbits.TrailingZeros16(m)] {
			s.busy[w] |= set
		}
	}
}

func moved(stamp, now int32) int32 {
	if now-stamp > maxAge {
		return none
	}
	return stamp - now
}

// written removes tokens whose results have been waited for; their payloads have then
// been read too.
func (s *state) written(m uint16) {
	s.all &^= m
	m &= s.any | s.late
	s.any &^= m
	s.late &^= m
	for ; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		keep := ^uint16(1 << t)
		for w, set := range s.holds[t] {
			for ; set != 0; set &= set - 1 {
				e := &s.reg[w<<6+mathbits.TrailingZeros64(set)]
				e.wTok &= keep
				e.rTok &= keep
				e.wLate &= keep
				e.rLate &= keep
			}
		}
		s.holds[t] = regSet{}
	}
}

// skipped notes tokens that a masked instruction has waited for, unless the thread has no
// lanes: for their results and payloads, or for their payloads only.
func (s *state) skipped(written, consumed uint16) {
	s.all &^= written
	m := (written | consumed) & s.any
	if m == 0 {
		return
	}
	s.any &^= written
	s.late |= written | consumed
	for ; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		tok := uint16(1) << t
		for w, set := range s.holds[t] {
			for ; set != 0; set &= set - 1 {
				e := &s.reg[w<<6+mathbits.TrailingZeros64(set)]
				e.rLate |= e.rTok & tok
				e.rTok &^= tok
				if written&tok != 0 {
					e.wLate |= e.wTok & tok
					e.wTok &^= tok
				}
			}
		}
	}
}

// consumed removes tokens whose payloads have been waited for.
func (s *state) consumed(m uint16) {
	for m &= s.any | s.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		for w, set := range s.holds[t] {
			for ; set != 0; set &= set - 1 {
				e := &s.reg[w<<6+mathbits.TrailingZeros64(set)]
				e.rTok &^= 1 << t
				e.rLate &^= 1 << t
			}
		}
	}
}

// reads notes that an instruction reads a register, and writes that it writes one: with the
// token numbered t, if it is out of order, or at a stamp.
func (s *state) reads(r int, t uint8, stamp int32, outOfOrder bool) {
	s.busy.add(r)
	if !outOfOrder {
		s.reg[r].read = stamp
		s.timed.add(r)
		return
	}
	s.reg[r].rTok |= 1 << t
	s.holds[t].add(r)
}

func (s *state) writes(r int, t uint8, stamp int32, outOfOrder bool) {
	s.busy.add(r)
	if !outOfOrder {
		s.reg[r].wrote = stamp
		s.timed.add(r)
		return
	}
	s.reg[r].wTok |= 1 << t
	s.holds[t].add(r)
}
