// SPDX-License-Identifier: MIT

// Package filetest runs tests of passes that are written as text ([Suite], [Case]): a file has the input of
// a pass and, in comments at its end, the output.
//
//	// Why this case is here.
//	// target icl simd 16
//	…
//	// becomes
//	// …
//
// testdata/PASS/NAME is a case of a pass. A comment that consists of names and values sets
// options. If nothing changes, the output is the line "// the same". -bless rewrites the
// expected output, which must be reviewed before it is committed.
package filetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var bless = flag.Bool("bless", false, "rewrite the expected output")

// The separators in a file.
const (
	becomes = "// becomes\n" // separates the input from the output
	same    = "// the same\n"
)

// Case is a test case.
type Case struct {
	Pass, Ext string
	Given     []byte // the file up to its output
}

// Suite describes the cases in folder testdata.
type Suite struct {
	Passes []string
	// Run returns the output, or "" if the pass changes nothing.
	Run func(c *Case) (string, error)
	// Both requires of every pass a case that changes and a case that stays the same.
	Both bool
}

// Test runs all cases as subtests. It fails if a pass has no case or a folder no pass.
func (s *Suite) Test(t *testing.T) {
	for _, pass := range s.Passes {
		files, _ := filepath.Glob(filepath.Join("testdata", pass, "*"))
		if len(files) == 0 {
			t.Errorf("pass %s has no file", pass)
			continue
		}
		t.Run(pass, func(t *testing.T) {
			changed := 0
			for _, file := range files {
				t.Run(filepath.Base(file), func(t *testing.T) {
					if s.check(t, file, pass) {
						changed++
					}
				})
			}
			if s.Both && changed == 0 {
				t.Error("no case changes")
			}
			if s.Both && changed == len(files) {
				t.Error("no case stays the same")
			}
		})
	}
	dirs, _ := filepath.Glob("testdata/*")
	for _, d := range dirs {
		if !slices.Contains(s.Passes, filepath.Base(d)) {
			t.Errorf("%s: there is no such pass", d)
		}
	}
}

// check runs a file and compares its output with the expected one, or replaces that with -bless. It reports whether
// the expected output is a change.
func (s *Suite) check(t *testing.T, file, pass string) bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	given, want, _ := strings.Cut(string(data), becomes)
	made, err := s.Run(&Case{Pass: pass, Ext: filepath.Ext(file), Given: []byte(given)})
	if err != nil {
		t.Fatal(err)
	}
	got := same
	if made != "" {
		got = comment(made)
	}
	switch {
	case *bless:
		if err := os.WriteFile(file, []byte(given+becomes+got), 0o666); err != nil {
			t.Fatal(err)
		}
		return got != same
	case got != want:
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return want != same
}

// comment turns lines into comments.
func comment(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("// " + line)
	}
	return b.String()
}

// Options returns the options of a case. A comment sets options if it begins with a known name
// and consists of pairs.
func (c *Case) Options(known ...string) (map[string]string, error) {
	out := map[string]string{}
	for line := range strings.Lines(string(c.Given)) {
		text, ok := strings.CutPrefix(line, "// ")
		words := strings.Fields(text)
		if !ok || len(words)%2 != 0 {
			continue
		}
		for i := 0; i < len(words) && (i > 0 || slices.Contains(known, words[0])); i += 2 {
			if _, twice := out[words[i]]; twice || !slices.Contains(known, words[i]) {
				return nil, fmt.Errorf("option %s is unknown or given twice; there are %s", words[i], strings.Join(known, ", "))
			}
			out[words[i]] = words[i+1]
		}
	}
	return out, nil
}
