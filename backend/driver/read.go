// SPDX-License-Identifier: MIT

package driver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/text/lex"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Source is a source in one of the forms that can be compiled.
type Source struct {
	File string // its name, for errors
	data []byte
	form form
}

// form is the form of a source.
type form int

const (
	moduleForm  form = iota // a SPIR-V module, with any number of entry points
	textForm                // a shader in the text form of the IR
	wireForm                // a shader in the binary form of the IR
	machineForm             // machine IR
)

// Open returns the source with the given contents. The contents are not checked; they must not change while the source
// is in use.
func Open(data []byte, file string) *Source {
	src := &Source{File: file, data: data}
	switch {
	case mirtext.Is(data):
		src.form = machineForm
	case lex.Begins(data, "shader"):
		src.form = textForm
	case wire.Is(data):
		src.form = wireForm
	}
	return src
}

// NamesTarget reports whether the source names the target to compile it for.
func (src *Source) NamesTarget() bool { return src.form == machineForm }

// stages are the stages that can be compiled.
var stages = [...]kind.Stage{kind.StageCompute, kind.StageVertex, kind.StageFragment}

// Stages returns the names of the stages that can be compiled. If no stage is requested, the first is preferred.
func Stages() (names []string) {
	for _, k := range stages {
		names = append(names, k.String())
	}
	return names
}

// TargetsOf returns the names of the targets that shaders of a stage can be compiled for.
func TargetsOf(stage string) (names []string) {
	for _, t := range slices.Concat(target.All, target.Partial) {
		for _, k := range stages {
			if k.String() == stage && intel.StageABI(t, k) != nil {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// shader translates the source into the IR. From a module it reads the entry point of the requested stage or, if none is
// requested, of the preferred stage that it has. A module is read into the given shader, or into a new one if that is
// nil.
func (src *Source) shader(opts *Options, into *ir.Shader, meter *work.Meter) (*ir.Shader, error) {
	asked := cmp.Or(opts.Stage, Stages()[0])
	if !slices.Contains(Stages(), asked) {
		return nil, src.errorf("stage %q is not supported yet", asked)
	}
	s, err := src.readStage(asked, opts, into, meter)
	switch {
	case err != nil:
		return nil, src.readError(asked, err)
	case opts.Stage != "" && s.Info.Stage.String() != opts.Stage:
		return nil, src.errorf("this is a %s shader, not a %s shader", s.Info.Stage, opts.Stage)
	case opts.Entry != "" && s.Strs.Text(s.Info.Entry) != opts.Entry:
		return nil, src.errorf("the shader's entry point is %q, not %q", s.Strs.Text(s.Info.Entry), opts.Entry)
	}
	return s, nil
}

// readStage reads a shader; in a module, the entry point of the given stage or, if no stage is requested, of another.
func (src *Source) readStage(stage string, opts *Options, into *ir.Shader, meter *work.Meter) (*ir.Shader, error) {
	switch src.form {
	case textForm:
		return readText(src.data, src.File)
	case wireForm:
		return readWire(src.data, src.File)
	}
	o := spirv.Options{
		Entry: opts.Entry, Stage: stageNamed(stage), Specialize: opts.Specialize, Into: into, Work: meter,
	}
	if opts.Stage == "" {
		o.Alternatives = []kind.Stage{kind.StageVertex, kind.StageFragment}
	}
	return spirv.Read(src.data, o)
}

// stageNamed returns the stage with one of the names in Stages.
func stageNamed(name string) kind.Stage {
	v, _ := kind.EnumStage.Value(name)
	return kind.Stage(v)
}

// readError returns the error about a source that cannot be read as a shader of a stage.
func (src *Source) readError(stage string, err error) error {
	var e *spirv.Error
	switch {
	case !errors.As(err, &e):
		return err
	case slices.Contains(Stages(), e.Stage):
		return WordError(src.File, e.Word, "the module has a %s shader, not a %s shader", e.Stage, stage)
	case e.Stage != "":
		return WordError(src.File, e.Word, "%s", noStage(e.Stage)).refused()
	}
	return spirvError(src.File, e)
}

// errorf returns an error about the source as a whole.
func (src *Source) errorf(format string, args ...any) *Error {
	return &Error{File: src.File, Msg: fmt.Sprintf(format, args...)}
}

// noStage returns the message that a stage is not supported.
func noStage(stage string) string {
	return stage + " shaders are not supported yet, only compute, vertex and fragment shaders"
}

func readText(source []byte, file string) (*ir.Shader, error) {
	s, err := text.Parse(source)
	var te *text.Error
	if errors.As(err, &te) {
		return nil, &Error{File: file, Line: te.Line, Column: te.Col, Msg: te.Msg}
	}
	return validated(s, err, file)
}

func readWire(source []byte, file string) (*ir.Shader, error) {
	s, err := wire.Unmarshal(source)
	return validated(s, err, file)
}

// validated validates a shader that the SPIR-V reader did not produce. err, if not nil, is the error from reading it.
func validated(s *ir.Shader, err error, file string) (*ir.Shader, error) {
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		return nil, &Error{File: file, Msg: err.Error()}
	}
	return s, nil
}

func spirvError(file string, e *spirv.Error) *Error {
	msg := e.Msg
	if e.Op != "" {
		msg = e.Op + ": " + msg
	}
	out := WordError(file, e.Word, "%s", msg).placed(e.File, e.Line, e.Column)
	out.unsupported = e.Unsupported
	return out
}
