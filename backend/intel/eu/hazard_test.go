// SPDX-License-Identifier: MIT

package eu

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// sw sets the scoreboard field of an instruction.
func sw(in isa.Inst, s fields.SWSB) isa.Inst {
	in.SWSB = s
	return in
}

// add returns r[d] = r[a] + 1 in eight lanes.
func add(d, a uint8, s fields.SWSB) isa.Inst {
	return sw(arith(isa.OpAdd, 8, dst(d, isa.TypeD), packed(a, isa.TypeD), imm(isa.TypeW, 1)), s)
}

// load returns a read of a dword per lane from shared memory into r[d]; r[a] has the addresses.
func load(d, a uint8, s fields.SWSB) isa.Inst {
	return isa.Inst{Op: isa.OpSend, ExecSize: 8, SFID: isa.SFIDDC1, Desc: 0x02106EFE, SWSB: s,
		Dst: dst(d, isa.TypeUD), Src: [3]isa.Operand{{File: isa.FileGRF, Reg: a}, {File: isa.FileARF}}}
}

// save returns a write of a dword per lane in r[v] to shared memory; r[a] has the addresses.
func save(a, v uint8, s fields.SWSB) isa.Inst {
	return isa.Inst{Op: isa.OpSend, ExecSize: 8, SFID: isa.SFIDDC1, Desc: 0x02026EFE, ExDesc: 0x40, SWSB: s,
		Dst: isa.Operand{File: isa.FileARF}, Src: [3]isa.Operand{{File: isa.FileGRF, Reg: a}, {File: isa.FileGRF, Reg: v}}}
}

func inv(d, a uint8, s fields.SWSB) isa.Inst {
	in := arith(isa.OpMath, 8, dst(d, isa.TypeF), packed(a, isa.TypeF))
	in.Math, in.SWSB = isa.MathInv, s
	return in
}

func syncNop(s fields.SWSB) isa.Inst { return isa.Inst{Op: isa.OpSync, ExecSize: 1, SWSB: s} }

func syncAll(f isa.SyncFn, mask uint64) isa.Inst {
	in := isa.Inst{Op: isa.OpSync, ExecSize: 1, Sync: f}
	if mask != 0 {
		in.Src[0] = imm(isa.TypeUD, mask)
	}
	return in
}

func jumpNext() isa.Inst {
	return isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true, JIP: 16}
}

// haltNext returns the halt at which halted lanes resume.
func haltNext() isa.Inst { return isa.Inst{Op: isa.OpHalt, ExecSize: 8, JIP: 16, UIP: 16} }

const none = fields.SWSB(0)

