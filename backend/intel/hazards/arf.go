// SPDX-License-Identifier: MIT

package hazards

import "jacquard.example/generated/isa"

// a0 returns the register for a doubleword of a0, which is a whole on machines with one pipe.
func (p *program) a0(dword int) int {
	if !p.pipes {
		dword = 0
	}
	return regA0 + dword%numA0
}

// addresses adds the doublewords of a0 that contain n addresses, the first of which is at a word.
func (p *program) addresses(in *inst, word, n int) {
	in.whole = true
	for i := word; i < word+n; i++ {
		in.reads.add(p.a0(i / 2))
	}
}

// readARF adds n bytes at a byte of an architecture register to the reads of an instruction.
func (p *program) readARF(in *inst, o *isa.Operand, at, n int) {
	if o.Reg&0xF0 == isa.ARFA0 {
		p.addresses(in, at/2, (n+1)/2)
	} else if p.pipes {
		in.looks.addBytes(p.grf, o, at, n)
	}
}

// writeARF adds the architecture register that an instruction writes. On machines with one pipe, acc0 and acc1 are
// tracked by hardware, the others are not; with several pipes, all accumulators are tracked alike (iga64 -Xauto-deps).
func (p *program) writeARF(in *inst, word *isa.Inst) {
	o := &word.Dst
	kind := o.Reg & 0xF0
	in.control = kind != isa.ARFA0 && kind != isa.ARFF0 && (kind != isa.ARFAcc0 || !p.pipes && o.Reg&15 > 1)
	size := max(o.Type.Size(), 1)
	for lane := range int(word.ExecSize) {
		at := int(o.Sub) + lane*size*max(int(o.HStride), 1)
		switch {
		case kind == isa.ARFA0:
			in.writes.add(p.a0(at / 4))
			in.writes.add(p.a0((at + size - 1) / 4))
			in.result.add(p.grf, regA0*p.grf+at, size)
		case p.pipes:
			in.sets.addBytes(p.grf, o, at, size)
		}
	}
}
