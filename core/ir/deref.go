// SPDX-License-Identifier: MIT

package ir

import "jacquard.example/generated/kind"

// DerefKind returns the kind of a deref.
func (in *Instr) DerefKind() kind.DerefKind { return kind.DerefKind(in.Op) }

// Modes returns the modes that a deref's memory may have.
func (s *Shader) Modes(v Value) kind.Mode { return kind.Mode(s.Words(v)[kind.FieldDerefModes]) }

// DerefType returns the type that a deref points to.
func (s *Shader) DerefType(v Value) Type { return Type(s.Words(v)[kind.FieldDerefType]) }

// DerefVar returns the variable at the start of a deref's chain, or 0 if the chain starts with a cast.
func (s *Shader) DerefVar(v Value) Var {
	for s.At(v).Kind == kind.Deref {
		switch s.At(v).DerefKind() {
		case kind.DerefVar:
			return Var(s.Words(v)[kind.FieldDerefVarVar])
		case kind.DerefCast:
			return 0
		}
		v = s.Src(v, 0).Val
	}
	return 0
}

// ModeMayBe reports whether memory with these modes may be one of m.
func ModeMayBe(modes, m kind.Mode) bool { return modes&m != 0 }

// ModeMustBe reports whether memory with these modes is certainly one of m; if false, it may still be.
func ModeMustBe(modes, m kind.Mode) bool { return modes&^m == 0 }

// ModeIs reports whether the modes are exactly m. It panics if modes and m overlap but differ, since the answer is then
// undecided.
func ModeIs(modes, m kind.Mode) bool {
	if modes&m != 0 && modes != m {
		panic("ir: mode is not known exactly; use ModeMayBe or ModeMustBe")
	}
	return modes == m
}
