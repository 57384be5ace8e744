// SPDX-License-Identifier: MIT

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/cmd/jacquard/entries"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Selection selects entry points of a SPIR-V module. If several match, a command that compiles only one reports an
// error.
type Selection struct {
	Entry      string // "" means any entry point
	Stage      string // "" means any stage
	Specialize specialization
}

// Flags declares the flags for a selection.
func (x *Selection) Flags(fs *FlagSet) {
	fs.Text(&x.Entry, "entry", "NAME", "the entry point of a SPIR-V module (default: the only one)")
	fs.Choice(&x.Stage, "stage", StageFlag(), "the stage of the entry point (default: the stage of the only entry point)")
	fs.specialize(&x.Specialize)
	fs.Source(&x.Stage, &x.Entry)
}

// StageFlag returns the values of flags for a stage.
func StageFlag() (names []string) {
	for _, s := range jacquard.Stages() {
		names = append(names, string(s))
	}
	return names
}

// EntryPoint returns the name and stage of the selected entry point. If the module has none that can be compiled,
// both are as in the selection, and the compiler reports the error.
func (x *Selection) EntryPoint(a *App, in *Input, module []byte) (entry, stage string, err error) {
	if !in.IsModule() {
		return x.Entry, x.Stage, nil
	}
	if in.Stage != nil {
		if x.Entry != "" && x.Entry != in.Stage.Entry || x.Stage != "" && x.Stage != in.Stage.Name {
			return "", "", &jacquard.Error{File: in.Name, Msg: fmt.Sprintf("this stage of a pipeline is the %s shader %q; "+
				"it cannot be compiled as another", in.Stage.Name, in.Stage.Entry)}
		}
		return in.Stage.Entry, in.Stage.Name, nil
	}
	list, err := jacquard.EntryPoints(a.Ctx, module)
	if err != nil {
		return x.Entry, x.Stage, nil
	}
	p, ok, err := entries.Choose(in.Name, list, x.Entry, x.Stage)
	if !ok {
		return x.Entry, x.Stage, err
	}
	return p.Name, string(p.Stage), nil
}

// EntryPoints returns the entry points of a file that match the selection. If none does, or the file has no list of
// several, it returns the selection itself as the only entry point, and the compiler reports any error. Of a stage of a
// pipeline, it returns its entry point if that matches, or else none.
func (x *Selection) EntryPoints(a *App, in *Input, module []byte) []jacquard.EntryPoint {
	if in.Stage != nil {
		fixed := jacquard.EntryPoint{Name: in.Stage.Entry, Stage: jacquard.Stage(in.Stage.Name)}
		return entries.Matching([]jacquard.EntryPoint{fixed}, x.Entry, x.Stage)
	}
	if in.IsModule() {
		if list, err := jacquard.EntryPoints(a.Ctx, module); err == nil && len(list) > 1 {
			if list = entries.Matching(list, x.Entry, x.Stage); len(list) > 0 {
				return list
			}
		}
	}
	return []jacquard.EntryPoint{{Name: x.Entry, Stage: jacquard.Stage(x.Stage)}}
}

// Apply sets the entry point and its stage in the options.
func (x *Selection) Apply(a *App, in *Input, module []byte, o *jacquard.Options) error {
	entry, stage, err := x.EntryPoint(a, in, module)
	o.Entry, o.Stage = entry, jacquard.Stage(stage)
	return err
}

// Shader reads a file as IR. isText reports whether the file is .jir, in text or binary
// form.
func (a *App) Shader(file string, x *Selection) (s *ir.Shader, name string, isText bool, err error) {
	in, err := a.Load(file)
	if err != nil {
		return nil, "", false, err
	}
	return a.ShaderOf(in, x)
}

// ShaderOf is like Shader, for a file that has already been read.
func (a *App) ShaderOf(in *Input, x *Selection) (s *ir.Shader, name string, isText bool, err error) {
	if !in.IsModule() && in.Kind != MirInput {
		if _, err = x.Specialize.Of(in, nil); err != nil {
			return nil, in.Name, true, err
		}
	}
	switch in.Kind {
	case jirInput:
		if s, err = text.Parse(in.Data); err != nil {
			return nil, in.Name, true, textError(in.Name, err)
		}
		return s, in.Name, true, x.checked(in.Name, s)
	case MirInput:
		return nil, in.Name, true, &jacquard.Error{File: in.Name,
			Msg: "this is machine IR, which follows all IR passes; compile and view accept it"}
	case jirbInput:
		if s, err = wire.Unmarshal(in.Data); err != nil {
			return nil, in.Name, true, &jacquard.Error{File: in.Name, Msg: err.Error()}
		}
		return s, in.Name, true, x.checked(in.Name, s)
	}
	module, err := a.Module(in)
	if err != nil {
		return nil, in.Name, false, err
	}
	specs, err := x.Specialize.Of(in, module)
	if err != nil {
		return nil, in.Name, false, err
	}
	one := Selection{}
	if one.Entry, one.Stage, err = x.EntryPoint(a, in, module); err != nil {
		return nil, in.Name, false, err
	}
	if s, err = a.readModule(module, &one, specs); err != nil {
		return nil, in.Name, false, ModuleError(in.Name, err)
	}
	return s, in.Name, false, nil
}

