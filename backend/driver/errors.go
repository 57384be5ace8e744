// SPDX-License-Identifier: MIT

package driver

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"

	"jacquard.example/backend/driver/explain"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/work"
)

// Error is an error in the input or the options, with its position.
//
// An error in text input has a line and a column. So has an error about an instruction that debug information locates
// (in modules, OpLine or DebugLine of NonSemantic.Shader.DebugInfo.100): then File is the source file, and Input is the
// name of the input.
type Error struct {
	File    string // the file to which Line refers; the input if Line is 0
	Line    int    // counted from 1; 0 if unknown
	Column  int    // counted from 1, in bytes for text input; 0 if unknown
	Input   string // set if File is a source file named by debug information
	Word    int    // offset in binary input, in 32-bit words; valid if HasWord
	HasWord bool   // distinguishes word 0 from no word
	Msg     string

	unsupported bool
}

// ErrUnsupported marks errors about valid input that requires a feature which the compiler or the target lacks, or that
// exceeds a limit of the target; test for it with errors.Is. Other errors are about invalid input or options, or an
// exceeded budget of package core/work.
var ErrUnsupported = errors.New("not supported")

// Is reports whether target is ErrUnsupported and the error is about an unsupported feature.
func (e *Error) Is(target error) bool { return target == ErrUnsupported && e.unsupported }

// refused marks e as an error about valid input, and returns it.
func (e *Error) refused() *Error {
	e.unsupported = true
	return e
}

// WordError returns an error at a word of binary input.
func WordError(file string, word int, format string, args ...any) *Error {
	return &Error{File: file, Word: word, HasWord: true, Msg: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string {
	file := e.File
	if file == "" {
		file = "input"
	}
	switch {
	case e.Line > 0 && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: error: %s%s", file, e.Line, e.Column, e.Msg, e.within())
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: error: %s%s", file, e.Line, e.Msg, e.within())
	case e.HasWord:
		return fmt.Sprintf("%s: word %d: error: %s", file, e.Word, e.Msg)
	}
	return fmt.Sprintf("%s: error: %s", file, e.Msg)
}

// InputError returns an error about input that a pass refuses. The input is valid unless a budget is exceeded, or a
// layout gives an entry to two bindings. The error has the location of err in the source, if any.
func InputError(file string, err error) *Error {
	e := &Error{File: file, Msg: err.Error(), unsupported: !errors.As(err, new(*work.Limit)) && !errors.Is(err, pass.ErrPlaces)}
	var at *ir.LocatedError
	if errors.As(err, &at) {
		return e.placed(at.File, int(at.Line), int(at.Column))
	}
	return e
}

// within returns the part of the message with the position in the input, if File is not the input. It is empty for a
// module that was translated from File and has its name: a word of it would help nobody.
func (e *Error) within() string {
	switch {
	case e.Input == e.File:
		return ""
	case e.HasWord:
		return fmt.Sprintf(" (word %d of %s)", e.Word, cmp.Or(e.Input, "input"))
	case e.Input != "":
		return fmt.Sprintf(" (in %s)", e.Input)
	}
	return ""
}

// placed sets the source position of an error about the input. It does nothing if line is 0: the position is unknown.
func (e *Error) placed(file string, line, column int) *Error {
	if line > 0 {
		e.Input, e.File = e.File, explain.FileName(file)
		e.Line, e.Column = line, column
	}
	return e
}

// InternalError is a defect of the compiler: no input should cause one.
type InternalError struct {
	Pass     string // the pass that was running, if known
	Function string // the shader function it was working on, if known
	Cause    any    // the panic value
	Stack    []byte
}

func (e *InternalError) Error() string {
	pass, function := e.Pass, e.Function
	if pass == "" {
		pass = "(unknown)"
	}
	if function == "" {
		function = "(unknown)"
	}
	return fmt.Sprintf("internal error in pass %s, function %s: %v", pass, function, e.Cause)
}

// Recover turns a panic into an InternalError, which it stores in *err. It must be deferred. A panic with an
// *InternalError keeps the pass and the function that it names.
func Recover(err *error) {
	r := recover()
	if r == nil {
		return
	}
	e, ok := r.(*InternalError)
	if !ok {
		e = &InternalError{Cause: r}
	}
	if e.Stack == nil {
		e.Stack = debug.Stack()
	}
	*err = e
}
