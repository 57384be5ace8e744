package ra

import (
	"fmt"

	"jacquard.example/backend/intel/liveness"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

const grfBytes = 32

type spiller struct {
	live          *Live
	messages      *message.Family
	used          uint32
	stores, loads int
}

// spillSteps is what an instruction costs that is looked through for a register.
const spillSteps = 8

// run moves register v to scratch: each instruction that reads it reads a
// register filled just before, each that writes it is followed by a store.
func (s *spiller) run(f *mir.Func, v mir.Reg) error {
	f.Work.Spend(spillSteps * f.NumInsts())
	if s.remat(f, v) {
		return nil
	}
	f.Work.Spend(spillSteps * f.NumInsts())
	slot := s.used
	bytes := (f.Reg(v).Bytes + 31) &^ 31
	if most := s.reach(); slot+bytes > most {
		return fmt.Errorf("%s: spills need more than %d KiB of scratch", f.Name, most>>10)
	}
	s.used += bytes
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Next(i)
			s.inst(f, i, v, slot)
			i = next
		}
	}
	return nil
}

// reach is how much scratch memory of a thread the messages can name that write
// and read spilled registers.
func (s *spiller) reach() uint32 {
	w, _ := s.messages.Most(message.ScratchWrite, message.ValueOffsetGrfs)
	r, _ := s.messages.Most(message.ScratchRead, message.ValueOffsetGrfs)
	return (min(w, r) + 1) * grfBytes
}

// remat handles a register that is a constant: it is loaded again before each
// use instead of kept.
func (s *spiller) remat(f *mir.Func, v mir.Reg) bool {
	def := mir.ID(0)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			if in.Dst.File != mir.VReg || mir.Reg(in.Dst.Num) != v {
				continue
			}
			if def != 0 || in.Op != isa.OpMov || in.Src[0].File != mir.Imm || in.Pred != 0 || in.CMod != 0 || in.Dst.Off != 0 ||
				in.DstBytes() != f.Reg(v).Bytes {
				return false
			}
			def = i
		}
	}
	if def == 0 {
		return false
	}
	load := *f.At(def)
	f.Remove(def)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			tmp := mir.Reg(0)
			for k := range 3 {
				if o := &f.At(i).Src[k]; o.File != mir.VReg || mir.Reg(o.Num) != v {
					continue
				}
				if tmp == 0 {
					info := *f.Reg(v)
					info.NoSpill = true
					tmp = f.AddReg(info)
					load.Dst.Num = uint32(tmp)
					load.NoMask = true
					f.Before(i, load)
				}
				f.At(i).Src[k].Num = uint32(tmp)
			}
		}
	}
	return true
}

func (s *spiller) inst(f *mir.Func, i mir.ID, v mir.Reg, slot uint32) {
	in := f.At(i)
	if in.Op == mir.OpUndef {
		if in.Dst.File == mir.VReg && mir.Reg(in.Dst.Num) == v {
			f.Remove(i)
		}
		return
	}
	lo, hi := uint32(1<<31), uint32(0)
	reads := false
	span := func(o *mir.Operand, n uint32) bool {
		if o.File != mir.VReg || mir.Reg(o.Num) != v || n == 0 {
			return false
		}
		lo, hi = min(lo, o.Off&^31), max(hi, (o.Off+n+31)&^31)
		return true
	}
	for k := range in.Src {
		reads = span(&in.Src[k], in.SrcBytes(k)) || reads
	}
	writes := span(&in.Dst, in.DstBytes())
	if !reads && !writes {
		return
	}
	// A write that leaves something of the span as it was needs the old contents.
	partial := writes && !s.live.defines(in, v, lo, hi)
	gaps := writes && !writesAll(in, lo, hi)
	info := *f.Reg(v)
	info.Bytes, info.NoSpill = hi-lo, true
	tmp := f.AddReg(info)
	in = f.At(i)
	rename := func(o *mir.Operand) {
		if o.File == mir.VReg && mir.Reg(o.Num) == v {
			o.Num, o.Off = uint32(tmp), o.Off-lo
		}
	}
	for k := range in.Src {
		rename(&in.Src[k])
	}
	rename(&in.Dst)
	switch {
	case reads || partial:
		s.fill(f, i, tmp, hi-lo, slot+lo)
	case gaps:
		// The store reads what the instruction leaves out, the upper halves of
		// 16-bit values, say: without this tmp would live all through a loop.
		f.Before(i, mir.Inst{Op: mir.OpUndef, Exec: uint8((hi - lo) / 4), NoMask: true, Dst: mir.V(tmp, isa.TypeUD)})
	}
	if writes {
		s.store(f, i, tmp, hi-lo, slot+lo, f.At(i))
	}
}

// writesAll reports that an instruction writes every byte from lo to hi of its
// destination's register, in the lanes that run.
func writesAll(in *mir.Inst, lo, hi uint32) bool {
	first := in.Dst.Off / 32
	for g := lo / 32; g < hi/32; g++ {
		if g < first || liveness.DstWritePattern(in, uint(g-first)) != ^liveness.Mask(0) {
			return false
		}
	}
	return true
}

// fill reads bytes of scratch into r before instruction i, as many GRFs at a
// time as there are messages for. Reading what inactive lanes left there does
// no harm.
func (s *spiller) fill(f *mir.Func, i mir.ID, r mir.Reg, bytes, slot uint32) {
	log, _ := s.messages.Most(message.ScratchRead, message.ValueLog2Grfs)
	for at := uint32(0); at < bytes; {
		n := uint32(1)
		for n < 1<<log && at+2*n*grfBytes <= bytes {
			n *= 2
		}
		exec := uint8(8)
		if n > 1 {
			exec = 16
		}
		in := mir.MakeMessage(&mir.Message{
			Msg: mir.Msg{Name: message.ScratchRead}, Offset: mir.UD(slot + at), Dst: mir.V(r, isa.TypeUD).At(at), DstLen: int(n),
		})
		in.Exec, in.NoMask = exec, true
		lower.Message(f, f.Before(i, in), s.messages)
		s.loads++
		at += n * grfBytes
	}
}

// store writes bytes of r to scratch behind instruction i, for the lanes that it
// wrote.
func (s *spiller) store(f *mir.Func, i mir.ID, r mir.Reg, bytes, slot uint32, writer *mir.Inst) {
	exec, ch, noMask := writer.Exec, writer.Chan, writer.NoMask
	if noMask || exec < 8 {
		exec, noMask = 8, true
	}
	step := uint32(exec) * 4 // the message writes so many doublewords, one for each lane
	behind := i
	for at := uint32(0); at < bytes; at += step {
		e, n := exec, step/32
		if at+step > bytes {
			n = (bytes - at) / 32
			e = uint8(n * 8)
		}
		in := mir.MakeMessage(&mir.Message{
			Msg: mir.Msg{Name: message.ScratchWrite}, Offset: mir.UD(slot + at), Data: mir.V(r, isa.TypeUD).At(at), DataLen: int(n),
		})
		in.Exec, in.Chan, in.NoMask = e, ch, noMask
		behind = f.After(behind, in)
		lower.Message(f, behind, s.messages)
		s.stores++
	}
}
