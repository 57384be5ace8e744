// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// Messages of vertex and fragment threads with constant descriptors.

// constant reports whether an instruction is a message to a shared function with immediate descriptors.
func (in *inst) constant(to isa.SFID) bool {
	return in.send() && in.SFID == to && !in.DescReg && !in.ExDescReg
}

// targetWrite reports whether an instruction writes a render target.
func (in *inst) targetWrite() bool { return in.constant(isa.SFIDRC) && in.Desc>>14&15 == 0xC }

func targetOrder(in *inst) string {
	if in.targetWrite() && in.Op != isa.OpSendc && in.Op != isa.OpSendsc {
		return "the message does not wait for the pixels of earlier threads"
	}
	return ""
}

func targetLanes(in *inst) string {
	if !in.targetWrite() {
		return ""
	}
	lanes, first := uint8(8), uint8(in.Desc>>11&1*16)
	switch in.Desc >> 8 & 7 {
	case 0, 1:
		lanes = 16
	case 3:
		first += 8
	}
	return writesLanes(in, lanes, first)
}

func targetLanesXe2(in *inst) string {
	if !in.targetWrite() {
		return ""
	}
	lanes := uint8(16)
	if in.Desc>>8&7 == 1 {
		lanes = 32
	}
	return writesLanes(in, lanes, uint8(in.Desc>>11&1*16))
}

func writesLanes(in *inst, lanes, first uint8) string {
	if in.ExecSize != lanes || in.ChanOff != first {
		return fmt.Sprintf("the message writes lanes %d to %d, the instruction has lanes %d to %d", first, first+lanes-1,
			in.ChanOff, in.ChanOff+in.ExecSize-1)
	}
	return ""
}

func targetExtended(in *inst) string {
	if in.targetWrite() && in.ExDesc>>10 != 0 {
		return fmt.Sprintf("the extended descriptor is %#x", in.ExDesc)
	}
	return ""
}

func urbHeader(in *inst) string {
	if in.constant(isa.SFIDURB) && in.Desc>>19&1 == 0 {
		return "the register of handles is not declared as a header"
	}
	return ""
}

func urbLanes(in *inst) string {
	if in.constant(isa.SFIDURB) && in.ExecSize != 8 {
		return fmt.Sprintf("the message has 8 lanes, the instruction %d", in.ExecSize)
	}
	return ""
}

// urbPairs checks the length of a message that writes the slots of two entries from one register each, after its header.
func urbPairs(in *inst) string {
	if !in.constant(isa.SFIDURB) || in.Desc>>14&1 == 0 {
		return ""
	}
	if n := in.Desc >> 25 & 15; n%2 == 0 || n == 1 {
		return fmt.Sprintf("the message has %d registers", n)
	}
	return ""
}
