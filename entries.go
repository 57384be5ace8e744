package jacquard

import (
	"context"
	"errors"

	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/core/outline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text/lex"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
)

// EntryPoint is an entry point of a module.
type EntryPoint struct {
	Name string `json:"name"`
	// Stage is one of Stages, or the name of a stage that cannot be compiled: tess_control, tess_eval, geometry, or a
	// SPIR-V execution model, such as Kernel or MeshEXT.
	Stage Stage `json:"stage"`
	// LocalSize is the number of invocations of a compute shader's workgroup in each dimension, with the default values
	// of specialization constants. It is 0 where an operation computes the size from such constants.
	LocalSize [3]uint32 `json:"local_size"`
}

// EntryPoints lists the entry points of a SPIR-V module in the order of their declaration, without compiling it: the
// module may contain instructions that Compile refuses. The other inputs of Compile have one entry point. Errors about
// the input are *Error without a File, and for modules with the word; a module without an entry point is an error.
func EntryPoints(ctx context.Context, module []byte) (list []EntryPoint, err error) {
	defer recoverInternal(&err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case mirtext.Is(module):
		u, err := mirtext.Parse(module, nil)
		var te *mirtext.Error
		if errors.As(err, &te) {
			return nil, &Error{Line: te.Line, Column: te.Col, Msg: te.Msg}
		} else if err != nil {
			return nil, err
		}
		return []EntryPoint{{Name: u.Entry, Stage: Stage(u.Stage), LocalSize: u.WorkgroupSize}}, nil
	case lex.Begins(module, "shader"):
		s, err := readText(module, "")
		return entryOf(s, err)
	case wire.Is(module):
		s, err := readWire(module, "")
		return entryOf(s, err)
	}
	m, err := outline.Read(ctx, module)
	var e *spirv.Error
	switch {
	case errors.As(err, &e):
		return nil, spirvError("", e)
	case err != nil:
		return nil, err
	case len(m.Entries) == 0:
		return nil, WordError("", len(module)/4, "no entry point")
	}
	for _, x := range m.Entries {
		p := EntryPoint{Name: x.Name, Stage: Stage(x.Stage)}
		if x.Stage == kind.StageCompute.String() {
			p.LocalSize = x.LocalSize
		}
		list = append(list, p)
	}
	return list, nil
}

// entryOf returns the entry point of a shader.
func entryOf(s *ir.Shader, err error) ([]EntryPoint, error) {
	if err != nil {
		return nil, err
	}
	p := EntryPoint{Name: s.Strs.Text(s.Info.Entry), Stage: Stage(s.Info.Stage.String())}
	if s.Info.Stage == kind.StageCompute {
		p.LocalSize = s.Info.WorkgroupSize
	}
	return []EntryPoint{p}, nil
}
