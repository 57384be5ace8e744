// SPDX-License-Identifier: MIT

package thread

import (
	"fmt"

	"jacquard.example/backend/intel/isatext"
)

// FaultKind is the kind of rule that a program broke.
type FaultKind uint8

// The kinds of faults.
const (
	FaultIllegal     FaultKind = iota // undecodable, reserved or unsupported instruction
	FaultOperand                      // operand outside the registers, or a region that the hardware does not support
	FaultJump                         // target outside the program or inside an instruction
	FaultHazard                       // result or source used before its scoreboard wait
	FaultMessage                      // unknown or inconsistent message descriptor
	FaultUnsupported                  // instruction or message that the model does not implement
	FaultMemory                       // unmapped or misaligned address
	FaultBarrier                      // threads wait at a barrier that cannot complete, or that they have not signaled
	FaultLimit                        // instruction limit reached
	FaultUndefined                    // register, or address of a lane, used before it was written
	FaultRace                         // two threads use shared memory without a barrier between them
	FaultFlow                         // lanes still waiting when the thread ends, or fused threads that jump differently
	FaultLaunch                       // the dispatch itself is invalid
)

var faultNames = [...]string{
	"illegal instruction", "operand", "jump", "scoreboard hazard", "message", "not supported",
	"memory", "barrier deadlock", "instruction limit", "undefined register", "race", "control flow", "launch",
}

func (k FaultKind) String() string { return faultNames[k] }

// Fault is the error of a program that broke a rule while it ran.
type Fault struct {
	Kind   FaultKind
	Group  [3]uint32 // workgroup
	Thread int       // thread inside the workgroup
	Offset int       // byte offset of the instruction; -1 if there is none
	Text   string    // the instruction
	Msg    string
}

func (f *Fault) Error() string {
	s := fmt.Sprintf("eu: %s: group (%d,%d,%d) thread %d", f.Kind, f.Group[0], f.Group[1], f.Group[2], f.Thread)
	if f.Offset >= 0 {
		s += fmt.Sprintf(" at 0x%04x", f.Offset)
	}
	if f.Text != "" {
		s += ": " + f.Text
	}
	return s + ": " + f.Msg
}

// OpError is a fault without a position. Predecoding finds most invalid instructions, but they fault only when
// executed.
type OpError struct {
	Kind FaultKind
	Msg  string
}

// Operr returns an error of an instruction.
func Operr(kind FaultKind, format string, args ...any) *OpError {
	return &OpError{kind, fmt.Sprintf(format, args...)}
}

// Fault stops the thread with an error at instruction o. It has no effect after another fault.
func (t *Thread) Fault(o *Op, e *OpError) {
	if t.Err != nil {
		return
	}
	t.Err = &Fault{Kind: e.Kind, Group: t.Group.Id, Thread: t.Index, Offset: int(o.Off), Text: t.Prog.Text(o), Msg: e.Msg}
}

// Faultf is like Fault, with a formatted message.
func (t *Thread) Faultf(o *Op, kind FaultKind, format string, args ...any) {
	t.Fault(o, Operr(kind, format, args...))
}

// Text returns the instruction in assembler syntax, or "" if it could not be decoded.
func (p *Program) Text(o *Op) string {
	if o.Idx < 0 || int(o.Idx) >= len(p.Insts) || o.Undecoded {
		return ""
	}
	return string(isatext.Append(nil, p.Machine.Platform, &p.Insts[o.Idx], int(o.Off)))
}
