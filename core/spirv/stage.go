package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// onlyIn rejects what other stages do not have. Compute shaders have derivatives only in
// derivative groups, which are not supported.
func (r *reader) onlyIn(stage kind.Stage) {
	if r.opt.Stage != stage {
		r.fail("is not supported in a %s shader, only in a %s shader", r.opt.Stage, stage)
	}
}

// stageInstr reads the instructions specific to one stage.
func (r *reader) stageInstr(info *spirvtab.Op, in []uint32) {
	switch info.Num {
	case spirvtab.OpEmitVertex, spirvtab.OpEndPrimitive, spirvtab.OpEmitStreamVertex, spirvtab.OpEndStreamPrimitive:
		r.onlyIn(kind.StageGeometry)
		id := intrinsic.EmitVertex
		if info.Num == spirvtab.OpEndPrimitive || info.Num == spirvtab.OpEndStreamPrimitive {
			id = intrinsic.EndPrimitive
		}
		stream := uint32(0)
		if len(in) > 1 {
			stream = r.constInt(in[1], "the stream")
		}
		if most := intrinsic.Indices[intrinsic.IxStream].Max; stream > most {
			r.fail("stream %d; there are %d", stream, most+1)
		}
		r.s.SetIndex(r.b.Intrinsic(id, 0, 0), intrinsic.IxStream, stream)
	case spirvtab.OpDemoteToHelperInvocation:
		r.onlyIn(kind.StageFragment)
		r.b.Intrinsic(intrinsic.Demote, 0, 0)
	case spirvtab.OpIsHelperInvocationEXT:
		r.onlyIn(kind.StageFragment)
		r.setSrc(in[2], r.s.All(r.b.Intrinsic(intrinsic.IsHelperInvocation, 1, 1)))
	}
}

// interpolate reads an input variable interpolated at another location.
func (r *reader) interpolate(x intrinsic.ID, id uint32, ops []uint32) {
	r.onlyIn(kind.StageFragment)
	t := r.typeOf(id)
	if t.comps == 0 || r.pointee(ops[0]) != r.ids[id].typ {
		r.fail("the interpolant, id %d, is not a pointer to a vector or scalar of the result's type", ops[0])
	}
	d, _ := r.pointer(ops[0])
	if r.s.Modes(d) != kind.ModeShaderIn {
		r.fail("the interpolant, id %d, is not an input", ops[0])
	}
	src := []ir.Src{{Val: d, Swz: ir.Identity, N: 1}}
	switch x {
	case intrinsic.InterpDerefAtSample:
		src = append(src, r.scalar(ops[1], 32))
	case intrinsic.InterpDerefAtOffset:
		src = append(src, r.components(ops[1], 2, true))
	}
	r.setSrc(id, r.s.All(r.b.Intrinsic(x, t.comps, t.bits, src...)))
}
