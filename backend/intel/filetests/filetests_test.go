// SPDX-License-Identifier: MIT

// Package filetests contains tests of the back end's passes as text: the input of a pass
// and, in comments at the end, its output (package filetest).
//
// testdata/PASS/NAME.mir is machine IR that the pass runs on. testdata/select/NAME.jir is a
// shader after the passes of the IR, to be selected at the width in a comment (// simd 16,
// // target icl simd 16). The expected output is the code and the new lines of the header
// and of the registers; after encode it is assembly.
//
//	go test ./backend/intel/filetests -bless
//
// rewrites the expected output, which must be reviewed before it is committed.
package filetests

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/filetest"
)

func TestFiles(t *testing.T) {
	s := filetest.Suite{Run: func(c *filetest.Case) (string, error) {
		if c.Ext == ".jir" {
			return selected(c)
		}
		return run(c.Given, c.Pass)
	}}
	for _, p := range intel.Passes() {
		s.Passes = append(s.Passes, p.Name)
	}
	s.Test(t)
}

// run runs a pass over machine IR.
func run(given []byte, pass string) (string, error) {
	var machine *target.Target
	u, err := mirtext.Parse(given, func(u *mir.Unit) error {
		machine, _ = target.ByName(u.Target)
		return intel.CheckUnit(u, machine)
	})
	if err != nil {
		return "", err
	}
	before := printed(u)
	code, err := new(intel.Compiler).RunPass(u, pass, intel.Options{Target: machine, Verify: true})
	if err != nil {
		return "", err
	}
	if code != nil {
		var b strings.Builder
		err := isatext.Disassemble(machine.Platform, code, &b)
		return b.String(), err
	}
	return changed(before, printed(u)), nil
}

// selected returns the machine IR selected for a shader.
func selected(c *filetest.Case) (string, error) {
	o, err := c.Options("target", "simd")
	if err != nil {
		return "", err
	}
	simd, err := strconv.Atoi(o["simd"])
	if err != nil {
		return "", errors.New("no comment gives the width")
	}
	machine := target.All[0]
	if o["target"] != "" {
		machine, _ = target.ByName(o["target"])
	}
	s, err := text.Parse(c.Given)
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		return "", err
	}
	var out string
	_, err = intel.Compile(s, intel.Options{
		Target: machine, SIMD: simd, Buffers: 2, Verify: true, StopAfter: intel.Passes()[0].Name,
		Trace: func(_ string, u *mir.Unit, _ time.Duration) { out = printed(u) },
	})
	return changed("", out), err
}

var after = regexp.MustCompile(`(?m)^after .*\n`)

// printed returns machine IR as text, without the name of the last pass.
func printed(u *mir.Unit) string { return after.ReplaceAllString(string(mirtext.Print(u)), "") }

// changed returns the changed lines of the header and registers, followed by the code. It is empty if the texts
// are equal.
func changed(before, after string) string {
	if before == after {
		return ""
	}
	head, _, _ := strings.Cut(before, "function ")
	known := strings.Split(head, "\n")
	var b strings.Builder
	code := false
	for line := range strings.Lines(after) {
		switch {
		case strings.HasPrefix(line, "function "):
			code = true
		case code || !slices.Contains(known, strings.TrimSuffix(line, "\n")):
			b.WriteString(line)
		}
	}
	return b.String()
}
