// SPDX-License-Identifier: MIT

package draw

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// euRefused maps scripts that the compiler or the launcher refuses, at all widths or at one, to the expected error.
var euRefused = map[string]string{
	"dual_source/32":  "has at most 16 lanes",
	"multisample/32":  "has at most 16 lanes",
	"targets_mask/32": "has at most 16 lanes",

	"hsw/half_floats":   "operands of less than 32 bits are not supported in vectors yet",
	"hsw/half_integers": "operands of less than 32 bits are not supported in vectors yet",
}

// stencils are scripts with stencil references, which only threads with the fewest lanes write.
var stencils = []string{"stencil_export", "targets_stencil"}

// refusal returns why a machine refuses a script at a width, or "" if it does not.
func refusal(machine *target.Target, name string, simd int) string {
	if least := machine.Widths[0]; slices.Contains(stencils, name) && simd > least {
		return fmt.Sprintf("has at most %d lanes", least)
	}
	return cmp.Or(euRefused[fmt.Sprint(machine, "/", name)], euRefused[name], euRefused[fmt.Sprint(name, "/", simd)])
}

// eachDraw calls run for every script, each of the machines that draws and every width of its fragment shaders. It checks
// that run fails exactly for the refused scripts and reports a change for all others.
func eachDraw(t *testing.T, machines []*target.Target,
	run func(t *testing.T, machine *target.Target, file string, simd int) (changed bool, err error)) {

	files := append(scripts.Files(t, "../../amber/graphics/*.amber"), scripts.Files(t, "testdata/*.amber")...)
	for _, machine := range machines {
		for _, file := range files {
			for _, simd := range machine.Widths {
				if machine.Fragment == nil && simd > machine.Widths[0] { // the interpreter runs fragment shaders, at one width
					continue
				}
				name := nameOf(file)
				t.Run(fmt.Sprint(machine, "/", name, "/", simd), func(t *testing.T) {
					t.Parallel()
					changed, err := run(t, machine, file, simd)
					switch why := refusal(machine, name, simd); {
					case err == nil && why != "":
						t.Errorf("it draws, and is listed as refused: %s", why)
					case err != nil && (why == "" || !strings.Contains(err.Error(), why)):
						t.Fatal(err)
					case err == nil && !changed:
						t.Error("no draw changes anything")
					}
				})
			}
		}
	}
}

// nameOf returns a script's name, which is the name of its file.
func nameOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".amber") }

// modelOf returns the engine that draws a script with this compiler's code on the model, with all checks enabled, and
// counts the costs of its stages.
func modelOf(machine *target.Target, file string, simd int) *engine.EU {
	return &engine.EU{
		Module: moduleOf(file), Options: jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd},
		Execution: eu.Options{Undefined: true, Addresses: true, Poison: true},
		Observe:   func(*runner.Call, *jacquard.Program, *eu.Account) {},
	}
}

// vertexOnly runs a script on a machine without compute shaders, which the interpreter runs.
type vertexOnly struct{ *engine.EU }

// Dispatch implements runner.Engine.
func (e vertexOnly) Dispatch(ctx context.Context, c *runner.Call) error {
	return (&engine.Interp{Module: e.Module}).Dispatch(ctx, c)
}

// TestEUDrawsLikeInterpreter checks that machine code draws every script as the interpreter does, up to rounding.
func TestEUDrawsLikeInterpreter(t *testing.T) {
	eachDraw(t, slices.Concat(target.All, target.Partial), func(t *testing.T, machine *target.Target, file string, simd int) (bool, error) {
		allowed := peerAllowed[nameOf(file)]
		e := &both{t: t, step: allowed.step, share: allowed.share, first: onInterp(file), second: modelOf(machine, file, simd)}
		if machine.Fragment == nil {
			e.second = vertexOnly{modelOf(machine, file, simd)}
		}
		_, err := scripts.Read(t, file).Run(t.Context(), e)
		return e.covered != 0, err
	})
}
