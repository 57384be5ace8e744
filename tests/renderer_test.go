package tests

import (
	"context"
	"fmt"
	"testing"

	"jacquard.example"
	"jacquard.example/core/amber"
	"jacquard.example/tests/gioui"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/spv"
)

// TestRendererMachineCode compiles the image-free stages of a renderer that
// nobody here wrote at every width and checks the code as that of our shaders;
// the stage with images is refused by name.
func TestRendererMachineCode(t *testing.T) {
	modules := rendererModules(t)
	oracle.Need(t, "iga64")
	for _, stage := range gioui.Stages {
		for _, simd := range widths {
			t.Run(fmt.Sprintf("%s/%d", stage, simd), func(t *testing.T) {
				t.Parallel()
				p, err := jacquard.Compile(t.Context(), modules[stage], jacquard.Options{SIMD: simd})
				if err != nil {
					t.Fatal(err)
				}
				checkCode(t, oracle.IGA{Platform: "12p1"}, p.Variants[0].Code)
			})
		}
	}
	_, err := jacquard.Compile(t.Context(), modules["kernel4"], jacquard.Options{File: "kernel4"})
	const want = "kernel4: error: refuse_images: image_load: the back end for tgl has no messages for images and samplers yet"
	if err == nil || err.Error() != want {
		t.Errorf("kernel4: %v, want %s", err, want)
	}
}

func rendererModules(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := gioui.Modules(gioui.Need(t))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for stage, file := range files {
		words, err := gioui.Load(file)
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
	for i := range gioui.Stages {
		for _, simd := range []int{8, 16} {
			in := gioui.Inputs()[i] // a run changes them
			t.Run(fmt.Sprintf("%s/%d", in.Stage, simd), func(t *testing.T) {
				mod := func(context.Context, *amber.Shader) ([]byte, error) { return modules[in.Stage], nil }
				if err := newBoth(mod, simd).Dispatch(t.Context(), in.Call(nil)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
