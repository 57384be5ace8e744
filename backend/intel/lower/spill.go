// SPDX-License-Identifier: MIT

package lower

import (
	"math"
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Scratch generates code for registers spilled to the thread's scratch memory, with the messages of a family.
type Scratch struct {
	Messages *message.Family
	Platform isa.Platform
	// Bytes is the size of a thread's scratch memory, or 0 for all that the messages reach. Taken is the part
	// that is not available for spilled registers.
	Bytes, Taken uint32
}

// Reach returns the number of bytes of scratch memory for spilled registers of a function: the part that exists and that
// messages can address. Messages whose header can be moved reach all of it.
func (s Scratch) Reach(f *mir.Func) uint32 {
	most := uint32(math.MaxInt32)
	if s.Bytes != 0 {
		most = s.Bytes - min(s.Taken, s.Bytes)
	}
	for _, name := range [...]message.Name{message.ScratchRead, message.ScratchWrite, message.VectorScratchWrite} {
		if row := &s.Messages.Sends[name]; row.Does && row.Base == 0 && !row.Offset && !row.LaneOffsets {
			most = min(most, row.Reach(f.GRF.Bytes()))
		}
	}
	return most
}

// Near returns a small distance: copies of all lanes take up many registers.
func (Scratch) Near() int32 { return 2 }

// Front returns 0: the data of a message is a payload of its own.
func (Scratch) Front(*mir.Func) uint32 { return 0 }

// Exact reports that Store writes all doublewords of lanes.
func (Scratch) Exact(*mir.Inst) bool { return false }

// Fill reads bytes of scratch into r, after its front, before instruction i, as many GRFs at a time as messages support.
// It also loads inactive lanes, whose contents do not matter.
func (s Scratch) Fill(f *mir.Func, i mir.ID, r mir.Reg, front, bytes, slot uint32) (messages int) {
	log := s.mostGRFs(f)
	for at := uint32(0); at < bytes; {
		n := uint32(1)
		for n < 1<<log && at+f.GRF.Start(2*n) <= bytes {
			n *= 2
		}
		in := mir.MakeMessage(&mir.Message{
			Msg: mir.Msg{Name: message.ScratchRead}, Offset: mir.UD(slot + at), Dst: mir.V(r, isa.TypeUD).At(front + at), DstLen: int(n),
		})
		in.Exec, in.NoMask = uint8(min(f.GRF.Start(n)/4, 16)), true
		Message(f, f.Before(i, in), s.Messages, s.Platform)
		messages++
		at += f.GRF.Start(n)
	}
	return messages
}

// mostGRFs returns the logarithm of the number of GRFs that a message reads at most.
func (s Scratch) mostGRFs(f *mir.Func) uint32 {
	if log, ok := s.Messages.Most(message.ScratchRead, message.ValueLog2Grfs); ok {
		return log
	}
	log, _ := s.Messages.Most(message.ScratchRead, message.ValueLog2Dwords)
	return log - uint32(bits.TrailingZeros32(f.GRF.Bytes()/4))
}

// Store writes bytes of r to scratch after instruction i, for the lanes that i wrote, or all lanes if i is unmasked.
func (s Scratch) Store(f *mir.Func, i mir.ID, r mir.Reg, bytes, slot uint32) (messages int) {
	writer := f.At(i)
	exec, ch, noMask := writer.Exec, writer.Chan, writer.NoMask
	per := f.GRF.Dwords()
	if noMask || exec < per {
		exec, ch, noMask = per, ch&^(per-1), true // of a whole register
	}
	step := uint32(exec) * 4 // doublewords written by a message, one for each lane
	behind := i
	for at := uint32(0); at < bytes; at += step {
		e, n := exec, f.GRF.Of(step)
		if at+step > bytes {
			n = f.GRF.Of(bytes - at)
			e = uint8(n) * per
		}
		in := mir.MakeMessage(&mir.Message{
			Msg: mir.Msg{Name: message.ScratchWrite}, Offset: mir.UD(slot + at), Data: mir.V(r, isa.TypeUD).At(at), DataLen: int(n),
		})
		in.Exec, in.Chan, in.NoMask = e, ch, noMask
		behind = f.After(behind, in)
		Message(f, behind, s.Messages, s.Platform)
		messages++
	}
	return messages
}

// Undefine marks the contents of r as undefined before instruction i.
func (Scratch) Undefine(f *mir.Func, i mir.ID, r mir.Reg, bytes uint32) {
	f.Before(i, mir.Inst{Op: mir.OpUndef, Exec: uint8(bytes / 4), NoMask: true, Dst: mir.V(r, isa.TypeUD)})
}

// Keep copies the first lane of the component at byte off of from to byte toOff of to. It inserts the copy after
// instruction i and returns it.
func (Scratch) Keep(f *mir.Func, i mir.ID, to mir.Reg, toOff uint32, from mir.Reg, off uint32) mir.ID {
	return f.After(i, mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true,
		Dst: mir.V(to, isa.TypeUD).At(toOff), Src: [3]mir.Operand{mir.Scalar(from, off, isa.TypeUD)}})
}

// FillFlag returns the instruction that copies a register back to a flag.
func (Scratch) FillFlag(to mir.Flag, from mir.Reg) mir.Inst {
	return mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: to.Whole(), Src: [3]mir.Operand{mir.Scalar(from, 0, isa.TypeUD)}}
}

// KeepFlag returns the instruction that copies a flag to a register.
func (Scratch) KeepFlag(to mir.Reg, from mir.Flag) mir.Inst {
	return mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: mir.V(to, isa.TypeUD), Src: [3]mir.Operand{from.Whole().WithStride(0)}}
}
