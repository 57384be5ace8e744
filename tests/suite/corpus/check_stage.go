// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"jacquard.example"
	isalegal "jacquard.example/backend/intel/legal"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/legal"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
)

// checkStage takes a vertex or fragment shader through all steps to machine code, and compares the pictures.
func (c *Checker) checkStage(ctx context.Context, o *Outcome, stage kind.Stage) {
	var err error
	o.measure(func() { _, _, err = throughPasses(o.Module, stage, o.Entry) })
	d := c.draws(ctx, o, stage)
	if err == nil && d != nil {
		if err = guard(func() error { return d.afterPasses(ctx) }); err != nil {
			err = fmt.Errorf("%s: %w", drawDiffers, err)
		}
	}
	o.done(Passes, err)
	o.measure(func() {
		err = guard(func() error {
			_, err := jacquard.Compile(ctx, o.Module.SPIRV, jacquard.Options{Entry: o.Entry, Stage: jacquard.Stage(o.Stage)})
			return err
		})
	})
	o.done(Compile, err)
	made, err := o.compileStage(ctx, StagePairs(stage))
	if (made || err != nil) && o.done(Legal, err) && d != nil {
		o.done(Model, guard(func() error { return o.drawn(ctx, d, c.Drawn(o.Module, StagePairs(stage))) }))
	}
}

// drawDiffers is the prefix of the reason if a shader draws a different picture after all passes.
const drawDiffers = "it draws something else"

// draws generates a draw for a shader and draws it on the interpreter. It returns nil if Drawn chooses no pairs.
func (c *Checker) draws(ctx context.Context, o *Outcome, stage kind.Stage) (d *drawn) {
	if len(c.Drawn(o.Module, StagePairs(stage))) == 0 {
		return nil
	}
	o.done(Run, guard(func() error {
		var why string
		if d, why = drawFor(ctx, &c.tools, o.Module, stage, o.Entry); d == nil {
			return errors.New(why)
		}
		return nil
	}))
	return d
}

// drawn draws with machine code for some pairs.
func (o *Outcome) drawn(ctx context.Context, d *drawn, pairs []Pair) error {
	for i := range o.Codes {
		code := &o.Codes[i]
		if code.Bytes == nil || !slices.Contains(pairs, code.Pair) {
			continue
		}
		compared, err := d.onModel(ctx, code.Pair)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", code.Pair, err)
		case !compared:
			code.LeftOut = "the model takes too long"
		default:
			code.Words, code.Drawn = d.texels-d.open, true
		}
	}
	return nil
}

// onlyNarrow matches the errors for shaders that run only with fewer lanes.
var onlyNarrow = regexp.MustCompile(`^SIMD(16|32): .* has (8|at most 16) lanes$`)

// compileStage compiles a vertex or fragment shader for pairs and checks the code. made reports whether there is any.
// A refusal by some machines is not an error.
func (o *Outcome) compileStage(ctx context.Context, pairs []Pair) (made bool, err error) {
	for _, pair := range pairs {
		c, err := o.code(ctx, pair)
		var mistake *jacquard.Error
		switch {
		case errors.As(err, &mistake) && onlyNarrow.MatchString(mistake.Msg):
			continue
		case errors.As(err, &mistake):
			c.Refused = err.Error()
		case err != nil:
			return made, fmt.Errorf("%s: %w", pair, err)
		}
		if v := isalegal.Check(pair.Target.Platform, c.Bytes); len(v) > 0 {
			return made, fmt.Errorf("%s: %s", pair, v[0])
		}
		made = made || c.Bytes != nil
		o.Codes = append(o.Codes, c)
	}
	return made, nil
}

// throughPasses runs the reader and all passes on a vertex or fragment shader, and the checks after each pass. at is
// the last stage that has run. lacks is an error if the target has no instructions for a part of the shader.
func throughPasses(m *modules.Module, stage kind.Stage, entry string) (at string, lacks, err error) {
	at = "read"
	err = guard(func() error {
		s, err := spirv.Read(m.SPIRV, spirv.Options{Stage: stage, Entry: entry})
		if err != nil {
			return err
		}
		at = "after the reader"
		if err := validate.Shader(s); err != nil {
			return err
		}
		c := pass.New(s)
		c.Options = pass.Options{Target: target.TGL}
		after := func(name string, _ bool, _ time.Duration) error {
			at = "after " + name
			return validate.Shader(s)
		}
		err = pipeline.ForTarget(c, &pass.Trace{After: after, Unsettled: func(l pass.Loop) error {
			changing, err := pipeline.Rest(c, l)
			if err == nil && len(changing) > 0 {
				err = fmt.Errorf("the loop of passes does not reach a fixed point: %s", strings.Join(changing, ", "))
			}
			return err
		}})
		var lack *legal.Error
		if errors.As(err, &lack) {
			lacks = err
			return nil
		}
		return err
	})
	return at, lacks, err
}
