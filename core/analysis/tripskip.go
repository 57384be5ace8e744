// SPDX-License-Identifier: MIT

package analysis

import "jacquard.example/generated/op"

// line describes a slot that holds a counter plus a constant, modulo 2 to the power of the
// counter's width. counter is the index of the phi plus 1, or 0 for a constant. ok is false for other slots.
type line struct {
	counter int32
	ok      bool
	add     uint64
}

// skip advances the counters past iterations that take no exit, and returns the number of
// these iterations. It is 0 unless every counter grows by a constant and every exit compares a
// counter with a constant.
func (t *Trips) skip() int64 {
	if !t.linear() {
		return 0
	}
	n := int64(maxSkipped)
	for i, cond := range t.conds {
		if n = min(n, t.stays(cond, t.Exits[i].Then)); n == 0 {
			return 0
		}
	}
	for i := range t.phis {
		p := &t.phis[i]
		t.val[p.slot] = (t.val[p.slot] + uint64(n)*t.lines[p.src].add) & low(t.s.At(p.phi).Bits)
	}
	return n
}

// maxSkipped bounds the iterations to skip: counters have at most 32 bits.
const maxSkipped = 1 << 32

// low returns a mask of the low bits.
func low(bits uint8) uint64 { return ^uint64(0) >> (64 - bits) }

// linear sets the lines of all slots, and reports whether every phi grows by a constant.
func (t *Trips) linear() bool {
	t.lines = t.lines[:0]
	for _, x := range t.val { // assume that all slots are constants; phis and steps follow
		t.lines = append(t.lines, line{ok: true, add: x})
	}
	for i := range t.phis {
		p := &t.phis[i]
		if t.s.At(p.phi).Bits > 32 {
			return false
		}
		t.lines[p.slot] = line{counter: int32(i) + 1, ok: true}
	}
	for i := range t.steps {
		x := &t.steps[i]
		a, b := t.lines[x.src[0]], t.lines[x.src[1]]
		sum := line{counter: a.counter + b.counter, add: (a.add + b.add) & low(x.bits)}
		sum.ok = x.op == op.IAdd && a.ok && b.ok && (a.counter == 0 || b.counter == 0)
		t.lines[x.dst] = sum
	}
	for i := range t.phis {
		if src := t.lines[t.phis[i].src]; !src.ok || src.counter != int32(i)+1 {
			return false
		}
	}
	return true
}

// compared describes a comparison of integers: a < b if less is set, a == b otherwise; not
// negates the result.
type compared struct{ ok, signed, less, not bool }

var comparisons = [op.Count]compared{
	op.ILt: {ok: true, signed: true, less: true}, op.IGe: {ok: true, signed: true, less: true, not: true},
	op.ULt: {ok: true, less: true}, op.UGe: {ok: true, less: true, not: true},
	op.IEq: {ok: true}, op.INe: {ok: true, not: true},
}

// stays returns a number of iterations, including the current one, that do not take an exit. The exit is taken when its
// condition equals leave.
func (t *Trips) stays(cond int32, leave bool) int64 {
	for i := range t.steps {
		x := &t.steps[i]
		if x.dst != cond {
			continue
		}
		how := comparisons[x.op]
		a, b := t.lines[x.src[0]], t.lines[x.src[1]]
		if !how.ok || !a.ok || !b.ok || (a.counter == 0) == (b.counter == 0) {
			return 0
		}
		p := &t.phis[a.counter+b.counter-1]
		bits := t.s.At(p.phi).Bits
		number := func(x uint64) int64 { return int64(x & low(bits)) }
		least, most := int64(0), int64(low(bits))
		if how.signed {
			number = func(x uint64) int64 { return int64(x<<(64-bits)) >> (64 - bits) }
			least, most = -1<<(bits-1), 1<<(bits-1)-1
		}
		step := int64(t.lines[p.src].add<<(64-bits)) >> (64 - bits)
		stay := how.not == leave // result of the comparison, before negation, that stays in the loop
		if a.counter == 0 {      // the constant is the first operand
			return within(number(t.val[p.slot]+b.add), step, how.less, true, number(a.add), stay, least, most)
		}
		return within(number(t.val[p.slot]+a.add), step, how.less, false, number(b.add), stay, least, most)
	}
	return 0
}

// within counts the leading terms of the sequence x, x+step, x+2·step, ... that are in [least, most] and for which the
// comparison with c equals stay. The comparison is term < c, or c < term if swapped is set, or term == c if less is not
// set. The count ends where a term may step over c.
func within(x, step int64, less, swapped bool, c int64, stay bool, least, most int64) int64 {
	switch {
	case less && !swapped && stay, !less && !stay && x < c: // x < c
		most = c - 1
	case less && swapped && stay, !less && !stay && x > c: // x > c
		least = c + 1
	case less && !swapped: // x >= c
		least = c
	case less: // x <= c
		most = c
	case stay:
		least, most = c, c
	default: // x == c leaves
		return 0
	}
	switch {
	case x < least || x > most:
		return 0
	case step > 0:
		return (most-x)/step + 1
	case step < 0:
		return (x-least)/-step + 1
	}
	return maxSkipped
}
