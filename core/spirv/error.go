package spirv

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
	// Stage is set if no entry point is of the requested stage: it is the stage of the module's entry point, a stage of
	// the IR or an execution model without one.
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

// failAt aborts reading with an error at an instruction. Read recovers it; nothing else panics with an *Error.
func (r *reader) failAt(word uint32, format string, args ...any) {
	panic(r.errorAt(word, format, args...))
}

// fail is failAt for the current instruction.
func (r *reader) fail(format string, args ...any) { r.failAt(r.at, format, args...) }

// refuseAt is failAt for unsupported features that a valid module may use.
func (r *reader) refuseAt(word uint32, format string, args ...any) {
	panic(r.errorAt(word, format, args...).unsupported())
}

// refuse is refuseAt for the current instruction.
func (r *reader) refuse(format string, args ...any) { r.refuseAt(r.at, format, args...) }

func (e *Error) unsupported() *Error {
	e.Unsupported = true
	return e
}

// errorf returns the error with which fail aborts. Code that runs for every instruction panics with the result instead
// of calling fail: the compiler then need not keep variables in memory across the call.
func (r *reader) errorf(format string, args ...any) *Error { return r.errorAt(r.at, format, args...) }

func (r *reader) errorAt(word uint32, format string, args ...any) *Error {
	e := &Error{Word: int(word), Msg: fmt.Sprintf(format, args...)}
	if word >= headerWords && int(word) < len(r.words) {
		if info := spirvtab.Lookup(uint16(r.words[word])); info != nil {
			e.Op = info.Name
		}
	}
	return e
}
