// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// VectorScratch is like Scratch, for threads whose lanes are the components of vertices. Their messages have one payload,
// which starts with the header, and write only the components in a write mask.
type VectorScratch struct{ Scratch }

// Near returns a larger distance than for other threads: a copy takes up one register.
func (VectorScratch) Near() int32 { return 10 }

// Front returns the size of the header.
func (VectorScratch) Front(f *mir.Func) uint32 { return f.GRF.Bytes() }

// Exact reports whether an instruction writes whole components of each vertex.
func (VectorScratch) Exact(in *mir.Inst) bool {
	return in.Align16 && !in.IsSend() && in.Dst.Mask != 0 && in.Dst.Type.Size() == 4 && (in.Pred == isa.PredNone || in.Op == isa.OpSel)
}

// Store writes the GRFs of r, in front of which is room for the header, to scratch after instruction i, each by a message.
// A GRF that is written makes room for the header of the next one.
func (s VectorScratch) Store(f *mir.Func, i mir.ID, r mir.Reg, bytes, slot uint32) (messages int) {
	writer := f.At(i)
	mask, noMask := writer.Dst.Mask, writer.NoMask
	if !s.Exact(writer) {
		mask = 0
	}
	for at := uint32(0); at < bytes; at += f.GRF.Bytes() {
		payload := mir.V(r, isa.TypeUD).At(at)
		i = f.After(i, mir.Inst{Op: isa.OpMov, Exec: 8, NoMask: true, Dst: payload,
			Src: [3]mir.Operand{mir.Fixed(threadHeader, isa.TypeUD)}})
		in := mir.MakeMessage(&mir.Message{
			Msg: mir.Msg{Name: message.VectorScratchWrite}, Address: payload, AddressLen: 2, Offset: mir.UD(slot + at),
		})
		in.Exec, in.NoMask, in.Align16 = 8, noMask, true
		in.Dst.Mask = mask
		i = f.After(i, in)
		Message(f, i, s.Messages, s.Platform)
		messages++
	}
	return messages
}
