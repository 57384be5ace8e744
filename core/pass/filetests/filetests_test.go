// SPDX-License-Identifier: MIT

// Package filetests contains tests of the passes of the IR as text: the input of a pass
// and, in comments at the end, its output (package filetest).
//
// testdata/PASS/NAME.jir is a shader that the pass runs on, with the options of a comment:
//
//	// target icl rewrite lower_division simd 16 buffers address64 robust true descriptors 4
//
// where rewrite names an option of rewrite rules that the target gets in addition.
// TestFiles requires of every pass a case that it changes and a case that it leaves alone. The
// expected output is the function, preceded by the declarations if they change, or an error.
//
//	go test ./core/pass/filetests -bless
//
// rewrites the expected output, which must be reviewed before it is committed.
package filetests

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/filetest"
)

func TestFiles(t *testing.T) {
	s := filetest.Suite{Run: run, Passes: pipeline.Known.Names(), Both: true}
	s.Test(t)
}

// run runs a pass over a shader.
func run(c *filetest.Case) (string, error) {
	o, err := options(c)
	if err != nil {
		return "", err
	}
	s, err := text.Parse(c.Given)
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		return "", err
	}
	before := string(text.Print(s))
	x := pass.New(s)
	x.Options = o
	said := false
	if err := x.Run(pass.Pipeline{pipeline.Known.Find(c.Pass)}, &pass.Trace{After: func(_ string, changed bool, _ time.Duration) error {
		said = changed
		return nil
	}}); err != nil {
		return "error: " + err.Error() + "\n", nil
	}
	after := string(text.Print(s))
	if !said && after != before {
		return "", fmt.Errorf("the pass reports no change, but makes\n%s", after)
	}
	return changed(before, after), validate.Shader(s)
}

// changed returns the output of a pass: the functions, or the whole shader if its declarations changed. It is empty if
// nothing changed.
func changed(before, after string) string {
	if after == before {
		return ""
	}
	was, _, _ := strings.Cut(before, "\nfn ")
	is, code, _ := strings.Cut(after, "\nfn ")
	if is == was {
		return "fn " + code
	}
	return after
}

// options returns the options in the comment.
func options(c *filetest.Case) (o pass.Options, err error) {
	named, err := c.Options("target", "rewrite", "simd", "buffers", "robust", "descriptors", "constants")
	if err != nil {
		return o, err
	}
	more := option.Option(option.Count)
	for name, value := range named {
		known := true
		var n uint64
		switch name {
		case "target":
			o.Target, known = target.ByName(value)
		case "rewrite":
			more, known = option.Option(slices.Index(option.Names[:], value)), slices.Contains(option.Names[:], value)
		case "buffers":
			o.Buffers, known = pass.BufferFormat(value)
		case "robust":
			o.Robust, err = strconv.ParseBool(value)
		case "constants":
			o.ConstantsAtAddress, known = value == "address64", value == "address64"
		case "simd":
			n, err = strconv.ParseUint(value, 10, 6)
			o.SubgroupSize = uint32(n)
		case "descriptors":
			n, err = strconv.ParseUint(value, 10, 32)
			o.Descriptors = uint32(n)
		}
		if err != nil || !known {
			return o, fmt.Errorf("option %s cannot be %q", name, value)
		}
	}
	if more != option.Count && o.Target != nil {
		with := *o.Target
		with.Rewrite.Set(more, true)
		o.Target = &with
	}
	return o, nil
}
