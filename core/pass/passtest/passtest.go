// SPDX-License-Identifier: MIT

// Package passtest runs passes on shaders in text form, for tests: [Run] parses a shader, runs one pass and returns the
// text of the result, validating both; [Pipeline] runs all passes that a target needs; [Parse] reads a shader that must
// be well formed; [Cases] returns the shaders of the filetests of a pass. Tests compare text with text, so that a test
// of a pass shows its input and output. Only tests import the package.
package passtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// Run runs one pass and returns the resulting shader as text.
func Run(t *testing.T, p func(*pass.Context) bool, src string) string {
	t.Helper()
	s := Parse(t, src)
	p(pass.New(s))
	if err := validate.Shader(s); err != nil {
		t.Fatalf("afterwards: %v\n%s", err, text.Print(s))
	}
	return string(text.Print(s))
}

// Pipeline optimizes and lowers a shader.
func Pipeline(t *testing.T, src string, o pass.Options) error {
	t.Helper()
	s, err := text.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	c := pass.New(s)
	c.Options = o
	if err := pipeline.ForTarget(c, nil); err != nil {
		return err
	}
	return validate.Shader(s)
}

// Parse parses a shader.
func Parse(t *testing.T, src string) *ir.Shader {
	t.Helper()
	s, err := text.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return s
}

// Case is a case of the filetests of a pass.
type Case struct{ Name, Text string }

// Cases returns the filetests of a pass (core/pass/filetests), for tests in neighboring packages that
// execute them.
func Cases(t *testing.T, pass string) (list []Case) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "filetests", "testdata", pass, "*.jir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no cases: %v", pass, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Case{strings.TrimSuffix(filepath.Base(f), ".jir"), string(text)})
	}
	return list
}

// Find returns the text of one of Cases.
func Find(t *testing.T, pass, name string) string {
	t.Helper()
	for _, c := range Cases(t, pass) {
		if c.Name == name {
			return c.Text
		}
	}
	t.Fatalf("%s has no case %s", pass, name)
	return ""
}
