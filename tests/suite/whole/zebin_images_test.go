// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"jacquard.example"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/scripts"
)

// sampled are the scripts with samplers or sampled images that run on the model.
var sampled = []string{"compare", "descriptor_constant", "fetch", "filter_levels", "flow", "gather", "query"}

// TestZebinImages runs the scripts with images on every machine, launched from a zebin: the memory after it equals the
// memory after a launch without one, and meets the script's expectations.
func TestZebinImages(t *testing.T) {
	for i, name := range slices.Concat(onModel, sampled) {
		script := scripts.Read(t, "../../amber/images/"+name+".amber")
		for j, machine := range target.All {
			if name == "float_atomics" && !machine.Can(target.TypedFloatExchange) {
				continue
			}
			simd := machine.Widths[(i+j)%len(machine.Widths)]
			report, err := script.Run(t.Context(), newLaunches(t, machine, simd))
			if err != nil {
				t.Errorf("%s on %s, SIMD%d: %v", name, machine, simd, err)
				continue
			}
			for _, err := range report.Errors() {
				t.Errorf("%s on %s, SIMD%d: %v", name, machine, simd, err)
			}
		}
	}
}

// launches runs every dispatch without a zebin and with one, and compares all memory.
type launches struct{ direct, zebin *runengine.EU }

func newLaunches(t *testing.T, machine *target.Target, simd int) *launches {
	mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
	opts := jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd}
	l := &launches{direct: &runengine.EU{Module: mod, Options: opts}}
	opts.Zebin = true
	l.zebin = &runengine.EU{Module: mod, Options: opts}
	return l
}

// Dispatch implements runner.Engine.
func (l *launches) Dispatch(ctx context.Context, c *runner.Call) error {
	other := differential.CopyCall(c)
	if err := l.direct.Dispatch(ctx, other); err != nil {
		return err
	}
	if err := l.zebin.Dispatch(ctx, c); err != nil {
		return err
	}
	for i, b := range c.Bindings {
		if !bytes.Equal(b.Data, other.Bindings[i].Data) {
			return fmt.Errorf("set %d binding %d has different contents than without a zebin", b.Set, b.Binding)
		}
	}
	return nil
}
