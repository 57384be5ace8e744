// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// message determines the registers of a send from the lengths in its descriptors. The lengths of a descriptor in a0 are
// taken from the constant that was last written there. a0 is read when the message is issued.
func (p *program) message(in *inst, word *isa.Inst, a0 *descriptors) error {
	in.whole = true
	desc, xlen, known := word.Desc, int(word.ExDesc>>6&0x1F), true
	if word.DescReg {
		in.reads.add(p.a0(0))
		desc, known = a0[0].constant, a0[0].bits&descLengths == descLengths
	}
	if word.ExDescReg {
		d := &a0[word.ExDescSub%numA0]
		in.reads.add(p.a0(int(word.ExDescSub)))
		if !word.ExBSO { // Gen12.5: bits 10:6 of a0 belong to the surface's offset
			xlen, known = int(d.constant>>6&0x1F), known && d.bits&exDescLength == exDescLength
		}
	}
	if !known {
		return fmt.Errorf("the lengths of the message are unknown")
	}
	mlen, rlen := int(desc>>25&0xF), int(desc>>20&0x1F)
	in.late.addRun(int(word.Src[0].Reg), mlen)
	if word.Src[1].File == isa.FileGRF {
		in.late.addRun(int(word.Src[1].Reg), xlen)
	}
	in.reads = in.reads.union(&in.late)
	if word.Dst.File == isa.FileGRF {
		in.writes.addRun(int(word.Dst.Reg), rlen)
	}
	return nil
}

// Bits of descriptors that are lengths.
const (
	descLengths  = 0x1FF << 20
	exDescLength = 0x1F << 6
)

// descriptors holds the known bits of each doubleword of a0, from the moves, ands, ors and shifts of a block: their values
// are in constant, and bits is their mask.
type descriptors [numA0]struct{ constant, bits uint32 }

// follow updates the descriptors for an instruction.
func (d *descriptors) follow(word *isa.Inst) {
	if isa.Ops[word.Op].Format == isa.FormatBranch {
		*d = descriptors{}
		return
	}
	o := &word.Dst
	if o.File != isa.FileARF || o.Reg&0xF0 != isa.ARFA0 {
		return
	}
	size := max(o.Type.Size(), 1)
	for lane := range max(int(word.ExecSize), 1) {
		d[(int(o.Sub)+lane*size*max(int(o.HStride), 1))/4%numA0].bits = 0
	}
	for k := range 2 {
		s, e := &word.Src[k], &d[o.Sub/4%numA0]
		switch {
		case s.File != isa.FileImm || size != 4:
			continue
		case word.Op == isa.OpOr || word.Op == isa.OpMov && k == 0: // the other operand has none of the lengths
			e.constant, e.bits = uint32(s.Imm), ^uint32(0)
		case word.Op == isa.OpAnd:
			e.constant, e.bits = 0, ^uint32(s.Imm)
		case word.Op == isa.OpShl && k == 1:
			e.constant, e.bits = 0, 1<<(s.Imm&31)-1
		}
	}
}
