// SPDX-License-Identifier: MIT

package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/tests/support/command"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/sample"
)

// racing lists shaders with data races that reversing the order of accesses does not detect: invocations read and write
// the same words, and forwarding an invocation's store changes the value of its load.
var racing = map[string]bool{"glslang Test/spv.shaderBallotAMD.comp": true}

// TestVerifyRun executes compute shaders after every pass (jacquard opt --verify=run): some shaders, or all with
// JACQUARD_CORPUS_ALL (make verify). Shaders that the command refuses are counted: most have no buffers, or read unbound
// resources.
func TestVerifyRun(t *testing.T) {
	all := os.Getenv("JACQUARD_CORPUS_ALL") != ""
	jacquard := command.Build(t)
	c := compiler(t)
	var list []modules.Module
	for i := range modules.Packages {
		n, sampled := sampleSize[modules.Packages[i].Name]
		if all {
			n = 0
		} else if !sampled || modules.Packages[i].Name == "gioui.org/shader" { // the painter's are long
			continue
		}
		ms, _ := load(t, c, modules.Packages[i].Name, n)
		list = append(list, ms...)
	}
	list = modules.Distinct(list)
	clean, refused := 0, 0
	for i := range list {
		if !all && i%8 != 0 || !sample.In(list[i].ID()) {
			continue
		}
		file := filepath.Join(t.TempDir(), "module.spv")
		if err := os.WriteFile(file, list[i].SPIRV, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, e := range modules.Entries(list[i].SPIRV) {
			if modules.Models[e.Model] != "compute" {
				continue
			}
			out, err := exec.CommandContext(t.Context(), jacquard, "opt", "--verify=run", "--entry", e.Name, "-o", os.DevNull,
				file).CombinedOutput()
			switch said := strings.TrimSpace(string(out)); {
			case err == nil:
				clean++
				if racing[list[i].ID()] {
					t.Errorf("%s is clean, and is listed as racing", list[i].ID())
				}
			case strings.Contains(said, ": error: "):
				refused++
			case racing[list[i].ID()]:
			default: // a pass's fault, or a crash
				t.Errorf("%s %s: %s", list[i].ID(), e.Name, said)
			}
		}
	}
	t.Logf("%d shaders are clean, %d cannot be run", clean, refused)
	if clean == 0 {
		t.Error("no shader ran")
	}
}
