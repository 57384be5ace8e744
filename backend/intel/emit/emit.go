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

// Stats counts emitted instructions in the usual way: without NOP and sync.nop.
type Stats struct {
	Instructions int
	Sends        int // excluding spills and fills
	Loops        int
	Bytes        int
}

// An Emitter encodes one function after another and reuses its memory.
type Emitter struct {
	// Each, if not nil, is told every instruction that has been encoded, with its offset in bytes.
	Each interface {
		Add(in *isa.Inst, at int)
		Loop(at int, n trips.Count) // is called before the first instruction of a loop
	}

	f       *mir.Func
	code    []byte
	at      []int32  // by instruction: its address
	targets []target // by instruction: its branch target
	stats   Stats
	raw     isa.Inst // the instruction that is being encoded

	// The open constructs while branches are resolved. Closed constructs stay in the
	// memory of stack so that their lists are reused.
	stack        []construct
	halts, outer []mir.ID
}

// Code encodes f for platform p, appending to code. An instruction that has no encoding
// is an *mir.Error.
func (e *Emitter) Code(p isa.Platform, f *mir.Func, code []byte) ([]byte, Stats, error) {
	e.f, e.code, e.stats = f, code, Stats{}
	e.at = reuse.Slice(e.at, f.NumInsts())
	e.targets = reuse.Zeroed(e.targets, f.NumInsts())
	e.code = slices.Grow(e.code, int(e.follow()))
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
			if err := convert(in, raw); err != nil {
				return nil, e.stats, refused(f, b, i, err)
			}
			switch isa.Ops[raw.Op].Format {
			case isa.FormatSend:
				sendWord(p, raw)
			case isa.FormatBranch:
				if t := &e.targets[i]; t.set {
					raw.JIP, raw.UIP = t.jip-e.at[i], t.uip-e.at[i]
				}
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

// refused returns the error for an instruction that has no encoding.
func refused(f *mir.Func, b int, i mir.ID, err error) error {
	return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: err.Error()}
}

// Emits reports whether an opcode appears in the machine code.
func Emits(o isa.Op) bool { return o != mir.OpLoop && o != mir.OpUndef }

// Offsets iterates over the instructions of the last function that Code encoded, with
// their offsets in bytes from the start of its code.
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

// target holds the addresses that a branch goes to. Only branches have one.
type target struct {
	jip, uip int32
	set      bool
}

// construct is an open if or loop.
type construct struct {
	loop   bool
	start  int32  // loop: address of its first instruction
	branch mir.ID // if: the if or the else
	first  mir.ID // if: the if, once its else has been seen
	jumps  []mir.ID
	exits  []mir.ID // loop: break and cont
}

// open enters a construct.
func (e *Emitter) open(c construct) {
	n := len(e.stack)
	if n < cap(e.stack) {
		e.stack = e.stack[:n+1]
		old := &e.stack[n]
		c.jumps, c.exits = old.jumps[:0], old.exits[:0]
		*old = c
		return
	}
	e.stack = append(e.stack, c)
}

// jumpOut records a branch that may take the thread to the end of the enclosing
// construct.
func (e *Emitter) jumpOut(i mir.ID) {
	if n := len(e.stack); n > 0 {
		top := &e.stack[n-1]
		top.jumps = append(top.jumps, i)
		return
	}
	e.outer = append(e.outer, i)
}

func (e *Emitter) jip(branches []mir.ID, to int32) {
	for _, i := range branches {
		e.targets[i].jip, e.targets[i].set = to, true
	}
}

func (e *Emitter) uip(branches []mir.ID, to int32) {
	for _, i := range branches {
		e.targets[i].uip, e.targets[i].set = to, true
	}
}

// follow finds the addresses of all instructions, resolves branch targets, and returns the size of the
// code. A branch that deactivates lanes jumps to the end of the enclosing construct if none is left.
func (e *Emitter) follow() (here int32) {
	e.stack, e.halts, e.outer = e.stack[:0], e.halts[:0], e.outer[:0]
	f := e.f
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			e.at[i] = here
			n := len(e.stack)
			switch in.Op {
			case mir.OpLoop:
				e.open(construct{loop: true, start: here})
			case isa.OpIf:
				e.open(construct{branch: i})
			case isa.OpElse:
				top := &e.stack[n-1]
				e.jip(top.jumps, here)
				top.jumps = top.jumps[:0]
				// The if jumps to the instruction after the else; its UIP is set at the endif.
				e.targets[top.branch] = target{here + instBytes, 0, true}
				top.first, top.branch = top.branch, i
			case isa.OpEndif:
				top := &e.stack[n-1]
				e.stack = e.stack[:n-1]
				e.jip(top.jumps, here)
				if top.first != 0 {
					e.targets[top.first].uip = here
				}
				e.targets[top.branch] = target{here, here, true}
				e.targets[i] = target{here + instBytes, here + instBytes, true}
				e.jumpOut(i)
			case isa.OpBreak, isa.OpCont:
				e.jumpOut(i)
				for k := n - 1; k >= 0; k-- {
					if l := &e.stack[k]; l.loop {
						l.exits = append(l.exits, i)
						break
					}
				}
			case isa.OpWhile:
				top := &e.stack[n-1]
				e.stack = e.stack[:n-1]
				e.targets[i] = target{top.start, top.start, true}
				e.jip(top.jumps, here)
				e.uip(top.exits, here)
			case isa.OpHalt:
				e.halts = append(e.halts, i)
				e.jumpOut(i)
			case mir.OpHaltTarget:
				for _, j := range e.outer {
					e.targets[j] = target{here, here, true}
				}
				e.uip(e.halts, here)
				e.targets[i] = target{here + instBytes, here + instBytes, true}
			}
			if Emits(in.Op) {
				here += instBytes
			}
		}
	}
	return here
}
