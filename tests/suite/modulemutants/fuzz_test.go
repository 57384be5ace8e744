// SPDX-License-Identifier: MIT

package modulemutants

import (
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/variants"
)

// FuzzGraphics checks that no module of a vertex or fragment shader makes the compiler panic or hang, at
// any width of the machines that draw. FuzzCompile does so for compute shaders.
func FuzzGraphics(fuzz *testing.F) {
	f := variants.Of(fuzz)
	var modules tools.Cache
	for _, d := range drawnShaders(f, &modules) {
		if b := d.module.bytes(d.module.code); len(b) < 2500 {
			f.Add(b)
		}
	}
	stages := []kind.Stage{kind.StageVertex, kind.StageFragment}
	f.Fuzz(func(t *testing.T, module []byte) {
		if len(module) > 1<<16 {
			return
		}
		start := time.Now()
		for _, machine := range target.All {
			for _, stage := range stages {
				for _, simd := range machine.Widths {
					if stage == kind.StageVertex && simd != machine.Widths[0] {
						continue // one width
					}
					o := jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd, Stage: jacquard.Stage(stage.String())}
					err := guarded(func() error { _, err := jacquard.Compile(t.Context(), module, o); return err })
					if why := crash(err); why != "" {
						t.Fatal(why)
					}
				}
			}
		}
		if took := time.Since(start); took > maxTime {
			t.Fatalf("it took %v", took)
		}
	})
}
