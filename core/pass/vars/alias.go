// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// relation describes how the memory of two derefs overlaps.
type relation uint8

const (
	mayOverlap relation = iota
	samePlace           // the same memory, of the same type
	apart               // disjoint
)

// maxChain bounds the number of derefs in a chain that is compared.
const maxChain = 16

// derefChain returns the derefs from the start of a chain to d, or nil if there are more than maxChain or
// one of them is not a deref.
func (c context) derefChain(d ir.Value, buf *[maxChain]ir.Value) []ir.Value {
	s := c.S
	n := maxChain
	for {
		if n == 0 || s.At(d).Kind != kind.Deref {
			return nil
		}
		n--
		buf[n] = d
		k := s.At(d).DerefKind()
		if k == kind.DerefVar || k == kind.DerefCast {
			return buf[n:]
		}
		d = s.Src(d, 0).Val
	}
}

// own are the modes of memory that is accessed only by the variable's name.
const own = pass.Promotable | kind.ModeShared | kind.ModePushConstant

// relateSteps is the cost of comparing two derefs.
const relateSteps = 24

// step caches facts about a deref and the chain that it ends.
type step struct {
	turn   uint32 // state.turn when the step was computed
	key    uint32 // equal for derefs of the same place
	depth  uint8  // length of the chain up to here; 0 if too long, or not a chain
	kind   kind.DerefKind
	none   bool     // not a deref
	exact  bool     // only members and elements from the start of the chain
	fixed  bool     // exact, starts with a variable, and all indices are constant and in bounds
	known  bool     // the index is a constant
	parent ir.Value // parent deref of a member or element
	root   ir.Var   // variable at the start of the chain; 0 if it starts with a cast
	modes  kind.Mode
	typ    ir.Type
	of     ir.Type  // type of the parent
	comp   uint8    // component of index
	index  ir.Value // dynamic or constant index of an element
	number uint64   // number of a member, or of an element with a constant index
	len    uint64   // number of elements
}

// relating resets the cache of steps for the derefs of the function, which must not change while relateTo is used.
func (c context) relating() {
	c.turn++
	if c.turn == 0 { // after 2^32 calls
		clear(c.steps[:cap(c.steps)])
		c.turn++
	}
	c.steps = reuse.Slice(c.steps, c.S.NumValues())
}

// stepOf returns the step of a deref.
func (c context) stepOf(d ir.Value) *step {
	x := &c.steps[d]
	if x.turn != c.turn {
		c.findStep(d, x)
	}
	return x
}

// findStep computes the step of a deref, and the steps of its parents.
func (c context) findStep(d ir.Value, x *step) {
	s := c.S
	in := s.At(d)
	*x = step{turn: c.turn}
	if in.Kind != kind.Deref {
		x.none = true
		return
	}
	x.kind, x.modes, x.typ = in.DerefKind(), kind.Mode(s.Words(d)[kind.FieldDerefModes]), ir.Type(s.Words(d)[kind.FieldDerefType])
	switch x.kind {
	case kind.DerefVar:
		x.depth, x.exact = 1, true
		x.fixed, x.root = true, ir.Var(s.Words(d)[kind.FieldDerefVarVar])
		x.key = mix(0, uint64(x.root))
		return
	case kind.DerefCast:
		x.depth, x.exact = 1, true
		x.key = mix(1, uint64(s.Src(d, 0).Val))
		return
	}
	x.parent = s.Src(d, 0).Val
	up := c.stepOf(x.parent)
	if up.depth == 0 || up.depth == maxChain {
		return
	}
	x.depth, x.of, x.root = up.depth+1, up.typ, up.root
	switch x.kind {
	case kind.DerefStruct:
		x.exact, x.fixed, x.number = up.exact, up.fixed, uint64(s.Words(d)[kind.FieldDerefStructMember])
		x.key = mix(up.key, x.number)
	case kind.DerefArray:
		r := s.Src(d, 1)
		x.exact, x.index, x.comp = up.exact, r.Val, r.Swz.Comp(0)
		x.number, x.known = s.ConstOf(r)
		x.len = uint64(s.Types.At(x.of).Len)
		x.fixed = up.fixed && x.known && x.number < x.len
		if x.known {
			x.key = mix(up.key, x.number)
		} else {
			x.key = mix(up.key, uint64(x.comp)<<32|uint64(x.index))
		}
	}
}

