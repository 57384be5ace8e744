// SPDX-License-Identifier: MIT

package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/project"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/state"
)

// section is the part of the README that TestR03TablesAlone follows.
const section = "## Five minutes with the tables"

// block is a fenced block of a page.
type block struct {
	line  int
	kind  string // the word after the fence
	about string // the paragraph above it
	text  string
}

// blocks returns the blocks of a page, or only the blocks of a section if one is named.
func blocks(t *testing.T, page, section string) []block {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	var cur *block
	in, paragraph := section == "", ""
	for i, line := range strings.Split(string(data), "\n") {
		switch fence, ok := strings.CutPrefix(line, "```"); {
		case strings.HasPrefix(line, "## ") && section != "":
			in = line == section
		case !in:
		case ok && cur == nil:
			cur = &block{line: i + 1, kind: fence, about: paragraph}
			paragraph = ""
		case ok:
			blocks = append(blocks, *cur)
			cur = nil
		case cur != nil:
			cur.text += line + "\n"
		case line == "" && paragraph != "":
			paragraph += "\n"
		default:
			if strings.HasSuffix(paragraph, "\n") {
				paragraph = ""
			}
			paragraph += line + " "
		}
	}
	return blocks
}

// fileName is a file that a paragraph names.
var fileName = regexp.MustCompile("`([^`]+/[^`]+|[^`]+\\.(?:jir|amber))`")

// follow carries out the blocks of a page in dir, and returns the number of command
// blocks: commands are run, text is their expected output, and the rest is appended
// to the file that the paragraph above names last.
func follow(t *testing.T, dir, page string, list []block) int {
	t.Helper()
	var output []byte
	ran := 0
	for _, b := range list {
		switch b.kind {
		case "sh":
			var err error
			output, err = in(t.Context(), dir, "sh", "-e", "-c", b.text).CombinedOutput()
			if err != nil {
				t.Fatalf("%s:%d: %v\n%s\n%s", page, b.line, err, b.text, output)
			}
			ran++
		case "text":
			if err := matches(string(output), b.text); err != nil {
				t.Errorf("%s:%d: %v\nthe commands write\n%s", page, b.line, err, output)
			}
		default:
			names := fileName.FindAllStringSubmatch(b.about, -1)
			if len(names) == 0 {
				t.Fatalf("%s:%d: the paragraph above names no file: %s", page, b.line, b.about)
			}
			appendTo(t, filepath.Join(dir, names[len(names)-1][1]), b.text)
		}
	}
	return ran
}

// copyTree copies everything needed to build the product into an empty directory, with the overlay in GOFLAGS applied,
// which a mutant has (tests/suite/mutants).
func copyTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{"defs", "gen", "generated", "core", "backend", "cmd", "tests/support/variants", "go.mod", "go.sum"} {
		from := filepath.Join("../../..", part)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		if !info.IsDir() {
			copyFile(t, from, filepath.Join(dir, part))
		} else if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("../../../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			copyFile(t, f, filepath.Join(dir, filepath.Base(f)))
		}
	}
	project.Overlay(t, dir)
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// in returns a command to run in a copy of the tree. Builds are trimmed of paths, so
// that copies share Go's build cache.
func in(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -trimpath"), "LC_ALL=C")
	return cmd
}

