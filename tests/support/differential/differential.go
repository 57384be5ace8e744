// SPDX-License-Identifier: MIT

// Package differential runs every dispatch twice and compares: on the interpreter, with the IR as it reaches
// instruction selection and subgroups of the same width, and on the model of the execution units. Both must leave the
// same bytes in memory, except where the result is undefined. [New] makes such an [Engine] for a machine and a width.
//
// The interpreter takes the functions of the math unit from the model, so that everything else must agree to the last
// bit (package mathunit).
package differential

import (
	"context"
	"fmt"

	"jacquard.example"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mathunit"
)

// Engine implements runner.Engine. After a call, the buffers hold the model's results.
type Engine struct {
	Interp *engine.Interp
	Seeded *engine.Interp // Interp with another seed: results that differ between the two are undefined
	Model  *engine.EU
}

// New returns an engine for a machine and a width.
func New(machine *target.Target, mod engine.Module, simd int) *Engine {
	interpreter := func(seed uint64) *engine.Interp {
		return &engine.Interp{
			Module: mod, Width: simd, Seed: seed, Pipeline: pipeline.Compute, Options: pass.Options{Target: machine},
			Configure: func(c *interp.Call) { c.Override = mathunit.Override },
		}
	}
	return &Engine{
		Interp: interpreter(0), Seeded: interpreter(0x1234567),
		Model: &engine.EU{Module: mod, Options: jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd}},
	}
}

// Dispatch implements runner.Engine.
func (e *Engine) Dispatch(ctx context.Context, c *runner.Call) error {
	want, seeded := CopyCall(c), CopyCall(c)
	if err := e.Interp.Dispatch(ctx, want); err != nil {
		return err
	}
	if err := e.Seeded.Dispatch(ctx, seeded); err != nil {
		return err
	}
	if err := e.Model.Dispatch(ctx, c); err != nil {
		return err
	}
	for i, b := range c.Bindings {
		if err := compare(want.Bindings[i].Data, seeded.Bindings[i].Data, b.Data); err != nil {
			return fmt.Errorf("set %d binding %d: %w", b.Set, b.Binding, err)
		}
	}
	return nil
}

// CopyCall returns a copy of the call that has its own memory. Bindings that share memory share
// the copy too.
func CopyCall(c *runner.Call) *runner.Call {
	out := *c
	out.Bindings = make([]runner.Binding, len(c.Bindings))
	for i, b := range c.Bindings {
		b.Data = append([]byte(nil), b.Data...)
		for k := range out.Bindings[:i] {
			if same(c.Bindings[k].Data, c.Bindings[i].Data) {
				b.Data = out.Bindings[k].Data
			}
		}
		out.Bindings[i] = b
	}
	return &out
}

func same(a, b []byte) bool { return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] }

// compare returns an error about the first doubleword that differs, except where the result is undefined.
func compare(want, seeded, got []byte) error {
	if len(got) != len(want) {
		return fmt.Errorf("interpreter %d bytes, EU %d", len(want), len(got))
	}
	for i := 0; i < len(want); i += 4 {
		end := min(i+4, len(want)) // images may end within a doubleword
		w, g := want[i:end], got[i:end]
		if string(w) != string(g) && string(w) == string(seeded[i:end]) {
			return fmt.Errorf("byte %d: interpreter % x, EU % x", i, w, g)
		}
	}
	return nil
}
