// SPDX-License-Identifier: MIT

// Package stages gives tests, as [Shaders], the vertex and fragment shaders of this project: the shaders of
// tests/shaders/stages and of the scripts that draw, tests/amber/graphics. GLSL is translated, and assembly assembled,
// by the stock tools; a mistake in one of these fails the test.
package stages

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/scripts"
)

// Shader is a SPIR-V module with an entry point of its stage.
type Shader struct {
	Name   string // the file, with the shader's name in it if the file is a script
	Stage  kind.Stage
	Module []byte
}

// Shaders returns all shaders. The test runs in a folder of tests/suite.
func Shaders(t testing.TB) (out []Shader) {
	t.Helper()
	for _, stage := range []struct {
		ext string
		is  kind.Stage
	}{{"vert", kind.StageVertex}, {"frag", kind.StageFragment}} {
		for _, file := range scripts.Files(t, "../../shaders/stages/*."+stage.ext) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			module, err := oracle.GLSL(t, stage.ext, source)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Shader{filepath.Base(file), stage.is, module})
		}
	}
	var modules tools.Cache
	for _, file := range scripts.Files(t, "../../amber/graphics/*.amber") {
		for _, s := range scripts.Read(t, file).Shaders {
			if s.Stage != kind.StageVertex && s.Stage != kind.StageFragment {
				continue
			}
			module, err := modules.Shader(t.Context(), file, s)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Shader{filepath.Base(file) + " " + s.Name, s.Stage, module})
		}
	}
	return out
}