// TestR03TablesAlone follows the README: new rows are enough for an opcode, an
// intrinsic, a rule and a kind of instruction to be built, printed, parsed,
// serialized, removed when dead, matched, and compiled. The copy has the rows of testdata/operations
// too: atomics, a reduction and a load with a separate message.
func TestR03TablesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the project")
	}
	dir := copyTree(t)
	if err := os.CopyFS(dir, os.DirFS("testdata/operations")); err != nil {
		t.Fatal(err)
	}
	list := blocks(t, "../../../README.md", section)
	if len(list) < 10 {
		t.Fatalf("README.md has %d blocks below %q", len(list), section)
	}
	if ran := follow(t, dir, "README.md", list); ran < 4 {
		t.Errorf("%d blocks of commands ran", ran)
	}
	t.Run("machine code", func(t *testing.T) {
		appendTo(t, filepath.Join(dir, "check", "main.go"), checkProgram)
		if out, err := in(t.Context(), dir, "go", "run", "./check").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("operations", func(t *testing.T) {
		out, err := in(t.Context(), dir, "go", "run", "./operations").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want := ""
		var computes []string
		for _, t := range target.All {
			computes = append(computes, t.Name)
		}
		for _, script := range []string{"texels", "atomics", "product"} {
			for _, on := range append([]string{"interpreter"}, computes...) {
				want += fmt.Sprintf("ran %s on %s\n", script, on)
			}
		}
		for _, on := range computes {
			want += fmt.Sprintf("ran dwords on %s\n", on)
		}
		if string(out) != want {
			t.Errorf("%s\nis not\n%s", out, want)
		}
	})
	t.Run("properties", func(t *testing.T) {
		// The tests for all rows also cover the new ones, and older files can still be read.
		out, err := in(t.Context(), dir, "go", "test", "./core/ir", "./core/wire", "-run",
			"TestD07|TestD12|TestKeptFiles|TestAnything").CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// walks lists the pages for people who add rows, with the tools that each needs.
var walks = map[string][]string{
	"opcode.md":  {"z3", "spirv-as"},
	"message.md": nil,
	"image.md":   {"spirv-as"},
	"format.md":  {"spirv-as"},
}

// followed lists the pages that other tests follow.
var followed = []string{"generation.md"} // TestGeneratedPlatform

// TestWalks follows a page of defs/docs in a copy of the tree and checks that the page describes the results. The
// choice of the page depends on the tables; make soak follows all pages. Each takes several builds of the compiler. The
// tour of README and the page that adds a machine are always followed, and add rows of most kinds.
func TestWalks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds copies of the project")
	}
	pages, err := filepath.Glob("../../../defs/docs/*")
	if err != nil || len(pages) != len(walks)+len(followed) {
		t.Errorf("pages that nothing follows: %v (%v)", pages, err)
	}
	now, err := state.Of("../../..", "defs")
	if err != nil {
		t.Fatal(err)
	}
	list := slices.Sorted(maps.Keys(walks))
	turn := list[int(now[0])%len(list)]
	for _, page := range list {
		if n := len(blocks(t, "../../../defs/docs/"+page, "")); n < 8 {
			t.Errorf("%s has %d blocks", page, n)
		}
		if sample.Soaking() && !sample.In(page) || !sample.Soaking() && page != turn {
			continue
		}
		t.Run(page, func(t *testing.T) {
			for _, tool := range walks[page] {
				oracle.Need(t, tool)
			}
			if ran := follow(t, copyTree(t), page, blocks(t, "../../../defs/docs/"+page, "")); ran < 8 {
				t.Errorf("%d blocks of commands ran", ran)
			}
		})
	}
}

// checkProgram compiles the shader of the README and runs it on the model of
// the execution units: it stores 2·v[i] + i to v[i].
const checkProgram = `package main

import (
	"context"
	"encoding/binary"
	"log"
	"os"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
)

func main() {
	source, err := os.ReadFile("tour.jir")
	if err != nil {
		log.Fatal(err)
	}
	var data []byte
	for i := range uint32(16) {
		data = binary.LittleEndian.AppendUint32(data, 100*i)
	}
	eu := &engine.EU{Module: func(context.Context, *runner.Shader) ([]byte, error) { return source, nil }}
	call := &runner.Call{Shader: &runner.Shader{Name: "tour"}, Groups: [3]uint32{1, 1, 1}, Bindings: []runner.Binding{{Kind: runner.Storage, Data: data}}}
	if err := eu.Dispatch(context.Background(), call); err != nil {
		log.Fatal(err)
	}
	for i := range uint32(16) {
		if got := binary.LittleEndian.Uint32(data[4*i:]); got != 2*(100*i)+i {
			log.Fatalf("v[%d] is %d, want %d", i, got, 2*(100*i)+i)
		}
	}
}
`

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(old, text...), 0o666); err != nil {
		t.Fatal(err)
	}
}

