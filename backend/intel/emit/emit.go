// SPDX-License-Identifier: MIT

package emit

import (
	"iter"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
)

const instBytes = 16

// Stats counts emitted instructions, excluding nop and sync.nop.
type Stats struct {
	Instructions int
	Sends        int // excluding spills and fills
	Loops        int
	Bytes        int
}

// An Emitter encodes functions one after another and reuses its memory.
type Emitter struct {
	// Each, if not nil, receives every encoded instruction with its offset in bytes.
	Each interface {
		Add(in *isa.Inst, at int)
		Loop(at int, n trips.Count) // called before the first instruction of a loop
	}

	p     isa.Platform
	f     *mir.Func
	grf   mir.RegSize // f.GRF
	accWr bool        // words have a bit for AccWrEn, which mach implies elsewhere
	code  []byte
	at    []int32 // by instruction: its offset
	stats Stats
	raw   isa.Inst // the instruction being encoded
}

// Code encodes f for platform p and appends the result to code. An instruction without an encoding is reported
// as an *mir.Error.
func (e *Emitter) Code(p isa.Platform, f *mir.Func, code []byte) ([]byte, Stats, error) {
	e.p, e.accWr = p, !slices.Contains(p.Words().Lacks, "AccWrEn")
	e.f, e.grf = f, f.GRF
	e.code, e.stats = code, Stats{}
	e.at = reuse.Slice(e.at, f.NumInsts())
	e.code = slices.Grow(e.code, int(e.place()))
	raw := &e.raw
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op == mir.OpLoop {
				e.stats.Loops++
				if e.Each != nil {
					e.Each.Loop(int(e.at[i]), in.Trips)
				}
			}
			if !Emits(in.Op) {
				continue
			}
			if err := e.convert(in, raw); err != nil {
				return nil, e.stats, refused(f, b, i, err)
			}
			switch isa.Ops[raw.Op].Format {
			case isa.FormatSend:
				sendWord(p, raw)
			case isa.FormatBranch:
				jip, uip := e.targets(b, i)
				raw.JIP, raw.UIP = jip-e.at[i], uip-e.at[i]
			}
			n := len(e.code)
			e.code = e.code[:n+instBytes]
			if err := isa.Encode(p, raw, e.code[n:]); err != nil {
				return nil, e.stats, refused(f, b, i, err)
			}
			e.count(in)
			if e.Each != nil {
				e.Each.Add(raw, int(e.at[i]))
			}
		}
	}
	e.stats.Bytes = len(e.code)
	return e.code, e.stats, nil
}

// refused returns the error for an instruction without an encoding.
func refused(f *mir.Func, b int, i mir.ID, err error) error {
	return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: err.Error()}
}

// Emits reports whether an opcode appears in the machine code.
func Emits(o isa.Op) bool { return o != mir.OpLoop && o != mir.OpUndef }

// Offsets iterates over the instructions of the last encoded function, with their offsets in bytes from the
// start of its code.
func (e *Emitter) Offsets() iter.Seq2[mir.ID, int] {
	return func(yield func(mir.ID, int) bool) {
		for b := range e.f.Blocks {
			for i := e.f.Blocks[b].First; i != 0; i = e.f.Next(i) {
				if Emits(e.f.At(i).Op) && !yield(i, int(e.at[i])) {
					return
				}
			}
		}
	}
}

func (e *Emitter) count(in *mir.Inst) {
	if in.Op == isa.OpSync && in.Sync == isa.SyncNop || in.Op == isa.OpNop {
		return
	}
	e.stats.Instructions++
	if in.IsSend() && !in.Msg.Name.Info().Spill {
		e.stats.Sends++
	}
}

// place assigns an offset to each instruction and returns the size of the code.
func (e *Emitter) place() (here int32) {
	f := e.f
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			e.at[i] = here
			if Emits(in.Op) {
				here += instBytes
			}
		}
	}
	return here
}

// block returns the offset of the first instruction of a block.
func (e *Emitter) block(b int32) int32 { return e.at[e.f.Blocks[b].First] }

// targets returns the branch targets of instruction i of block b. The thread jumps to jip if no lane is left;
// the lanes that the branch deactivates continue at uip.
func (e *Emitter) targets(b int, i mir.ID) (jip, uip int32) {
	f, next := e.f, e.at[i]+instBytes
	c := &f.Constructs[f.Blocks[b].In]
	exit := next
	if to := f.Exit(b); to != 0 {
		exit = e.block(int32(to))
	}
	switch f.At(i).Op {
	case isa.OpIf:
		c := &f.Constructs[f.Blocks[b].If]
		if c.Else != 0 {
			return e.block(c.Else) + instBytes, e.block(c.Last)
		}
		return e.block(c.Last), e.block(c.Last)
	case isa.OpElse:
		return e.block(c.Last), e.block(c.Last)
	case isa.OpEndif:
		return exit, exit
	case isa.OpBreak, isa.OpCont:
		return exit, e.block(f.Constructs[c.Loop].Last)
	case isa.OpWhile:
		return e.block(c.First), e.block(c.First)
	case isa.OpHalt:
		return exit, e.block(f.Resume)
	}
	return next, next // mir.OpHaltTarget
}
