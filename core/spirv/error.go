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
	// Unsupported says that the module is not at fault: it asks for something that is not supported.
	Unsupported bool
	// Stage is the stage of the module's entry point, if none is of the requested
	// stage: a stage of the IR, or an execution model without one.
	Stage string

	// File, Line and Column are the instruction's place in the source, from OpLine or DebugLine of
	// NonSemantic.Shader.DebugInfo.100. Line and Column count from 1. Line is 0 if the place is
	// unknown, Column if only the line is known.
	File         string
	Line, Column int
}

func (e *Error) Error() string {
	if e.Op == "" {
		return fmt.Sprintf("word %d: %s", e.Word, e.Msg)
	}
	return fmt.Sprintf("word %d: %s: %s", e.Word, e.Op, e.Msg)
}

// failAt aborts reading with an error at an instruction. Read recovers it; nothing
// else panics with an *Error.
func (r *reader) failAt(word uint32, format string, args ...any) {
	panic(r.errorAt(word, format, args...))
}

// fail is failAt for the current instruction.
func (r *reader) fail(format string, args ...any) { r.failAt(r.at, format, args...) }

// refuseAt is failAt for what a valid module may ask for.
func (r *reader) refuseAt(word uint32, format string, args ...any) {
	panic(r.errorAt(word, format, args...).unsupported())
}

// refuse is refuseAt for the current instruction.
func (r *reader) refuse(format string, args ...any) { r.refuseAt(r.at, format, args...) }

func (e *Error) unsupported() *Error {
	e.Unsupported = true
	return e
}

// errorf returns the error that fail aborts with. What runs for every instruction panics with it
// itself: then its variables need not be kept where the call of fail does not change them.
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