// matches compares lines; … in the expected line matches anything.
func matches(got, want string) error {
	g, w := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	for i := range w {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(w[i])), "…", ".*")
		if i >= len(g) || !regexp.MustCompile("^"+pattern+"$").MatchString(strings.TrimSpace(g[i])) {
			return fmt.Errorf("line %d of the output is not %q:\n%s", i+1, w[i], got)
		}
	}
	if len(g) != len(w) {
		return fmt.Errorf("the output has %d lines, not %d", len(g), len(w))
	}
	return nil
}

// refused lists rows with one mistake each: the file to which they are added, the line of the row with the mistake and
// the column (from 1), and the message.
var refused = []struct {
	name, file, row string
	line, col       int
	want            string
}{
	{"missing source count", "intrinsics/memory.toml", `[intrinsic.own]
doc   = "Own."
src   = [{ name = "value" }]
`, 3, 9, "[intrinsic.own] src, entry 1: comps is missing"},
	{"wrong source count", "intrinsics/memory.toml", `[intrinsic.own]
doc      = "Own."
num_srcs = 2
src      = [{ name = "value", comps = 1 }]
`, 3, 12, "num_srcs is 2, but src lists 1"},
	{"unknown flag", "intrinsics/memory.toml", `[intrinsic.own]
doc   = "Own."
flags = ["can_eliminate", "can_fly"]
`, 3, 9, `flags: unknown word "can_fly"`},
	{"ill-typed eval", "opcodes/integer.toml", `[op.own]
doc  = "Own."
in   = ["int", "float32"]
out  = "int"
eval = "a + b"
`, 5, 13, "[op.own] eval: b is float32; int8 is required here"},
	{"unbound variable", "algebraic/integer.toml", `[rule.own]
find    = "(iadd@32 a 12345)"
replace = "(iadd a c)"
`, 3, 20, "[rule.own] replace: c is not bound in find"},
	{"duplicate name", "opcodes/integer.toml", `[op.own]
doc  = "Own."
in   = ["int"]
out  = "int"
eval = "a"

[op.iadd]
doc  = "Own."
in   = ["int", "int"]
out  = "int"
eval = "a + b"
`, 7, 2, "Key 'op.iadd' has already been defined"},
	{"wrong rule", "algebraic/integer.toml", `[rule.own]
find    = "(imul@32 a 12345)"
replace = "(imul a 12346)"
`, 1, 1, "[rule.own] is wrong: (imul@32 "},
	{"unknown kind of field", "ir/kinds.toml", `[kind.own]
doc    = "Own."
result = "never"
fields = ["tag: u33"]
`, 4, 10, `unknown type "u33"`},
}

// TestR03WrongRows: the generator rejects an invalid row with its file, its line and the reason, and exits with status 1.
func TestR03WrongRows(t *testing.T) {
	dir := copyTree(t)
	gen := filepath.Join(dir, "generator")
	if out, err := in(t.Context(), dir, "go", "build", "-o", gen, "./gen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range refused {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			path := filepath.Join(dir, "defs", c.file)
			good, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(path, good, 0o666)
			appendTo(t, path, "\n"+c.row)
			first := bytes.Count(good, []byte("\n")) + 1 // the empty line before the row
			var stderr bytes.Buffer
			cmd := in(t.Context(), dir, gen, "-out", t.TempDir())
			cmd.Stderr = &stderr
			err = cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("ended with %v, not with status 1\n%s", err, &stderr)
			}
			place := fmt.Sprintf("defs/%s:%d:%d: ", c.file, first+c.line, c.col)
			line, _, _ := strings.Cut(stderr.String(), "\n")
			if !strings.HasPrefix(line, place) || !strings.Contains(line, c.want) {
				t.Errorf("says\n%s\nwant %s … %s", &stderr, place, c.want)
			}
		})
	}
}
