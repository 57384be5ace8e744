package ir

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Occurrences is a set of kinds of instructions, of derefs and of jumps, of opcodes and of intrinsics, and
// of kinds of nodes.
type Occurrences struct {
	kinds      uint32
	derefs     uint16
	jumps      uint8
	nodes      uint8
	some       parts // which of the others are not empty
	ops        [(op.Count + 63) / 64]uint64
	intrinsics [(intrinsic.Count + 63) / 64]uint64
}

// parts are the large ones of a set.
type parts uint8

const (
	someOps parts = 1 << iota
	someIntrinsics
)

// Kinds returns a set of kinds.
func Kinds(list ...kind.Kind) *Occurrences {
	o := new(Occurrences)
	for _, k := range list {
		o.kinds |= 1 << k
	}
	return o
}

// Derefs returns a set of kinds of derefs.
func Derefs(list ...kind.DerefKind) *Occurrences {
	o := new(Occurrences)
	for _, k := range list {
		o.derefs |= 1 << k
	}
	return o
}

// Jumps returns a set of kinds of jumps.
func Jumps(list ...kind.JumpKind) *Occurrences {
	o := new(Occurrences)
	for _, k := range list {
		o.jumps |= 1 << k
	}
	return o
}

// Nodes returns a set of kinds of nodes.
func Nodes(list ...NodeKind) *Occurrences {
	o := new(Occurrences)
	for _, k := range list {
		o.nodes |= 1 << k
	}
	return o
}

// Or returns the union of two sets.
func (o *Occurrences) Or(p *Occurrences) *Occurrences {
	u := *o
	u.kinds, u.derefs, u.jumps, u.nodes, u.some = u.kinds|p.kinds, u.derefs|p.derefs, u.jumps|p.jumps, u.nodes|p.nodes, u.some|p.some
	for i, w := range p.ops {
		u.ops[i] |= w
	}
	for i, w := range p.intrinsics {
		u.intrinsics[i] |= w
	}
	return &u
}

// Ops returns the set of the opcodes for which is holds.
func Ops(is func(op.Op) bool) *Occurrences {
	o := &Occurrences{some: someOps}
	for x := range op.Count {
		if is(x) {
			o.ops[x/64] |= 1 << (x % 64)
		}
	}
	return o
}

// Intrinsics returns a set of intrinsics.
func Intrinsics(list ...intrinsic.ID) *Occurrences {
	o := &Occurrences{some: someIntrinsics}
	for _, id := range list {
		o.intrinsics[id/64] |= 1 << (id % 64)
	}
	return o
}

// note adds what an instruction of kind k is.
func (o *Occurrences) note(k kind.Kind, sub uint16) {
	o.kinds |= 1 << k
	switch k {
	case kind.ALU:
		o.ops[sub/64] |= 1 << (sub % 64)
	case kind.Intrinsic:
		o.intrinsics[sub/64] |= 1 << (sub % 64)
	case kind.Deref:
		o.derefs |= 1 << sub
	case kind.Jump:
		o.jumps |= 1 << sub
	}
}

// drop empties the record of a node.
func (s *Shader) drop(n Node) {
	s.present[s.nodes[n].kind]--
	s.nodes[n] = nodeRec{}
}

// SeenNone records that the function which passes work on has no instruction of a set of opcodes.
// Those of other functions get there by being cloned.
func (s *Shader) SeenNone(o *Occurrences) {
	for i, w := range o.ops {
		s.made.ops[i] &^= w
	}
}

// MayHave reports whether the shader may contain anything of a set: whether such an
// instruction has been created since the shader was empty, or since SeenNone, or there is such a
// node.
func (s *Shader) MayHave(o *Occurrences) bool {
	if s.made.kinds&o.kinds != 0 || s.made.derefs&o.derefs != 0 || s.made.jumps&o.jumps != 0 {
		return true
	}
	if o.nodes != 0 {
		for k := NodeIf; k <= NodeLoop; k++ {
			if o.nodes>>k&1 != 0 && s.present[k] > 0 {
				return true
			}
		}
	}
	if o.some&someOps != 0 {
		for i, w := range o.ops {
			if s.made.ops[i]&w != 0 {
				return true
			}
		}
	}
	if o.some&someIntrinsics != 0 {
		for i, w := range o.intrinsics {
			if s.made.intrinsics[i]&w != 0 {
				return true
			}
		}
	}
	return false
}
