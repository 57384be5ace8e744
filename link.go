package jacquard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/wire"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Pipeline is the result of linking.
type Pipeline struct {
	Vertex, Fragment *Program
	Interface        Interface
}

// Interface counts what linking has changed of what a vertex shader passes to a fragment shader, in
// components of 32 bits.
type Interface struct {
	Dead      int `json:"dead"`      // the fragment shader does not read them
	Unwritten int `json:"unwritten"` // the vertex shader does not write them: they are 0
	Constant  int `json:"constant"`  // known to the fragment shader
	Uniform   int `json:"uniform"`   // loaded by the fragment shader itself
	Duplicate int `json:"duplicate"` // equal to others
	Before    int `json:"locations_before"`
	After     int `json:"locations"`
}

// Link compiles the vertex and the fragment shader of a pipeline together: what one passes to the
// other is matched by location and component, simplified and packed. Sources are as for [Compile],
// but for machine IR; an entry point of the stage is chosen by the options of its shader, whose
// Stage is not used. Options.Trace is called for the passes after linking.
func Link(ctx context.Context, vertex, fragment []byte, vertexOptions, fragmentOptions Options) (p *Pipeline, err error) {
	defer recoverInternal(&err)
	v, err := linkable(ctx, vertex, kind.StageVertex, &vertexOptions)
	if err != nil {
		return nil, err
	}
	f, err := linkable(ctx, fragment, kind.StageFragment, &fragmentOptions)
	if err != nil {
		return nil, err
	}
	stats, err := pipeline.Link(v, f, nil, nil)
	if err != nil {
		return nil, compileError(vertexOptions.File, err)
	}
	p = &Pipeline{Interface: Interface(stats)}
	if p.Vertex, err = linked(ctx, v, vertexOptions); err != nil {
		return nil, err
	}
	p.Fragment, err = linked(ctx, f, fragmentOptions)
	return p, err
}

// linkable reads a shader of a stage, optimizes it and lowers its inputs and outputs.
func linkable(ctx context.Context, source []byte, stage kind.Stage, opts *Options) (*pass.Context, error) {
	meter := work.NewMeter(ctx, work.MaxSteps)
	s, err := readStage(source, stage, opts, meter)
	if err != nil {
		return nil, err
	}
	if s.Info.Stage != stage {
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("this is a %s shader, not a %s shader", s.Info.Stage, stage)}
	}
	c := pass.New(s)
	c.Work = meter
	if c.Options.Disable, _, err = opts.disabled(); err != nil {
		return nil, err
	}
	if t, ok := target.ByName(cmp.Or(opts.Target, DefaultTarget)); ok { // otherwise Compile says so
		c.Options.Target = t
	}
	if err := pipeline.ToSlots(c, nil); err != nil {
		return nil, compileError(opts.File, err)
	}
	return c, nil
}

// readStage reads a shader, the one of the given stage if the source has several.
func readStage(source []byte, stage kind.Stage, opts *Options, meter *work.Meter) (*ir.Shader, error) {
	switch {
	case mirtext.Is(source):
		return nil, &Error{File: opts.File, Msg: "machine IR cannot be linked"}
	case bytes.HasPrefix(source, []byte("shader ")):
		return readText(source, opts.File)
	case wire.Is(source):
		return readWire(source, opts.File)
	}
	o := spirv.Options{Entry: opts.Entry, Stage: stage, Work: meter}
	for _, s := range opts.Specialize {
		o.Specialize = append(o.Specialize, spirv.Spec{ID: s.ID, Bits: s.Bits})
	}
	s, err := spirv.Read(source, o)
	var e *spirv.Error
	switch {
	case !errors.As(err, &e):
		return s, err
	case e.Stage != "":
		return nil, WordError(opts.File, e.Word, "the module has a %s shader, not a %s shader", e.Stage, stage)
	}
	return nil, spirvError(opts.File, e)
}

// linked compiles a shader that has been linked.
func linked(ctx context.Context, c *pass.Context, opts Options) (*Program, error) {
	opts.Stage, opts.Entry, opts.Specialize = "", "", nil // they have been applied
	return Compile(ctx, wire.Marshal(c.S), opts)
}
