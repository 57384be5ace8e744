// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// OptDeref removes casts of a deref to its own type and modes, such as casts of pointers that were passed to a
// function.
func OptDeref(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if in.Kind != kind.Deref || in.DerefKind() == kind.DerefVar {
				continue
			}
			if in.DerefKind() != kind.DerefCast {
				// Modes that a cast left open are known once the cast is removed.
				if m := s.Modes(s.Src(v, 0).Val); m != s.Modes(v) {
					s.Words(v)[kind.FieldDerefModes] = uint32(m)
					changed = true
				}
				continue
			}
			p := s.Src(v, 0).Val
			if s.Words(v)[kind.FieldDerefCastStride] != 0 {
				continue // a ptr_as_array steps from it
			}
			if s.At(p).Kind != kind.Deref || s.DerefType(p) != s.DerefType(v) || !ir.ModeMustBe(s.Modes(p), s.Modes(v)) ||
				s.At(p).Bits != in.Bits || s.At(p).Comps != in.Comps {
				continue
			}
			s.ReplaceUses(v, s.All(p))
			s.Remove(v)
			changed = true
		}
	}
	return changed
}
