package ir

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Occurrences is a set of kinds of instructions, of opcodes and of intrinsics.
type Occurrences struct {
	kinds      uint32
	ops        [(op.Count + 63) / 64]uint64
	intrinsics [(intrinsic.Count + 63) / 64]uint64
}

// Kinds returns a set of kinds.
func Kinds(list ...kind.Kind) *Occurrences {
	o := new(Occurrences)
	for _, k := range list {
		o.kinds |= 1 << k
	}
	return o
}

// Ops returns the set of the opcodes for which is holds.
func Ops(is func(op.Op) bool) *Occurrences {
	o := new(Occurrences)
	for x := range op.Count {
		if is(x) {
			o.ops[x/64] |= 1 << (x % 64)
		}
	}
	return o
}

// Intrinsics returns a set of intrinsics.
func Intrinsics(list ...intrinsic.ID) *Occurrences {
	o := new(Occurrences)
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
	}
}

// MayHave reports whether the shader may contain anything of a set: whether such an
// instruction has been created since the shader was empty.
func (s *Shader) MayHave(o *Occurrences) bool {
	if s.made.kinds&o.kinds != 0 {
		return true
	}
	for i, w := range o.ops {
		if s.made.ops[i]&w != 0 {
			return true
		}
	}
	for i, w := range o.intrinsics {
		if s.made.intrinsics[i]&w != 0 {
			return true
		}
	}
	return false
}
