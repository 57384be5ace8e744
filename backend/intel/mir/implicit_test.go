// SPDX-License-Identifier: MIT

package mir_test

import (
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

func asking(name message.Name, space message.Space) mir.Inst {
	return mir.Inst{Op: mir.OpMessage, Msg: mir.Msg{Name: name, Space: space}}
}

func TestImplicit(t *testing.T) {
	const flag, acc, mode, mask = mir.ImplicitFlag, mir.ImplicitAcc, mir.ImplicitMode, mir.ImplicitMask
	buffer, shared := mir.ImplicitMemory(message.Buffer), mir.ImplicitMemory(message.Shared)
	all := buffer | shared | mir.ImplicitMemory(message.Private) | mir.ImplicitMemory(message.Image) |
		mir.ImplicitMemory(message.Nowhere) | mir.ImplicitSpill
	for _, c := range []struct {
		name          string
		in            mir.Inst
		reads, writes mir.Implicit
	}{
		{"a sum", mir.Inst{Op: isa.OpAdd}, mode | mask, 0},
		{"a sum without a mask", mir.Inst{Op: isa.OpAdd, NoMask: true}, mode, 0},
		{"a sum that sets a flag", mir.Inst{Op: isa.OpAdd, CMod: isa.CModEQ}, mode | mask, flag},
		{"a selection", mir.Inst{Op: isa.OpSel, Pred: isa.PredNormal}, mode | mask | flag, 0},
		{"a minimum", mir.Inst{Op: isa.OpSel, CMod: isa.CModLT}, mode | mask, 0},
		{"a choice by a comparison with zero", mir.Inst{Op: isa.OpCsel, CMod: isa.CModLT}, mode | mask, 0},
		{"a comparison under a predicate", mir.Inst{Op: isa.OpCmp, CMod: isa.CModLT, Pred: isa.PredNormal}, mode | mask | flag, flag},
		{"mach", mir.Inst{Op: isa.OpMach, AccWrEn: true}, mode | mask | acc, acc},
		{"addc", mir.Inst{Op: isa.OpAddc}, mode | mask, acc},
		{"a high product", mir.Inst{Op: mir.OpMulHigh}, mode | mask, acc},
		{"a branch", mir.Inst{Op: isa.OpBreak, Pred: isa.PredNormal}, mask | flag, mask},
		{"a loop", mir.Inst{Op: mir.OpLoop}, mask, mask},
		{"a read of a buffer", asking(message.UntypedRead, message.Buffer), mask | buffer, 0},
		{"a write to shared memory", asking(message.ByteWrite, message.Shared), mask | shared, shared},
		{"a fence", asking(message.Fence, message.Buffer), mask | buffer, buffer},
		{"a barrier", asking(message.Barrier, message.Nowhere), mask | all, all},
		{"a fill", asking(message.ScratchRead, message.Nowhere), mask | mir.ImplicitSpill, 0},
		{"a spill", asking(message.ScratchWrite, message.Nowhere), mask | mir.ImplicitSpill, mir.ImplicitSpill},
		{"a send without a mask", mir.Inst{Op: isa.OpSend, NoMask: true}, all, all},
		{"a fence of two spaces", func() mir.Inst {
			in := asking(message.Fence, message.Buffer)
			in.Orders = mir.SpacesOf(message.Buffer, message.Shared)
			return in
		}(), mask | buffer | shared, buffer | shared},
		{"awaiting it", mir.Inst{Op: isa.OpMov, NoMask: true, Orders: mir.SpacesOf(message.Shared)}, mode | shared, shared},
		{"a volatile read", func() mir.Inst {
			in := asking(message.UntypedRead, message.Buffer)
			in.Orders = mir.SpacesOf(message.Buffer)
			return in
		}(), mask | buffer, buffer},
		{"the notification register", mir.Inst{Op: isa.OpWait, NoMask: true}, all, all},
		{"setting the mode", mir.Inst{Op: isa.OpOr, NoMask: true, Dst: mir.Arch(isa.ARFCR0, 0, ud), Src: [3]mir.Operand{mir.Arch(isa.ARFCR0, 0, ud)}}, mode, mode},
		{"writing the accumulator", mir.Inst{Op: isa.OpMov, NoMask: true, Dst: mir.Arch(isa.ARFAcc0, 0, ud)}, mode, acc},
		{"reading it", mir.Inst{Op: isa.OpMov, NoMask: true, Src: [3]mir.Operand{mir.Arch(isa.ARFAcc0, 0, ud)}}, mode | acc, 0},
		{"copying a flag", mir.Inst{Op: isa.OpMov, NoMask: true, Dst: mir.Arch(isa.ARFF0, 0, ud)}, mode, flag},
		{"waiting", mir.Inst{Op: isa.OpSync, NoMask: true}, all, all},
	} {
		if reads, writes := c.in.Implicit(); reads != c.reads || writes != c.writes {
			t.Errorf("%s reads %b and writes %b, want %b and %b", c.name, reads, writes, c.reads, c.writes)
		}
	}
}
