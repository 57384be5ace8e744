// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// UsedComps returns the components of v that are read, as a mask.
func UsedComps(s *ir.Shader, v ir.Value) (mask uint32) {
	for u := range s.Uses(v) {
		r := s.UseSrc(u)
		for i := range int(r.N) {
			mask |= 1 << r.Swz.Comp(i)
		}
	}
	return mask
}

// UsedOutside reports whether v is used outside of block b. Uses by phis and by conditions of ifs count as outside.
func UsedOutside(s *ir.Shader, v ir.Value, b ir.Node) bool {
	for u := range s.Uses(v) {
		if u.If != 0 {
			return true
		}
		if in := s.At(u.User); in.Block() != b || in.Kind == kind.Phi {
			return true
		}
	}
	return false
}
