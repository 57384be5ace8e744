// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"
	"math/bits"

	"jacquard.example/generated/isa"
)

// tracked is a set of registers that hardware keeps in order within a pipe, but not across pipes: flags and accumulators
// (iga64 -Xauto-deps for 12p71; Wa_22012725308). It is empty on machines with one pipe.
//
// Bits 7:0 are f0.0, f0.1, f1.0 … f3.1, the others the accumulators.
type tracked uint32

const (
	firstAcc = 8   // bit of acc0
	f0and1   = 0xF // flags that the vertical modes of predicates combine
)

// String returns the name of the first register.
func (s tracked) String() string {
	if n := bits.TrailingZeros32(uint32(s)); n >= firstAcc {
		return fmt.Sprintf("acc%d", n-firstAcc)
	} else {
		return fmt.Sprintf("f%d.%d", n>>1, n&1)
	}
}

// addBytes adds the registers that contain n bytes at a byte of an architecture register of grf bytes.
func (s *tracked) addBytes(grf int, o *isa.Operand, at, n int) {
	for i := at; i < at+n; i++ {
		switch o.Reg & 0xF0 {
		case isa.ARFF0:
			*s |= 1 << (2*int(o.Reg&15) + i/2)
		case isa.ARFAcc0:
			*s |= 1 << (firstAcc + int(o.Reg&15) + i/grf)
		}
	}
}

// implicit adds the reads and writes of an instruction besides its operands: the flags of its predicate and of its
// condition, and the accumulators of the lanes, acc0 and acc1.
func (in *inst) implicit(word *isa.Inst) {
	const accs tracked = 3 << firstAcc
	info := &isa.Ops[word.Op]
	if word.Pred != isa.PredNone {
		in.looks |= predicate(word)
	}
	// The condition of sel and csel chooses a source (TGL PRM vol. 2a, "sel", "csel").
	if word.CMod != isa.CModNone && word.Op != isa.OpSel && word.Op != isa.OpCsel {
		in.sets |= flags(word)
	}
	if info.ReadsAcc {
		in.looks |= accs
	}
	// Mach has no bit for its write to the accumulator where macl has another opcode.
	if info.WritesAcc || word.AccWrEn || word.Op == isa.OpMach || word.Op == isa.OpMacl {
		in.sets |= accs
	}
}

// flags returns the words of the flag register with the bits of an instruction's lanes.
func flags(word *isa.Inst) tracked {
	first, last := int(word.ChanOff)/16, (int(word.ChanOff)+max(int(word.ExecSize), 1)-1)/16
	if word.Flag&1 != 0 { // lanes 16 to 31 have no bits after it
		first, last = 1, 1
	}
	return (1<<(last+1) - 1<<first) << (word.Flag &^ 1)
}

// predicate returns the words of the flag registers that a predicate reads.
func predicate(word *isa.Inst) tracked {
	f := flags(word)
	switch word.Pred {
	case isa.PredAnyV, isa.PredAllV:
		f = (f | f<<2 | f>>2) & f0and1
	case isa.PredAny32H, isa.PredAll32H:
		f = 3 << (word.Flag &^ 1)
	}
	return f & (1<<firstAcc - 1)
}
