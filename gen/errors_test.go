// SPDX-License-Identifier: MIT

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

var bless = flag.Bool("bless", false, "rewrite the expected messages")

const errorsFile = "testdata/errors.txt"

// partsOf returns the parts of the generator that read a folder, up to the first that checks all of
// it.
var partsOf = map[string]string{
	"opcodes": "opcodes", "ir": "ir atomics message reductions", "intrinsics": "ir", "spirv": "spirv", "algebraic": "rules", "frontends": "frontends",
	"intel/isa": "isa", "intel/abi": "abi", "intel/latency": "latency", "intel/message": "message", "intel/target": "target", "intel/legal": "legal", "intel/select": "select", "intel/meaning": "select",
}

// errorOf returns the generator's message about a row in a folder of a user's tables. base has read the project's own tables.
func errorOf(t *testing.T, base *domain.Context, folder, row string) string {
	t.Helper()
	own := t.TempDir()
	dir := filepath.Join(own, filepath.FromSlash(folder))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own.toml"), []byte(row), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := base.With(table.Root{Dir: own, Name: "own"}, folder)
	for _, p := range parts {
		if slices.Contains(strings.Fields(partsOf[folder]), p.name) {
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

// TestErrors pins the message for invalid rows of every kind of table: file, line and column, the row, and the reason.
func TestErrors(t *testing.T) {
	head, cases := readCases(t, errorsFile)
	families := map[string]bool{}
	base := tablesRead(t)
	place := regexp.MustCompile(`^own/[a-z/]+/own\.toml:\d+:\d+: error: (?:\[(\w+)\.)?`)
	for i, c := range cases {
		got := otherRow.ReplaceAllString(errorOf(t, base, c.title, c.input), "$1:…")
		for line := range strings.Lines(got) {
			m := place.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("no place in the user's table: %s", line)
				continue
			}
			families[c.title+" "+m[1]] = true
		}
		if got != c.want && !*bless {
			t.Errorf("%s\n%s\nsays\n%s\nwant\n%s", c.title, c.input, got, c.want)
		}
		cases[i].want = got
	}
	for _, f := range tableFolders {
		for _, fam := range f.Families {
			if !families[f.Dir+" "+fam.Name] {
				t.Errorf("no invalid row of family %s of %s", fam.Name, f.Dir)
			}
		}
	}
	if *bless {
		writeCases(t, errorsFile, head, cases)
	}
}
