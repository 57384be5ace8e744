// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"fmt"
	"testing"

	"jacquard.example"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/spv"
)

// TestRendererMachineCode compiles the stages of a renderer that nobody here wrote at
// every width and checks the code as that of our shaders.
func TestRendererMachineCode(t *testing.T) {
	modules := rendererModules(t)
	oracle.Need(t, "iga64")
	for _, machine := range target.All {
		for _, stage := range append([]string{"kernel4"}, renderer.Stages...) {
			for _, simd := range machine.Widths {
				t.Run(fmt.Sprintf("%s/%s/%d", machine, stage, simd), func(t *testing.T) {
					t.Parallel()
					checkModule(t, machine, stage, modules[stage], jacquard.Options{SIMD: simd})
				})
			}
		}
	}
}

func rendererModules(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := renderer.Modules(renderer.Need(t))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for stage, file := range files {
		words, err := renderer.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		out[stage] = spv.Bytes(words)
	}
	return out
}

// TestRendererEUEqualsInterpreter runs the stages on the EU model and on the
// interpreter with the IR as it reaches selection, under the one schedule that
// both have: workgroups in order, in them the threads in order, each up to its
// next barrier or its end. They leave the same bytes.
func TestRendererEUEqualsInterpreter(t *testing.T) {
	modules := rendererModules(t)
	for i := range renderer.Stages {
		for _, simd := range []int{8, 16} {
			in := renderer.Inputs()[i] // a run changes them
			t.Run(fmt.Sprintf("%s/%d", in.Stage, simd), func(t *testing.T) {
				mod := func(context.Context, *runner.Shader) ([]byte, error) { return modules[in.Stage], nil }
				if err := differential.New(target.TGL, mod, simd).Dispatch(t.Context(), in.Call(nil)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestRendererImages paints some tiles of the scene with the stage that writes
// the picture, from the commands that the stage before it makes: the
// interpreter, before and after the passes, lavapipe and the EU model paint the same.
func TestRendererImages(t *testing.T) {
	modules := rendererModules(t)
	inputs := renderer.Inputs()
	coarse := inputs[len(inputs)-1]
	e := &runengine.Interp{Module: func(_ context.Context, s *runner.Shader) ([]byte, error) { return modules[s.Name], nil }}
	if err := e.Dispatch(t.Context(), coarse.Call(nil)); err != nil {
		t.Fatal(err)
	}
	const size = 32 * 4 // texels of four tiles
	picture := &runner.Image{Format: texture.Of(kind.FormatRgba8), Dim: kind.Dim2D, Width: size, Height: size, Depth: 1, Levels: 1,
		Samples: 1}
	call := coarse.Call(nil)
	call.Shader = &runner.Shader{Name: "kernel4"}
	call.Groups = [3]uint32{4, 4, 1}
	for i := range uint32(2) {
		call.Bindings = append(call.Bindings, runner.Binding{Binding: 2 + i, Kind: runner.StorageImage, Data: make([]byte, picture.Bytes()),
			Image: picture})
	}
	for i := range call.Bindings { // compare tells memory from memory by this
		call.Bindings[i].Buffer = &runner.Buffer{Name: fmt.Sprint("binding ", i), Image: call.Bindings[i].Image,
			Layout: &runner.Layout{Size: 1, Segments: []runner.Segment{{Scalar: runner.Uint8}}}}
	}
	both := &images{
		interp:  e,
		lowered: &runengine.Interp{Module: e.Module, Pipeline: pipeline.Compute, Options: pass.Options{Target: target.TGL}},
		lavapipe: &lavapipe.Engine{Device: lavapipe.Need(t),
			Module: func(s *runner.Shader) ([]uint32, error) { return spv.Words(modules[s.Name]) }},
		absolute: 1.5 / 255,
	}
	for _, simd := range widths {
		model := differential.New(target.TGL, e.Module, simd)
		c := ownMemory(call)
		if err := model.Dispatch(t.Context(), c); err != nil {
			t.Errorf("SIMD%d: %v", simd, err)
		}
	}
	if err := both.Dispatch(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	colors := map[string]bool{}
	data := call.Bindings[2].Data
	for i := 0; i < len(data); i += 4 {
		colors[string(data[i:i+4])] = true
	}
	if len(colors) < 8 {
		t.Errorf("the picture has %d colors", len(colors))
	}
	t.Logf("%d colors", len(colors))
}
