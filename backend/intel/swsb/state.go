package swsb

import (
	mathbits "math/bits"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/bits"
)

// regSet is the words of a set of registers.
type regSet [(numRegs + 63) / 64]uint64

func (s *regSet) add(r int) { bits.Set(s[:]).Add(r) }

// addRun adds the registers of an operand.
func (s *regSet) addRun(r run) { bits.Set(s[:]).AddRange(int(r.first), int(r.first)+int(r.n)) }

// entry is what may be outstanding for a register. Stamps count in-order instructions;
// between blocks they are relative to the block's end.
type entry struct {
	wrote, read int32 // last in-order write and read
	tokens      tokens
}

// tokens are sets of tokens for a register, 16 bits each, from the low ones on:
//
//	wTok          those whose result goes there
//	rTok          those whose payload comes from there
//	wLate, rLate  the same of what masked instructions and guarded messages have waited for where
//	              the thread may have no lanes: others without mask do not rely on these waits
type tokens uint64

// Where the sets of tokens begin.
const (
	wTok = 16 * iota
	rTok
	wLate
	rLate
)

// inAll is a token in all sets, if it is shifted by its number; inReads is the same for those of payloads.
const (
	inReads = tokens(1<<rTok | 1<<rLate)
	inAll   = inReads | 1<<wTok | 1<<wLate
)

// results returns the tokens to wait for before the result is used; late is which late ones count.
func (t tokens) results(late uint16) uint16 { return uint16(t>>wTok) | uint16(t>>wLate)&late }

// payloads is results for the payload.
func (t tokens) payloads(late uint16) uint16 { return uint16(t>>rTok) | uint16(t>>rLate)&late }

// state is what may be outstanding.
type state struct {
	reg   [numRegs]entry
	busy  regSet // between blocks: registers whose entry is not empty
	timed regSet // registers whose entry may have a stamp
	// holds has for each token the registers whose entries may name it.
	holds [fields.NumTokens]regSet
	any   uint16 // tokens that stand in wTok or rTok of an entry
	late  uint16 // tokens that stand in wLate or rLate of one
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
			wrote, read, tokens := max(to.wrote, from.wrote), max(to.read, from.read), to.tokens|from.tokens
			changed = changed || wrote != to.wrote || read != to.read || tokens != to.tokens
			to.wrote, to.read, to.tokens = wrote, read, tokens
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

// relative moves the stamps so that now is zero, drops what is too old, and finds the busy registers.
func (s *state) relative(now int32) {
	for w, set := range s.timed {
		kept := uint64(0)
		for ; set != 0; set &= set - 1 {
			bit := mathbits.TrailingZeros64(set)
			e := &s.reg[w<<6+bit]
			wrote, read := moved(e.wrote, now), moved(e.read, now)
			e.wrote, e.read = wrote, read
			if max(wrote, read) != none {
				kept |= 1 << bit
			}
		}
		s.timed[w] = kept
	}
	s.busy = s.timed
	for m := s.any | s.late; m != 0; m &= m - 1 {
		for w, set := range s.holds[mathbits.TrailingZeros16(m)] {
			s.busy[w] |= set
		}
	}
}

func moved(stamp, now int32) int32 {
	if stamp -= now; stamp < -maxAge {
		stamp = none
	}
	return stamp
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
		keep := ^(inAll << t)
		for w, set := range s.holds[t] {
			for ; set != 0; set &= set - 1 {
				s.reg[w<<6+mathbits.TrailingZeros64(set)].tokens &= keep
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
		early := tokens(1 << rTok << t)
		if written>>t&1 != 0 {
			early |= 1 << wTok << t
		}
		for w, set := range s.holds[t] {
			for ; set != 0; set &= set - 1 {
				x := &s.reg[w<<6+mathbits.TrailingZeros64(set)].tokens
				*x = *x&^early | *x&early<<(wLate-wTok)
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
				s.reg[w<<6+mathbits.TrailingZeros64(set)].tokens &^= inReads << t
			}
		}
	}
}

// reads notes that an instruction reads a register, and writes that it writes one: with the
// token numbered t, if it is out of order, or at a stamp.
func (s *state) reads(r, t uint8, stamp int32, outOfOrder bool) {
	if e := &s.reg[r]; outOfOrder {
		e.tokens |= 1 << rTok << t
		s.holds[t].add(int(r))
	} else {
		e.read = stamp
	}
}

func (s *state) writes(r, t uint8, stamp int32, outOfOrder bool) {
	if e := &s.reg[r]; outOfOrder {
		e.tokens |= 1 << wTok << t
		s.holds[t].add(int(r))
	} else {
		e.wrote = stamp
	}
}
