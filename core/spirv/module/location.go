// SPDX-License-Identifier: MIT

package module

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// debugSet is the extended instruction set with its own locations. Other sets of debug information use OpLine.
const debugSet = "NonSemantic.Shader.DebugInfo.100"

// Instructions of debugSet (its specification, "Enumerants"). Their numbers, such as lines, are ids of constants.
const (
	debugSource = 35  // file, and perhaps its text
	debugLine   = 103 // source, first line, last line, first column, last column
	debugNoLine = 104
)

// location is a position in the source of a module.
type location struct {
	file         uint32 // the OpString that names the file, as a word offset
	line, column uint32 // from 1; line is 0 if the position is unknown, column is 0 if only the line is known
}

// Locates reports whether an instruction begins or ends a range of instructions with a location.
func (r *Reader) Locates(in []uint32) bool {
	switch uint16(in[0]) {
	case spirvtab.OpLine, spirvtab.OpNoLine:
		return true
	case spirvtab.OpExtInst, spirvtab.OpExtInstWithForwardRefsKHR:
		return r.isDebug(in) && (in[4] == debugLine || in[4] == debugNoLine)
	}
	return false
}

// isDebug reports whether an OpExtInst is an instruction of debugSet.
func (r *Reader) isDebug(in []uint32) bool {
	return len(in) > 4 && int(in[3]) < len(r.Ids) && r.Ids[in[3]].Kind == IdNonSemantic && r.Ids[in[3]].Aux != 0
}

// endsBlock reports whether an instruction ends a block, and with it the range of a location (SPIR-V specification,
// OpLine).
func endsBlock(op uint16) bool {
	switch op {
	case spirvtab.OpBranch, spirvtab.OpBranchConditional, spirvtab.OpSwitch, spirvtab.OpKill, spirvtab.OpReturn, spirvtab.OpReturnValue,
		spirvtab.OpUnreachable, spirvtab.OpTerminateInvocation:
		return true
	}
	return false
}

// location returns the location that an instruction, for which Locates holds, gives to the following ones. Scanning does
// not check debug information, so the location is zero if a DebugLine does not name a file and a line.
func (r *Reader) location(in []uint32) (at location) {
	switch uint16(in[0]) {
	case spirvtab.OpLine:
		at = location{r.stringAt(in[1]), in[2], in[3]}
	case spirvtab.OpExtInst, spirvtab.OpExtInstWithForwardRefsKHR:
		if args := in[5:]; in[4] == debugLine && len(args) >= 5 {
			at = location{r.sourceFile(args[0]), r.lineNumber(args[1]), r.lineNumber(args[3])}
		}
	}
	if at.file == 0 || at.line > math.MaxInt32 {
		return location{}
	}
	if at.column > math.MaxInt32 {
		at.column = 0
	}
	return at
}

// sourceFile returns the word offset of the OpString that a DebugSource names, or 0 if there is none.
func (r *Reader) sourceFile(id uint32) uint32 {
	in := r.defined(id)
	if len(in) < 6 || uint16(in[0]) != spirvtab.OpExtInst && uint16(in[0]) != spirvtab.OpExtInstWithForwardRefsKHR ||
		!r.isDebug(in) || in[4] != debugSource {
		return 0
	}
	return r.stringAt(in[5])
}

// lineNumber returns the value of a 32-bit constant, or 0 if the id is not one.
func (r *Reader) lineNumber(id uint32) uint32 {
	if in := r.defined(id); len(in) == 4 && uint16(in[0]) == spirvtab.OpConstant {
		return in[3]
	}
	return 0
}

// stringAt returns the word offset of an OpString, or 0 if the id is not an OpString.
func (r *Reader) stringAt(id uint32) uint32 {
	if in := r.defined(id); len(in) >= 3 && uint16(in[0]) == spirvtab.OpString {
		return r.Ids[id].Word
	}
	return 0
}

// defined returns the instruction that defines an id, or nil if no instruction before the current one does.
func (r *Reader) defined(id uint32) []uint32 {
	if int(id) >= len(r.Ids) || r.Ids[id].Word == 0 || r.Ids[id].Word >= r.At {
		return nil
	}
	return r.Ins(r.Ids[id].Word)
}

// Locate makes the location of in, for which Locates holds, the location of the instructions emitted next.
func (r *Reader) Locate(in []uint32) {
	at := r.location(in)
	if at.line == 0 {
		r.B.Loc = 0
		return
	}
	if at.file != r.fileWord {
		r.fileWord, r.file = at.file, r.S.Strs.InternBytes(r.text(at.file+2))
	}
	r.B.Loc = r.S.Locs.New(ir.Location{File: r.file, Line: at.line, Column: at.column})
}

// LocateBlock makes the location at the start of a block the location of the instructions emitted next.
func (r *Reader) LocateBlock(b *Block) {
	r.B.Loc = 0
	if b.line != 0 {
		r.Locate(r.Ins(b.line))
	}
}

// Located adds the location of its instruction to an error. It scans the module up to the instruction, which may not
// have been emitted.
func (r *Reader) Located(e *Error) *Error {
	end := uint32(min(e.Word, len(r.Words)))
	if !r.scanned && end > r.At || len(r.Ids) == 0 {
		return e
	}
	line := uint32(0)
	for at := uint32(headerWords); at < end; at += r.Words[at] >> 16 {
		switch in := r.Ins(at); {
		case r.Locates(in):
			line = at
		case endsBlock(uint16(in[0])):
			line = 0
		}
	}
	if line == 0 {
		return e
	}
	r.At = end
	if at := r.location(r.Ins(line)); at.line != 0 {
		e.File, e.Line, e.Column = string(r.text(at.file+2)), int(at.line), int(at.column)
	}
	return e
}

// noteLine records an instruction outside blocks that sets the location at the start of the next block.
func (r *Reader) noteLine(in []uint32) {
	if r.Locates(in) {
		r.lineWord = r.At
	}
}
