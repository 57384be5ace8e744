// SPDX-License-Identifier: MIT

package eu

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// asm builds programs with labels; it resolves branch targets at the end.
type asm struct {
	insts  []isa.Inst
	labels map[string]int
	fix    []struct {
		at       int
		jip, uip string
	}
}

func newAsm() *asm { return &asm{labels: map[string]int{}} }

func (a *asm) label(s string) *asm {
	a.labels[s] = len(a.insts)
	return a
}

func (a *asm) add(in ...isa.Inst) *asm {
	a.insts = append(a.insts, in...)
	return a
}

func (a *asm) br(in isa.Inst, jip, uip string) *asm {
	if in.ExecSize == 0 {
		in.ExecSize = 16
	}
	a.fix = append(a.fix, struct {
		at       int
		jip, uip string
	}{len(a.insts), jip, uip})
	return a.add(in)
}

func (a *asm) done() []isa.Inst {
	for _, f := range a.fix {
		a.insts[f.at].JIP = int32(a.labels[f.jip]-f.at) * 16
		if f.uip != "" {
			a.insts[f.at].UIP = int32(a.labels[f.uip]-f.at) * 16
		}
	}
	return a.insts
}

// pred adds a predicate to an instruction.
func pred(in isa.Inst, flag uint8, inv bool) isa.Inst {
	in.Pred, in.Flag, in.PredInv = isa.PredNormal, flag, inv
	return in
}

func op0(op isa.Op) isa.Inst { return isa.Inst{Op: op, ExecSize: 16} }

// test compares a register with a word and writes the result to a flag.
func test(c isa.CMod, flag, r uint8, v int16) isa.Inst {
	in := arith(isa.OpCmp, 16, arf(isa.ARFNull, isa.TypeD), packed(r, isa.TypeD), imm(isa.TypeW, uint64(uint16(v))))
	in.CMod, in.Flag = c, flag
	return in
}

func addTo(r uint8, v int16) isa.Inst {
	return arith(isa.OpAdd, 16, dst(r, isa.TypeD), packed(r, isa.TypeD), imm(isa.TypeW, uint64(uint16(v))))
}

// run16 runs a program of 16 lanes with the lane number in r2 and returns r4.
func run16(t *testing.T, p []isa.Inst) []int32 {
	t.Helper()
	b := newBench(t, 16, thread.HazardsStrict, p...)
	for i := 0; i < 16; i++ {
		b.setU(2, i, uint32(i))
	}
	b.exec(t)
	if b.Active != 0xFFFF || b.Waiting != 0 {
		t.Errorf("at the end %04x are active, %04x waiting", b.Active, b.Waiting)
	}
	out := make([]int32, 16)
	for i := range out {
		out[i] = int32(b.u(4, i))
	}
	return out
}

func expect(t *testing.T, got []int32, f func(lane int) int32) {
	t.Helper()
	for i, v := range got {
		if v != f(i) {
			t.Errorf("lane %d: %d, want %d", i, v, f(i))
		}
	}
}

func TestIfElse(t *testing.T) {
	// if (lane < k) { a += 1; if (lane < 2) a += 10 } else a += 100
	for _, k := range []int16{0, 1, 5, 16} {
		a := newAsm()
		a.add(test(isa.CModLT, 0, 2, k), test(isa.CModLT, 1, 2, 2))
		a.br(pred(op0(isa.OpIf), 0, false), "else", "endif")
		a.add(addTo(4, 1))
		a.br(pred(op0(isa.OpIf), 1, false), "inner", "inner")
		a.add(addTo(4, 10))
		a.label("inner").br(op0(isa.OpEndif), "elseop", "")
		a.label("elseop").br(op0(isa.OpElse), "endif", "endif")
		a.label("else").add(addTo(4, 100))
		a.label("endif").br(op0(isa.OpEndif), "next", "")
		a.label("next").add(addTo(4, 1000))
		expect(t, run16(t, a.done()), func(i int) int32 {
			if i >= int(k) {
				return 1100
			}
			if i < 2 {
				return 1011
			}
			return 1001
		})
	}
}