// mix adds a step to the key of a chain.
func mix(key uint32, x uint64) uint32 {
	return (key ^ uint32(x) ^ uint32(x>>32)<<20) * 2654435761
}

// relate compares the memory that two derefs refer to.
func (c context) relate(a, b ir.Value) relation {
	c.relating()
	return c.relateTo(a, b)
}

// relateTo compares the memory that two derefs refer to; relating must have been called. It climbs from both derefs to
// the start of their chains, or to a common deref.
func (c context) relateTo(a, b ir.Value) relation {
	c.Work.Spend(relateSteps)
	if a == b {
		return samePlace
	}
	x, y := c.stepOf(a), c.stepOf(b)
	if x.none || y.none {
		return mayOverlap
	}
	if x.modes&y.modes == 0 && (x.modes&own == x.modes || y.modes&own == y.modes) {
		return apart
	}
	if x.depth == 0 || y.depth == 0 {
		return mayOverlap
	}
	if x.root != y.root && x.root != 0 && y.root != 0 {
		return c.relateVars(x.root, y.root)
	}
	same := x.depth == y.depth && x.typ == y.typ
	for x.depth > y.depth {
		a = x.parent
		x = &c.steps[a]
	}
	for y.depth > x.depth {
		b = y.parent
		y = &c.steps[b]
	}
	disjoint, named := false, x.root != 0 && y.root != 0
	for a != b && x.depth > 1 {
		switch relateStep(x, y) {
		case apart:
			if named {
				return apart // both start with the same variable
			}
			disjoint = true
		case mayOverlap:
			same = false
		}
		a, b = x.parent, y.parent
		x, y = &c.steps[a], &c.steps[b]
	}
	if a != b {
		if r := c.relateStart(a, b); r != samePlace {
			return r
		}
	}
	switch {
	case disjoint:
		return apart
	case same && x.exact:
		return samePlace
	}
	return mayOverlap
}

// relateStart compares the first derefs of two chains.
func (c context) relateStart(a, b ir.Value) relation {
	s := c.S
	if a == b {
		return samePlace
	}
	if s.At(a).DerefKind() == kind.DerefCast || s.At(b).DerefKind() == kind.DerefCast {
		if s.At(a).DerefKind() == s.At(b).DerefKind() && s.Src(a, 0) == s.Src(b, 0) && s.DerefType(a) == s.DerefType(b) {
			return samePlace
		}
		return mayOverlap
	}
	return samePlace // relateTo has compared derefs of different variables before
}

// relateVars compares the memory of two variables.
func (c context) relateVars(x, y ir.Var) relation {
	s := c.S
	if s.Var(x).Mode&own != 0 && s.Var(y).Mode&own != 0 && !s.Var(x).SharesMemory(&s.Types) && !s.Var(y).SharesMemory(&s.Types) {
		return apart
	}
	return mayOverlap // two descriptors may refer to one buffer
}

// relateStep compares a step of two chains that refer to the same place before it, or to possibly different elements of
// one array.
func relateStep(x, y *step) relation {
	if x.kind != y.kind {
		return mayOverlap
	}
	switch x.kind {
	case kind.DerefStruct:
		switch {
		case x.number == y.number:
			return samePlace
		case x.of == y.of:
			return apart
		}
	case kind.DerefArray:
		switch {
		case x.index == y.index && x.comp == y.comp:
			return samePlace
		case !x.known || !y.known:
			return mayOverlap
		case x.number == y.number:
			return samePlace
		case x.number < x.len && y.number < x.len: // an out-of-bounds index may reach memory after the array
			return apart
		}
	}
	return mayOverlap
}