// readModule reads the shader of the requested stage. Without a request it reads the compute shader
// or, if the module has none, the shader of another stage.
func (a *App) readModule(module []byte, x *Selection, specs []jacquard.Specialization) (*ir.Shader, error) {
	asked, _ := kind.EnumStage.Value(cmp.Or(x.Stage, kind.StageCompute.String()))
	o := spirv.Options{Entry: x.Entry, Stage: kind.Stage(asked), Work: work.NewMeter(a.Ctx, work.MaxSteps)}
	for _, s := range specs {
		o.Specialize = append(o.Specialize, spirv.Spec{ID: s.ID, Bits: s.Bits})
	}
	s, err := spirv.Read(module, o)
	var e *spirv.Error
	if errors.As(err, &e) {
		stage, ok := kind.EnumStage.Value(e.Stage)
		switch {
		case ok && x.Stage != "":
			return nil, &spirv.Error{Word: e.Word, Msg: fmt.Sprintf("the module has a %s shader, not a %s shader", e.Stage, x.Stage)}
		case ok:
			o.Stage = kind.Stage(stage)
			return spirv.Read(module, o)
		}
	}
	return s, err
}

// checked rejects a hand-written shader that is not well formed or does not match the selection.
func (x *Selection) checked(name string, s *ir.Shader) error {
	fail := func(format string, args ...any) error {
		return &jacquard.Error{File: name, Msg: fmt.Sprintf(format, args...)}
	}
	stage, entry := s.Info.Stage.String(), s.Strs.Text(s.Info.Entry)
	if err := validate.Shader(s); err != nil {
		return fail("%v", err)
	}
	switch {
	case x.Stage != "" && x.Stage != stage:
		return fail("this is a %s shader, not a %s shader", stage, x.Stage)
	case x.Entry != "" && x.Entry != entry:
		return fail("the shader's entry point is %q, not %q", entry, x.Entry)
	}
	return nil
}

// ModuleError adds the file's name to an error of the SPIR-V reader.
func ModuleError(name string, err error) error {
	var e *spirv.Error
	switch {
	case !errors.As(err, &e):
		return &jacquard.Error{File: name, Msg: err.Error()}
	case e.Op != "":
		return driver.WordError(name, e.Word, "%s: %s", e.Op, e.Msg)
	}
	return driver.WordError(name, e.Word, "%s", e.Msg)
}

// textError adds the file's name to an error of the text format.
func textError(name string, err error) error {
	var e *text.Error
	if errors.As(err, &e) {
		return &jacquard.Error{File: name, Line: e.Line, Column: e.Col, Msg: e.Msg}
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}

// DefaultPasses returns the passes of compile; for stages other than compute, only the
// target-independent ones.
func DefaultPasses(stage kind.Stage) pass.Pipeline {
	if stage == kind.StageCompute {
		return pipeline.Compute
	}
	return pipeline.Optimize
}

// NewContext returns the context for passes over s, for the target named machine, or the default target if machine is
// empty.
func (a *App) NewContext(s *ir.Shader, machine string) *pass.Context {
	c := pass.New(s)
	c.Work = work.NewMeter(a.Ctx, work.MaxSteps)
	c.Options.Target, _ = target.ByName(string(cmp.Or(jacquard.Target(machine), jacquard.DefaultTarget)))
	return c
}

// PassError returns the error to report for an error of a pass: the shader cannot be compiled, or the pass failed. It
// adds the file's name unless the error has one, is internal or reports an interrupt.
func PassError(name string, err error) error {
	var internal *jacquard.InternalError
	var named *jacquard.Error // with the file's name already
	switch {
	case errors.As(err, &internal):
		return internal
	case errors.Is(err, context.Canceled), errors.As(err, &named):
		return err
	}
	return driver.InputError(name, err)
}
