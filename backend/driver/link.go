// SPDX-License-Identifier: MIT

package driver

import (
	"context"
	"slices"

	"jacquard.example/backend/driver/explain"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	passlink "jacquard.example/core/pass/link"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Pipeline is the result of linking.
type Pipeline struct {
	Vertex, Fragment *Program
	Interface        passlink.Stats
}

// Link compiles the vertex and the fragment shader of a pipeline together. Options.Trace is called for the passes after
// linking.
func Link(ctx context.Context, vertex, fragment *Source, vertexOptions, fragmentOptions *Options) (*Pipeline, error) {
	v, err := newLinkable(ctx, vertex, kind.StageVertex, vertexOptions)
	if err != nil {
		return nil, err
	}
	f, err := newLinkable(ctx, fragment, kind.StageFragment, fragmentOptions)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{}
	if p.Interface, err = join(v, f); err != nil {
		return nil, compileError(vertex.File, err)
	}
	if p.Vertex, err = v.compile(ctx); err != nil {
		return nil, err
	}
	p.Fragment, err = f.compile(ctx)
	return p, err
}

// linkable is a shader that can be linked with another.
type linkable struct {
	*pass.Context
	file   string
	opts   *Options
	rules  *explain.Log // nil unless the shader is explained
	checks checks       // for Options.Verify
	trace  *pass.Trace  // nil unless the shader is explained or checked
}

// join links two shaders, which simplifies the interface between v and f.
func join(v, f *linkable) (passlink.Stats, error) {
	return pipeline.Link(v.Context, f.Context, v.trace, f.trace)
}

// newLinkable reads a shader of a stage, optimizes it and lowers its inputs and outputs.
func newLinkable(ctx context.Context, src *Source, stage kind.Stage, opts *Options) (*linkable, error) {
	meter := work.NewMeter(ctx, work.MaxSteps)
	if src.form == machineForm {
		return nil, src.errorf("machine IR cannot be linked")
	}
	if err := opts.check(src.File); err != nil {
		return nil, err
	}
	read := *opts
	read.Stage = stage.String()
	s, err := src.shader(&read, ir.New(), meter)
	if err != nil {
		return nil, err
	}
	c := &linkable{Context: pass.New(s), file: src.File, opts: opts}
	c.Work = meter
	c.Options.Disable, c.Options.Target = opts.Disable.IR, opts.Target
	if opts.Verify {
		c.checks.pass = c.Context
		if c.trace, err = c.checks.trace(); err != nil {
			return nil, err
		}
	}
	if opts.Explain {
		c.rules = explain.NewLog(s)
		c.rules.Follow(c.Context)
		c.trace = c.rules.Traced(c.trace)
	}
	if err := pipeline.ToSlots(c.Context, c.trace); err != nil {
		return nil, compileError(src.File, err)
	}
	return c, nil
}

// compile compiles the shader after it has been linked.
func (l *linkable) compile(ctx context.Context) (*Program, error) {
	return start(ctx, l.file, l.opts, func(c *compiler) (*Program, error) {
		if err := c.canStop(); err != nil {
			return nil, err
		}
		p, err := c.compile(ctx, l.S, l.rules)
		if err == nil {
			p.Unchecked = slices.Concat(l.checks.unchecked, p.Unchecked)
		}
		return p, err
	})
}
