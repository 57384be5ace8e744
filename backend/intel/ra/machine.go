package ra

import "jacquard.example/backend/intel/mir"

// Machine is what allocation knows of the machine: its registers, and who makes
// code for those that find no room.
type Machine struct {
	File  *mir.RegFile
	Spill SpillCode
}

// SpillCode makes code for registers that are given up. What it adds lives for a
// moment only, and may use nothing but the registers named, fixed ones, and new ones
// that are not given up.
type SpillCode interface {
	// Reach is how many bytes spilled registers may take together.
	Reach() uint32
	// Fill loads bytes of memory from slot on into a register, before an instruction,
	// and says in how many steps.
	Fill(f *mir.Func, before mir.ID, to mir.Reg, bytes, slot uint32) int
	// Store writes them to memory, behind the instruction that wrote the register, for
	// the lanes of that.
	Store(f *mir.Func, behind mir.ID, from mir.Reg, bytes, slot uint32) int
	// Undefine says before an instruction that what a register holds does not matter.
	Undefine(f *mir.Func, before mir.ID, r mir.Reg, bytes uint32)
	// Keep copies a doubleword from one uniform register to another, behind an
	// instruction, and returns the copy.
	Keep(f *mir.Func, behind mir.ID, to mir.Reg, toOff uint32, from mir.Reg, fromOff uint32) mir.ID
	// FillFlag returns the instruction that copies all bits of a flag from a uniform
	// register.
	FillFlag(to mir.Flag, from mir.Reg) mir.Inst
	// KeepFlag returns the instruction that copies all bits of a flag to a uniform
	// register.
	KeepFlag(to mir.Reg, from mir.Flag) mir.Inst
}
