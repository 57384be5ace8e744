// SPDX-License-Identifier: MIT

package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"jacquard.example/tests/support/state"
)

// reports are files with measurements of the compiler. A line in each has the hash of the sources that were measured.
var reports = []string{"tests/bench/README.md", "tests/bench/judge.md", "tests/bench/dg2.md", "tests/bench/lnl.md",
	"tests/bench/draws.md", "tests/bench/vertices.md", "tests/bench/covered.md", "tests/suite/corpus/report.md", "tests/bench/ablation.md"}

// TestMarks: reports that were made on other sources are marked as stale. With -update (make marks) the test sets the marks.
// It measures nothing: only the command that makes a report changes the hash. The tables of README.md are copied from
// several benchmarks; whoever copies one writes the line above it.
func TestMarks(t *testing.T) {
	const root = "../.."
	for _, r := range reports {
		file := filepath.Join(root, r)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		marked, err := state.Mark(root, string(text), state.Depends...)
		if err != nil {
			t.Errorf("%s: %v", r, err)
			continue
		}
		section := ""
		for line := range strings.Lines(marked) {
			if strings.HasPrefix(line, "#") {
				section = strings.Trim(line, "# \n")
			} else if strings.HasPrefix(line, "Made on ") {
				t.Logf("%s, %s: %s", r, section, strings.TrimSpace(line))
			}
		}
		if marked == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s has the wrong mark for these sources: run with -update", r)
		} else if err := os.WriteFile(file, []byte(marked), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// made matches the line of a report with its hash and mark.
var made = regexp.MustCompile(`(?m)^(Made on )[0-9a-f]{12}( of [^;]+; )(current|\*\*stale\*\*: they have changed since)\.$`)

// TestMarksFollowSources: in a copy of the sources, all lines of each report become stale when a file in any folder that it
// depends on changes, and current when the file is restored.
func TestMarksFollowSources(t *testing.T) {
	const root = "../.."
	dir := t.TempDir()
	changes := []string{"core/ir/clone.go", "backend/intel/doc.go", "gen/main.go", "defs/opcodes/integer.toml", "jacquard.go"}
	for _, f := range state.Compiler {
		if err := os.CopyFS(filepath.Join(dir, f), os.DirFS(filepath.Join(root, f))); err != nil {
			t.Fatal(err)
		}
	}
	goFiles, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range goFiles {
		text, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(f)), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	hash, err := state.Of(dir, state.Depends...)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, r := range reports {
		text, err := os.ReadFile(filepath.Join(root, r))
		if err != nil {
			t.Fatal(err)
		}
		texts[r] = made.ReplaceAllString(string(text), "${1}"+hash+"${2}current.")
	}
	check := func(after, want string) {
		t.Helper()
		hash, err := state.Of(dir, state.Depends...)
		if err != nil {
			t.Fatal(err)
		}
		for r, text := range texts {
			marked, err := state.MarkAt(hash, text, state.Depends...)
			if err != nil {
				t.Fatal(err)
			}
			lines := made.FindAllStringSubmatch(marked, -1)
			for _, m := range lines {
				if m[3] != want {
					t.Errorf("after a change of %s, a line of %s has the mark %q", after, r, m[3])
				}
			}
			if len(lines) == 0 {
				t.Errorf("%s has no line", r)
			}
		}
	}
	check("nothing", "current")
	for _, f := range changes {
		path := filepath.Join(dir, f)
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(old, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		check(f, "**stale**: they have changed since")
		if err := os.WriteFile(path, old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check("all, restored", "current")
}

// TestReadmeSections: each section of README.md has a line with the hash of the sources that were measured.
func TestReadmeSections(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	for _, s := range sections {
		if title, rest, _ := strings.Cut(s, "\n\n"); len(made.FindAllString(rest, -1)) != 1 || !strings.HasPrefix(rest, "Made on ") {
			t.Errorf("%s: no line, or several", title)
		}
	}
	if len(sections) < 5 {
		t.Errorf("%d sections", len(sections))
	}
}
