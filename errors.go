package jacquard

import (
	"fmt"
	"runtime/debug"
)

// Error reports what is wrong with the input, and where. Text input has a Line
// and a Col, both counted from 1; for binary input, Word is the offset in 32-bit
// words.
type Error struct {
	File      string
	Line, Col int  // 0 if the error has no line
	Word      int  // binary input only, valid if HasWord
	HasWord   bool // distinguishes word 0 from no word
	Msg       string
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
	case e.Line > 0:
		return fmt.Sprintf("%s:%d:%d: error: %s", file, e.Line, e.Col, e.Msg)
	case e.HasWord:
		return fmt.Sprintf("%s: word %d: error: %s", file, e.Word, e.Msg)
	}
	return fmt.Sprintf("%s: error: %s", file, e.Msg)
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

// recoverInternal turns a panic into an InternalError. A pass that knows its
// position panics with an *InternalError itself.
func recoverInternal(err *error) {
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
