package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// deadBlockWrites removes the stores that later ones of a block overwrite before anything can read them. It goes
// backwards and keeps what is overwritten later, so that one visit finds all of them.
func (c context) deadBlockWrites(b ir.Node) bool {
	s, o := c.S, &c.later
	changed := false
	o.begin(c)
	for next := s.Last(b); next != 0; {
		v, in := next, s.At(next)
		next = in.Prev()
		switch {
		case in.Kind == kind.ALU:
		case in.Kind == kind.Call:
			o.clear()
		case in.Kind != kind.Intrinsic:
		case in.Intrinsic() == intrinsic.LoadDeref, atomicOnDeref(in.Intrinsic()):
			o.read(c, s.Src(v, 0).Val)
		case in.Intrinsic() == intrinsic.StoreDeref:
			d, mask := s.Src(v, 0).Val, s.Index(v, intrinsic.IxWriteMask)
			if s.At(d).Kind != kind.Deref {
				continue
			}
			if o.write(c, d, mask, c.isVolatile(v)) {
				s.Remove(v)
				changed = true
			}
		case in.Intrinsic().Info().Flags&intrinsic.CanReorder == 0:
			o.clear()
		}
	}
	o.clear()
	return changed
}

// overwritten is the places that the rest of a block overwrites before anything reads them. Those of a variable that is
// accessed only by its name, at constant indices, are found by the key of their deref, in any number; of all others, which
// an access must be compared with one by one, the maxLoose noted last are kept.
type overwritten struct {
	places []overPlace
	first  []int32  // by hash of the key: the first place, plus one; its number is a power of two
	vars   []ir.Var // that have places at constant indices
	ofVar  []int32  // by variable: its last place, plus one
	loose  []overPlace
}

// What is compared one by one is bounded: the places that are not at constant indices of one variable, and those of a
// variable that are apart from an index that is not known.
const (
	maxLoose = 24
	maxApart = 64
)

// overPlace is a place that is overwritten.
type overPlace struct {
	deref  ir.Value
	key    uint32 // of the deref's step
	mask   uint32 // the components that are overwritten; 0: the place has been read
	number int32  // its index in overwritten.places, plus one
	next   int32  // the next place of the same hash, plus one
	older  int32  // the place of the same variable before it, plus one
	inVar  bool   // it is among those of its variable
}

// minHeads is the size of the hash table of a small block.
const minHeads = 64

// begin prepares for a block.
func (o *overwritten) begin(c context) {
	if len(o.ofVar) < c.S.NumVars() {
		o.ofVar = reuse.Zeroed(o.ofVar, c.S.NumVars())
	}
	if len(o.first) == 0 {
		o.first = make([]int32, minHeads)
	}
}

// clear forgets all places.
func (o *overwritten) clear() {
	for i := range o.places {
		o.first[o.slot(o.places[i].key)] = 0
	}
	for _, x := range o.vars {
		o.ofVar[x] = 0
	}
	o.places, o.vars, o.loose = o.places[:0], o.vars[:0], o.loose[:0]
}

func (o *overwritten) slot(key uint32) uint32 { return key >> 7 & uint32(len(o.first)-1) }

// find returns the place of a deref at constant indices, or nil.
func (o *overwritten) find(c context, d ir.Value) *overPlace {
	key := c.stepOf(d).key
	for i := o.first[o.slot(key)]; i != 0; {
		p := &o.places[i-1]
		if p.key == key && c.relateTo(p.deref, d) == samePlace {
			return p
		}
		i = p.next
	}
	return nil
}

// byName reports whether a deref is of a variable that is accessed only by its name.
func (c context) byName(at *step) bool {
	return at.root != 0 && at.depth > 0 && c.S.Var(at.root).Mode&own != 0 && !c.S.Var(at.root).SharesMemory(&c.S.Types)
}

