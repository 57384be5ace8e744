// SPDX-License-Identifier: MIT

package module

import (
	"fmt"

	"jacquard.example/generated/spirvtab"
)

// Error reports why a module was rejected.
type Error struct {
	Word int    // offset of the instruction in the module, in words
	Op   string // name of its opcode; "" for the header or the module as a whole
	Msg  string
	// Unsupported is set if the module may be valid but requires an unsupported feature.
	Unsupported bool
	// Stage is set if no entry point with the requested name is of the requested stage. It names the stage of the first
	// such entry point or, if the IR does not have that stage, the execution model.
	Stage string

	// File, Line and Column are the instruction's position in the source, from OpLine or DebugLine of
	// NonSemantic.Shader.DebugInfo.100. Line and Column count from 1. Line is 0 if the position is unknown, Column if
	// only the line is known.
	File         string
	Line, Column int
}

func (e *Error) Error() string {
	if e.Op == "" {
		return fmt.Sprintf("word %d: %s", e.Word, e.Msg)
	}
	return fmt.Sprintf("word %d: %s: %s", e.Word, e.Op, e.Msg)
}

// FailAt aborts reading with an error at an instruction: it panics with an *Error, which Read recovers.
func (r *Reader) FailAt(word uint32, format string, args ...any) {
	panic(r.errorAt(word, format, args...))
}

// Fail is like FailAt, for the current instruction.
func (r *Reader) Fail(format string, args ...any) { r.FailAt(r.At, format, args...) }

// refuseAt is like FailAt, for unsupported features that a valid module may use.
func (r *Reader) refuseAt(word uint32, format string, args ...any) {
	panic(r.errorAt(word, format, args...).unsupported())
}

// Refuse is like refuseAt, for the current instruction.
func (r *Reader) Refuse(format string, args ...any) { r.refuseAt(r.At, format, args...) }

func (e *Error) unsupported() *Error {
	e.Unsupported = true
	return e
}

// Errorf returns the error with which Fail panics. Code that runs for every instruction panics with the result instead of
// calling Fail: the compiler then need not keep variables in memory across the call.
func (r *Reader) Errorf(format string, args ...any) *Error { return r.errorAt(r.At, format, args...) }

func (r *Reader) errorAt(word uint32, format string, args ...any) *Error {
	e := &Error{Word: int(word), Msg: fmt.Sprintf(format, args...)}
	if word >= headerWords && int(word) < len(r.Words) {
		if info := spirvtab.Lookup(uint16(r.Words[word])); info != nil {
			e.Op = info.Name
		}
	}
	return e
}
