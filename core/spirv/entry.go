package spirv

import (
	"fmt"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// checkStage fails if the module has entry points, but no candidate for the requested one is of the requested stage. It
// is called before anything else that such a stage may need is rejected.
func (r *reader) checkStage() {
	here := r.at
	var refusal *Error
	for at := uint32(headerWords); int(at) < len(r.words); {
		n, opcode := r.words[at]>>16, uint16(r.words[at])
		if n == 0 || int(at)+int(n) > len(r.words) {
			break // such errors are reported when the words are read
		}
		if opcode == spirvtab.OpEntryPoint && n >= 4 && stringWords(r.words[at+3:at+n]) > 0 {
			r.at = at
			e := r.otherStage(r.words[at : at+n])
			r.at = here
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

// chooseStage sets the stage to the first of the requested stage and its alternatives that an entry point has.
func (r *reader) chooseStage() {
	if len(r.opt.Alternatives) == 0 {
		return
	}
	has := r.entryStages()
	if has[r.opt.Stage] {
		return
	}
	for _, stage := range r.opt.Alternatives {
		if has[stage] {
			r.opt.Stage = stage
			return
		}
	}
}

// entryStages returns the stages of the entry points with the requested name. It reads the instructions that may precede
// entry points in SPIR-V's logical layout, and stops at the first other.
func (r *reader) entryStages() (has [kind.StageFragment + 1]bool) {
	for at := uint32(headerWords); int(at) < len(r.words); {
		n, opcode := r.words[at]>>16, uint16(r.words[at])
		if n == 0 || int(at)+int(n) > len(r.words) {
			return has
		}
		switch opcode {
		case spirvtab.OpCapability, spirvtab.OpExtension, spirvtab.OpExtInstImport, spirvtab.OpMemoryModel:
		case spirvtab.OpEntryPoint:
			if n < 4 || stringWords(r.words[at+3:at+n]) == 0 || r.opt.Entry != "" && string(r.text(at+3)) != r.opt.Entry {
				break
			}
			if model := spirvtab.ExecutionModels.Lookup(r.words[at+1]); model != nil && model.Read && int(model.To) < len(has) {
				has[model.To] = true
			}
		default:
			return has
		}
		at += n
	}
	return has
}

// otherStage returns an error if an entry point is not of the requested stage, otherwise nil. The error has no stage if
// the entry point has another name.
func (r *reader) otherStage(in []uint32) *Error {
	name := string(r.text(r.at + 3))
	if r.opt.Entry != "" && name != r.opt.Entry {
		return &Error{}
	}
	refuse := func(stage, format string, args ...any) *Error {
		return &Error{Word: int(r.at), Op: spirvtab.Lookup(spirvtab.OpEntryPoint).Name, Stage: stage, Msg: fmt.Sprintf(format, args...)}
	}
	switch model := spirvtab.ExecutionModels.Lookup(in[1]); {
	case model == nil:
		return &Error{}
	case !model.Read:
		return refuse(model.Name, "entry point %q: execution model %s is not supported", name, model.Name)
	case kind.Stage(model.To) == r.opt.Stage:
		return nil
	default:
		stage := kind.Stage(model.To).String()
		return refuse(stage, "entry point %q is of stage %s, not %s", name, stage, r.opt.Stage)
	}
}
