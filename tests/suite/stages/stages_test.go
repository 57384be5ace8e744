package stages

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/cmd/jacquard/amber/tools"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/scripts"
)

// shader is a module with one entry point of a stage.
type shader struct {
	name, stage string
	module      []byte
}

// widths are the numbers of lanes of the threads of a stage.
var widths = map[string][]int{"vertex": {8}, "fragment": {8, 16}}

// refused are the shaders that the compiler does not do yet, and what it says. Other refusals
// name the machine.
var refused = map[string]string{
	"indexed.amber frag":       "load_primitive_id",
	"interface.amber frag":     "at an index that is not constant",
	"dual_source.amber frag":   "a second color for blending",
	"multisample.amber whole":  "load_barycentric_at_sample",
	"multisample.amber each":   "load_sample_id",
	"multisample.amber masked": "sample_mask",
	"points.amber frag":        "load_point_coord",
	"targets.amber frag":       "load_primitive_id",
}

// samples returns the shaders of tests/shaders/stages.
func samples(t *testing.T) (out []shader) {
	for ext, stage := range map[string]string{"vert": "vertex", "frag": "fragment"} {
		files, _ := filepath.Glob("../../shaders/stages/*." + ext)
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			module, err := oracle.GLSL(t, ext, source)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, shader{filepath.Base(file), stage, module})
		}
	}
	if len(out) < 5 {
		t.Fatalf("%d samples", len(out))
	}
	return out
}

// scripted returns the shaders of the scripts that draw.
func scripted(t *testing.T) (out []shader) {
	var modules tools.Cache
	for _, file := range scripts.Files(t, "../../amber/graphics/*.amber") {
		for _, s := range scripts.Read(t, file).Shaders {
			stage := s.Stage.String()
			if widths[stage] == nil {
				continue
			}
			module, err := modules.Shader(t.Context(), file, s)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, shader{filepath.Base(file) + " " + s.Name, stage, module})
		}
	}
	return out
}

// TestCompiles: every shader compiles for every machine that has its stage at every width; the code is legal and
// survives iga64.
func TestCompiles(t *testing.T) {
	all := append(samples(t), scripted(t)...)
	for _, m := range target.All {
		if m.Vertex == nil || m.Fragment == nil {
			continue
		}
		var codes [][]byte
		var names []string
		for _, s := range all {
			for _, simd := range widths[s.stage] {
				p, err := jacquard.Compile(t.Context(), s.module, jacquard.Options{File: s.name, Target: m.Name, Stage: s.stage, SIMD: simd, Verify: true})
				if err != nil {
					if why := refused[s.name]; (why == "" || !strings.Contains(err.Error(), why)) && !strings.Contains(err.Error(), "not supported yet on "+m.Name) {
						t.Errorf("%s for %s: %v", s.name, m, err)
					}
					continue
				}
				code := p.Variants[0].Code
				for _, v := range legal.Check(m.Platform, code) {
					t.Errorf("%s for %s, SIMD%d: %v", s.name, m, simd, v)
				}
				codes, names = append(codes, code), append(names, s.name)
			}
		}
		if len(codes) < len(all) {
			t.Errorf("%s: code for %d of %d shaders", m, len(codes), len(all))
		}
		iga := oracle.IGA{Platform: m.Platform.IGA()}
		texts, errs := iga.DisassembleAll(t, codes)
		back, said := iga.AssembleAll(t, texts, "-Wall")
		for i, name := range names {
			switch {
			case errs[i] != nil:
				t.Errorf("%s for %s: iga64 -d: %v", name, m, errs[i])
			case said[i] != nil:
				t.Errorf("%s for %s: iga64 -a: %v\n%s", name, m, said[i], texts[i])
			case !bytes.Equal(back[i], codes[i]):
				t.Errorf("%s for %s: iga64 assembles its own text to other bytes", name, m)
			}
		}
	}
}
