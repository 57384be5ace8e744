// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
)

// record has the known values of the memory that an access touches, by component.
type record struct {
	span
	val ir.Src
	// mask has the components that are still known. While the arms of an if are visited, afterIf has the components that
	// are known after the if.
	mask, afterIf uint32
	// readable is set if a load yields val; it is not if a store may have been out of bounds.
	readable bool
}

const (
	// maxRecords bounds the records of a frame, copies included, and maxOwn the records of its own accesses.
	maxRecords = 128
	maxOwn     = 64
	// lookSteps is the cost of comparing an access with a record.
	lookSteps = 3
)

// records is the known contents of memory at a point of the function. Records starting at index frame are current: first
// copies of the records that were current before the if or loop of the frame and then, starting at index own, the frame's
// own records of accesses.
type records struct {
	list       []record
	frame, own int
	nextVictim int // index of the frame's record to replace next
}

func (r *records) current() []record { return r.list[r.frame:] }

// add adds a record. It replaces one of the frame's records that has no components or, if there are too many records, the
// frame's records in rotation.
func (r *records) add(x record) {
	own := r.list[r.own:]
	for i := range own {
		if own[i].mask == 0 {
			own[i] = x
			return
		}
	}
	switch {
	case len(own) < maxOwn && len(r.current()) < maxRecords:
		r.list = append(r.list, x)
	case len(own) > 0:
		own[r.nextVictim%len(own)] = x
		r.nextVictim++
	}
}

// frames is the state to return to after a nested list of nodes.
type frames struct{ frame, own int }

// push starts a frame with copies of the current records, and returns the state for pop.
func (r *records) push() frames {
	old := frames{r.frame, r.own}
	r.list = append(r.list, r.list[r.frame:]...)
	r.frame += (len(r.list) - r.frame) / 2
	r.own = len(r.list)
	return old
}

// pop returns to an outer frame.
func (r *records) pop(old frames) {
	r.list = r.list[:r.frame]
	r.frame, r.own = old.frame, old.own
}

// size returns the size in bytes of a component of a record.
func (x *record) size() uint32 { return x.bytes / uint32(x.val.N) }

// covers returns the index of the component of record x that consists of n bytes, more bytes after the start of at, or -1
// if there is none.
func covers(x *record, at *span, more, n uint32) int {
	if x.mask == 0 || x.terms[0] != at.terms[0] || x.fixed != at.fixed || x.bytes != n*uint32(x.val.N) {
		return -1
	}
	d := less(at, &x.span) + int64(more)
	if d < 0 || d >= int64(x.bytes) || !comparable(&x.span, at) {
		return -1
	}
	if k := uint32(d) / n; k*n == uint32(d) && x.mask>>k&1 != 0 {
		return int(k)
	}
	return -1
}

// forget drops from a list of records the components that access y touches.
func (c context) forget(list []record, y *span) {
	c.Work.Spend(lookSteps * len(list))
	for i := range list {
		x := &list[i]
		if x.mask == 0 || !x.fixed || x.space != y.space {
			continue
		}
		if x.terms[0] != y.terms[0] || x.binding.Entry != y.binding.Entry || !comparable(&x.span, y) {
			if analysis.MayAlias(c.S, x.binding, y.binding) {
				x.mask = 0
			}
			continue
		}
		d := less(y, &x.span)
		if d >= int64(x.bytes) || d+int64(y.bytes) <= 0 {
			continue
		}
		n := int64(x.size())
		for k := range int64(x.val.N) {
			if k*n < d+int64(y.bytes) && d < (k+1)*n {
				x.mask &^= 1 << k
			}
		}
	}
}
