package swsb

import (
	mathbits "math/bits"

	"jacquard.example/backend/intel/fields"
)

// state is what may be outstanding.
type state struct {
	inOrder history
	any     uint16 // tokens that may have results or payloads
	late    uint16 // tokens that may have late ones
	all     uint16 // tokens of instructions without mask
	held    held   // no token has registers besides these

	tokens [fields.NumTokens]held // of those in any or late; the others are undefined
}

// empty is the state in which nothing is outstanding.
var empty state

// held is the registers of a token. The result's are among those of the payload, since who waits for
// the result need not wait for the payload. Late ones are those of what masked instructions and guarded
// messages have waited for where the thread may have no lanes: others without mask do not rely
// on these waits.
type held struct {
	results, payloads         regSet
	lateResults, latePayloads regSet
}

// add adds the registers of another token or path.
func (h *held) add(o *held) {
	h.results.addAll(&o.results)
	h.payloads.addAll(&o.payloads)
	h.lateResults.addAll(&o.lateResults)
	h.latePayloads.addAll(&o.latePayloads)
}

// has reports whether a token has all registers of another one.
func (h *held) has(o *held) bool {
	return h.results.has(&o.results) && h.payloads.has(&o.payloads) &&
		h.lateResults.has(&o.lateResults) && h.latePayloads.has(&o.latePayloads)
}

// awaited reports whether an instruction must wait for the result, before it reads or writes a
// register, and for the payload, before it writes one. Late ones count if it has no mask.
func (h *held) awaited(st *step) (result, payload bool) {
	result, payload = h.results.meets(&st.uses), h.payloads.meets(&st.writes)
	if st.noMask {
		result = result || h.lateResults.meets(&st.uses)
		payload = payload || h.latePayloads.meets(&st.writes)
	}
	return result, payload
}

// set makes a state the same as another one.
func (s *state) set(o *state) {
	s.inOrder, s.any, s.late, s.all, s.held = o.inOrder, o.any, o.late, o.all, o.held
	for m := s.any | s.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		s.tokens[t] = o.tokens[t]
	}
}

// join merges what another path leaves outstanding; it reports whether anything changed.
func (s *state) join(o *state) bool {
	changed := o.all&^s.all != 0
	if s.inOrder.join(&o.inOrder) {
		changed = true
	}
	for m := o.any | o.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		if h := s.token(t); !h.has(&o.tokens[t]) {
			h.add(&o.tokens[t])
			changed = true
		}
	}
	s.any |= o.any
	s.late |= o.late
	s.all |= o.all
	s.held.add(&o.held)
	return changed
}

// token returns the registers of a token, which may have had none.
func (s *state) token(t int) *held {
	h := &s.tokens[t]
	if (s.any|s.late)>>t&1 == 0 {
		*h = held{}
	}
	return h
}

// take notes that an instruction takes its token.
func (s *state) take(st *step) {
	h := s.token(int(st.token))
	h.results.addAll(&st.writes)
	h.payloads.addAll(&st.uses)
	s.any |= 1 << st.token
	s.held.results.addAll(&st.writes)
	s.held.payloads.addAll(&st.uses)
}

// written removes tokens whose results have been waited for; their payloads have then
// been read too.
func (s *state) written(m uint16) {
	s.all &^= m
	if m&(s.any|s.late) == 0 {
		return
	}
	s.any &^= m
	s.late &^= m
	s.held = held{}
	for m := s.any | s.late; m != 0; m &= m - 1 {
		s.held.add(&s.tokens[mathbits.TrailingZeros16(m)])
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
	s.late |= m
	for ; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		h := &s.tokens[t]
		h.latePayloads.addAll(&h.payloads)
		h.payloads = regSet{}
		if written>>t&1 != 0 {
			h.lateResults.addAll(&h.results)
			h.results = regSet{}
		}
	}
	s.held.lateResults.addAll(&s.held.results)
	s.held.latePayloads.addAll(&s.held.payloads)
	s.findHeld()
}

// consumed removes tokens whose payloads have been waited for.
func (s *state) consumed(m uint16) {
	if m &= s.any | s.late; m == 0 {
		return
	}
	for ; m != 0; m &= m - 1 {
		h := &s.tokens[mathbits.TrailingZeros16(m)]
		h.payloads, h.latePayloads = regSet{}, regSet{}
	}
	s.findHeld()
}

// findHeld finds the registers of all tokens that are not late.
func (s *state) findHeld() {
	s.held.results, s.held.payloads = regSet{}, regSet{}
	for m := s.any; m != 0; m &= m - 1 {
		h := &s.tokens[mathbits.TrailingZeros16(m)]
		s.held.results.addAll(&h.results)
		s.held.payloads.addAll(&h.payloads)
	}
}

// awaited returns the tokens whose results, and of the others those whose payloads, an
// instruction must wait for.
func (s *state) awaited(st *step) (results, payloads uint16) {
	if r, p := s.held.awaited(st); !r && !p {
		return 0, 0
	}
	for m := s.any | s.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		switch r, p := s.tokens[t].awaited(st); {
		case r:
			results |= 1 << t
		case p:
			payloads |= 1 << t
		}
	}
	return results, payloads
}
