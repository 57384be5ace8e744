// SPDX-License-Identifier: MIT

package draw

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/draw"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
)

// modules translates the shaders of all tests.
var modules tools.Cache

// moduleOf returns the module of a shader.
func moduleOf(file string) engine.Module {
	return func(ctx context.Context, s *runner.Shader) ([]byte, error) { return modules.Shader(ctx, file, s) }
}

// onInterp returns the interpreter for a script.
func onInterp(file string) *engine.Interp { return &engine.Interp{Module: moduleOf(file)} }

// onLavapipe returns lavapipe for a script.
func onLavapipe(t *testing.T, file string) *lavapipe.Engine {
	module := moduleOf(file)
	return &lavapipe.Engine{Device: lavapipe.Need(t), Module: func(s *runner.Shader) ([]uint32, error) {
		b, err := module(t.Context(), s)
		if err != nil {
			return nil, err
		}
		return spv.Words(b)
	}}
}

// both runs each draw on two engines and compares their attachments and bindings afterwards. The script continues with
// the second's.
type both struct {
	t interface {
		Errorf(format string, args ...any)
	}
	first, second runner.Drawer
	covered       int // pixels that a draw changed
	draws         int

	step  float64 // maximum difference of normalized components in any case
	share float64 // share of the texels that may differ by more
}

func (e *both) Dispatch(ctx context.Context, c *runner.Call) error { return e.second.Dispatch(ctx, c) }

// Draw implements runner.Drawer.
func (e *both) Draw(ctx context.Context, c *runner.DrawCall) error {
	e.draws++
	before, other := picture.Copy(c), picture.Copy(c)
	if err := e.first.Draw(ctx, other); err != nil {
		return err
	}
	if err := e.second.Draw(ctx, c); err != nil {
		return err
	}
	for i := range c.State.Colors {
		old, a, b := &before.State.Colors[i], &other.State.Colors[i], &c.State.Colors[i]
		if b.Resolve != nil {
			e.covered += picture.Changed(old.Resolve, b.Resolve)
			e.compare(fmt.Sprintf("color %d, resolved", i), a.Resolve, b.Resolve)
		}
		e.covered += picture.Changed(&old.Attachment, &b.Attachment)
		e.compare(fmt.Sprintf("color %d", i), &a.Attachment, &b.Attachment)
	}
	e.covered += picture.Changed(&before.State.Depth.Attachment, &c.State.Depth.Attachment)
	e.compare("depth", &other.State.Depth.Attachment, &c.State.Depth.Attachment)
	for i := range c.Bindings {
		if a, b := other.Bindings[i].Data, c.Bindings[i].Data; c.Bindings[i].Kind.Writes() && !bytes.Equal(a, b) {
			e.t.Errorf("set %d binding %d: %x, want %x", c.Bindings[i].Set, c.Bindings[i].Binding, a, b)
		}
	}
	return nil
}

// compare compares two attachments. Samples cannot be read from the driver, so the script continues with the
// interpreter's.
func (e *both) compare(what string, want, got *draw.Attachment) {
	if got.Format != nil && got.Samples > 1 {
		copy(got.Data, want.Data)
		return
	}
	d := picture.Compare(want, got, e.step)
	if float64(d.Texels) > e.share*float64(got.Width*got.Height) {
		e.t.Errorf("draw %d, %s: %d of %d texels differ%s", e.draws, what, d.Texels, got.Width*got.Height, d.First)
	}
}

// newer lists scripts with an extension that Debian 12's lavapipe does not offer. Mesa 26.2's lavapipe agrees on them.
var newer = map[string]bool{"quad_control.amber": true, "discard_quad_vote.amber": true}

// wrong lists scripts that Debian 12's lavapipe draws wrongly: it takes another sampler if the index of one is not constant.
// With constants in place of the indices it agrees.
var wrong = map[string]bool{"vertex_samplers.amber": true}

// differences counts the differences of a script that is drawn wrongly.
type differences int

func (n *differences) Errorf(string, ...any) { *n++ }

// TestDrawsLikeLavapipe runs every script on both engines. Each must change some pixels.
func TestDrawsLikeLavapipe(t *testing.T) {
	for _, file := range scripts.Files(t, "../../amber/graphics/*.*") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			script := scripts.Read(t, file)
			e := &both{t: t, first: onInterp(file), second: onLavapipe(t, file)}
			found := differences(0)
			if wrong[filepath.Base(file)] {
				e.t = &found
			}
			report, err := script.Run(t.Context(), e)
			if newer[filepath.Base(file)] {
				if err == nil {
					t.Fatal("runs, but is listed as one that does not")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range report.Errors() {
				t.Error(err)
			}
			if e.covered == 0 {
				t.Error("no draw changes a pixel")
			}
			if wrong[filepath.Base(file)] && found == 0 {
				t.Error("agrees, but is listed as drawn wrongly")
			}
		})
	}
}
