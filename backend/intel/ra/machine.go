// SPDX-License-Identifier: MIT

package ra

import "jacquard.example/backend/intel/mir"

// Machine is the allocator's view of the machine: its registers, and the generator of spill code.
type Machine struct {
	File  *mir.RegFile
	Spill SpillCode
	// Account asks for Stats.Account.
	Account bool
	// Reserve is the number of GRFs to keep free for code inserted after allocation. It is ignored if the
	// function does not fit otherwise.
	Reserve int
}

// SpillCode generates code for spilled registers. Its code may use only the given registers, fixed ones, and
// new registers with short live ranges that are not spilled.
type SpillCode interface {
	// Reach returns the total number of bytes available for spilled registers.
	Reach(f *mir.Func) uint32
	// Near returns the maximum distance in instructions between two reads of a spilled register that share a filled copy.
	Near() int32
	// Front returns the number of bytes, whole GRFs, that Store needs in front of the data, in the same register.
	Front(f *mir.Func) uint32
	// Exact reports whether Store writes exactly the bytes that an instruction writes, although the instruction writes only
	// some bytes of its lanes. Otherwise Store writes all bytes of the lanes.
	Exact(in *mir.Inst) bool
	// Fill inserts code before an instruction that loads the given number of bytes of spill memory, starting at slot,
	// into a register, after the front. It returns the number of messages.
	Fill(f *mir.Func, before mir.ID, to mir.Reg, front, bytes, slot uint32) int
	// Store inserts code that writes a register, without the front, to spill memory after the instruction that wrote it,
	// for the lanes of that instruction. It returns the number of messages.
	Store(f *mir.Func, after mir.ID, from mir.Reg, bytes, slot uint32) int
	// Undefine inserts code before an instruction that marks the contents of a register as undefined.
	Undefine(f *mir.Func, before mir.ID, r mir.Reg, bytes uint32)
	// Keep inserts a copy of a doubleword from one uniform register to another after an instruction, and returns it.
	Keep(f *mir.Func, after mir.ID, to mir.Reg, toOff uint32, from mir.Reg, fromOff uint32) mir.ID
	// FillFlag returns an instruction that copies all bits of a uniform register to a flag.
	FillFlag(to mir.Flag, from mir.Reg) mir.Inst
	// KeepFlag returns an instruction that copies all bits of a flag to a uniform register.
	KeepFlag(to mir.Reg, from mir.Flag) mir.Inst
}
