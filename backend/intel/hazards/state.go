// SPDX-License-Identifier: MIT

package hazards

import (
	"math/bits"
	"slices"

	"jacquard.example/backend/intel/fields"
)

const (
	numTokens = fields.NumTokens
	noToken   = numTokens // pseudo-token of out-of-order instructions without a token
)

// recent is an in-order instruction that may be unfinished, with its age on the shortest path to this point: the number
// of instructions of its pipe since then, itself included.
type recent struct {
	by    int32
	age   int8
	pipe  pipe
	drain bool // only a wait for all pipes waits for it
}

// row is the set of operations that may be outstanding under one token. Rows are shared and immutable; nil is
// the empty set.
type row struct {
	reads, writes regs
	by            int32 // the first such instruction found
	read          *row  // the rest once the sources have been read
}

// newRow returns a row, or nil if nothing is outstanding.
func newRow(reads, writes regs, by int32) *row {
	if reads == (regs{}) && writes == (regs{}) {
		return nil
	}
	r := &row{reads: reads, writes: writes, by: by}
	switch {
	case reads == regs{}:
		r.read = r
	case writes != regs{}:
		r.read = &row{writes: writes, by: by}
		r.read.read = r.read
	}
	return r
}

// join returns the union of two rows, which is r itself if o adds nothing.
func (r *row) join(o *row) *row {
	switch {
	case o == nil || r == o:
		return r
	case r == nil:
		return o
	}
	reads, writes := r.reads.union(&o.reads), r.writes.union(&o.writes)
	switch {
	case reads == r.reads && writes == r.writes:
		return r
	case reads == o.reads && writes == o.writes && r.by == o.by:
		return o
	}
	return newRow(reads, writes, r.by)
}

// view is the set of operations that may be outstanding from the point of view of some instructions: see state.
type view struct {
	recent []recent // sorted by instruction
	tokens [numTokens + 1]*row
	used   uint32 // set of tokens that have a row
}

// state is the set of operations that may be outstanding before an instruction. any is for all instructions.
// noMask is for unmasked instructions, which cannot rely on waits of masked ones; it contains unmasked
// operations only.
type state struct {
	any, noMask view
	reached     bool
}

// load makes v a copy of o that shares only the rows.
func (v *view) load(o *view) {
	v.recent = append(v.recent[:0], o.recent...)
	v.tokens, v.used = o.tokens, o.used
}

func (s *state) load(o *state) {
	s.any.load(&o.any)
	s.noMask.load(&o.noMask)
}

// join adds the operations that may be outstanding in o, and reports whether s changed.
func (s *state) join(o *state) bool {
	if !s.reached {
		s.reached = true
		s.load(o)
		return true
	}
	a, b := s.any.join(&o.any), s.noMask.join(&o.noMask)
	return a || b
}

func (v *view) join(o *view) bool {
	changed := v.joinRecent(o.recent)
	for u := o.used; u != 0; u &= u - 1 {
		t := bits.TrailingZeros32(u)
		if r := v.tokens[t].join(o.tokens[t]); r != v.tokens[t] {
			v.set(t, r)
			changed = true
		}
	}
	return changed
}

// joinRecent adds the instructions of o to v, and reports whether v changed. An instruction in both gets the lower age.
// The lists are merged in place, from their ends.
func (v *view) joinRecent(o []recent) bool {
	changed, more := false, 0
	i := 0
	for _, x := range o {
		for i < len(v.recent) && v.recent[i].by < x.by {
			i++
		}
		switch {
		case i == len(v.recent) || v.recent[i].by != x.by:
			more++
		case x.age < v.recent[i].age:
			v.recent[i].age = x.age
			changed = true
		}
	}
	if more == 0 {
		return changed
	}
	i = len(v.recent) - 1
	v.recent = slices.Grow(v.recent, more)[:len(v.recent)+more]
	for j, to := len(o)-1, len(v.recent)-1; j >= 0; to-- {
		if i >= 0 && v.recent[i].by >= o[j].by {
			if v.recent[i].by == o[j].by {
				j--
			}
			v.recent[to] = v.recent[i]
			i--
		} else {
			v.recent[to] = o[j]
			j--
		}
	}
	return true
}

func (v *view) set(t int, r *row) {
	v.tokens[t] = r
	if r == nil {
		v.used &^= 1 << t
	} else {
		v.used |= 1 << t
	}
}

// wait removes the operations that a wait covers.
func (v *view) wait(w *waits) {
	if w.dist > 0 {
		v.recent = slices.DeleteFunc(v.recent, func(x recent) bool {
			return int(x.age) >= w.dist && w.pipes.has(x.pipe) && (!x.drain || w.pipes == allPipes)
		})
	}
	done := w.dst
	if w.take >= 0 {
		done |= 1 << w.take
	}
	for u := v.used & done; u != 0; u &= u - 1 {
		v.set(bits.TrailingZeros32(u), nil)
	}
	for u := v.used & w.src; u != 0; u &= u - 1 {
		t := bits.TrailingZeros32(u)
		v.set(t, v.tokens[t].read)
	}
}

// older increases the age of the recent instructions of a pipe by one.
func (v *view) older(in pipe) {
	kept := v.recent[:0]
	for _, x := range v.recent {
		if x.pipe == in {
			x.age++
		}
		if x.age < finished[x.pipe] {
			kept = append(kept, x)
		}
	}
	v.recent = kept
}

// begin records the effects of instruction i.
func (v *view) begin(in *inst, i int32) {
	switch {
	case in.kind != unordered:
		if in.outstanding() {
			v.add(recent{by: i, pipe: in.pipe, drain: in.drain})
		}
	case in.begun != nil:
		t := noToken
		if in.waits.take >= 0 {
			t = in.waits.take
		}
		v.set(t, v.tokens[t].join(in.begun))
	}
}

// add records that an instruction, of age 0, is unfinished.
func (v *view) add(x recent) {
	i := len(v.recent)
	for i > 0 && v.recent[i-1].by >= x.by {
		i--
	}
	if i < len(v.recent) && v.recent[i].by == x.by {
		v.recent[i].age = 0
		return
	}
	v.recent = slices.Insert(v.recent, i, x)
}