// read notes that something reads what a deref refers to.
func (o *overwritten) read(c context, d ir.Value) {
	at := c.stepOf(d)
	kept := o.loose[:0]
	c.Work.Spend(len(o.loose))
	for _, p := range o.loose {
		if c.relateTo(p.deref, d) == apart {
			kept = append(kept, p)
		}
	}
	o.loose = kept
	switch {
	case !c.byName(at):
		for _, x := range o.vars {
			if o.ofVar[x] != 0 && c.relateTo(o.places[o.ofVar[x]-1].deref, d) != apart {
				o.forget(c, x, 0)
			}
		}
	case at.fixed && c.S.Types.IsVectorOrScalar(at.typ):
		o.readFixed(c, d, at)
	case o.ofVar[at.root] != 0:
		o.forget(c, at.root, d)
	}
}

// readFixed notes that something reads a vector or scalar at constant indices: with it, the components of a vector and
// what they are part of.
func (o *overwritten) readFixed(c context, d ir.Value, at *step) {
	for up := d; up != 0; up = c.steps[up].parent {
		if p := o.find(c, up); p != nil {
			p.mask = 0
		}
	}
	if c.S.Types.At(at.typ).Kind != ir.TypeVector {
		return
	}
	for i := range c.S.Types.At(at.typ).Len {
		key := mix(at.key, uint64(i))
		for k := o.first[o.slot(key)]; k != 0; k = o.places[k-1].next {
			if p := &o.places[k-1]; p.key == key && c.relateTo(p.deref, d) != apart {
				p.mask = 0
			}
		}
	}
}

// forget removes the places of a variable that may overlap a deref, 0: all. Of the others it keeps the maxApart noted last:
// each such read would have to be compared with all of them.
func (o *overwritten) forget(c context, x ir.Var, d ir.Value) {
	kept := 0
	for last := &o.ofVar[x]; *last != 0; {
		p := &o.places[*last-1]
		c.Work.Spend(1)
		if p.mask != 0 && d != 0 && kept < maxApart && c.relateTo(p.deref, d) == apart {
			kept++
			last = &p.older
			continue
		}
		p.mask, p.inVar = 0, false
		*last = p.older
	}
}

// write notes that a store writes components of what a deref refers to. It reports whether the store is dead, unless it is
// volatile.
func (o *overwritten) write(c context, d ir.Value, mask uint32, volatile bool) (dead bool) {
	at := c.stepOf(d)
	if c.byName(at) && at.fixed {
		p := o.find(c, d)
		switch {
		case p == nil:
			o.add(at, overPlace{deref: d, key: at.key, mask: mask})
		case mask&^p.mask == 0 && !volatile:
			return true
		default:
			p.mask |= mask
			o.link(at.root, p)
		}
		return false
	}
	for i := range o.loose {
		p := &o.loose[i]
		c.Work.Spend(1)
		if p.key != at.key || c.relateTo(p.deref, d) != samePlace {
			continue
		}
		if mask&^p.mask == 0 && !volatile {
			return true
		}
		p.mask |= mask
		return false
	}
	if len(o.loose) == maxLoose {
		o.loose = append(o.loose[:0], o.loose[1:]...)
	}
	o.loose = append(o.loose, overPlace{deref: d, key: at.key, mask: mask})
	return false
}

// add adds a place at constant indices.
func (o *overwritten) add(at *step, p overPlace) {
	if len(o.places) >= len(o.first) {
		o.grow()
	}
	h := &o.first[o.slot(p.key)]
	p.next, p.number = *h, int32(len(o.places))+1
	o.places = append(o.places, p)
	*h = int32(len(o.places))
	o.link(at.root, &o.places[*h-1])
}

// link adds a place to those of its variable, unless it is among them.
func (o *overwritten) link(x ir.Var, p *overPlace) {
	if p.inVar {
		return
	}
	last := &o.ofVar[x]
	if *last == 0 {
		o.vars = append(o.vars, x)
	}
	p.older, p.inVar = *last, true
	*last = p.number
}

// grow makes the hash table larger.
func (o *overwritten) grow() {
	o.first = make([]int32, 4*len(o.first))
	for i := range o.places {
		h := &o.first[o.slot(o.places[i].key)]
		o.places[i].next = *h
		*h = int32(i) + 1
	}
}
