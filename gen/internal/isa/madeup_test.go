// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
	"jacquard.example/tests/support/sample"
)

// oddFile is the made-up machine: its platform, a device and a layout.
const oddFile = "testdata/odd.toml"

// oddTables returns a copy of the project's tables with the made-up machine added: its rows,
// and columns for its opcodes and types, whose numbers differ from other machines'.
func oddTables(t *testing.T) string {
	t.Helper()
	defs := t.TempDir()
	if err := os.CopyFS(filepath.Join(defs, isatab.Dir), os.DirFS("../../../defs/"+isatab.Dir)); err != nil {
		t.Fatal(err)
	}
	odd, err := os.ReadFile(oddFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(defs, isatab.Dir, "odd.toml"), odd, 0o666); err != nil {
		t.Fatal(err)
	}
	addColumn(t, filepath.Join(defs, isatab.Dir, "opcodes.toml"), regexp.MustCompile(`(?m)^code +=.*\b(?:gen12|icl|gen7) = (\w+) }$`), 127)
	types := filepath.Join(defs, isatab.Dir, "names.toml")
	addColumn(t, types, regexp.MustCompile(`(?m)^(?:code|imm) += { icl.*gen12 = (\w+) }$`), 15)
	addColumn(t, types, regexp.MustCompile(`(?m)^ternary += {.*gen12 = (\w+) }$`), 7)
	addColumn(t, types, regexp.MustCompile(`(?m)^code += { (?:gen7 = \d+, )?(?:hsw = -1, )?gen12 = (\d+)(?:, \w+ = -1)* }$`), 15) // enumerations
	return defs
}

// addColumn adds a column of the made-up machine to the lines of a file: the value of the last
// column, counted down from top.
func addColumn(t *testing.T, file string, lines *regexp.Regexp, top int64) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	out := lines.ReplaceAllStringFunc(string(text), func(line string) string {
		n++
		v, err := strconv.ParseInt(lines.FindStringSubmatch(line)[1], 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s, odd = %d }", strings.TrimSuffix(line, " }"), top-v)
	})
	if n < 8 {
		t.Fatalf("%s: %d lines have got a column", file, n)
	}
	if err := os.WriteFile(file, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestMadeUpMachine: a machine added only by rows gets an encoder and a decoder that
// are inverses, and an assembler and a disassembler that are, for random words of
// every form, like the machines of the project, whose test runs on the code generated
// from the tables.
func TestMadeUpMachine(t *testing.T) {
	out := emit.New()
	if err := Run(&domain.Context{Roots: []table.Root{{Dir: oddTables(t), Name: "defs"}}, Out: out}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := out.Write(filepath.Join(dir, "generated")); err != nil {
		t.Fatal(err)
	}
	suite := filepath.Join(dir, "suite")
	if err := os.Mkdir(suite, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"random_test.go", "roundtrip_test.go"} {
		text, err := os.ReadFile("../../../tests/suite/isa/" + f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(suite, f), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, pkg := range []string{"backend/intel/fields", "backend/intel/isatext"} { // packages imported by generated code and by the tests
		if err := os.CopyFS(filepath.Join(dir, pkg), os.DirFS("../../../"+pkg)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module jacquard.example\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-v", "-run", "TestRandomRoundTrip|TestEveryForm", "./suite")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	for _, want := range []string{"--- PASS: TestRandomRoundTrip/odd", "--- PASS: TestEveryForm/odd"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Fatalf("no %q in the tests of the generated code: %v\n%s", want, err, text)
		}
	}
}

// TestMadeUpMachineLacksRow: without any one of the rows that place its fields, distinguish
// its groups or define its codes, nothing is generated, and the message names the file
// and the line. One row in three is tried.
func TestMadeUpMachineLacksRow(t *testing.T) {
	defs := oddTables(t)
	file := filepath.Join(defs, isatab.Dir, "odd.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	place := regexp.MustCompile(`(?m)^defs/intel/isa/odd\.toml:\d+:\d+: error: \[(layout|platform|device|regfile)\.`)
	part, deleted := "", 0
	for i, line := range lines {
		if strings.HasPrefix(line, "[") {
			part = line
		}
		key, _, ok := strings.Cut(line, " ")
		needed := ok && part != "" && line[0] != '#' && part != "[layout.odd.fixed]" && key != "from_next" && key != "doc" &&
			key != "scratch_bytes" && key != "slm_bytes"
		if !needed {
			continue
		}
		deleted++
		if !sample.One(3, part, key) {
			continue
		}
		without := strings.Join(append(append([]string(nil), lines[:i]...), lines[i+1:]...), "\n")
		if err := os.WriteFile(file, []byte(without), 0o666); err != nil {
			t.Fatal(err)
		}
		tab, err := isatab.Load(&domain.Context{Roots: []table.Root{{Dir: defs, Name: "defs"}}})
		if err == nil {
			err = check(tab)
		}
		if err == nil || !place.MatchString(err.Error()) {
			t.Errorf("without line %d, %s %q: %v", i+1, part, line, err)
		}
	}
	if deleted < 120 {
		t.Errorf("only %d lines can be deleted", deleted)
	}
}
