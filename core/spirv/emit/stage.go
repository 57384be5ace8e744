// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/image"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// stageInstr reads the instructions specific to one stage.
func stageInstr(r *module.Reader, info *spirvtab.Op, in []uint32) {
	switch info.Num {
	case spirvtab.OpEmitVertex, spirvtab.OpEndPrimitive, spirvtab.OpEmitStreamVertex, spirvtab.OpEndStreamPrimitive:
		value.OnlyIn(r, kind.StageGeometry)
		id := intrinsic.EmitVertex
		if info.Num == spirvtab.OpEndPrimitive || info.Num == spirvtab.OpEndStreamPrimitive {
			id = intrinsic.EndPrimitive
		}
		stream := uint32(0)
		if len(in) > 1 {
			stream = r.ConstInt(in[1], "the stream")
		}
		if most := intrinsic.Indices[intrinsic.IxStream].Max; stream > most {
			r.Fail("stream %d does not exist; there are %d", stream, most+1)
		}
		r.S.SetIndex(r.B.Intrinsic(id, 0, 0), intrinsic.IxStream, stream)
	case spirvtab.OpBeginInvocationInterlockEXT, spirvtab.OpEndInvocationInterlockEXT:
		value.OnlyIn(r, kind.StageFragment)
		if info.Num == spirvtab.OpEndInvocationInterlockEXT {
			value.Barrier(r, kind.ScopeNone, kind.ScopeDevice, value.SemRelease|value.SemUniform|value.SemImage)
			r.B.Intrinsic(intrinsic.EndInvocationInterlock, 0, 0)
			return
		}
		r.B.Intrinsic(intrinsic.BeginInvocationInterlock, 0, 0)
		value.Barrier(r, kind.ScopeNone, kind.ScopeDevice, value.SemAcquire|value.SemUniform|value.SemImage)
	case spirvtab.OpDemoteToHelperInvocation:
		value.OnlyIn(r, kind.StageFragment)
		r.B.Intrinsic(intrinsic.Demote, 0, 0)
	case spirvtab.OpIsHelperInvocationEXT:
		value.OnlyIn(r, kind.StageFragment)
		value.SetSrc(r, in[2], r.S.All(r.B.Intrinsic(intrinsic.IsHelperInvocation, 1, 1)))
	}
}

// interpolate reads an instruction that interpolates an input at a given place.
func interpolate(r *module.Reader, x intrinsic.ID, id uint32, ops []uint32) {
	value.OnlyIn(r, kind.StageFragment)
	t := r.TypeOf(id)
	if t.Comps == 0 || value.Pointee(r, ops[0]) != r.Ids[id].Typ {
		r.Fail("the interpolant, id %d, is not a pointer to a vector or scalar of the result's type", ops[0])
	}
	d, _ := value.Pointer(r, ops[0])
	if r.S.Modes(d) != kind.ModeShaderIn {
		r.Fail("the interpolant, id %d, is not an input", ops[0])
	}
	src := []ir.Src{{Val: d, Swz: ir.Identity, N: 1}}
	switch x {
	case intrinsic.InterpDerefAtSample:
		src = append(src, value.Scalar(r, ops[1], 32))
	case intrinsic.InterpDerefAtOffset:
		src = append(src, image.Components(r, ops[1], 2, true))
	}
	value.SetSrc(r, id, r.S.All(r.B.Intrinsic(x, t.Comps, t.Bits, src...)))
}
