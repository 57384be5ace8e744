// SPDX-License-Identifier: MIT

package synth

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// stageInterface holds a shader's inputs and outputs at locations.
type stageInterface struct {
	inputs, outputs []slot
	second          bool // whether it writes a second color for blending
}

// maxLocations bounds the locations: there are 32 vertex attributes, one of which is the position.
const maxLocations = 31

// add adds the locations that an instruction accesses, if it accesses an input or output.
func (io *stageInterface) add(s *ir.Shader, v ir.Value) error {
	in := s.At(v)
	list, comps, bits := &io.inputs, uint32(1)<<in.Comps-1, in.Bits
	switch in.Intrinsic() {
	case intrinsic.LoadInput, intrinsic.LoadInterpolatedInput:
	case intrinsic.StoreOutput:
		list, comps = &io.outputs, s.Index(v, intrinsic.IxWriteMask)
		bits = s.At(s.Src(v, 0).Val).Bits
	case intrinsic.LoadInputVertex, intrinsic.LoadPerVertexInput:
		return unsupported("cannot generate inputs at each vertex of a primitive")
	default:
		return nil
	}
	if kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)) != kind.BuiltinNone {
		return nil
	}
	if bits != 32 {
		return unsupported("cannot generate %d-bit inputs and outputs", bits)
	}
	if kind.IOFlags(s.Index(v, intrinsic.IxIOFlags))&kind.IODualSource != 0 {
		io.second = true
		return nil
	}
	base := kind.BaseType(s.Index(v, intrinsic.IxValueBase))
	first, n := int(s.Index(v, intrinsic.IxBase)), int(s.Index(v, intrinsic.IxRange))
	if offset, known := s.ConstOf(s.Src(v, in.Intrinsic().Source(intrinsic.RoleOffset))); known {
		first, n = first+int(offset), 1
	}
	if first+n > maxLocations {
		return unsupported("there are more than %d locations", maxLocations)
	}
	for at := first; at < first+max(n, 1); at++ {
		if err := merge(list, slot{at, int(comps << s.Index(v, intrinsic.IxComponent) & 0xf), base}); err != nil {
			return err
		}
	}
	return nil
}

// merge adds components of a location to a list in the order of locations.
func merge(list *[]slot, x slot) error {
	if x.base == kind.BaseBool {
		x.base = kind.BaseUint
	}
	i, found := slices.BinarySearchFunc(*list, x, func(a, b slot) int { return a.location - b.location })
	switch {
	case !found:
		*list = slices.Insert(*list, i, x)
	case (*list)[i].base != x.base:
		return unsupported("cannot generate floats and integers at one location")
	default:
		(*list)[i].components |= x.components
	}
	return nil
}
