// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// forgetEffect drops from a list of records the memory that instruction v may touch, whose span is not known. A barrier
// orders the memory of its modes. An atomic is relaxed: barriers around it provide its order. Any other instruction may
// touch all memory.
func (c context) forgetEffect(list []record, v ir.Value) {
	s := c.S
	id := s.At(v).Intrinsic()
	var spaces [numSpaces]bool
	var at analysis.Surface
	switch {
	case id == intrinsic.Barrier:
		m := kind.Mode(s.Index(v, intrinsic.IxMemoryModes))
		spaces[workgroup] = m&kind.ModeShared != 0
		spaces[elsewhere] = m&^kind.ModeShared != 0
	case id == intrinsic.SharedAtomic, id == intrinsic.SharedAtomicSwap:
		spaces[workgroup] = true
	case id == intrinsic.SSBOAtomic, id == intrinsic.SSBOAtomicSwap:
		spaces[elsewhere] = true
		at = analysis.SurfaceOf(s, s.Src(v, id.Source(intrinsic.RoleSurface)))
	default:
		spaces = [numSpaces]bool{true, true, true}
	}
	for i := range list {
		x := &list[i]
		c.Work.Spend(lookSteps)
		if spaces[x.space] && (x.space != elsewhere || analysis.MayAlias(s, x.binding, at)) {
			x.mask = 0
		}
	}
}
