// SPDX-License-Identifier: MIT

package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"jacquard.example/backend/driver/explain"
	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// compiler is the working memory of one compilation, reused by the next.
type compiler struct {
	shader *ir.Shader // SPIR-V is read into it
	pass   *pass.Context
	intel  intel.Compiler
	job
}

// job is the state of one compilation.
type job struct {
	file    string // name of the source, for errors
	opts    *Options
	target  *target.Target
	meter   *work.Meter
	rules   *explain.Log  // nil unless Options.Explain is set
	remarks []pass.Remark // empty unless Options.Explain is set
	checks  checks        // for Options.Verify
}

var compilers = sync.Pool{New: func() any { return &compiler{shader: ir.New(), pass: new(pass.Context)} }}

// Compile compiles one entry point of a source: it reads the shader, runs the pipeline of passes, and calls the back end
// for each width. Machine IR resumes after the pass that its text names. Compile is safe for concurrent use. Mistakes
// in the input are reported as *Error, defects of the compiler as *InternalError, or as a panic that [Recover] turns
// into an error.
func Compile(ctx context.Context, src *Source, opts *Options) (*Program, error) {
	return start(ctx, src.File, opts, func(c *compiler) (*Program, error) {
		if src.form == machineForm {
			return c.resume(src)
		}
		if err := c.canStop(); err != nil {
			return nil, err
		}
		s, err := src.shader(opts, c.shader, c.meter)
		if err != nil {
			return nil, err
		}
		return c.compile(ctx, s, nil)
	})
}

// start runs a job with a compiler, which is used again unless the job fails.
func start(ctx context.Context, file string, opts *Options, job func(*compiler) (*Program, error)) (*Program, error) {
	if err := opts.check(file); err != nil {
		return nil, err
	}
	c := compilers.Get().(*compiler)
	c.file, c.opts = file, opts
	c.target, c.meter = opts.Target, work.NewMeter(ctx, work.MaxSteps)
	c.rules, c.remarks = nil, nil
	c.checks = checks{}
	p, err := job(c)
	if err != nil {
		return nil, err // c may be in any state
	}
	compilers.Put(c)
	return p, nil
}

// compile runs the pipeline of passes over a shader and compiles it for the widths. rules is the log of the rules that
// ran before, if it has been linked.
func (c *compiler) compile(ctx context.Context, s *ir.Shader, rules *explain.Log) (*Program, error) {
	if err := c.refuse(s); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	opts := c.opts
	c.pass.Reset(s)
	c.pass.Work = c.meter
	c.pass.Options = pass.Options{
		Target: c.target, Robust: opts.Robust, Buffers: opts.Buffers, Descriptors: opts.Descriptors, Disable: opts.Disable.IR,
		ConstantsAtAddress: opts.Zebin,
	}
	if l := opts.Layout; l != nil {
		c.pass.Options.Places, c.pass.Options.PushBytes = l.Places, l.PushBytes
	}
	if opts.Explain {
		c.pass.Remarks = &c.remarks
		if c.rules = rules; rules == nil {
			c.rules = explain.NewLog(s)
		}
		c.rules.Follow(c.pass)
	}
	trace, err := c.trace(s)
	if err != nil {
		return nil, err
	}
	if err := pipeline.ForTarget(c.pass, trace); err != nil {
		return nil, compileError(c.file, err)
	}
	p := &Program{Target: c.target, Stage: s.Info.Stage.String(), Entry: s.Strs.Text(s.Info.Entry), Unchecked: c.checks.unchecked}
	if err := c.variants(ctx, p, s); err != nil {
		return nil, compileError(c.file, err)
	}
	return p, nil
}

// refuse returns an error if the stage of a shader cannot be compiled.
func (c *compiler) refuse(s *ir.Shader) error {
	stage := s.Info.Stage
	switch {
	case !slices.Contains(Stages(), stage.String()):
		return (&Error{File: c.file, Msg: noStage(stage.String())}).refused()
	case intel.StageABI(c.target, stage) == nil:
		return (&Error{File: c.file, Msg: fmt.Sprintf("%s shaders cannot be compiled for %s yet", stage, c.target)}).refused()
	case c.opts.Zebin && stage != kind.StageCompute:
		return (&Error{File: c.file, Msg: fmt.Sprintf("a zebin cannot hold a %s shader", stage)}).refused()
	}
	return nil
}

// trace returns the function to call after every pass, or nil if there is no trace.
func (c *compiler) trace(s *ir.Shader) (*pass.Trace, error) {
	if !c.opts.Verify && !c.opts.Explain && c.opts.Trace == nil {
		return nil, nil
	}
	tr := &pass.Trace{}
	if c.opts.Verify {
		c.checks.pass = c.pass
		var err error
		if tr, err = c.checks.trace(); err != nil {
			return nil, err
		}
	}
	check, step := tr.After, c.opts.Trace
	tr.After = func(name string, changed bool, took time.Duration) error {
		if c.rules != nil {
			c.rules.Settle()
		}
		if step != nil {
			step(&Step{Pass: name, Changed: changed, Took: took, text: func() []byte { return text.Print(s) }})
		}
		if check != nil {
			return check(name, changed, took)
		}
		return nil
	}
	return tr, nil
}

// compileError distinguishes the errors of a compilation: a compiler defect found by a check, a shader that cannot be
// compiled, and a context that is done.
func compileError(file string, err error) error {
	var internal *InternalError
	var check *intel.CheckError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &internal):
		return internal
	case errors.As(err, &check):
		return &InternalError{Pass: check.Pass, Function: check.Function, Cause: check.Err}
	}
	return InputError(file, err)
}
