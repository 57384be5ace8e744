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
type mistake struct{ file, what, change, want string }

func mistakes(t *testing.T) (head string, cases []*mistake) {
	t.Helper()
	text, err := os.ReadFile(mistakesFile)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n== ")
	for _, p := range parts[1:] {
		title, rest, _ := strings.Cut(p, "\n")
		file, what, _ := strings.Cut(title, ": ")
		change, want, ok := strings.Cut(rest, "--\n")
		if !ok {
			t.Fatalf("%s: a case without --:\n%s", mistakesFile, p)
		}
		cases = append(cases, &mistake{file, what, change, strings.TrimSpace(want)})
	}
	return parts[0], cases
}

// apply makes the change in a table: lines that start with a space are found in order, those with - are
// removed, and those with + are added. Spaces within lines do not count. Lines that only add are appended. It also
// returns the lines of the changed row, from 1, the last one excluded.
func (m *mistake) apply(t *testing.T, text string) (changed string, first, end int) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	at := len(lines)
	if m.change[0] != '+' {
		at = 0
	}
	touched, added := -1, false // the first changed line, or the first added row
	for line := range strings.Lines(m.change) {
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

// without are the parts of the generator that no mistake in a folder of the tables concerns: the others take long enough.
var without = []string{"schemas", "passes", "machine", "manual"}

// byRules are the parts that take long, for mistakes in rules and in what they are about.
var byRules = []string{"rules", "unused"}

// says returns the generator's message about the changed tables. base has read the tables as they are.
func (m *mistake) says(t *testing.T, base *domain.Context, dir string) string {
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

// TestMistakes makes mistakes in the project's tables, as their authors do: each is one error in the row that is
// wrong, which says what is wrong with it.
func TestMistakes(t *testing.T) {
	head, cases := mistakes(t)
	if len(cases) < 46 {
		t.Errorf("%d mistakes", len(cases))
	}
	said := make([]string, len(cases))
	base := tablesRead(t)
	t.Run("made", func(t *testing.T) {
		for i, m := range cases {
			t.Run(strings.ReplaceAll(m.file+" "+m.what, " ", "_"), func(t *testing.T) {
				one := 2 // in so many is made by make test
				if strings.HasPrefix(m.file, "algebraic/") {
					one = 3 // takes as long as generating all rules
				}
				if !*bless && !sample.Subtest(one, m.file, m.what) {
					t.Skip()
				}
				t.Parallel()
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS("../defs")); err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(dir, filepath.FromSlash(m.file))
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				changed, first, end := m.apply(t, string(text))
				if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
					t.Fatal(err)
				}
				got := m.says(t, base, dir)
				place := atPlace.FindStringSubmatch(got)
				if place == nil || place[1] != m.file || strings.Count(got, ": error: ") != 1 {
					said[i] = got
					t.Errorf("not one error of %s:\n%s", m.file, got)
					return
				}
				var line int
				fmt.Sscan(place[2], &line)
				if line < first || line >= end {
					t.Errorf("not an error of lines %d to %d:\n%s", first, end-1, got)
				}
				said[i] = fmt.Sprintf("%d:%s: %s", line-first+1, place[3], anyRow.ReplaceAllString(got[len(place[0]):], "$1:…"))
				if said[i] != m.want && !*bless {
					t.Errorf("says\n%s\nwant\n%s", said[i], m.want)
				}
			})
		}
	})
	if !*bless {
		return
	}
	out := head
	for i, m := range cases {
		if said[i] == "" { // not run
			said[i] = m.want
		}
		out += "\n== " + m.file + ": " + m.what + "\n" + m.change + "--\n" + said[i] + "\n"
	}
	if err := os.WriteFile(mistakesFile, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
}

// anyRow matches the position of a row in a message: its line changes whenever a row above it does.
var anyRow = regexp.MustCompile(`(defs/[a-z0-9_/]+\.toml):\d+`)
