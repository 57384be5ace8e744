// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
	"jacquard.example/tests/support/sample"
)

const mistakesFile = "testdata/mistakes.txt"

// mistake is a case of mistakesFile: a change of a table that is wrong in one place.
type mistake struct {
	file, what string
	*messageCase
}

// apply makes the change in the text of a table: lines that start with a space are found in order, lines with - are
// removed, and lines with + are added there. Spaces within lines do not count. A change that starts with + is appended.
// first and end are the first line of the changed row, counted from 1, and the line after it.
func (m *mistake) apply(t *testing.T, text string) (changed string, first, end int) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	at := len(lines)
	if m.input[0] != '+' {
		at = 0
	}
	touched, added := -1, false // the first changed line, or the first added row
	for line := range strings.Lines(m.input) {
		line = strings.TrimRight(line, "\n")
		if line[0] == '+' {
			lines = slices.Insert(lines, at, line[1:])
		} else {
			same := func(l string) bool { return slices.Equal(strings.Fields(l), strings.Fields(line[1:])) }
			i := slices.IndexFunc(lines[at:], same)
			if i < 0 {
				t.Fatalf("%s: %s: no line %q", m.file, m.what, line[1:])
			}
			at += i
		}
		if line[0] == '-' {
			lines = slices.Delete(lines, at, at+1)
		} else {
			at++
		}
		if row := strings.HasPrefix(line, "+["); line[0] != ' ' && (touched < 0 || row && !added) {
			touched, added = max(at-1, 0), row
		}
	}
	header := func(l string) bool { return rowHeader.MatchString(l) }
	for first = touched; first > 0 && !header(lines[first]); first-- {
	}
	for end = first + 1; end < len(lines) && !header(lines[end]); end++ {
	}
	return strings.Join(lines, "\n") + "\n", first + 1, end + 1
}

var rowHeader = regexp.MustCompile(`^\[[a-z_]+\.("[^"]*"|[^.\]]*)\]`)

// without lists the parts of the generator that no mistake in a table concerns, to save time.
var without = []string{"schemas", "passes", "machine", "manual"}

// byRules lists the slow parts, which run only for mistakes in rules and opcodes.
var byRules = []string{"rules", "unused"}

// errorIn returns the generator's message about the changed tables in dir. base is the context that has read the unchanged tables.
func (m *mistake) errorIn(t *testing.T, base *domain.Context, dir string) string {
	t.Helper()
	ctx := base.Of([]table.Root{{Dir: dir, Name: "defs"}}, path.Dir(m.file))
	rules := strings.HasPrefix(m.file, "algebraic/") || strings.HasPrefix(m.file, "opcodes/")
	for _, p := range parts {
		if slices.Contains(without, p.name) || slices.Contains(byRules, p.name) && !rules {
			continue
		}
		if err := p.run(ctx); err != nil {
			return err.Error()
		}
	}
	return "accepted"
}

var atPlace = regexp.MustCompile(`^defs/([a-z0-9_/]+\.toml):(\d+):(\d+): error: `)

// TestMistakes makes mistakes in the project's tables, as their authors do. Each must be one error, reported in the row that
// is wrong.
func TestMistakes(t *testing.T) {
	head, cases := readCases(t, mistakesFile)
	if len(cases) < 46 {
		t.Errorf("%d mistakes", len(cases))
	}
	base := tablesRead(t)
	t.Run("made", func(t *testing.T) {
		for i := range cases {
			m := mistake{messageCase: &cases[i]}
			m.file, m.what, _ = strings.Cut(m.title, ": ")
			text, err := os.ReadFile(filepath.Join("../defs", filepath.FromSlash(m.file)))
			if err != nil {
				t.Fatal(err)
			}
			changed, first, end := m.apply(t, string(text))
			one := 2 // make test runs the generator for one mistake in two
			if strings.HasPrefix(m.file, "algebraic/") {
				one = 3 // takes as long as generating all rules
			}
			if !*bless && !sample.Subtest(one, m.file, m.what) {
				continue
			}
			t.Run(strings.ReplaceAll(m.file+" "+m.what, " ", "_"), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS("../defs")); err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(dir, filepath.FromSlash(m.file))
				if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
					t.Fatal(err)
				}
				got := m.errorIn(t, base, dir)
				place := atPlace.FindStringSubmatch(got)
				if place == nil || place[1] != m.file || strings.Count(got, ": error: ") != 1 {
					t.Errorf("not one error of %s:\n%s", m.file, got)
					return
				}
				var line int
				fmt.Sscan(place[2], &line)
				if line < first || line >= end {
					t.Errorf("not an error of lines %d to %d:\n%s", first, end-1, got)
				}
				got = fmt.Sprintf("%d:%s: %s", line-first+1, place[3], anyRow.ReplaceAllString(got[len(place[0]):], "$1:…"))
				if got != m.want && !*bless {
					t.Errorf("says\n%s\nwant\n%s", got, m.want)
				}
				m.want = got
			})
		}
	})
	if *bless {
		writeCases(t, mistakesFile, head, cases)
	}
}

// anyRow matches the position of a row in a message: its line changes whenever a row above it does.
var anyRow = regexp.MustCompile(`(defs/[a-z0-9_/]+\.toml):\d+`)
