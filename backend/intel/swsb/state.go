// SPDX-License-Identifier: MIT

package swsb

import (
	mathbits "math/bits"

	"jacquard.example/backend/intel/fields"
)

// state is the set of operations that may be outstanding.
type state struct {
	inOrder []history // by pipe
	any     uint16    // tokens with outstanding results or payloads
	late    uint16    // tokens with late registers
	all     uint16    // tokens of unmasked instructions
	held    held      // union over all tokens; its sets of late registers may contain more

	tokens [fields.NumTokens]held // valid for tokens in any or late
}

// empty makes s the state in which nothing is outstanding.
func (s *state) empty() {
	for p := range s.inOrder {
		s.inOrder[p].empty()
	}
	*s = state{inOrder: s.inOrder}
}

// held has the registers of a token. The payload's set includes the registers of the result, since a wait for the
// result also covers the payload. Late registers have been waited for only by masked instructions and
// guarded messages, in places where the thread may have no lanes: other unmasked instructions do not rely on
// these waits.
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

// has reports whether h contains all registers of o.
func (h *held) has(o *held) bool {
	return h.results.has(&o.results) && h.payloads.has(&o.payloads) &&
		h.lateResults.has(&o.lateResults) && h.latePayloads.has(&o.latePayloads)
}

// awaited reports whether an instruction must wait for the result, before it reads or writes a register, or for
// the payload, before it writes one. Late registers count if it has no mask.
func (h *held) awaited(a *access) (result, payload bool) {
	result, payload = h.results.meets(&a.uses), h.payloads.meets(&a.writes)
	if a.noMask {
		result = result || h.lateResults.meets(&a.uses)
		payload = payload || h.latePayloads.meets(&a.writes)
	}
	return result, payload
}

// set makes s a copy of o.
func (s *state) set(o *state) {
	for p := range s.inOrder {
		s.inOrder[p].set(&o.inOrder[p])
	}
	s.any, s.late = o.any, o.late
	s.all, s.held = o.all, o.held
	for m := s.any | s.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		s.tokens[t] = o.tokens[t]
	}
}

// join merges the outstanding operations of another path, and reports whether anything changed.
func (s *state) join(o *state) bool {
	changed := o.all&^s.all != 0
	for p := range s.inOrder {
		if s.inOrder[p].join(&o.inOrder[p], pipe(p).far()) {
			changed = true
		}
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

// token returns the registers of a token for modification. If the token has none, it empties them first.
func (s *state) token(t int) *held {
	h := &s.tokens[t]
	if (s.any|s.late)>>t&1 == 0 {
		*h = held{}
	}
	return h
}

// take records that an instruction allocates a token.
func (s *state) take(token uint8, a *access) {
	h := s.token(int(token))
	h.results.addAll(&a.writes)
	h.payloads.addAll(&a.uses)
	s.any |= 1 << token
	s.held.results.addAll(&a.writes)
	s.held.payloads.addAll(&a.uses)
}

// written removes tokens whose results have been waited for; their payloads have then been read too.
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

// skipped moves the registers of tokens to the late ones, after a wait that threads without lanes skip: a wait
// for the results and payloads of written, and for the payloads of consumed.
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

// consumed removes the payloads of tokens that have been waited for.
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

// findHeld computes the union over all tokens of the registers that are not late.
func (s *state) findHeld() {
	s.held.results, s.held.payloads = regSet{}, regSet{}
	for m := s.any; m != 0; m &= m - 1 {
		h := &s.tokens[mathbits.TrailingZeros16(m)]
		s.held.results.addAll(&h.results)
		s.held.payloads.addAll(&h.payloads)
	}
}

// awaited returns the tokens whose results an instruction must wait for, and of the others the tokens whose
// payloads it must wait for.
func (s *state) awaited(a *access) (results, payloads uint16) {
	if r, p := s.held.awaited(a); !r && !p {
		return 0, 0
	}
	for m := s.any | s.late; m != 0; m &= m - 1 {
		t := mathbits.TrailingZeros16(m)
		switch r, p := s.tokens[t].awaited(a); {
		case r:
			results |= 1 << t
		case p:
			payloads |= 1 << t
		}
	}
	return results, payloads
}