// TestHazards pairs, for each rule of the scoreboard, a program that violates it with a program that satisfies
// it. want is a part of the message; "" means no fault.
func TestHazards(t *testing.T) {
	d, tok := fields.SWSBDist, fields.SWSBDst
	src, set := fields.SWSBSrc, fields.SWSBSet
	both := func(d, t int) fields.SWSB { return fields.SWSBDist(d) | fields.SWSBSet(t) }
	filler := func(n int) []isa.Inst {
		var p []isa.Inst
		for i := 0; i < n; i++ {
			p = append(p, add(uint8(60+i), 80, none))
		}
		return p
	}
	prog := func(parts ...any) []isa.Inst {
		var p []isa.Inst
		for _, x := range parts {
			switch x := x.(type) {
			case isa.Inst:
				p = append(p, x)
			case []isa.Inst:
				p = append(p, x...)
			}
		}
		return p
	}
	a0w := func(s fields.SWSB) isa.Inst {
		in := arith(isa.OpMov, 1, isa.Operand{File: isa.FileARF, Reg: isa.ARFA0, Type: isa.TypeUD, HStride: 1}, imm(isa.TypeUD, 0x02106EFE))
		in.NoMask, in.SWSB = true, s
		return in
	}
	regDesc := func(s fields.SWSB) isa.Inst {
		in := load(20, 2, s)
		in.Desc, in.DescReg = 0, true
		return in
	}
	cr := func() isa.Inst {
		in := arith(isa.OpMov, 1, isa.Operand{File: isa.FileARF, Reg: isa.ARFCR0, Type: isa.TypeUD, HStride: 1}, imm(isa.TypeUD, 0x80))
		in.NoMask, in.SWSB = true, none
		return in
	}
	half := func(d, sub uint8, s fields.SWSB) isa.Inst {
		o := dst(d, isa.TypeD)
		o.Sub = sub
		in := arith(isa.OpMov, 4, o, imm(isa.TypeD, 1))
		in.SWSB = s
		return in
	}
	halfRead := func(a, sub uint8, s fields.SWSB) isa.Inst {
		return sw(arith(isa.OpMov, 4, dst(40, isa.TypeD), grf(a, sub, isa.TypeD, 4, 4, 1)), s)
	}
	fence := func(wait fields.SWSB) isa.Inst {
		return isa.Inst{Op: isa.OpSend, ExecSize: 8, NoMask: true, SFID: isa.SFIDDC0, Desc: 0x0219E0FE, SWSB: wait,
			Dst: dst(30, isa.TypeUD), Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 0}, {File: isa.FileARF}}}
	}
	signal := func(wait fields.SWSB) []isa.Inst { // a signal of barrier 1
		name := arith(isa.OpMov, 8, dst(40, isa.TypeUD), imm(isa.TypeUD, 1<<24))
		return []isa.Inst{sw(name, none), {Op: isa.OpSend, ExecSize: 1, NoMask: true, SFID: isa.SFIDGateway, Desc: 0x02000004, SWSB: wait,
			Dst: isa.Operand{File: isa.FileARF}, Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 40}, {File: isa.FileARF}}}}
	}
	acc := arf(isa.ARFAcc0, isa.TypeD)
	tests := []struct {
		name string
		p    []isa.Inst
		want string
	}{
		{"a fence before a barrier", prog(fence(set(3)), signal(both(1, 4))), "nothing has waited for r30, the destination of the instruction at 0x0000"},
		{"a fence before a barrier, waited for", prog(fence(set(3)), syncNop(tok(3)), signal(both(1, 4))), ""},
		{"a fence before a barrier, its payload waited for", prog(fence(set(3)), syncNop(src(3)), signal(both(1, 4))), "needs $3.dst"},
		{"a fence before the end", prog(fence(set(3))), "nothing has waited for r30"},

		// In order after in order.
		{"RAW in order without @", prog(add(10, 2, none), add(11, 10, none)), "reads r10 before"},
		{"RAW in order with @1", prog(add(10, 2, none), add(11, 10, d(1))), ""},
		{"RAW in order, @2 where @1 is needed", prog(add(10, 2, none), add(11, 10, d(2))), "needs @1"},
		{"RAW in order, @1 where @2 would do", prog(add(10, 2, none), add(50, 2, none), add(11, 10, d(1))), ""},
		{"RAW in order, two back with @2", prog(add(10, 2, none), add(50, 2, none), add(11, 10, d(2))), ""},
		{"RAW in order, waited earlier by another instruction", prog(add(10, 2, none), add(50, 2, d(1)), add(11, 10, none)), ""},
		{"RAW in order, waited on sync.nop", prog(add(10, 2, none), syncNop(d(1)), add(11, 10, none)), ""},
		{"RAW in order, ten instructions old", prog(add(10, 2, none), filler(9), add(11, 10, none)), "needs @7"},
		{"RAW in order, older than ten", prog(add(10, 2, none), filler(10), add(11, 10, none)), ""},
		{"RAW in order, @7 covers nine back", prog(add(10, 2, none), filler(8), add(11, 10, d(7))), ""},
		{"sync does not count", prog(add(10, 2, none), syncNop(none), add(11, 10, d(2))), "needs @1"},
		{"send does not count", prog(add(10, 2, none), load(20, 2, set(0)), add(11, 10, d(2))), "needs @1"},
		{"nop may not count", prog(add(10, 2, none), isa.Inst{Op: isa.OpNop, ExecSize: 1}, add(11, 10, d(2))), "needs @1"},
		{"over a nop", prog(add(10, 2, none), isa.Inst{Op: isa.OpNop, ExecSize: 1}, add(11, 10, d(1))), ""},
		{"halt may not count", prog(add(10, 2, none), haltNext(), add(11, 10, d(2))), "needs @1"},
		{"a branch counts", prog(add(10, 2, none), jumpNext(), add(11, 10, d(2))), ""},
		{"WAW in order", prog(add(10, 2, none), add(10, 3, none)), "writes r10 before"},
		{"WAW in order with @1", prog(add(10, 2, none), add(10, 3, d(1))), ""},
		{"WAW in order, other half", prog(half(10, 0, none), half(10, 16, none)), ""},
		{"WAW in order, same half", prog(half(10, 16, none), half(10, 16, none)), "writes r10 before"},
		{"WAW in order, older than ten", prog(add(10, 2, none), filler(10), add(10, 3, none)), ""},
		{"WAR in order needs nothing", prog(add(10, 2, none), add(2, 3, none)), ""},
		{"other half of a register", prog(half(10, 0, none), halfRead(10, 16, none)), ""},
		{"same half of a register", prog(half(10, 16, none), halfRead(10, 16, none)), "reads r10"},
		{"accumulator is tracked by hardware", prog(sw(arith(isa.OpAdd, 8, acc, packed(2, isa.TypeD), imm(isa.TypeW, 1)), none), sw(arith(isa.OpMov, 8, dst(10, isa.TypeD), acc), none)), ""},

		// Out of order after in order.
		{"payload without @", prog(add(2, 3, none), load(10, 2, set(0))), "reads r2 before"},
		{"payload with @1", prog(sw(arith(isa.OpMov, 8, dst(2, isa.TypeD), packed(3, isa.TypeD)), none), load(10, 2, both(1, 0))), ""},
		{"send over an unfinished result", prog(add(10, 3, none), load(10, 2, set(0))), "writes r10 before"},
		{"send over an unread source", prog(add(11, 10, none), load(10, 2, set(0))), "has read it (needs @1)"},
		{"send over a source, waited", prog(add(11, 10, none), load(10, 2, both(1, 0))), ""},
		{"math source without @", prog(add(2, 3, none), inv(10, 2, set(0))), "reads r2 before"},
		{"math source with @1", prog(add(2, 3, none), inv(10, 2, both(1, 0))), ""},
		{"math over an unread source", prog(add(11, 10, none), inv(10, 2, set(0))), "writes r10 before"},

		// Anything after out of order.
		{"result of a send without its token", prog(load(10, 2, set(0)), add(11, 10, none)), "needs $0.dst"},
		{"result of a send", prog(load(10, 2, set(0)), add(11, 10, tok(0))), ""},
		{"result of a send, another token", prog(load(10, 2, set(0)), load(12, 2, set(1)), add(11, 10, tok(1))), "needs $0.dst"},
		{"result of a send, only .src", prog(load(10, 2, set(0)), add(11, 10, src(0))), "needs $0.dst"},
		{"result of a send on sync.nop", prog(load(10, 2, set(3)), syncNop(tok(3)), add(11, 10, none)), ""},
		{"result of a send, sync.allwr", prog(load(10, 2, set(3)), syncAll(isa.SyncAllWr, 0), add(11, 10, none)), ""},
		{"result of a send, sync.allwr of another token", prog(load(10, 2, set(3)), syncAll(isa.SyncAllWr, 1<<2), add(11, 10, none)), "needs $3.dst"},
		{"result of a send, sync.allrd", prog(load(10, 2, set(3)), syncAll(isa.SyncAllRd, 0), add(11, 10, none)), "needs $3.dst"},
		{"result never gets there by distance", prog(load(10, 2, set(0)), filler(20), add(11, 10, none)), "needs $0.dst"},
		{"both waits in one field", prog(load(10, 2, set(0)), add(12, 2, none), sw(arith(isa.OpAdd, 8, dst(11, isa.TypeD), packed(10, isa.TypeD), packed(12, isa.TypeD)), fields.SWSBDist(1)|fields.SWSBDst(0))), ""},
		{"result of math", prog(inv(10, 2, set(0)), add(11, 10, none)), "needs $0.dst"},
		{"result of math, waited", prog(inv(10, 2, set(0)), add(11, 10, tok(0))), ""},
		{"write over the result of a send", prog(load(10, 2, set(0)), add(10, 3, none)), "needs $0.dst"},
		{"write over the source of a send", prog(load(10, 2, set(0)), add(2, 3, none)), "needs $0.src"},
		{"write over the source of a send, waited", prog(load(10, 2, set(0)), add(2, 3, src(0))), ""},
		{"$.dst implies the sources were read", prog(load(10, 2, set(0)), add(2, 3, tok(0))), ""},
		{"write over the data of a store", prog(save(2, 3, set(5)), add(3, 4, none)), "needs $5.src"},
		{"write over the source of math", prog(inv(10, 2, set(0)), add(2, 3, none)), "needs $0.src"},
		{"send over the result of a send", prog(load(10, 2, set(0)), load(10, 3, set(1))), "needs $0.dst"},
		{"send over the source of a send", prog(load(10, 2, set(0)), load(2, 3, set(1))), "needs $0.src"},

		// Tokens.
		{"taking a token again waits for its user", prog(load(10, 2, set(0)), load(20, 10, set(0))), ""},
		{"a reused token stands for the new user", prog(load(10, 2, set(0)), syncNop(tok(0)), load(20, 2, set(0)), add(21, 20, none)), "needs $0.dst"},
		{"a reused token's source", prog(load(10, 2, set(0)), syncNop(src(0)), load(20, 3, set(0)), add(3, 4, none)), "needs $0.src"},
		{"a send without a token", prog(load(10, 2, none), add(11, 10, none)), "needs a token"},
		{"math without a token", prog(inv(10, 2, none), syncAll(isa.SyncAllWr, 0), add(11, 10, none)), "needs a token"},
		{"a token on an in-order instruction", prog(add(10, 2, set(0))), "only sends and math"},

		// Address and control registers.
		{"descriptor from a0 without @", prog(a0w(none), regDesc(set(0))), "a0"},
		{"descriptor from a0 with @1", prog(a0w(none), regDesc(both(1, 0))), ""},
		{"result of a message from a0", prog(a0w(none), regDesc(both(1, 0)), add(11, 20, none)), "needs $0.dst"},
		{"payload of a message from a0", prog(a0w(none), add(2, 3, none), regDesc(both(2, 0))), "reads r2"},
		{"a control register without @1 after it", prog(cr(), add(10, 2, none)), "control register"},
		{"a control register with @1 after it", prog(cr(), add(10, 2, d(1))), ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, 8, thread.HazardsStrict, c.p...)
			run(b.Thread, 1000)
			switch {
			case c.want == "" && b.Err != nil:
				t.Errorf("unexpected fault: %v", b.Err)
			case c.want != "" && (b.Err == nil || !strings.Contains(b.Err.Error(), c.want)):
				t.Errorf("got %v, want %q", b.Err, c.want)
			case b.Err != nil && b.Err.Kind == thread.FaultHazard && strings.Count(b.Err.Error(), "0x") < 2:
				t.Errorf("the message does not name both instructions: %v", b.Err)
			}
			off := newBench(t, 8, thread.HazardsOff, c.p...)
			run(off.Thread, 1000)
			if off.Err != nil && off.Err.Kind == thread.FaultHazard {
				t.Errorf("checked although switched off: %v", off.Err)
			}
		})
	}
}

