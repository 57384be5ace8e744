// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// FenceEnd emits a fence before the thread's last message if the code has atomics of buffers that return nothing
// (Wa_22013689345). Messages are still logical.
func FenceEnd(f *mir.Func) {
	if !dropsResults(f) {
		return
	}
	in := mir.MakeMessage(&mir.Message{Msg: mir.Msg{Name: message.EndFence, Space: message.Buffer}})
	in.Exec, in.NoMask = 1, true
	f.Before(f.Blocks[len(f.Blocks)-1].Last, in)
}

// dropsResults reports whether the function has an atomic of a buffer without a result.
func dropsResults(f *mir.Func) bool {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if !in.IsSend() || in.Msg.Space != message.Buffer || in.Len[2] != 0 {
				continue
			}
			switch in.Msg.Name {
			case message.Atomic, message.AtomicFloat, message.A64Atomic, message.A64AtomicFloat:
				return true
			}
		}
	}
	return false
}

// FirstLanes makes the program start with an instruction that some lane executes (Wa_14015360517). Registers are allocated.
func FirstLanes(f *mir.Func) {
	for i, in := f.FirstOf(0); i != 0; i, in = f.NextOf(in) {
		if in.Op == mir.OpUndef || in.Op == mir.OpLoop { // no code
			continue
		}
		if in.NoMask || int(in.Exec) == f.Width {
			return
		}
		break
	}
	whole := mir.Inst{
		Op: isa.OpMov, Exec: 8, NoMask: true, SideEff: true, Dst: mir.Null(isa.TypeUD), Src: [3]mir.Operand{mir.UD(0)},
	}
	if first := f.Blocks[0].First; first != 0 {
		f.Before(first, whole)
	} else {
		f.Append(0, whole)
	}
}
