// SPDX-License-Identifier: MIT

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRowsFollowMoves: rows follow code that moves to another file or changes its indentation, and tests that move to another
// package. Rows whose text is gone or ambiguous, or that no longer compile, are listed and not changed.
func TestRowsFollowMoves(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod":              "module world\n\ngo 1.26\n",
		"a/a.go":              "package a\n\nfunc Stays(x int) int { return x + 1 }\n\nfunc Twice(x int) int { return x * 7 }\n",
		"a/new.go":            "package a\n\nfunc Moved(x, y int) int {\n\tfor range 3 {\n\t\tif x > y {\n\t\t\treturn x - y\n\t\t}\n\t}\n\treturn 0\n}\n",
		"b/b.go":              "package b\n\nfunc Other(x int) int { return x + 2 }\n\nfunc Twice(x int) int { return x * 7 }\n\nfunc Thrice(x int) int { return x * 9 }\n",
		"c/c.go":              "package c\n\nfunc Thrice(x int) int { return x * 9 }\n",
		"c/c_test.go":         "package c\n\nimport \"testing\"\n\nfunc TestThere(t *testing.T) {}\n",
		"a/a_test.go":         "package a\n\nimport \"testing\"\n\nfunc TestHere(t *testing.T) {}\n\n// return x + 9\n",
		"generated/g.go":      "package g\n\nfunc F(x int) int { return x + 9 }\n",
		"a/testdata/other.go": "package g\n\nfunc F(x int) int { return x + 9 }\n",
	})
	const table = `# Rows.
[mutant.stays]
file    = "a/a.go"
find    = "x + 1"
replace = "x"
by      = "a TestHere"
why     = "It stays."

[mutant.moved]
file    = "a/a.go" # where it was
find    = "x - y"
replace = "y - x"
more    = [{ find = "x > y", replace = "x < y" }]
by      = "a TestHere"
why     = "It moves to another file."

[mutant.indented]
file    = "a/new.go"
find    = "if x > y {\n\treturn x - y\n}\n"
replace = ""
by      = "a TestThere"
why     = "It is indented by two steps more, and the test moves too."

[mutant.other_package]
file    = "a/a.go"
find    = "x + 2"
replace = "x"
by      = "a TestHere"
why     = "It moves to another package."

[mutant.near]
file    = "a/gone.go"
find    = "x * 7"
replace = "x"
by      = "a TestHere"
why     = "Two packages have its text; its own is meant."

[mutant.two]
file    = "a/a.go"
find    = "x * 9"
replace = "x"
by      = "a TestHere"
why     = "Two files have its text."

[mutant.gone]
file    = "a/a.go"
find    = "x + 9"
replace = "x"
by      = "a TestHere"
why     = "Only text that is not code contains it."

[mutant.breaks]
file    = "a/a.go"
find    = "x + 2"
replace = "z"
by      = "a TestHere"
why     = "It does not compile where it is now."

[mutant.no_test]
file    = "a/a.go"
find    = "x + 1"
replace = "x"
by      = "a TestNowhere"
why     = "Its test is gone."
`
	file := filepath.Join(dir, "rows/x.toml")
	write(t, dir, map[string]string{"rows/x.toml": table})
	list, err := parse("rows/x.toml", table)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	ok, err := move(&said, dir, dir, list)
	if err != nil || ok {
		t.Error(ok, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := table
	for _, e := range [][2]string{
		{"\"a/a.go\" # where", "\"a/new.go\" # where"},
		{`"if x > y {\n\treturn x - y\n}\n"`, `"if x > y {\n\t\t\treturn x - y\n\t\t}\n\t"`},
		{"a TestThere", "c TestThere"},
		{"[mutant.other_package]\nfile    = \"a/a.go\"", "[mutant.other_package]\nfile    = \"b/b.go\""},
		{"a/gone.go", "a/a.go"},
	} {
		if strings.Count(want, e[0]) != 1 {
			t.Fatalf("%q", e[0])
		}
		want = strings.Replace(want, e[0], e[1], 1)
	}
	if string(text) != want {
		t.Errorf("got\n%s", text)
	}
	for _, s := range []string{
		"[mutant.two] the text to find is in b/b.go, c/c.go", "[mutant.gone] the text to find is in no file", "[mutant.breaks] does not compile in b/b.go",
		"[mutant.no_test] by: no package has TestNowhere", `[mutant.moved] "a/a.go" is now "a/new.go"`,
	} {
		if !strings.Contains(said.String(), s) {
			t.Errorf("no %q in\n%s", s, said.String())
		}
	}
	if list, err = parse("rows/x.toml", string(text)); err != nil {
		t.Fatal(err)
	}
	said.Reset()
	if ok, err := move(&said, dir, dir, list[:5]); err != nil || !ok || said.Len() > 0 {
		t.Errorf("moved again: %v %v\n%s", ok, err, said.String())
	}
}