// TestComputesInA0: a strict run finds a read of a0 before its write is finished, a lenient one relies on the hardware.
func TestComputesInA0(t *testing.T) {
	a0 := isa.Operand{File: isa.FileARF, Reg: isa.ARFA0, Type: isa.TypeUD, HStride: 1}
	in := func(op isa.Op, src isa.Operand) isa.Inst {
		x := arith(op, 1, a0, src, imm(isa.TypeUD, 0x100))
		x.NoMask, x.SWSB = true, none
		return x
	}
	read := isa.Operand{File: isa.FileARF, Reg: isa.ARFA0, Type: isa.TypeUD, Width: 1}
	for rules, want := range map[thread.HazardRules]string{thread.HazardsStrict: "reads a0", thread.HazardsLenient: ""} {
		b := newBench(t, 8, rules, in(isa.OpAnd, grf(3, 0, isa.TypeUD, 0, 1, 0)), in(isa.OpOr, read))
		run(b.Thread, 2)
		if err := b.Err; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("rules %d: got %v, want %q", rules, err, want)
		}
	}
}

func TestHazardAcrossLoop(t *testing.T) {
	// A value is computed at the end of a loop body and read at its start: the distance counts through the
	// branch.
	loop := func(wait fields.SWSB) []isa.Inst {
		cmp := arith(isa.OpCmp, 8, arf(isa.ARFNull, isa.TypeD), packed(11, isa.TypeD), imm(isa.TypeW, 3))
		cmp.CMod = isa.CModLT
		while := isa.Inst{Op: isa.OpWhile, ExecSize: 8, Pred: isa.PredNormal, JIP: -48}
		return []isa.Inst{syncAll(isa.SyncAllWr, 0), add(10, 11, wait), add(11, 10, fields.SWSBDist(1)), cmp, while}
	}
	b := newBench(t, 8, thread.HazardsStrict, loop(fields.SWSBDist(3))...)
	b.exec(t)
	if b.u(11, 0) != 4 {
		t.Errorf("counted to %d", b.u(11, 0))
	}
	// cmp waits for r11 with @1, so no write is unfinished. Without that wait the first instruction of the
	// second iteration faults.
	p := loop(none)
	p[3].SWSB = none
	p[3].Src[0] = imm2(isa.TypeD)
	b = newBench(t, 8, thread.HazardsStrict, p...)
	run(b.Thread, 100)
	if b.Err == nil || b.Err.Offset != 16 || b.Err.Kind != thread.FaultHazard {
		t.Errorf("got %v, want a hazard at 0x10", b.Err)
	}
	b = newBench(t, 8, thread.HazardsLenient, p...)
	run(b.Thread, 100)
	if b.Err != nil && b.Err.Kind == thread.FaultHazard {
		t.Errorf("a jump drains the pipeline: %v", b.Err)
	}
}

// imm2 returns a register that is never written and contains zero.
func imm2(t isa.Type) isa.Operand { return packed(100, t) }
