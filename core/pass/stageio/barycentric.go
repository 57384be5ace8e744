// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// The barycentric coordinate builtins (SPV_KHR_fragment_shader_barycentric).
const (
	baryCoord              = 5286
	baryCoordNoPerspective = 5287
)

// coordinates returns comps barycentric coordinates, starting at p.comp. The hardware supplies the coordinates for the
// second and third vertex; the three add up to 1.
func (c context) coordinates(v ir.Value, p *path, comps uint8) ir.Src {
	b := c.B
	given := c.barycentric(v, p.qual)
	all := [3]ir.Src{1: given.Comp(0), 2: given.Comp(1)}
	if p.comp+uint32(comps) > uint32(len(all)) {
		return b.Undef(comps, 32)
	}
	all[0] = b.FSub(b.FSub(pass.ImmF(b, 1), all[1]), all[2])
	return pass.Vec(b, all[p.comp:p.comp+uint32(comps)])
}

// barycentric returns the barycentric coordinates for the interpolation of an input with the given qualifiers.
func (c context) barycentric(v ir.Value, q kind.Qualifier) ir.Src {
	s, b := c.S, c.B
	mode := kind.InterpSmooth
	if q&kind.QualifierNoperspective != 0 {
		mode = kind.InterpNoperspective
	}
	switch s.At(v).Intrinsic() {
	case intrinsic.InterpDerefAtCentroid:
		return b.LoadBarycentricCentroid(32, mode)
	case intrinsic.InterpDerefAtSample:
		return b.LoadBarycentricAtSample(32, s.Src(v, 1), mode)
	case intrinsic.InterpDerefAtOffset:
		return b.LoadBarycentricAtOffset(32, s.Src(v, 1), mode)
	}
	switch {
	case q&kind.QualifierSample != 0:
		return b.LoadBarycentricSample(32, mode)
	case q&kind.QualifierCentroid != 0:
		return b.LoadBarycentricCentroid(32, mode)
	}
	return b.LoadBarycentricPixel(32, mode)
}
