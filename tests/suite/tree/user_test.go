// SPDX-License-Identifier: MIT

package tree

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// generator builds the generator once for a test.
func generator(t *testing.T) string {
	t.Helper()
	gen := filepath.Join(t.TempDir(), "gen")
	cmd := in(t.Context(), "../../..", "go", "build", "-o", gen, "./gen")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return gen
}

// TestUserTables: a team has an opcode, rules, an option, intrinsics, an index,
// a kind of instructions and rows that select machine instructions in a separate directory. Their program, in a separate
// module, is built with the generator's output for both; no file of ours is changed.
func TestUserTables(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the compiler")
	}
	project, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	user, err := filepath.Abs(filepath.Join("testdata", "user"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out, overlay := filepath.Join(dir, "generated"), filepath.Join(dir, "overlay.json")
	run := func(dir, name string, args ...string) string {
		t.Helper()
		text, err := in(t.Context(), dir, name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, text)
		}
		return strings.TrimSpace(string(text))
	}
	// The folder is given as two parts, so that it counts as two folders.
	first, second := filepath.Join(dir, "first"), filepath.Join(user, "tables")
	if err := os.MkdirAll(filepath.Join(first, "ir"), 0o777); err != nil {
		t.Fatal(err)
	}
	appendTo(t, filepath.Join(first, "ir", "more.toml"), "[enum.loom]\ndoc = \"Looms.\"\ngo = \"Loom\"\nvalues = [{ name = \"hand\" }]\n")
	run(project, generator(t), "-defs", first, "-defs", second, "-out", out, "-overlay", overlay)

	program := filepath.Join(dir, "loom")
	if err := os.Mkdir(program, 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(user, "main.go.txt"), filepath.Join(program, "main.go"))
	copyFile(t, "../../../go.sum", filepath.Join(program, "go.sum"))
	appendTo(t, filepath.Join(program, "go.mod"),
		"module loom.example\n\ngo 1.26.0\n\nrequire jacquard.example v0.0.0\n\nreplace jacquard.example => "+project+"\n")
	got := run(program, "go", "run", "-overlay", overlay, ".", filepath.Join(user, "shader.jir"))
	want := `
shader compute ""
workgroup_size 1 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x1) // 1
    %1 = load_loom_id.32 base=3
    %2 = weave.32 %0, %1
    wind_up.x1 %2
    %3 = load_const.32 value=(0x2) // 2
    knot %3 tag=7
}
Winds the warp down. …`
	if err := matches(got, want); err != nil {
		t.Errorf("%v\nthe program writes\n%s", err, got)
	}
	page, err := os.ReadFile(filepath.Join(out, "docs", "opcodes.md"))
	if err != nil || !bytes.Contains(page, []byte("weave(a int, b int) int")) {
		t.Errorf("the reference has no weave (%v)", err)
	}
}

// TestUserRowCollides: a row that already exists in the project's tables is rejected
// with the positions of both.
func TestUserRowCollides(t *testing.T) {
	gen := generator(t)
	for _, c := range []struct{ file, row, want string }{
		{"opcodes/own.toml", "\n[op.iadd]\ndoc = \"Sum.\"\nin = [\"int\"]\nout = \"int\"\neval = \"a\"\n",
			"opcodes/own.toml:2:1: error: [op.iadd] duplicate name; the other row is at defs/opcodes/integer.toml:…"},
		{"opcodes/own.toml", "[op.own]\ndoc = \"Sum.\"\nin = [\"int\"]\nout = \"int\"\neval = \"a\"\ngo = \"IAdd\"\ntest = [\"(own@8 1) = 1\"]\n",
			"opcodes/own.toml:6:6: error: [op.own] go: Go name IAdd is already used by [op.iadd]; set another with the field \"go\""},
		{"intrinsics/own.toml", "[intrinsic.load_ssbo]\ndoc = \"Own.\"\n",
			"intrinsics/own.toml:1:1: error: [intrinsic.load_ssbo] duplicate name; the other row is at defs/intrinsics/memory.toml:…"},
		{"intrinsics/own.toml", "\n[intrinsic.image_atomic_add]\ndoc = \"Own.\"\n",
			"intrinsics/own.toml:2:1: error: [intrinsic.image_atomic_add] " +
				"the row at defs/intrinsics/image.toml:… defines image_atomic_add already"},
		{"intrinsics/own.toml", "[intrinsic.i_add]\ndoc = \"Own.\"\n",
			"intrinsics/own.toml:1:1: error: [intrinsic.i_add] its constructor IAdd has the same name as the constructor of the row at defs/opcodes/integer.toml:…"},
		{"ir/own.toml", "[enum.own]\ndoc = \"Own.\"\ngo = \"Own\"\nprefix = \"Mode\"\nvalues = [{ name = \"ssbo\" }]\n",
			"ir/own.toml:5:10: error: [enum.own] the Go name ModeSSBO is already used by the row at defs/ir/enums.toml:…"},
		{"ir/own.toml", "[kind.phi]\ndoc = \"Own.\"\nresult = \"never\"\n",
			"ir/own.toml:1:1: error: [kind.phi] duplicate name; the other row is at defs/ir/kinds.toml:…"},
		{"algebraic/own.toml", "[rule.own]\nfind = \"(iadd a 0)\"\nreplace = \"a\"\n",
			"algebraic/own.toml:1:1: error: [rule.own] …[rule.iadd_zero] at defs/algebraic/integer.toml:…"},
		{"intel/select/own.toml", "[select.own]\nfind = \"(iadd@32 a b)\"\nemit = [\"add:int dst a b\"]\n",
			"intel/select/own.toml:1:1: error: [select.own] is never used: [select.…] at defs/intel/select/integer.toml:… matches everything it does and comes before it"},
	} {
		dir := t.TempDir()
		appendTo(t, filepath.Join(dir, c.file), c.row)
		cmd := in(t.Context(), "../../..", gen, "-defs", dir, "-out", t.TempDir())
		text, err := cmd.CombinedOutput()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
			t.Errorf("%s: ended with %v\n%s", c.row, err, text)
			continue
		}
		line, _, _ := strings.Cut(string(text), "\n")
		if err := matches(line, filepath.ToSlash(dir)+"/"+c.want); err != nil {
			t.Errorf("says\n%s\nwant\n%s", line, c.want)
		}
	}
}

// TestGeneratorKeepsForeignFiles: a directory with any file that the generator did not
// write is rejected as its output directory.
func TestGeneratorKeepsForeignFiles(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "thesis.txt")
	appendTo(t, mine, "years of work\n")
	text, err := in(t.Context(), "../../..", generator(t), "-out", dir).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "thesis.txt was not written by the generator") {
		t.Errorf("ended with %v\n%s", err, text)
	}
	if files := tree(t, dir); len(files) != 1 {
		t.Errorf("%d files in the output directory, want 1", len(files))
	}
}
