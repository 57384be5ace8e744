// SPDX-License-Identifier: MIT

package engine

import (
	"context"
	"fmt"
	"slices"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/link"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Interp runs shaders on the interpreter: as read, or after a pipeline of
// passes.
type Interp struct {
	Module Module
	// Width is the subgroup size if the script requires none; 0 means
	// DefaultWidth.
	Width int
	Seed  uint64 // seed for values that a shader leaves undefined
	// Pipeline is run with Options over a shader before it is interpreted, and before the
	// accesses of a vertex or fragment shader to inputs and outputs are lowered. Trace, if
	// set, returns the trace of these passes.
	Pipeline pass.Pipeline
	Options  pass.Options
	Trace    func(*ir.Shader) *pass.Trace
	// Link links the shaders of each draw; Linked has the statistics of the last link.
	Link   bool
	Linked link.Stats
	// Executed counts instructions and lanes over all dispatches and draws.
	Executed interp.Stats
	// Shader, if set, is run by every call instead of the shader that it names.
	Shader *ir.Shader
	// Configure, if set, changes a call before it is interpreted.
	Configure func(*interp.Call)

	shaders map[string]*ir.Shader
}

// DefaultWidth is the default subgroup size of the interpreter.
const DefaultWidth = 16

// Dispatch implements runner.Engine.
func (e *Interp) Dispatch(ctx context.Context, c *runner.Call) error {
	s, err := e.Read(ctx, c)
	if err != nil {
		return err
	}
	call := e.call(c.Bindings, c.PushConstants)
	call.Groups, call.Clock = c.Groups, c.Clock
	if c.Subgroup.Require == runner.SubgroupExact {
		call.Width = int(c.Subgroup.Size)
	}
	if e.Configure != nil {
		e.Configure(&call)
	}
	stats, err := interp.Run(ctx, s, &call)
	e.Executed.Add(stats)
	return err
}

// Read returns the shader of a call as it is interpreted.
func (e *Interp) Read(ctx context.Context, c *runner.Call) (*ir.Shader, error) {
	return e.read(ctx, &runner.Stage{Shader: c.Shader, Entry: c.Entry, Specialize: c.Specialize}, kind.StageCompute)
}

// call returns a call with a pipeline's bindings and push constants.
func (e *Interp) call(bindings []runner.Binding, push []byte) interp.Call {
	call := interp.Call{Width: e.Width, Push: push, Seed: e.Seed}
	if call.Width == 0 {
		call.Width = DefaultWidth
	}
	for i := range bindings {
		bind(&call, &bindings[i])
	}
	return call
}

// bind binds the resource of a descriptor in the interpreter.
func bind(call *interp.Call, b *runner.Binding) {
	if b.Kind == runner.Storage || b.Kind == runner.Uniform {
		call.Buffers = append(call.Buffers, interp.Buffer{Set: b.Set, Binding: b.Binding, Element: b.Element, Data: b.Data})
		return
	}
	m := interp.Image{Set: b.Set, Binding: b.Binding, Element: b.Element, Texture: b.Texture, Sampler: b.Sampler}
	if m.Texture == nil && b.Image != nil {
		m.Texture = b.Image.Texture(b.Data, b.BaseLevel)
	}
	call.Images = append(call.Images, m)
}

// read returns a shader after the pipeline, once for each combination of stage, shader, passes, entry point and constants.
func (e *Interp) read(ctx context.Context, c *runner.Stage, stage kind.Stage) (*ir.Shader, error) {
	if e.Shader != nil {
		return e.Shader, nil
	}
	key := fmt.Sprint(stage, c.Shader.Name, c.Shader.Passes, c.Entry, c.Specialize)
	if s := e.shaders[key]; s != nil {
		return s, nil
	}
	module, err := e.Module(ctx, c.Shader)
	if err != nil {
		return nil, err
	}
	opts := spirv.Options{Entry: c.Entry, Stage: stage, Work: work.NewMeter(ctx, work.MaxSteps)}
	for _, s := range c.Specialize {
		opts.Specialize = append(opts.Specialize, spirv.Spec{ID: s.ID, Bits: s.Bits})
	}
	s, err := spirv.Read(module, opts)
	if err != nil {
		return nil, fmt.Errorf("shader %s: %w", c.Shader.Name, err)
	}
	passes := e.Pipeline
	if stage != kind.StageCompute {
		passes = append(slices.Clone(passes), pipeline.StageIO...)
	}
	if passes != nil {
		pc := pass.New(s)
		pc.Options = e.Options
		var tr *pass.Trace
		if e.Trace != nil {
			tr = e.Trace(s)
		}
		if err := pc.Run(passes, tr); err != nil {
			return nil, fmt.Errorf("shader %s: %w", c.Shader.Name, err)
		}
	}
	if e.shaders == nil {
		e.shaders = map[string]*ir.Shader{}
	}
	e.shaders[key] = s
	return s, nil
}
