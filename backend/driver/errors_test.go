// SPDX-License-Identifier: MIT

package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
)

// TestCheckErrorIsInternal: a failed check is a defect of the compiler, reported with
// pass, function and instruction.
func TestCheckErrorIsInternal(t *testing.T) {
	check := &intel.CheckError{Pass: "allocate", Function: "main", Err: errors.New("block 3: add(8) r10:ud")}
	err := compileError("x.spv", fmt.Errorf("wrapped: %w", check))
	const want = "internal error in pass allocate, function main: block 3: add(8) r10:ud"
	var internal *InternalError
	if !errors.As(err, &internal) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	err = compileError("x.spv", errors.New("no room"))
	var input *Error
	if !errors.As(err, &input) || err.Error() != "x.spv: error: no room" {
		t.Errorf("got %v", err)
	}
}

// TestErrorPlace: an error starts with its position. If that is in the source, the error ends with the position in the
// input.
func TestErrorPlace(t *testing.T) {
	for want, e := range map[string]*Error{
		"x.spv: word 7: error: odd":                            WordError("x.spv", 7, "odd"),
		"a.comp:3:5: error: odd (word 7 of x.spv)":             WordError("x.spv", 7, "odd").placed("a.comp", 3, 5),
		"a.comp:3: error: odd (word 7 of x.spv)":               WordError("x.spv", 7, "odd").placed("a.comp", 3, 0),
		"a.comp:3: error: odd (word 7 of input)":               WordError("", 7, "odd").placed("a.comp", 3, 0),
		"x.spv: word 7: error: even":                           WordError("x.spv", 7, "even").placed("", 0, 0),
		"a.comp:3: error: odd (in x.jir)":                      (&Error{File: "x.jir", Msg: "odd"}).placed("a.comp", 3, 0),
		"(unnamed):3: error: odd (in x.jir)":                   (&Error{File: "x.jir", Msg: "odd"}).placed("", 3, 0),
		"a\uFFFDb\uFFFD\uFFFD.comp:3: error: o (in x.jir)":     (&Error{File: "x.jir", Msg: "o"}).placed("a\nb\xff\x1b.comp", 3, 0),
		"x.jir:3:5: error: odd":                                {File: "x.jir", Line: 3, Column: 5, Msg: "odd"},
		"x.comp:3: error: odd":                                 {File: "x.comp", Line: 3, Msg: "odd"},
		"x: error: odd":                                        {File: "x", Msg: "odd"},
		"input: error: odd":                                    {Msg: "odd"},
		"…" + strings.Repeat("y", 256) + ":3: error: o (in x)": (&Error{File: "x", Msg: "o"}).placed(strings.Repeat("y", 1<<16), 3, 0),
	} {
		if got := e.Error(); got != want {
			t.Errorf("%+v is printed as\n%s, want\n%s", *e, got, want)
		}
	}
}
