package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// relation is how the memory of two derefs overlaps.
type relation uint8

const (
	mayOverlap relation = iota
	samePlace           // the same memory, of the same type
	apart               // disjoint
)

// maxChain bounds the number of derefs of a chain that are compared.
const maxChain = 16

// derefChain returns the derefs from the start of a chain to d, or nothing if there
// are too many.
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
		d = s.SrcVal(d, 0)
	}
}

// own are the modes of memory that is accessed only through its variable's name.
const own = pass.Promotable | kind.ModeShared | kind.ModePushConstant

// relateSteps is the cost of comparing two derefs.
const relateSteps = 24

// place is a deref that several others are compared with.
type place struct {
	deref ir.Value
	chain [maxChain]ir.Value // its chain, at the end, once it has been needed
	n     int                // the length of that
	found bool
}

// chainOf returns the chain of a place.
func (c context) chainOf(p *place) []ir.Value {
	if !p.found {
		p.n, p.found = len(c.derefChain(p.deref, &p.chain)), true
	}
	return p.chain[maxChain-p.n:]
}

// relate compares the memory that two derefs refer to.
func (c context) relate(a, b ir.Value) relation { return c.relateTo(a, &place{deref: b}) }

// relateTo compares the memory that a deref and a place refer to.
func (c context) relateTo(a ir.Value, at *place) relation {
	s, b := c.S, at.deref
	c.Work.Spend(relateSteps)
	if a == b {
		return samePlace
	}
	if s.At(a).Kind != kind.Deref || s.At(b).Kind != kind.Deref {
		return mayOverlap
	}
	ma, mb := s.Modes(a), s.Modes(b)
	if ma&mb == 0 && (ma&own == ma || mb&own == mb) {
		return apart
	}
	var buf [maxChain]ir.Value
	x, y := c.derefChain(a, &buf), c.chainOf(at)
	if len(x) == 0 || len(y) == 0 {
		return mayOverlap
	}
	if r := c.relateStart(x[0], y[0]); r != samePlace {
		return r
	}
	same := len(x) == len(y)
	for i := 1; i < min(len(x), len(y)); i++ {
		switch c.relateStep(x[i], y[i]) {
		case apart:
			return apart
		case mayOverlap:
			same = false
		}
	}
	if same && s.DerefType(a) == s.DerefType(b) {
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
		if s.At(a).DerefKind() == s.At(b).DerefKind() && s.Operand(a, 0) == s.Operand(b, 0) && s.DerefType(a) == s.DerefType(b) {
			return samePlace
		}
		return mayOverlap
	}
	x, y := ir.Var(s.Word(a, kind.FieldDerefVarVar)), ir.Var(s.Word(b, kind.FieldDerefVarVar))
	switch {
	case x == y:
		return samePlace
	case s.Var(x).Mode&own != 0 && s.Var(y).Mode&own != 0 && !s.SharesMemory(x) && !s.SharesMemory(y):
		return apart
	}
	return mayOverlap // descriptors may refer to the same buffer
}

// relateStep compares a step of two chains that have so far been at the same place,
// or at possibly different elements of one array.
func (c context) relateStep(a, b ir.Value) relation {
	s := c.S
	k := s.At(a).DerefKind()
	if k != s.At(b).DerefKind() {
		return mayOverlap
	}
	if a == b && (k == kind.DerefStruct || k == kind.DerefArray) {
		return samePlace
	}
	switch k {
	case kind.DerefStruct:
		if s.Word(a, kind.FieldDerefStructMember) == s.Word(b, kind.FieldDerefStructMember) {
			return samePlace
		}
		if s.DerefType(s.SrcVal(a, 0)) != s.DerefType(s.SrcVal(b, 0)) {
			return mayOverlap
		}
		return apart
	case kind.DerefArray:
		p, q := s.Operand(a, 1), s.Operand(b, 1)
		if p.Val == q.Val && p.Swz.Comp(0) == q.Swz.Comp(0) {
			return samePlace
		}
		i, ok := s.ConstSrc(a, 1)
		j, ok2 := s.ConstSrc(b, 1)
		n := uint64(s.Types.At(s.DerefType(s.SrcVal(a, 0))).Len)
		switch {
		case !ok || !ok2:
			return mayOverlap
		case i == j:
			return samePlace
		case i < n && j < n: // an out-of-bounds index may reach what follows
			return apart
		}
	}
	return mayOverlap
}
