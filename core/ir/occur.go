package ir

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Occurrences is a set of kinds of instructions, of derefs and of jumps, of opcodes and of intrinsics, of results
// and of kinds of nodes.
type Occurrences struct {
	kinds      uint32
	derefs     uint16
	jumps      uint8
	results    Results
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

// Results are what results of instructions may be.
type Results uint8

// The results that Occurrences distinguishes.
const (
	Vectors    Results = 1 << iota // of componentwise arithmetic, and constants and undefined values that are vectors
	VectorPhis                     // phis that are vectors
	Wide                           // values of 64 bits
)

// Occurrences returns a set of results.
func (r Results) Occurrences() *Occurrences { return &Occurrences{results: r} }

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
	u.results |= p.results
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

// SetResult sets the size of an instruction's result: of a component, and the number of components.
func (s *Shader) SetResult(in *Instr, bits, comps uint8) {
	in.Bits, in.Comps = bits, comps
	if bits == 64 {
		s.made.results |= Wide
	}
	if comps > 1 {
		s.made.results |= vectors(in)
	}
}

// vectors is what Occurrences distinguishes of the results that are vectors.
func vectors(in *Instr) Results {
	switch in.Kind {
	case kind.ALU:
		if in.ALUOp().Info().Out.Comps == 0 {
			return Vectors
		}
	case kind.LoadConst, kind.Undef:
		return Vectors
	case kind.Phi:
		return VectorPhis
	}
	return 0
}

// drop empties the record of a node.
func (s *Shader) drop(n Node) {
	s.present[s.nodes[n].kind]--
	s.nodes[n] = nodeRec{}
}

// SeenNone records that the function which passes work on has no instruction of a set of opcodes and results.
// Those of other functions get there by being cloned.
func (s *Shader) SeenNone(o *Occurrences) {
	s.made.results &^= o.results
	for i, w := range o.ops {
		s.made.ops[i] &^= w
	}
}

// MayHave reports whether the shader may contain anything of a set: whether such an
// instruction has been created since the shader was empty, or since SeenNone, or there is such a
// node.
func (s *Shader) MayHave(o *Occurrences) bool {
	if s.made.kinds&o.kinds != 0 || s.made.derefs&o.derefs != 0 || s.made.jumps&o.jumps != 0 || s.made.results&o.results != 0 {
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
