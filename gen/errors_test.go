package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

var bless = flag.Bool("bless", false, "write the expected messages anew")

const errorsFile = "testdata/errors.txt"

// wrong is a case of errorsFile.
type wrong struct{ dir, row, want string }

func wrongRows(t *testing.T) (head string, cases []*wrong) {
	t.Helper()
	text, err := os.ReadFile(errorsFile)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "== ")
	for _, p := range parts[1:] {
		dir, rest, _ := strings.Cut(p, "\n")
		row, want, ok := strings.Cut(rest, "--\n")
		if !ok {
			t.Fatalf("%s: a case without --:\n%s", errorsFile, p)
		}
		cases = append(cases, &wrong{dir, row, strings.TrimSpace(want)})
	}
	return parts[0], cases
}

// partsOf returns the parts of the generator that read a folder, up to the first that checks all of
// it.
var partsOf = map[string]string{
	"opcodes": "opcodes", "ir": "ir atomics message reductions", "intrinsics": "ir", "spirv": "spirv", "algebraic": "rules",
	"intel/isa": "isa", "intel/abi": "abi", "intel/latency": "latency", "intel/message": "message", "intel/target": "target", "intel/legal": "legal", "intel/select": "select", "intel/meaning": "select",
}

// says returns the generator's message about a row in a user's folder. base has read the project's own tables.
func (w *wrong) says(t *testing.T, base *domain.Context) string {
	t.Helper()
	own := t.TempDir()
	dir := filepath.Join(own, filepath.FromSlash(w.dir))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own.toml"), []byte(w.row), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := base.With(table.Root{Dir: own, Name: "own"}, w.dir)
	for _, p := range parts {
		if slices.Contains(strings.Fields(partsOf[w.dir]), p.name) {
			if err := p.run(ctx); err != nil {
				return err.Error()
			}
		}
	}
	return "accepted"
}

// tablesRead returns a context that has read the project's own tables.
func tablesRead(t *testing.T) *domain.Context {
	t.Helper()
	ctx := &domain.Context{Out: emit.New(), Roots: []table.Root{{Dir: "../defs", Name: "defs"}}}
	for _, p := range parts {
		if err := p.run(ctx); err != nil {
			t.Fatal(err)
		}
	}
	return ctx
}

// otherRow matches another row's position in a message: its line changes
// whenever a row above it does.
var otherRow = regexp.MustCompile(`(at defs/[a-z_/]+\.toml):\d+`)

// TestErrors pins the message for wrong rows of every kind of table: file, line
// and column, the row, and the reason.
func TestErrors(t *testing.T) {
	head, cases := wrongRows(t)
	families := map[string]bool{}
	base := tablesRead(t)
	place := regexp.MustCompile(`^own/[a-z/]+/own\.toml:\d+:\d+: error: (?:\[(\w+)\.)?`)
	out := head
	for _, w := range cases {
		got := otherRow.ReplaceAllString(w.says(t, base), "$1:…")
		for line := range strings.Lines(got) {
			m := place.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("no place in the user's table: %s", line)
				continue
			}
			families[w.dir+" "+m[1]] = true
		}
		out += "== " + w.dir + "\n" + w.row + "--\n" + got + "\n\n"
		if got != w.want && !*bless {
			t.Errorf("%s\n%s\nsays\n%s\nwant\n%s", w.dir, w.row, got, w.want)
		}
	}
	for _, f := range tableFolders {
		for _, fam := range f.Families {
			if !families[f.Dir+" "+fam.Name] {
				t.Errorf("no wrong row of family %s of %s", fam.Name, f.Dir)
			}
		}
	}
	if *bless {
		if err := os.WriteFile(errorsFile, []byte(strings.TrimRight(out, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
