// SPDX-License-Identifier: MIT

package module

import (
	"fmt"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// checkStage fails if the module has entry points with the requested name, or any if none is requested, but none of them
// is of the requested stage. It is called before anything is rejected that another stage may need.
func (r *Reader) checkStage() {
	here := r.At
	var refusal *Error
	for at := uint32(headerWords); int(at) < len(r.Words); {
		n, opcode := r.Words[at]>>16, uint16(r.Words[at])
		if n == 0 || int(at)+int(n) > len(r.Words) {
			break // such errors are reported when the words are read
		}
		if opcode == spirvtab.OpEntryPoint && n >= 4 && stringWords(r.Words[at+3:at+n]) > 0 {
			r.At = at
			e := r.otherStage(r.Words[at : at+n])
			r.At = here
			if e == nil {
				return
			}
			if refusal == nil && e.Stage != "" {
				refusal = e
			}
		}
		at += n
	}
	if refusal != nil {
		panic(refusal)
	}
}

// ChooseStage sets the stage to the first of the requested stage and its alternatives that an entry point with the
// requested name has. If there is none, it leaves the stage unchanged.
func (r *Reader) ChooseStage() {
	if len(r.Opt.Alternatives) == 0 {
		return
	}
	has := r.entryStages()
	if has[r.Opt.Stage] {
		return
	}
	for _, stage := range r.Opt.Alternatives {
		if has[stage] {
			r.Opt.Stage = stage
			return
		}
	}
}

// entryStages returns the stages of the entry points with the requested name. It reads the instructions that may precede
// entry points in SPIR-V's logical layout, and stops at the first other instruction.
func (r *Reader) entryStages() (has [kind.StageFragment + 1]bool) {
	for at := uint32(headerWords); int(at) < len(r.Words); {
		n, opcode := r.Words[at]>>16, uint16(r.Words[at])
		if n == 0 || int(at)+int(n) > len(r.Words) {
			return has
		}
		switch opcode {
		case spirvtab.OpCapability, spirvtab.OpExtension, spirvtab.OpExtInstImport, spirvtab.OpMemoryModel:
		case spirvtab.OpEntryPoint:
			if n < 4 || stringWords(r.Words[at+3:at+n]) == 0 || r.Opt.Entry != "" && string(r.text(at+3)) != r.Opt.Entry {
				break
			}
			if model := spirvtab.ExecutionModels.Lookup(r.Words[at+1]); model != nil && model.Read && int(model.To) < len(has) {
				has[model.To] = true
			}
		default:
			return has
		}
		at += n
	}
	return has
}

// otherStage returns an error if an entry point is not of the requested stage, otherwise nil. The error is empty if the
// entry point has another name or an unknown execution model.
func (r *Reader) otherStage(in []uint32) *Error {
	name := string(r.text(r.At + 3))
	if r.Opt.Entry != "" && name != r.Opt.Entry {
		return &Error{}
	}
	refuse := func(stage, format string, args ...any) *Error {
		return &Error{Word: int(r.At), Op: spirvtab.Lookup(spirvtab.OpEntryPoint).Name, Stage: stage, Msg: fmt.Sprintf(format, args...)}
	}
	switch model := spirvtab.ExecutionModels.Lookup(in[1]); {
	case model == nil:
		return &Error{}
	case !model.Read:
		return refuse(model.Name, "entry point %q: execution model %s is not supported", name, model.Name)
	case kind.Stage(model.To) == r.Opt.Stage:
		return nil
	default:
		stage := kind.Stage(model.To).String()
		return refuse(stage, "entry point %q is of stage %s, not %s", name, stage, r.Opt.Stage)
	}
}

// DerivativeGroups are the modes that arrange the invocations of a workgroup in quads.
const DerivativeGroups = kind.StageModeDerivativeGroupQuads | kind.StageModeDerivativeGroupLinear

// derivativeGroup checks that only a compute shader has derivative groups, of one arrangement, and that its workgroup
// consists of whole ones (SPV_KHR_compute_shader_derivatives, "Execution Mode").
func (r *Reader) derivativeGroup() {
	if r.groupWord == 0 {
		return
	}
	r.At = r.groupWord
	n := r.S.Info.WorkgroupSize
	switch m := r.S.Info.Modes & DerivativeGroups; {
	case r.Opt.Stage != kind.StageCompute:
		r.Fail("a %s shader cannot have derivative groups, only a compute shader", r.Opt.Stage)
	case m == DerivativeGroups:
		r.Fail("the entry point has two arrangements of derivative groups; only one is allowed")
	case m == kind.StageModeDerivativeGroupQuads && (n[0]%2 != 0 || n[1]%2 != 0):
		r.Fail("a workgroup of %d x %d invocations does not consist of blocks of two by two", n[0], n[1])
	case m == kind.StageModeDerivativeGroupLinear && uint64(n[0])*uint64(n[1])*uint64(n[2])%4 != 0:
		r.Fail("a workgroup of %d x %d x %d invocations does not consist of groups of four", n[0], n[1], n[2])
	}
}
