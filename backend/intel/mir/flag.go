package mir

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// Flag names a flag register: a virtual register of class FlagClass, or one of the
// machine's by its number in an instruction word, which counts halves: f0.0 is 0,
// f0.1 is 1, f1.0 is 2, f1.1 is 3.
type Flag uint32

// NumFlags is the number of the machine's flag registers, halves counted.
const NumFlags = 4

// FlagOf is a virtual flag register.
func FlagOf(r Reg) Flag { return Flag(r) + NumFlags - 1 }

// Reg is the virtual register; 0 for one of the machine's.
func (x Flag) Reg() Reg {
	if x < NumFlags {
		return 0
	}
	return Reg(x - NumFlags + 1)
}

var flagNames = [NumFlags]string{"f0.0", "f0.1", "f1.0", "f1.1"}

// String is its name, as operands have it.
func (x Flag) String() string {
	if r := x.Reg(); r != 0 {
		return fmt.Sprintf("v%d", r)
	}
	return flagNames[x]
}

// Whole is the flag register as an operand, a scalar of 32 bits.
func (x Flag) Whole() Operand {
	if r := x.Reg(); r != 0 {
		return V(r, isa.TypeUD)
	}
	return Arch(isa.ARFF0+uint8(x)/2, 0, isa.TypeUD)
}

// ReadsFlag reports that an instruction reads its flag register.
func (in *Inst) ReadsFlag() bool { return in.Pred != isa.PredNone }

// WritesFlag reports that an instruction writes its flag register. The condition of
// a select only chooses.
func (in *Inst) WritesFlag() bool { return in.CMod != 0 && in.Op != isa.OpSel }

// IsFlag reports that an operand is a flag register, virtual or not.
func (f *Func) IsFlag(o *Operand) bool {
	return o.File == VReg && f.Regs[o.Num].Class == FlagClass || o.File == ARF && o.Num&0xF0 == isa.ARFF0
}
