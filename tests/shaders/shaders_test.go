// SPDX-License-Identifier: MIT

package shaders

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
)

var update = flag.Bool("update", false, "rewrite the sources and modules from the scripts in tests/amber")

// environments maps the SPIR-V version that a script requests to the Vulkan
// environment in which spirv-val checks the module.
var environments = map[string]string{
	"spv1.0": "vulkan1.0",
	"spv1.3": "vulkan1.1",
	"spv1.4": "vulkan1.1spv1.4",
	"spv1.6": "vulkan1.3",
}

// unsized is a script whose shader is valid only with the script's specialization
// constants, which spirv-val does not know: without them an array has 0 elements.
const unsized = "op_spec_array"

// scriptShader returns the source of a script's only shader, under the script's name, and the environment that the
// script requires. alone is false if the script has several shaders or a shader that is invalid by itself; such scripts
// have no sources here.
func scriptShader(t *testing.T, file string) (s Source, env string, alone bool) {
	t.Helper()
	script := scripts.Read(t, file)
	name := strings.TrimSuffix(filepath.Base(file), ".amber")
	if len(script.Shaders) > 1 || name == unsized {
		return s, "", false
	}
	if len(script.Shaders) == 1 && script.Shaders[0].Format == runner.SPIRVHex { // tests/amber/modules has it, with its source
		return s, "", false
	}
	if len(script.Shaders) != 1 || script.Shaders[0].Name != name {
		t.Fatalf("%s: its one shader must be called %s", file, name)
	}
	sh := script.Shaders[0]
	ext := map[runner.Format]string{runner.GLSL: ".comp", runner.SPIRVAsm: ".spvasm"}[sh.Format]
	if ext == "" {
		t.Fatalf("%s: shaders are written in GLSL or SPIR-V assembly", file)
	}
	if environments[sh.TargetEnv] == "" || ext == ".comp" && environments[sh.TargetEnv] != oracle.TargetEnv {
		t.Fatalf("%s: TARGET_ENV %s", file, sh.TargetEnv)
	}
	return Source{Name: name, File: name + ext, Text: []byte(strings.TrimSpace(sh.Source) + "\n")}, sh.TargetEnv, true
}

func compile(t *testing.T, s Source, env string) ([]byte, error) {
	if s.Assembly() {
		return oracle.Assemble(t, s.Text, env)
	}
	return oracle.GLSL(t, "comp", s.Text)
}

// TestSources compares the sources with the scripts. If the front end has the version that produced the modules, it
// also compares the modules with its output. All new modules are validated, and one in five of the committed ones,
// which have been validated before.
func TestSources(t *testing.T) {
	scripts := scripts.Files(t, "../amber/*.amber")
	scripted := map[string]bool{}
	for _, script := range scripts {
		s, env, alone := scriptShader(t, script)
		if !alone {
			continue
		}
		scripted[s.File] = true
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			if *update {
				write(t, s.File, s.Text)
			}
			have, _ := os.ReadFile(s.File)
			if !bytes.Equal(have, s.Text) {
				t.Errorf("%s differs from the shader in %s: run with -update", s.File, script)
			}
			module, err := compile(t, s, env)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				write(t, s.ModuleFile(), module)
			}
			sameModule(t, s.ModuleFile(), module)
			if *update || sample.One(5, s.Name) {
				if err := oracle.Validate(t, module, environments[env]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, s := range All() {
		if !scripted[s.File] {
			t.Errorf("%s has no script in tests/amber", s.File)
		}
	}
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sameModule compares a module with the committed one. The third word of a
// module names the tool that made it and its version (SPIR-V spec 2.3).
func sameModule(t *testing.T, name string, module []byte) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	have, err := spv.Words(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := spv.Words(module)
	if err != nil {
		t.Fatal(err)
	}
	if have[2] != want[2] {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s was made by another version of the front end (%#x, here %#x)", name, have[2], want[2])
		}
		t.Skipf("%s was made by another version of the front end (%#x, here %#x)", name, have[2], want[2])
	}
	if !bytes.Equal(file, module) {
		t.Errorf("%s is not what the front end makes of the source: run with -update", name)
	}
}
