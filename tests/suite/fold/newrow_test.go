// SPDX-License-Identifier: MIT

package fold

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewRow adds an opcode by a row in a new folder and nothing else: it is named, documented and folded.
func TestNewRow(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generator and a program")
	}
	defs, out := t.TempDir(), t.TempDir()
	row := `
[op.itwice_plus]
doc   = "Twice a, plus b."
in    = ["int", "int"]
out   = "int"
eval  = "2 * a + b"
test  = ["(itwice_plus@8 100 1) = 201"]
`
	if err := os.Mkdir(filepath.Join(defs, "opcodes"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(defs, "opcodes", "own.toml"), []byte(row), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = "../../.."
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, text)
		}
		return strings.TrimSpace(string(text))
	}
	run("run", "./gen", "-defs", "defs,"+defs, "-out", out)

	// The new files take the place of the committed ones.
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			rel, _ := filepath.Rel(out, path)
			abs, _ := filepath.Abs(filepath.Join("../../../generated", rel))
			overlay.Replace[abs] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(overlay)
	file := filepath.Join(out, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	const program = "./tests/suite/fold/testdata/newrow"
	if got := run("run", program, "itwice_plus"); got != "unknown" {
		t.Errorf("without the row: %s", got)
	}
	if got := run("run", "-overlay", file, program, "itwice_plus"); got != "itwice_plus Twice a, plus b. true 17" {
		t.Errorf("with the row: %s", got)
	}
	page, err := os.ReadFile(filepath.Join(out, "docs", "opcodes.md"))
	if err != nil || !strings.Contains(string(page), "itwice_plus(a int, b int) int") {
		t.Errorf("not in the reference page (%v)", err)
	}
}
