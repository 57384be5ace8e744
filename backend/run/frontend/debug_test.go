// SPDX-License-Identifier: MIT

package frontend_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/frontend"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/sample"
)

// TestDebugInformation: shaders in GLSL compile to the same bytes as modules without debug information, which the
// test makes with glslangValidator directly. Lines of the code have positions in the source file. The targets take
// turns. make test compiles one shader in five.
func TestDebugInformation(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	var files []string
	for _, pattern := range []string{"*.comp", "stages/*.vert", "stages/*.frag"} {
		list, err := filepath.Glob("../../../tests/shaders/" + pattern)
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, list...)
	}
	var programs frontend.Programs
	n := 0
	for i, file := range files {
		if !sample.Subtest(5, t.Name(), filepath.Base(file)) {
			continue
		}
		n++
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := oracle.GLSL(t, strings.TrimPrefix(filepath.Ext(file), "."), text)
			if err != nil {
				t.Fatal(err)
			}
			module, err := programs.Translate(t.Context(), &frontend.Source{
				File: file, Line: 1, Text: string(text), Language: "glsl", Stage: frontend.StageOf(file), Dir: filepath.Dir(file),
			})
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(module, []byte("#version")) || bytes.Contains(module, []byte("stdin")) {
				t.Error("the module has the text of the source, or names standard input")
			}
			if stage := frontend.StageOf(file); !slices.Contains(jacquard.Stages(), jacquard.Stage(stage)) {
				t.Fatal(stage)
			}
			targets := jacquard.TargetsOf(jacquard.Compute)
			target := targets[i%len(targets)]
			compile := func(module []byte) (*jacquard.Program, error) {
				return jacquard.Compile(t.Context(), module, jacquard.Options{File: file, Target: target, Explain: true})
			}
			want, wantErr := compile(plain)
			if wantErr != nil { // not all targets have vertex and fragment shaders
				target = jacquard.DefaultTarget
				want, wantErr = compile(plain)
			}
			got, err := compile(module)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("with debug information: %v; without: %v", err, wantErr)
			}
			if err != nil {
				return // it does not compile without debug information either
			}
			located := 0
			for k := range want.Variants {
				if w, g := &want.Variants[k], &got.Variants[k]; w.SIMD != g.SIMD || !bytes.Equal(w.Code, g.Code) {
					t.Errorf("SIMD%d and SIMD%d have other code", w.SIMD, g.SIMD)
				}
			}
			for _, l := range got.Variants[0].Lines {
				if l.File == file && l.Line > 0 {
					located++
				}
			}
			if located == 0 && len(got.Variants[0].Lines) > 4 {
				t.Errorf("none of %d instructions is located in %s", len(got.Variants[0].Lines), file)
			}
		})
	}
	if n < 20 {
		t.Errorf("%d shaders", n)
	}
}
