// SPDX-License-Identifier: MIT

package spirv_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/outline"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/variants"
)

// FuzzRead checks that no input makes the reader panic, that errors are *Errors, and that accepted modules give
// well-formed IR whose inputs and outputs can be lowered or are refused.
func FuzzRead(fuzz *testing.F) {
	f := variants.Of(fuzz)
	files, err := filepath.Glob("../../tests/shaders/*.spv")
	if err != nil || len(files) == 0 {
		f.Fatal("no shaders", err)
	}
	more, err := filepath.Glob("testdata/*.spv") // only modules in this folder have images
	if err != nil || len(more) == 0 {
		f.Fatal("no modules", err)
	}
	debug, err := filepath.Glob("testdata/location/*.spv")
	if err != nil || len(debug) == 0 {
		f.Fatal("no modules with debug information", err)
	}
	for _, file := range slices.Concat(files, more, debug) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		listed := outlined(t, data)
		for _, stage := range []kind.Stage{kind.StageCompute, kind.StageVertex, kind.StageFragment} {
			s, err := spirv.Read(data, spirv.Options{Stage: stage})
			if err != nil {
				var e *spirv.Error
				if !errors.As(err, &e) {
					t.Fatalf("the refusal is a %T: %v", err, err)
				}
				if e.Line < 0 || e.Column < 0 || e.Line == 0 && (e.File != "" || e.Column != 0) {
					t.Fatalf("%v: file %q, line %d, column %d", err, e.File, e.Line, e.Column)
				}
				continue
			}
			if listed != nil {
				t.Fatalf("read, but it has no outline: %v", listed)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatal(err)
			}
			throughPasses(t, s)
		}
	})
}

// outlined returns the error of outlining a module. It must also be an error of the reader.
func outlined(t *testing.T, data []byte) error {
	_, err := outline.Read(t.Context(), data)
	if e := (*spirv.Error)(nil); err != nil && (!errors.As(err, &e) || e.Word > len(data)/4) {
		t.Fatalf("the outline's refusal is a %T: %v", err, err)
	}
	return err
}

// throughPasses lowers the inputs and outputs of a vertex or fragment shader.
func throughPasses(t *testing.T, s *ir.Shader) {
	if s.Info.Stage == kind.StageCompute {
		return
	}
	c := pass.New(s)
	c.Work = work.NewMeter(t.Context(), work.MaxSteps)
	if err := c.Run(pipeline.StageIO, nil); err != nil {
		return
	}
	if err := validate.Shader(s); err != nil {
		t.Fatal(err)
	}
}
