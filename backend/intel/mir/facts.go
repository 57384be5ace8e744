// SPDX-License-Identifier: MIT

package mir

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// fact is a property of an opcode that is queried for many instructions.
type fact uint8

const (
	sends     fact = 1 << iota // it is a message, lowered or not
	spans                      // not all operands span an element for each lane
	writesAcc                  // it writes the accumulator besides its operands, even without AccWrEn
	ReadsAcc                   // it reads the accumulator besides its operands
	readsMode                  // its result depends on the float mode
	steers                     // it changes which lanes run
	waits                      // it may wait for memory
	dots                       // each lane's result depends on the elements of all lanes of its group of four
)

// facts has the facts of all opcodes.
var facts = func() (facts [256]fact) {
	for o := range isa.Ops {
		info := &isa.Ops[o]
		if info.WritesAcc {
			facts[o] |= writesAcc
		}
		if info.ReadsAcc {
			facts[o] |= ReadsAcc
		}
		switch info.Format {
		case isa.FormatBasic, isa.FormatTernary, isa.FormatMath:
			facts[o] |= readsMode
		case isa.FormatBranch:
			facts[o] |= steers
		case isa.FormatSync, isa.FormatWait:
			facts[o] |= waits
		}
	}
	facts[OpMulHigh] |= readsMode | writesAcc // because it becomes mul and mach
	for _, o := range [...]isa.Op{OpLoop, OpHaltTarget} {
		facts[o] |= steers
	}
	for _, o := range [...]isa.Op{isa.OpSend, isa.OpSendc, OpMessage} {
		facts[o] |= sends | spans
	}
	for _, o := range [...]isa.Op{isa.OpSync, isa.OpMath, isa.OpPln, OpCompose, OpIndirect, OpAddress} {
		facts[o] |= spans
	}
	for _, o := range [...]isa.Op{isa.OpDp2, isa.OpDp3, isa.OpDp4, isa.OpDph} {
		facts[o] |= dots
	}
	return facts
}()

// Is reports whether a fact holds for an instruction.
func (in *Inst) Is(x fact) bool { return facts[in.Op]&x != 0 }

// IsSend reports whether an instruction is a message, lowered or not.
func (in *Inst) IsSend() bool { return in.Is(sends) }

// PerLane reports whether each register operand spans an element for each lane.
func (in *Inst) PerLane() bool { return !in.Is(spans) }

// ReadsGroup reports whether the result of each lane depends on the elements that the other lanes of its group of four read.
func (in *Inst) ReadsGroup() bool { return in.Is(dots) }

// Steers reports whether an instruction changes which lanes run. Besides control flow, these are the marks
// where loops start and halted lanes resume.
func (in *Inst) Steers() bool { return in.Is(steers) }

// Error is an error in a function. Inst is 0 if the error concerns a block or the whole function.
type Error struct {
	Block int
	Inst  ID
	Text  string // text of the instruction
	Msg   string
}

func (e *Error) Error() string {
	if e.Inst == 0 {
		return e.Msg
	}
	return fmt.Sprintf("block %d: %s: %s", e.Block, e.Text, e.Msg)
}

// Position is the set of positions that an instruction must have in its block.
type Position uint8

const (
	Starts Position = 1 << iota
	Ends
)

// Places gives the fixed positions of opcodes.
var Places = [256]Position{
	OpLoop: Starts, OpHaltTarget: Starts,
	isa.OpIf: Ends, isa.OpBreak: Ends, isa.OpCont: Ends, isa.OpHalt: Ends,
	isa.OpElse: Starts | Ends, isa.OpEndif: Starts | Ends, isa.OpWhile: Starts | Ends,
}

// IsAddress reports whether an operand is the start of an address register, virtual or a0.
func (f *Func) IsAddress(o *Operand) bool {
	return o.Off == 0 && (o.File == ARF && o.Num == isa.ARFA0 ||
		o.File == VReg && uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Class == AddressClass)
}

// ChoosesElements reports whether an instruction has a swizzle or a partial write mask. Not every machine has
// them.
func (in *Inst) ChoosesElements() bool { return in.Dst.Mask != 0 || in.Swizzled() }
