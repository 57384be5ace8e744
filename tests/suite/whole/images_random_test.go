// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"os"
	"strconv"
	"testing"

	"jacquard.example"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/suite/random"
)

// imagePrograms returns the number of random programs with images in a run; the environment variable IMAGES overrides
// it (make random).
func imagePrograms(t *testing.T) uint64 {
	n := uint64(16)
	if text := os.Getenv("IMAGES"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 32); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// TestRandomImages runs random programs that access storage images of all shapes and formats:
// on the interpreter as they are read, and for every machine at every width on the interpreter
// after all passes and on the model. All leave the same memory.
func TestRandomImages(t *testing.T) {
	ran := 0
	for seed := range imagePrograms(t) {
		p := random.GenerateImages(seed, false)
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			module, err := oracle.GLSL(t, "comp", []byte(p.GLSL()))
			if err != nil {
				t.Fatalf("%v\n%s", err, p.GLSL())
			}
			read := func(context.Context, *runner.Shader) ([]byte, error) { return module, nil }
			want := p.Call()
			if err := (&runengine.Interp{Module: read}).Dispatch(t.Context(), want); err != nil {
				t.Fatalf("%v\n%s", err, p.GLSL())
			}
			for _, machine := range target.All {
				if p.FloatAtomics && !machine.Can(target.TypedFloatExchange) {
					continue
				}
				for _, simd := range machine.Widths {
					for name, e := range map[string]runner.Engine{
						"interpreter after passes": &runengine.Interp{Module: read, Width: simd, Pipeline: pipeline.Compute, Options: pass.Options{Target: machine}},
						"model":                    &runengine.EU{Module: read, Options: jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd}},
					} {
						got := p.Call()
						if err := e.Dispatch(t.Context(), got); err != nil {
							t.Errorf("%s, %s, SIMD%d: %v\n%s", name, machine, simd, err, p.GLSL())
							continue
						}
						ran++
						for i, b := range got.Bindings {
							for k := range b.Data {
								if b.Data[k] != want.Bindings[i].Data[k] {
									t.Fatalf("%s, %s, SIMD%d: binding %d, element %d: byte %d is %#x, want %#x\n%s", name, machine, simd,
										b.Binding, b.Element, k, b.Data[k], want.Bindings[i].Data[k], p.GLSL())
								}
							}
						}
					}
				}
			}
		})
	}
	if ran == 0 {
		t.Error("nothing ran")
	}
}

// TestRandomImagesOnLavapipe compares random programs with images that scripts can express
// with lavapipe.
func TestRandomImagesOnLavapipe(t *testing.T) {
	for seed := range max(imagePrograms(t)/2, 1) {
		p := random.GenerateImages(1<<32+seed, true)
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { runImageScript(t, "random", p.Script(), 0) })
	}
}
