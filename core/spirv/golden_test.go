// SPDX-License-Identifier: MIT

package spirv_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

var update = flag.Bool("update", false, "rewrite testdata: modules from their GLSL, expected IR from the modules")

// TestGolden compares the IR of the modules in testdata with the text beside them. Each module is committed with its
// GLSL source.
func TestGolden(t *testing.T) {
	stages := map[string]kind.Stage{"comp": kind.StageCompute, "vert": kind.StageVertex, "frag": kind.StageFragment}
	var sources []string
	for ext := range stages {
		list, err := filepath.Glob("testdata/*." + ext)
		if err != nil || len(list) == 0 {
			t.Fatal("no sources", err)
		}
		sources = append(sources, list...)
	}
	for _, src := range sources {
		ext := filepath.Ext(src)[1:]
		name := strings.TrimSuffix(src, "."+ext)
		if stages[ext] != kind.StageCompute {
			name += "_" + ext
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			if *update {
				glsl, err := os.ReadFile(src)
				if err != nil {
					t.Fatal(err)
				}
				module, err := oracle.GLSL(t, ext, glsl)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name+".spv", module, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			module, err := os.ReadFile(name + ".spv")
			if err != nil {
				t.Fatal(err)
			}
			s, err := spirv.Read(module, spirv.Options{Stage: stages[ext]})
			if err != nil {
				t.Fatal(err)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatal(err)
			}
			got := text.Print(s)
			if *update {
				if err := os.WriteFile(name+".jir", got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name + ".jir")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("gives\n%s\nwant\n%s", got, want)
			}
		})
	}
}
