// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// branch determines where an instruction may send the thread. A branch may be taken, to JIP, or not (TGL PRM
// vol. 2a, "Flow Control").
func (in *inst) branch(word *isa.Inst) error {
	in.falls = !in.eot
	if isa.Ops[word.Op].Format != isa.FormatBranch {
		return nil
	}
	switch word.Op {
	case isa.OpIf, isa.OpElse, isa.OpEndif, isa.OpWhile, isa.OpBreak, isa.OpCont, isa.OpHalt:
	case isa.OpJmpi:
		in.falls = word.Pred != isa.PredNone
	default:
		return fmt.Errorf("the control flow of %s is not supported", word.Op)
	}
	if word.Src[0].File != isa.FileNone {
		return fmt.Errorf("a branch to a target in a register is not supported")
	}
	in.jumps, in.jip = true, word.JIP
	return nil
}

// targets finds the instructions that the thread may execute after instruction i.
func (p *program) targets(i int) error {
	in := &p.insts[i]
	if in.jumps {
		pc := int(in.pc) + int(in.jip)
		if pc < 0 || pc >= len(p.code) || pc%unit != 0 || p.at[pc/unit] == 0 {
			return fmt.Errorf("no instruction begins at 0x%04x", pc)
		}
		in.add(p.at[pc/unit] - 1)
	}
	if in.falls {
		if i+1 >= len(p.insts) {
			return fmt.Errorf("the program runs past its end here")
		}
		in.add(int32(i + 1))
	}
	return nil
}

func (in *inst) add(next int32) {
	in.next[in.numNext] = next
	in.numNext++
}

// leaves reports whether the thread may continue anywhere except at the next instruction, i+1.
func (in *inst) leaves(i int) bool { return in.numNext != 1 || int(in.next[0]) != i+1 }

// findBlocks finds the basic blocks: runs of instructions entered only at the first and left only at the last.
func (p *program) findBlocks() {
	for i := range p.insts {
		p.insts[i].block = -1
	}
	first := func(i int) {
		if i < len(p.insts) {
			p.insts[i].block = 0
		}
	}
	first(0)
	for i := range p.insts {
		if in := &p.insts[i]; in.leaves(i) {
			for _, j := range in.next[:in.numNext] {
				first(int(j))
			}
			first(i + 1)
		}
	}
	for i := range p.insts {
		if p.insts[i].block == 0 {
			p.insts[i].block = int32(len(p.starts))
			p.starts = append(p.starts, int32(i))
		}
	}
}

// end returns the instruction after a block.
func (p *program) end(block int) int {
	if block+1 < len(p.starts) {
		return int(p.starts[block+1])
	}
	return len(p.insts)
}