func TestLoopBreakCont(t *testing.T) {
	// for (n = 0; ; n++) { if (n > lane) break; if (n & 1) continue; a += n } with
	// the break and the continue inside ifs.
	a := newAsm()
	step := arith(isa.OpAdd, 16, dst(4, isa.TypeD), packed(4, isa.TypeD), packed(6, isa.TypeD))
	odd := arith(isa.OpAnd, 16, arf(isa.ARFNull, isa.TypeD), packed(6, isa.TypeD), imm(isa.TypeW, 1))
	odd.CMod, odd.Flag = isa.CModNE, 1
	cmp := arith(isa.OpCmp, 16, arf(isa.ARFNull, isa.TypeD), packed(6, isa.TypeD), packed(2, isa.TypeD))
	cmp.CMod = isa.CModGT
	a.add(arith(isa.OpMov, 16, dst(6, isa.TypeD), imm(isa.TypeD, 0xFFFFFFFF)))
	a.label("loop").add(addTo(6, 1), cmp)
	a.br(pred(op0(isa.OpIf), 0, false), "e1", "e1")
	a.br(op0(isa.OpBreak), "e1", "while")
	a.label("e1").br(op0(isa.OpEndif), "while", "")
	a.add(odd)
	a.br(pred(op0(isa.OpCont), 1, false), "while", "while")
	a.add(step)
	a.label("while").br(op0(isa.OpWhile), "loop", "")
	a.add(addTo(4, 1000))
	expect(t, run16(t, a.done()), func(lane int) int32 {
		sum := int32(1000)
		for n := 0; n <= lane; n += 2 {
			sum += int32(n)
		}
		return sum
	})
}

func TestNestedLoops(t *testing.T) {
	// for (i = 0; i < lane; i++) for (j = 0; j < i; j++) a++
	a := newAsm()
	less := func(flag, x, y uint8) isa.Inst {
		in := arith(isa.OpCmp, 16, arf(isa.ARFNull, isa.TypeD), packed(x, isa.TypeD), packed(y, isa.TypeD))
		in.CMod, in.Flag = isa.CModGE, flag
		return in
	}
	zero := func(r uint8) isa.Inst { return arith(isa.OpMov, 16, dst(r, isa.TypeD), imm(isa.TypeD, 0)) }
	a.add(zero(6))
	a.label("outer").add(less(0, 6, 2))
	a.br(pred(op0(isa.OpBreak), 0, false), "owhile", "owhile")
	a.add(zero(8))
	a.label("inner").add(less(1, 8, 6))
	a.br(pred(op0(isa.OpBreak), 1, false), "iwhile", "iwhile")
	a.add(addTo(4, 1), addTo(8, 1))
	a.label("iwhile").br(op0(isa.OpWhile), "inner", "")
	a.add(addTo(6, 1))
	a.label("owhile").br(op0(isa.OpWhile), "outer", "")
	expect(t, run16(t, a.done()), func(n int) int32 { return int32(n * (n - 1) / 2) })
}

func TestHalt(t *testing.T) {
	// Lanes above 5 halt inside an if; all lanes meet at the halt target.
	a := newAsm()
	a.add(test(isa.CModGT, 0, 2, 2), test(isa.CModGT, 1, 2, 5))
	a.br(pred(op0(isa.OpIf), 0, false), "endif", "endif")
	a.br(pred(op0(isa.OpHalt), 1, false), "endif", "out")
	a.add(addTo(4, 1))
	a.label("endif").br(op0(isa.OpEndif), "out", "")
	a.add(addTo(4, 10))
	a.label("out").br(op0(isa.OpHalt), "next", "next")
	a.label("next").add(addTo(4, 100))
	expect(t, run16(t, a.done()), func(i int) int32 {
		switch {
		case i > 5:
			return 100
		case i > 2:
			return 111
		}
		return 110
	})
}

func TestCallReturn(t *testing.T) {
	// f(depth) calls itself for lanes that want more; every lane adds one per call.
	a := newAsm()
	call := func(r uint8) isa.Inst { return isa.Inst{Op: isa.OpCall, ExecSize: 16, Dst: dst(r, isa.TypeUD)} }
	ret := func(r uint8) isa.Inst {
		return isa.Inst{Op: isa.OpRet, ExecSize: 16, Src: [3]isa.Operand{scalar(r, 0, isa.TypeUD)}, SWSB: fields.SWSBDist(1)}
	}
	a.add(test(isa.CModGT, 0, 2, 3), test(isa.CModGT, 1, 2, 9))
	a.br(pred(call(20), 0, false), "f", "")
	a.add(addTo(4, 1000))
	a.br(isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true}, "end", "")
	a.label("f").add(addTo(4, 1))
	a.br(pred(call(21), 1, false), "g", "")
	a.add(addTo(4, 10), ret(20))
	a.label("g").add(test(isa.CModGT, 2, 2, 12), addTo(4, 100))
	a.add(pred(ret(21), 2, false)) // some return early
	a.add(addTo(4, 200), ret(21))
	a.label("end").add(addTo(4, 0))
	expect(t, run16(t, a.done()), func(i int) int32 {
		v := int32(1000)
		if i > 3 {
			v += 11
		}
		if i > 9 {
			v += 100
			if i <= 12 {
				v += 200
			}
		}
		return v
	})
}

