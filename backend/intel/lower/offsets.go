// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Payloads and extended descriptors of messages that access the thread's scratch space through a surface: addresses are
// offsets into it, and its state is named by the thread's header (GENS.md 8; Alchemist PRM vol. 2a, "LSC").

// spillState is the address register with the extended descriptor of a message that spills. Other address registers start
// at a0.0 and, on machines with such messages, have at most eight words ([SplitNarrow]): a spill may come between their
// definition and their use.
var spillState = mir.Arch(isa.ARFA0, 28, isa.TypeUD)

// offsetRegister returns a register that starts with an offset. All of it is written, so that it does not live longer.
func offsetRegister(f *mir.Func, i mir.ID, offset mir.Operand) mir.Operand {
	whole := f.GRF.Align()
	at := mir.V(f.AddReg(mir.RegInfo{Bytes: f.GRF.Bytes(), Lane: whole, Uniform: true, Align: whole, NoSpill: true}), isa.TypeUD)
	f.Before(i, mir.Inst{Op: isa.OpMov, Exec: whole / 4, NoMask: true, Loc: f.At(i).Loc, Dst: at, Src: [3]mir.Operand{offset}})
	return at
}

// laneOffsets returns registers with an offset plus 4 for each lane of message i, and their number. The message's first lane
// is at the offset, whichever lane of the program it is.
func laneOffsets(f *mir.Func, i mir.ID, offset mir.Operand) (mir.Operand, uint8) {
	exec, loc := f.At(i).Exec, f.At(i).Loc
	n := f.GRF.Count(4 * uint32(exec))
	whole := f.GRF.Align()
	at := mir.V(f.AddReg(mir.RegInfo{Bytes: f.GRF.Start(uint32(n)), Lane: whole, Uniform: true, Align: whole, NoSpill: true}), isa.TypeUD)
	emit := func(op isa.Op, exec uint8, dst mir.Operand, src ...mir.Operand) {
		in := mir.Inst{Op: op, Exec: exec, NoMask: true, Loc: loc, Dst: dst}
		copy(in.Src[:], src)
		f.Before(i, in)
	}
	// The numbers of the lanes, as words in the last register: a doubleword for each replaces them, a register at a time.
	emit(mir.OpUndef, uint8(f.GRF.Start(uint32(n))/4), at)
	words := at.At(f.GRF.Start(uint32(n - 1))).As(isa.TypeUW)
	emit(isa.OpMov, 8, words, mir.ImmOp(0x76543210, isa.TypeV))
	for lane := uint8(8); lane < exec; lane *= 2 {
		emit(isa.OpAdd, lane, words.At(2*uint32(lane)), words.WithStride(1), mir.UW(uint16(lane)))
	}
	for lane := uint8(0); lane < exec; lane += f.GRF.Dwords() {
		emit(isa.OpShl, min(exec, f.GRF.Dwords()), at.At(4*uint32(lane)), words.At(2*uint32(lane)).WithStride(1), mir.UD(2))
	}
	if offset.Num != 0 {
		emit(isa.OpAdd, exec, at, at.WithStride(1), offset)
	}
	return at, uint8(n)
}
