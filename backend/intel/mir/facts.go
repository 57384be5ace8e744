package mir

import "jacquard.example/generated/isa"

// fact is a property of an opcode that is queried for many instructions.
type fact uint8

const (
	sends     fact = 1 << iota // it is a message, lowered or not
	spans                      // not all operands span an element for each lane
	writesAcc                  // it writes the accumulator besides its operands, even without AccWrEn
	readsAcc                   // it reads the accumulator besides its operands
	readsMode                  // its result depends on the float mode
	steers                     // it changes which lanes run
	waits                      // it may wait for memory
)

// facts has the facts of all opcodes.
var facts = func() (facts [256]fact) {
	for o := range isa.Ops {
		info := &isa.Ops[o]
		if info.WritesAcc {
			facts[o] |= writesAcc
		}
		if info.ReadsAcc {
			facts[o] |= readsAcc
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
	for _, o := range [...]isa.Op{isa.OpSync, isa.OpMath, OpCompose, OpIndirect, OpAddress} {
		facts[o] |= spans
	}
	return facts
}()

// is reports whether a fact holds for an instruction.
func (in *Inst) is(x fact) bool { return facts[in.Op]&x != 0 }

// IsSend reports whether an instruction is a message, lowered or not.
func (in *Inst) IsSend() bool { return in.is(sends) }

// PerLane reports whether each register operand spans an element for each lane.
func (in *Inst) PerLane() bool { return !in.is(spans) }

// Steers reports whether an instruction changes which lanes run. Besides control flow, these are the marks
// where loops start and halted lanes resume.
func (in *Inst) Steers() bool { return in.is(steers) }
