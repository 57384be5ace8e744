// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/validate"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// orderScripts have functions with returns, workgroup memory that starts as zero,
// loops, variables of all kinds and 64-bit values.
var orderScripts = []string{"lanes_return", "bool_logic", "zero_shared", "struct_function", "loop_nested", "int64_shifts", "array_nested", "atomics_return_shared"}

// anyOrder draws an order of all passes that their rows allow.
func anyOrder(r *rand.Rand) pass.Pipeline {
	var rows pass.Pipeline
	left := slices.Collect(pipeline.Known.Passes())
	for len(left) > 0 {
		k := r.IntN(len(left))
		waits := slices.ContainsFunc(left, func(p *pass.Pass) bool { return slices.Contains(left[k].After, p.Name) })
		if !waits {
			rows = append(rows, left[k])
			left = slices.Delete(left, k, k+1)
		}
	}
	return rows
}

// runOrdered runs a script on the interpreter after some passes.
func runOrdered(t *testing.T, name string, rows pass.Pipeline) (order []string, err error) {
	t.Helper()
	script := scripts.Read(t, "../../amber/"+name+".amber")
	e := openInterp(t, script).(*runengine.Interp)
	e.Pipeline, e.Options = rows, pass.Options{Target: target.TGL}
	e.Configure = func(c *interp.Call) { c.MaxSteps = 1 << 21 }
	e.Trace = func(s *ir.Shader) *pass.Trace {
		return &pass.Trace{After: func(name string, changed bool, _ time.Duration) error {
			if !changed {
				return nil
			}
			order = append(order, name)
			if err := validate.Shader(s); err != nil {
				return fmt.Errorf("after %s: %w", name, err)
			}
			return nil
		}}
	}
	return order, execute(t, e, script)
}

// TestAnyOrder: shaders compute the same after all passes in any order that the rows
// of the passes allow.
func TestAnyOrder(t *testing.T) {
	for _, name := range orderScripts {
		for seed := range uint64(4) {
			rows := anyOrder(rand.New(rand.NewPCG(seed, 7)))
			if err := pass.CheckOrder(rows, true); err != nil {
				t.Fatal(err)
			}
			if order, err := runOrdered(t, name, rows); err != nil {
				t.Errorf("%s: %v\n%s", name, err, strings.Join(order, ","))
			}
		}
	}
}

// TestWrongOrder: an order that a row of a pass forbids gives wrong results.
func TestWrongOrder(t *testing.T) {
	for _, c := range []struct{ first, then, script string }{
		{"inline_functions", "lower_returns", "lanes_return"},
		{"explicit_io", "inline_functions", "bool_logic"},
		{"zero_shared", "explicit_io", "zero_shared"},
	} {
		var rows pass.Pipeline
		for _, name := range []string{c.first, c.then} {
			rows = append(rows, pipeline.Known.Find(name))
		}
		want := "pass " + c.first + " must run after " + c.then + ", but runs before it"
		if err := pass.CheckOrder(rows, false); err == nil || err.Error() != want {
			t.Errorf("says %v, want %s", err, want)
		}
		if _, err := runOrdered(t, c.script, rows); err == nil {
			t.Errorf("%s computes the same with %s before %s", c.script, c.first, c.then)
		}
	}
}
