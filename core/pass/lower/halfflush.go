// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/pass"
	"jacquard.example/generated/op"
)

// LowerHalfFlush multiplies the results of conversions to 16-bit floats by one, if
// the shader requires denormals of that size to be flushed: the machine's
// conversions keep them, its arithmetic does not.
func LowerHalfFlush(pc *pass.Context) bool {
	const half = 1
	c := in(pc)
	s, b := c.S, c.B
	if s.Info.DenormFlush&half == 0 {
		return false
	}
	changed := false
	for n := range s.Blocks(c.F) {
		for v := range s.Instrs(n) {
			in := s.At(v)
			if !in.IsALU(op.F2F16) && !in.IsALU(op.F2F16Rtne) || in.Comps != 1 || s.At(s.Src(v, 0).Val).Bits == 16 {
				continue
			}
			b.After(v)
			flushed := b.FMul(s.All(v), b.ImmN(16, 0x3c00))
			s.ReplaceUses(v, flushed)
			s.SetSrc(flushed.Val, 0, s.All(v))
			changed = true
		}
	}
	return changed
}
