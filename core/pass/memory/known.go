package memory

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
)

// record is what is known of the memory of an access: the values of its components.
type record struct {
	span
	val ir.Src
	// mask are the components of which that is still known, next those that are
	// after an if whose arms are being visited.
	mask, next uint32
	// readable says that a load yields val: a store may have been out of bounds.
	readable bool
}

const (
	// maxRecords bounds the records that a frame has, maxOwn those that are its own.
	maxRecords = 128
	maxOwn     = 64
	// lookSteps is the cost of comparing an access with a record.
	lookSteps = 3
)

// records is what is known at a point of the function. Those from frame on are current: first
// copies of what was known before the if or loop that the frame belongs to, then those of
// accesses in it, from own on.
type records struct {
	list       []record
	frame, own int
	turn       int // of the own records, the next one to be replaced
}

func (r *records) current() []record { return r.list[r.frame:] }

// add adds a record, in place of one without components if there is one, else of an old one if there are
// too many.
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
		own[r.turn%len(own)] = x
		r.turn++
	}
}

// frames is a position to return to after a nested list of nodes.
type frames struct{ frame, own int }

// push starts a frame that knows what the current one does.
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

// size returns the bytes of a component of a record.
func (x *record) size() uint32 { return x.bytes / uint32(x.val.N) }

// covers returns the component of record x that has the n bytes at at, -1 if none has.
func covers(x *record, at *span, more, n uint32) int {
	if x.mask == 0 || x.base.Val != at.base.Val || x.fixed != at.fixed || x.bytes != n*uint32(x.val.N) {
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
		if x.base.Val != y.base.Val || x.binding.Entry != y.binding.Entry || !comparable(&x.span, y) {
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
