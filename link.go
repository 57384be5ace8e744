package jacquard

import (
	"cmp"
	"context"
	"slices"

	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
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

// Interface counts the changes by linking to the interface between a vertex and a fragment shader, in 32-bit
// components.
type Interface struct {
	Dead      int `json:"dead"`      // not read by the fragment shader
	Unwritten int `json:"unwritten"` // not written by the vertex shader: they are 0
	Constant  int `json:"constant"`  // constants, which the fragment shader has itself
	Uniform   int `json:"uniform"`   // loaded by the fragment shader itself
	Duplicate int `json:"duplicate"` // equal to other components
	Before    int `json:"locations_before"`
	After     int `json:"locations"`
}

// Link compiles the vertex and the fragment shader of a pipeline together. The outputs of the vertex shader and the
// inputs of the fragment shader are matched by location and component, simplified and packed. Sources are as for
// [Compile], except for machine IR. The options of each shader select its entry point; their Stage is not used.
// Options.Trace is called for the passes after linking.
func Link(ctx context.Context, vertex, fragment []byte, vertexOptions, fragmentOptions Options) (p *Pipeline, err error) {
	defer recoverInternal(&err)
	v, err := newLinkable(ctx, vertex, kind.StageVertex, &vertexOptions)
	if err != nil {
		return nil, err
	}
	f, err := newLinkable(ctx, fragment, kind.StageFragment, &fragmentOptions)
	if err != nil {
		return nil, err
	}
	p = &Pipeline{}
	if p.Interface, err = join(v, f); err != nil {
		return nil, compileError(vertexOptions.File, err)
	}
	if p.Vertex, err = v.compile(ctx, vertexOptions); err != nil {
		return nil, err
	}
	p.Fragment, err = f.compile(ctx, fragmentOptions)
	return p, err
}

// linkable is a shader that can be linked with another.
type linkable struct {
	*pass.Context
	rules  *ruleLog    // nil unless the shader is explained
	checks checks      // for Options.Verify
	trace  *pass.Trace // nil unless the shader is explained or checked
}

// join links two shaders, which simplifies the interface between v and f.
func join(v, f *linkable) (Interface, error) {
	stats, err := pipeline.Link(v.Context, f.Context, v.trace, f.trace)
	return Interface(stats), err
}

// newLinkable reads a shader of a stage, optimizes it and lowers its inputs and outputs.
func newLinkable(ctx context.Context, source []byte, stage kind.Stage, opts *Options) (*linkable, error) {
	meter := work.NewMeter(ctx, work.MaxSteps)
	if mirtext.Is(source) {
		return nil, &Error{File: opts.File, Msg: "machine IR cannot be linked"}
	}
	s, err := readStage(source, stage, nil, opts, meter)
	switch {
	case err != nil:
		return nil, readError(opts.File, stage.String(), err)
	case s.Info.Stage != stage:
		return nil, otherStage(opts.File, s.Info.Stage.String(), stage.String())
	}
	c := &linkable{Context: pass.New(s)}
	c.Work = meter
	if c.Options.Disable, _, err = opts.Disabled(); err != nil {
		return nil, err
	}
	if t, ok := target.ByName(string(cmp.Or(opts.Target, DefaultTarget))); ok { // otherwise Compile reports the error
		c.Options.Target = t
	}
	if opts.Verify {
		c.checks.pass = c.Context
		if c.trace, err = c.checks.trace(); err != nil {
			return nil, err
		}
	}
	if opts.Explain {
		c.rules = follow(c.Context)
		c.trace = c.rules.traced(c.trace)
	}
	if err := pipeline.ToSlots(c.Context, c.trace); err != nil {
		return nil, compileError(opts.File, err)
	}
	return c, nil
}

// compile compiles the shader after it has been linked.
func (c *linkable) compile(ctx context.Context, opts Options) (*Program, error) {
	opts.Stage, opts.Entry, opts.Specialize = "", "", nil // applied already
	p, err := compile(ctx, wire.Marshal(c.S), opts, c.rules)
	if err == nil {
		p.Unchecked = slices.Concat(c.checks.unchecked, p.Unchecked)
	}
	return p, err
}
