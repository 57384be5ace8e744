// SPDX-License-Identifier: MIT

package draw

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mathunit"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/scripts"
)

// exact runs each draw on the interpreter, with the IR as it reaches instruction selection, and on the model. Both must
// leave the same bytes, except bytes that a second seed for undefined values changes on the interpreter. The
// interpreter takes the functions of the math unit from the model.
type exact struct {
	t              *testing.T
	interp, seeded *engine.Interp
	model          *engine.EU
	changed        int  // attachments that a draw changed
	rounded        bool // the machine computes values otherwise than the interpreter: bytes are not compared
}

// newExact returns an engine for a machine and a number of lanes.
func newExact(t *testing.T, machine *target.Target, file string, simd int) *exact {
	interpreter := func(seed uint64) *engine.Interp {
		return &engine.Interp{
			Module: moduleOf(file), Width: simd, Seed: seed, Pipeline: pipeline.Compute, Options: pass.Options{Target: machine},
			Configure: func(c *interp.Call) { c.Override = mathunit.Override },
		}
	}
	return &exact{t: t, interp: interpreter(0), seeded: interpreter(0x1234567), model: modelOf(machine, file, simd)}
}

func (e *exact) Dispatch(ctx context.Context, c *runner.Call) error { return e.model.Dispatch(ctx, c) }

// left returns the bytes that a draw leaves, with the names of their attachments and bindings.
func left(c *runner.DrawCall) (names []string, data [][]byte) {
	add := func(name string, b []byte) { names, data = append(names, name), append(data, b) }
	for i := range c.State.Colors {
		k := &c.State.Colors[i]
		add(fmt.Sprintf("color %d", i), k.Data)
		if k.Resolve != nil {
			add(fmt.Sprintf("color %d, resolved", i), k.Resolve.Data)
		}
	}
	add("depth", c.State.Depth.Attachment.Data)
	for i := range c.Bindings {
		if b := &c.Bindings[i]; b.Kind.Writes() {
			add(fmt.Sprintf("set %d binding %d", b.Set, b.Binding), b.Data)
		}
	}
	return names, data
}

// Draw implements runner.Drawer.
func (e *exact) Draw(ctx context.Context, c *runner.DrawCall) error {
	before, first, second := picture.Copy(c), picture.Copy(c), picture.Copy(c)
	if err := e.interp.Draw(ctx, first); err != nil {
		return err
	}
	if err := e.seeded.Draw(ctx, second); err != nil {
		return err
	}
	if err := e.model.Draw(ctx, c); err != nil {
		return err
	}
	names, got := left(c)
	_, old := left(before)
	_, want := left(first)
	_, seeded := left(second)
	for i, name := range names {
		if !bytes.Equal(old[i], got[i]) {
			e.changed++
		}
		if e.rounded || bytes.Equal(want[i], got[i]) {
			continue
		}
		bad := 0
		for k := range want[i] {
			if want[i][k] != got[i][k] && want[i][k] == seeded[i][k] {
				if bad++; bad <= 3 {
					e.t.Errorf("%s, byte %d: %#x, the interpreter has %#x", name, k, got[i][k], want[i][k])
				}
			}
		}
		if bad > 3 {
			e.t.Errorf("%s: %d of %d bytes differ", name, bad, len(want[i]))
		}
	}
	return nil
}

// atOffsets are scripts that interpolate at offsets. Machines without a pixel interpolator evaluate planes for that, which
// rounds otherwise; TestEUDrawsLikeInterpreter allows for it.
var atOffsets = []string{"interpolate_at.amber", "interpolate_offset.amber"}

// TestEUDrawsExactly: every script leaves the same bytes on the model and on the interpreter. Dot products of vertices of
// four lanes are rounded in another order, so their machine is not among these.
func TestEUDrawsExactly(t *testing.T) {
	eachDraw(t, target.All, func(t *testing.T, machine *target.Target, file string, simd int) (bool, error) {
		e := newExact(t, machine, file, simd)
		e.rounded = slices.Contains(atOffsets, filepath.Base(file)) && !machine.Messages.Does(message.EvaluateOffset)
		_, err := scripts.Read(t, file).Run(t.Context(), e)
		return e.changed != 0, err
	})
}
