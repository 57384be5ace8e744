// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// DeadWriteVars removes stores whose values are never read: stores to private variables that are never read, and,
// within a block, stores that a later store overwrites before any possible read.
func DeadWriteVars(pc *pass.Context) bool {
	c := in(pc)
	changed := c.deadVarWrites()
	c.relating()
	for b := range c.S.Blocks(c.F) {
		changed = c.deadBlockWrites(b) || changed
	}
	return changed
}

// deadVarWrites removes the stores to private variables that have no other use.
func (c context) deadVarWrites() bool {
	if !c.private() {
		return false
	}
	s := c.S
	c.readVars = reuse.Zeroed(c.readVars, s.NumVars())
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind != kind.Deref || !ir.ModeMayBe(s.Modes(v), pass.Promotable) || !c.readThrough(v) {
				continue
			}
			if x := s.DerefVar(v); x != 0 {
				c.readVars[x] = true
			}
		}
	}
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() != intrinsic.StoreDeref || s.At(v).Kind != kind.Intrinsic {
				continue
			}
			d := s.Src(v, 0).Val
			if s.At(d).Kind != kind.Deref || !ir.ModeMustBe(s.Modes(d), pass.Promotable) {
				continue
			}
			if x := s.DerefVar(d); x != 0 && !c.readVars[x] {
				s.Remove(v)
				changed = true
			}
		}
	}
	return changed
}

// readThrough reports whether a deref has a use other than as the target of a store or the parent of a deref.
func (c context) readThrough(d ir.Value) bool {
	s := c.S
	for u := range s.Uses(d) {
		if u.If != 0 {
			return true
		}
		in := s.At(u.User)
		switch {
		case in.Kind == kind.Deref && u.Index == 0 && in.DerefKind() != kind.DerefCast:
		case in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.StoreDeref && u.Index == 0:
		default:
			return true
		}
	}
	return false
}

// deadBlockWrites removes the stores that a later store of the block overwrites before anything may read them. It
// visits the block backwards and records the places that are overwritten later, so that a single visit finds all dead
// stores.
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

// overwritten has the places that the rest of a block overwrites before anything reads them. A place at constant
// indices in a variable that is accessed only by name is found by the key of its deref; the number of such places is not
// limited. All other places have to be compared one by one with an access; only the latest maxLoose are kept.
type overwritten struct {
	places []overPlace
	first  []int32  // by hash of the key: index of the first place, plus one; its length is a power of two
	vars   []ir.Var // variables that have places at constant indices
	ofVar  []int32  // by variable: index of its last place, plus one
	loose  []overPlace
}

// Bounds of lists whose places are compared one by one with an access: maxLoose bounds loose, and maxApart the places
// of a variable that are kept after a read at an unknown index, from which they are disjoint.
const (
	maxLoose = 24
	maxApart = 64
)

// overPlace is a place that is overwritten.
type overPlace struct {
	deref  ir.Value
	key    uint32 // key of the deref's step
	mask   uint32 // the overwritten components; 0 if the place has been read
	number int32  // its index in overwritten.places, plus one
	next   int32  // index of the next place with the same hash, plus one
	older  int32  // index of the previous place of the same variable, plus one
	inVar  bool   // in the list of its variable
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

// read records a read of the memory that a deref refers to.
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

// readFixed records a read of a vector or scalar at constant indices. The read also covers the components of the
// vector, and the objects that it is a part of.
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

// forget removes the places of variable x that may overlap deref d, or all of them if d is 0. It keeps at most maxApart
// others, the latest: each such read has to be compared with all of them.
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

// write records that a store writes components of the memory that a deref refers to. It reports whether the store is
// dead and not volatile.
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

// link adds a place to the list of its variable, unless it is already there.
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

// grow enlarges the hash table.
func (o *overwritten) grow() {
	o.first = make([]int32, 4*len(o.first))
	for i := range o.places {
		h := &o.first[o.slot(o.places[i].key)]
		o.places[i].next = *h
		*h = int32(i) + 1
	}
}
