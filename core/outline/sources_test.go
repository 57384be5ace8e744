// SPDX-License-Identifier: MIT

package outline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/core/outline"
	"jacquard.example/tests/oracle"
)

// TestSources: both kinds of debug information have the original text, even if it takes several instructions; a module
// without debug information has none.
func TestSources(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	file := filepath.Join(t.TempDir(), "a.comp")
	for flag, length := range map[string]int{"-g": 60000, "-gVS": 10, "-g0": 10} { // glslang does not split the text of -gVS
		text := "#version 450\n// " + strings.Repeat("long ", length) + "\nlayout(local_size_x = 8) in;\nvoid main() {}\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "a.spv")
		if said, err := exec.Command("glslangValidator", "-V", flag, file, "-o", out).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		module, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if flag == "-g0" {
			want = ""
		}
		if got := outline.Sources(module)[file]; got != want {
			t.Errorf("%s: %d bytes, want %d: %.200q", flag, len(got), len(want), got)
		}
	}
	if outline.Sources([]byte("text")) != nil {
		t.Error("a text that is not a module has sources")
	}
}
