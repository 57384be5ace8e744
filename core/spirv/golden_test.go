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

var update = flag.Bool("update", false, "write testdata anew: modules from their GLSL, expected IR from the modules")

// TestGolden compares the IR of the modules in testdata with the text beside
// them. A module is committed with the GLSL that it was made from.
func TestGolden(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.comp")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources", err)
	}
	for _, src := range sources {
		name := strings.TrimSuffix(src, ".comp")
		t.Run(filepath.Base(name), func(t *testing.T) {
			if *update {
				glsl, err := os.ReadFile(src)
				if err != nil {
					t.Fatal(err)
				}
				module, err := oracle.GLSL(t, "comp", glsl)
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
			s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
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
