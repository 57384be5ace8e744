package spirv

import (
	"fmt"

	"jacquard.example/generated/spirvtab"
)

// Error says why a module was refused.
type Error struct {
	Word int    // offset of the instruction in the module, in words
	Op   string // name of its opcode; "" for the header or the module as a whole
	Msg  string
	// Stage is what the entry point of the module is of, if none is of the stage
	// that was asked for: a stage of the IR, or an execution model that has none.
	Stage string
}

func (e *Error) Error() string {
	if e.Op == "" {
		return fmt.Sprintf("word %d: %s", e.Word, e.Msg)
	}
	return fmt.Sprintf("word %d: %s: %s", e.Word, e.Op, e.Msg)
}

// failAt leaves the reader with an error at an instruction. Read recovers it;
// nothing else panics with an *Error.
func (r *reader) failAt(word uint32, format string, args ...any) {
	e := &Error{Word: int(word), Msg: fmt.Sprintf(format, args...)}
	if word >= headerWords && int(word) < len(r.words) {
		if info := spirvtab.Lookup(uint16(r.words[word])); info != nil {
			e.Op = info.Name
		}
	}
	panic(e)
}

// fail is failAt for the instruction that is being read.
func (r *reader) fail(format string, args ...any) { r.failAt(r.at, format, args...) }
