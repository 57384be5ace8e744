// SPDX-License-Identifier: MIT

package mir

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// Flag is a flag register: a virtual register of class FlagClass, or a physical one, numbered as in instruction words,
// which count halves: f0.0 is 0, f0.1 is 1, f1.0 is 2, f1.1 is 3.
type Flag uint32

// NumFlags is the number of physical flag registers, counting halves.
const NumFlags = 4

// FlagOf returns a virtual flag register.
func FlagOf(r Reg) Flag { return Flag(r) + NumFlags - 1 }

// Reg returns the virtual register, or 0 for a physical one.
func (x Flag) Reg() Reg {
	if x < NumFlags {
		return 0
	}
	return Reg(x - NumFlags + 1)
}

var flagNames = [NumFlags]string{"f0.0", "f0.1", "f1.0", "f1.1"}

// String returns the flag's name as printed in operands.
func (x Flag) String() string {
	if r := x.Reg(); r != 0 {
		return fmt.Sprintf("v%d", r)
	}
	return flagNames[x]
}

// Whole returns the flag register, or the physical register that x is a half of, as an operand: a 32-bit scalar.
func (x Flag) Whole() Operand {
	if r := x.Reg(); r != 0 {
		return V(r, isa.TypeUD)
	}
	return Arch(isa.ARFF0+uint8(x)/2, 0, isa.TypeUD)
}

// ReadsFlag reports whether an instruction reads its flag register.
func (in *Inst) ReadsFlag() bool { return in.Pred != isa.PredNone }

// WritesFlag reports whether an instruction writes its flag register. The condition modifier of sel and csel
// does not.
func (in *Inst) WritesFlag() bool {
	return in.CMod != 0 && in.Op != isa.OpSel && in.Op != isa.OpCsel
}

// Allocatable registers other than GRFs: f0, f1, a0 and the accumulator.
const (
	ArchFlags = NumFlags / 2 // number of 32-bit flag registers, which come first
	ArchA0    = ArchFlags
	ArchAcc   = ArchA0 + 1
	NumArchs  = ArchAcc + 1
)

// Arch returns the index of the allocatable architecture register (f0, f1, a0 or acc0) that the operand names. ok is
// false for any other operand.
func (o *Operand) Arch() (n int, ok bool) {
	switch {
	case o.File != ARF:
	case o.Num&0xF0 == isa.ARFF0:
		return int(o.Num & 0xF), true
	case o.Num&0xF0 == isa.ARFA0:
		return ArchA0, true
	case o.Num&0xF0 == isa.ARFAcc0:
		return ArchAcc, true
	}
	return 0, false
}

// InArch returns the operand moved to allocatable register n, an index as returned by Arch.
func (o Operand) InArch(n int) Operand {
	o.File, o.Off = ARF, 0
	switch n {
	case ArchA0:
		o.Num = isa.ARFA0
	case ArchAcc:
		o.Num = isa.ARFAcc0
	default:
		o.Num = isa.ARFF0 + uint32(n)
	}
	return o
}

// IsArch reports whether an operand is an allocatable register other than a GRF: a flag, an address register or
// an accumulator, virtual or physical.
func (f *Func) IsArch(o *Operand) bool {
	if o.File == VReg {
		return f.Regs[o.Num].Class != General
	}
	_, ok := o.Arch()
	return ok
}

// IsFlag reports whether an operand is a flag register, virtual or physical.
func (f *Func) IsFlag(o *Operand) bool {
	return o.File == VReg && f.Regs[o.Num].Class == FlagClass || o.File == ARF && o.Num&0xF0 == isa.ARFF0
}
