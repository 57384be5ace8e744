// Package emit writes machine IR with allocated registers as machine code.
package emit

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

const instBytes = 16

// Stats counts what was emitted, as the field does: without NOP and sync.nop.
type Stats struct {
	Instructions int
	Sends        int // spills and fills not among them
	Loops        int
	Bytes        int
}

// scratchBlock marks the messages of spills and fills.
const scratchBlock = 1 << 18

type emitter struct {
	f     *mir.Func
	code  []byte
	at    []int32 // by instruction: its address
	stats Stats
}

// Code encodes f for platform p, appending to code.
func Code(p isa.Platform, f *mir.Func, code []byte) ([]byte, Stats, error) {
	e := emitter{f: f, code: code, at: make([]int32, f.NumInsts())}
	n := int32(0)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			e.at[i] = n
			if emits(f.At(i).Op) {
				n += instBytes
			}
		}
	}
	targets := e.targets()
	var raw isa.Inst
	var word [instBytes]byte
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			if in.Op == mir.OpLoop {
				e.stats.Loops++
			}
			if !emits(in.Op) {
				continue
			}
			if err := convert(in, &raw); err != nil {
				return nil, e.stats, fmt.Errorf("%s: %s: %w", f.Name, f.Text(i), err)
			}
			if t, ok := targets[i]; ok {
				raw.JIP, raw.UIP = t.jip-e.at[i], t.uip-e.at[i]
			}
			if err := isa.Encode(p, &raw, word[:]); err != nil {
				return nil, e.stats, fmt.Errorf("%s: %s: %w", f.Name, f.Text(i), err)
			}
			e.code = append(e.code, word[:]...)
			e.count(in)
		}
	}
	e.stats.Bytes = len(e.code)
	return e.code, e.stats, nil
}

func emits(o isa.Op) bool { return o != mir.OpLoop && o != mir.OpUndef }

func (e *emitter) count(in *mir.Inst) {
	if in.Op == isa.OpSync && in.Sync == isa.SyncNop || in.Op == isa.OpNop {
		return
	}
	e.stats.Instructions++
	if in.IsSend() && !(in.SFID == isa.SFIDDC0 && in.Desc&scratchBlock != 0) {
		e.stats.Sends++
	}
}

type target struct{ jip, uip int32 }

// construct is an if or loop that is open.
type construct struct {
	loop   bool
	start  int32  // loop: address of its first instruction
	branch mir.ID // if: the if or the else
	jumps  []mir.ID
	exits  []mir.ID // loop: break and cont
}

// targets finds where branches go. A branch that takes lanes away jumps to the
// end of the construct around it when none is left.
func (e *emitter) targets() map[mir.ID]target {
	t := map[mir.ID]target{}
	f := e.f
	var stack []construct
	var halts, outer []mir.ID
	var ifs []mir.ID
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			here := e.at[i]
			switch f.At(i).Op {
			case mir.OpLoop:
				stack = append(stack, construct{loop: true, start: here})
			case isa.OpIf:
				stack = append(stack, construct{branch: i})
				ifs = append(ifs, 0)
			case isa.OpElse:
				top := &stack[len(stack)-1]
				for _, j := range top.jumps {
					t[j] = target{here, t[j].uip}
				}
				top.jumps = top.jumps[:0]
				// The if jumps behind the else; its UIP follows at the endif.
				t[top.branch] = target{here + instBytes, 0}
				ifs[len(ifs)-1], top.branch = top.branch, i
			case isa.OpEndif:
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				for _, j := range top.jumps {
					t[j] = target{here, t[j].uip}
				}
				if first := ifs[len(ifs)-1]; first != 0 {
					t[first] = target{t[first].jip, here}
				}
				ifs = ifs[:len(ifs)-1]
				t[top.branch] = target{here, here}
				t[i] = target{here + instBytes, here + instBytes}
				if len(stack) > 0 {
					parent := &stack[len(stack)-1]
					parent.jumps = append(parent.jumps, i)
				} else {
					outer = append(outer, i)
				}
			case isa.OpBreak, isa.OpCont:
				top := &stack[len(stack)-1]
				top.jumps = append(top.jumps, i)
				for k := len(stack) - 1; k >= 0; k-- {
					if stack[k].loop {
						stack[k].exits = append(stack[k].exits, i)
						break
					}
				}
			case isa.OpWhile:
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				t[i] = target{top.start, top.start}
				for _, j := range top.jumps {
					t[j] = target{here, t[j].uip}
				}
				for _, j := range top.exits {
					t[j] = target{t[j].jip, here}
				}
			case isa.OpHalt:
				halts = append(halts, i)
				if len(stack) > 0 {
					top := &stack[len(stack)-1]
					top.jumps = append(top.jumps, i)
				} else {
					outer = append(outer, i)
				}
			case mir.OpHaltTarget:
				for _, j := range outer {
					t[j] = target{here, here}
				}
				for _, j := range halts {
					t[j] = target{t[j].jip, here}
				}
				t[i] = target{here + instBytes, here + instBytes}
			}
		}
	}
	return t
}
