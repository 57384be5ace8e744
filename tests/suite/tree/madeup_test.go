// SPDX-License-Identifier: MIT

package tree

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/sample"
)

// oddScripts run on the made-up machine: buffers and push constants, barriers and shared
// memory, integer division, predicates of groups of lanes, private memory.
var oddScripts = []string{"saxpy", "barriers", "atomics_return_shared", "op_srem", "bit_ops", "subgroup_shuffle", "private_stride"}

// TestGeneratedPlatform follows the page that adds a machine to a copy of the tree by rows
// alone: it has its own words, codes, registers, messages, ABI and target. The copy's command compiles for it, reads and
// writes its assembly, and runs the compiled code on the model; without any one of the rows generation fails.
func TestGeneratedPlatform(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the project")
	}
	oracle.Need(t, "glslangValidator")
	dir := copyTree(t)
	const page = "generation.md"
	follow(t, dir, page, blocks(t, "../../../defs/docs/"+page, ""))
	if t.Failed() {
		return
	}
	must := func(t *testing.T, name string, args ...string) []byte {
		t.Helper()
		out, err := in(t.Context(), dir, name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
		}
		return out
	}
	generator, command := filepath.Join(dir, "generator"), filepath.Join(dir, "jacquard")
	must(t, "go", "build", "-o", generator, "./gen")
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}

	t.Run("compile", func(t *testing.T) {
		for _, name := range []string{"saxpy", "barriers"} {
			shader := filepath.Join(root, "tests/shaders", name+".comp.spv")
			code, text := filepath.Join(dir, name+".bin"), filepath.Join(dir, name+".asm")
			must(t, command, "compile", shader, "--target", "odd", "--simd", "32", "--verify", "--emit", "bin", "-o", code)
			if err := os.WriteFile(text, must(t, command, "dis", code, "--target", "odd"), 0o666); err != nil {
				t.Fatal(err)
			}
			must(t, command, "asm", text, "--target", "odd", "-o", code+"2")
			want, err := os.ReadFile(code)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(code + "2")
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: disassembled and assembled again, the code differs (%v)", name, err)
			}
			tgl := must(t, command, "compile", shader, "--target", "tgl", "--simd", "32", "--emit", "bin", "-o", "-")
			if bytes.Contains(tgl, want[:16]) {
				t.Errorf("%s: the first word is one of another machine", name)
			}
		}
	})
	t.Run("run", func(t *testing.T) {
		for _, name := range oddScripts {
			script := filepath.Join(root, "tests/amber", name+".amber")
			if out, err := in(t.Context(), dir, command, "run", script, "--on", "eu", "--target", "odd").CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
		script := filepath.Join(root, "tests/amber/op_atomic_float_min_max.amber")
		out, err := in(t.Context(), dir, command, "run", script, "--on", "eu", "--target", "odd").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "odd has no message for it") {
			t.Errorf("a float atomic, which the machine lacks, gives %v\n%s", err, out)
		}
	})
	t.Run("forms", func(t *testing.T) {
		for _, f := range []string{"random_test.go", "roundtrip_test.go"} {
			if err := os.MkdirAll(filepath.Join(dir, "forms"), 0o777); err != nil {
				t.Fatal(err)
			}
			copyFile(t, filepath.Join("../isa", f), filepath.Join(dir, "forms", f))
		}
		out := must(t, "go", "test", "-v", "-run", "TestRandomRoundTrip/odd|TestEveryForm/odd", "./forms")
		for _, want := range []string{"--- PASS: TestRandomRoundTrip/odd", "--- PASS: TestEveryForm/odd"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	})
	t.Run("without", func(t *testing.T) { withoutRows(t, dir, generator) })
}

// oddNeeds are lines of the made-up machine, and columns of others' rows, without which generation fails: a file, the
// start of the line, the header above it, a pattern for the part to cut (all of the line if empty), and the generator's
// error.
var oddNeeds = []struct{ file, row, line, cut, want string }{
	{"isa/odd.toml", "[platform.odd]", "layout ", "", "[platform.odd]"},
	{"isa/odd.toml", "[platform.odd]", "registers ", "", "[platform.odd]"},
	{"isa/odd.toml", "[device.odd_1]", "eus ", "", "[device.odd_1]"},
	{"isa/odd.toml", "[layout.odd.bits]", "s_src1_reg ", "", "[layout.odd]"},
	// The rest are codes of the family, which conflict with other rows on this machine.
	{"isa/opcodes.toml", "[eu.mad]", "code ", `, odd = \d+`, "already used by [eu."},
	{"isa/names.toml", "[type.d]", "code ", `, odd = \d+`, "already used by [type."},
	{"isa/names.toml", "[cmod.le]", "code ", `, odd = \d+`, "already used by [cmod."},
	{"message/odd.toml", "[messages.odd]", "inherits ", "", "[messages.odd] no [send] row implements [logical."},
	{"message/odd.toml", "[send.odd_barrier]", "header ", "", "[send.odd_barrier] the header has no contents"},
	{"abi/odd.toml", "[abi.odd_cs]", "inherits ", "", "[abi.odd_cs]"},
	{"abi/odd.toml", "[abi.odd_cs]", "[abi.odd_cs]", "", "defs/intel/abi/odd.toml:"},
	{"target/odd.toml", "[target.odd]", "messages ", "", "[target.odd] family of messages is missing"},
}

// withoutRows runs the generator on the tables, leaving out one line at a time. Each run takes as long as generating
// everything, so make test tries a third of the lines.
func withoutRows(t *testing.T, dir, generator string) {
	place := regexp.MustCompile(`^defs/intel/[a-z0-9/_]+\.toml:\d+:\d+: error: `)
	for _, c := range oddNeeds {
		if !sample.One(3, c.row, c.line) {
			continue
		}
		path := filepath.Join(dir, "defs/intel", c.file)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(good), "\n")
		at, inside := -1, false
		for i, l := range lines {
			if strings.HasPrefix(l, "[") {
				inside = l == c.row
			}
			if inside && strings.HasPrefix(l, c.line) && at < 0 {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s has no line %q below %s", c.file, c.line, c.row)
		}
		cut := ""
		if c.cut != "" {
			cut = regexp.MustCompile(c.cut).ReplaceAllString(lines[at], "")
		}
		if cut == lines[at] {
			t.Fatalf("%s: nothing to cut out of %q", c.file, cut)
		}
		lines[at] = cut
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := in(t.Context(), dir, generator, "-out", t.TempDir()).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !place.Match(out) || !strings.Contains(string(out), c.want) {
			t.Errorf("%s %s without %q: %v\n%s", c.file, c.row, c.line, err, out)
		}
		if err := os.WriteFile(path, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
