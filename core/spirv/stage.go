package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// onlyIn rejects an instruction or builtin in any other stage.
func (r *reader) onlyIn(stage kind.Stage) {
	if r.opt.Stage != stage {
		r.refuse("is not supported in a %s shader, only in a %s shader", r.opt.Stage, stage)
	}
}

// derivativeGroups are the modes that arrange the invocations of a workgroup in quads.
const derivativeGroups = kind.StageModeDerivativeGroupQuads | kind.StageModeDerivativeGroupLinear

// derivatives rejects derivatives where invocations are not in quads. They are in fragment shaders, and in compute
// shaders with derivative groups.
func (r *reader) derivatives() {
	if r.opt.Stage == kind.StageCompute && r.s.Info.Modes&derivativeGroups == 0 {
		r.fail("needs an execution mode that arranges the invocations of a compute shader in derivative groups")
	}
	if r.opt.Stage != kind.StageCompute {
		r.onlyIn(kind.StageFragment)
	}
}

// derivativeGroup checks that a workgroup consists of whole derivative groups (SPV_KHR_compute_shader_derivatives,
// "Execution Mode").
func (r *reader) derivativeGroup() {
	if r.groupWord == 0 {
		return
	}
	r.at = r.groupWord
	n := r.s.Info.WorkgroupSize
	switch m := r.s.Info.Modes & derivativeGroups; {
	case r.opt.Stage != kind.StageCompute:
		r.fail("a %s shader cannot have derivative groups, only a compute shader", r.opt.Stage)
	case m == derivativeGroups:
		r.fail("an entry point has one arrangement of derivative groups, not two")
	case m == kind.StageModeDerivativeGroupQuads && (n[0]%2 != 0 || n[1]%2 != 0):
		r.fail("a workgroup of %d x %d invocations does not consist of blocks of two by two", n[0], n[1])
	case m == kind.StageModeDerivativeGroupLinear && uint64(n[0])*uint64(n[1])*uint64(n[2])%4 != 0:
		r.fail("a workgroup of %d x %d x %d invocations does not consist of groups of four", n[0], n[1], n[2])
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
	case spirvtab.OpBeginInvocationInterlockEXT, spirvtab.OpEndInvocationInterlockEXT:
		r.onlyIn(kind.StageFragment)
		if info.Num == spirvtab.OpEndInvocationInterlockEXT {
			r.barrier(kind.ScopeNone, kind.ScopeDevice, semRelease|semUniform|semImage)
			r.b.Intrinsic(intrinsic.EndInvocationInterlock, 0, 0)
			return
		}
		r.b.Intrinsic(intrinsic.BeginInvocationInterlock, 0, 0)
		r.barrier(kind.ScopeNone, kind.ScopeDevice, semAcquire|semUniform|semImage)
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