func TestGotoJoin(t *testing.T) {
	a := newAsm()
	a.add(test(isa.CModGT, 0, 2, 7))
	a.br(pred(op0(isa.OpGoto), 0, false), "join", "join")
	a.add(addTo(4, 1))
	a.label("join").br(op0(isa.OpJoin), "next", "")
	a.label("next").add(addTo(4, 10))
	expect(t, run16(t, a.done()), func(i int) int32 {
		if i > 7 {
			return 10
		}
		return 11
	})
}

func TestNoMaskRunsWithoutLanes(t *testing.T) {
	// If all lanes leave, a block still runs for its NoMask instructions, but only if the thread reaches it.
	// Here the branch skips it.
	a := newAsm()
	scalarAdd := func(v int16) isa.Inst {
		in := addTo(4, v)
		in.NoMask = true
		return in
	}
	a.add(test(isa.CModGT, 0, 2, 20)) // no lane
	a.br(pred(op0(isa.OpIf), 0, false), "endif", "endif")
	a.add(scalarAdd(1))
	a.label("endif").br(op0(isa.OpEndif), "next", "")
	a.label("next").add(test(isa.CModGT, 0, 2, 7))
	a.br(pred(op0(isa.OpIf), 0, false), "endif2", "endif2")
	a.add(scalarAdd(10))
	a.label("endif2").br(op0(isa.OpEndif), "next2", "")
	a.label("next2").add(addTo(4, 100))
	expect(t, run16(t, a.done()), func(int) int32 { return 110 })
}

func TestBadJumps(t *testing.T) {
	for _, c := range []struct {
		jip  int32
		want string
	}{{8, "inside an instruction"}, {-400, "outside the program"}, {1 << 20, "outside the program"}, {3, "outside"}} {
		b := newBench(t, 16, thread.HazardsStrict, isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true, JIP: c.jip})
		run(b.Thread, 10)
		if b.Err == nil || b.Err.Kind != thread.FaultJump || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("jump by %d: %v", c.jip, b.Err)
		}
	}
	b := newBench(t, 16, thread.HazardsStrict, isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true, JIP: 0})
	run(b.Thread, 1<<30)
	if b.Err == nil || b.Err.Kind != thread.FaultLimit {
		t.Errorf("endless loop: %v", b.Err)
	}
	b = newBench(t, 16, thread.HazardsStrict)
	b.Prog = FromInsts(target.TGL, []isa.Inst{addTo(4, 1)})
	run(b.Thread, 10)
	if b.Err == nil || !strings.Contains(b.Err.Error(), "past the end") {
		t.Errorf("no end: %v", b.Err)
	}
}

func TestPredicateGroups(t *testing.T) {
	// Compare every group mode with its definition.
	for p := isa.PredAny2H; p <= isa.PredAll32H; p++ {
		for _, flags := range []uint32{0, 0xFFFF, 0x0001, 0x8000, 0xF0F1, 0x3C5A} {
			for _, inv := range []bool{false, true} {
				in := arith(isa.OpMov, 16, dst(4, isa.TypeD), imm(isa.TypeD, 1))
				in.Pred, in.PredInv = p, inv
				b := newBench(t, 16, thread.HazardsStrict, in)
				b.Flag[0] = flags
				b.exec(t)
				size := 2 << ((p - isa.PredAny2H) / 2)
				for i := 0; i < 16; i++ {
					any, all := false, true
					for j := i / size * size; j < i/size*size+size; j++ {
						set := flags>>j&1 != 0
						any, all = any || set, all && set
					}
					want := any
					if (p-isa.PredAny2H)%2 == 1 {
						want = all
					}
					if got := b.u(4, i) == 1; got != (want != inv) {
						t.Fatalf("pred %d inv %v flags %04x lane %d: %v", p, inv, flags, i, got)
					}
				}
			}
		}
	}
}
