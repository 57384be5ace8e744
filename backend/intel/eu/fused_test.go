// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// scalarOp returns an unmasked instruction on one element.
func scalarOp(op isa.Op, d isa.Operand, src ...isa.Operand) isa.Inst {
	in := arith(op, 1, d, src...)
	in.NoMask = true
	return in
}

// compareAll returns an unmasked comparison of doublewords in 8 lanes into f0 or f1.
func compareAll(c isa.CMod, flag uint8, a, b isa.Operand) isa.Inst {
	in := arith(isa.OpCmp, 8, arf(isa.ARFNull, isa.TypeD), a, b)
	in.CMod, in.Flag, in.NoMask = c, flag, true
	return in
}

// runFused runs a SIMD8 program with one workgroup of the given number of invocations. r20.0 holds the thread's
// number, r2 the lane numbers; r10 to r13 are zero. At the end a thread stores the first doublewords of r10 to
// r13 in words 4·thread to 4·thread+3 of the result. Words that no thread has stored are ^0.
func runFused(invocations uint32, fused bool, body []isa.Inst) ([]uint32, error) {
	d := isa.TypeD
	all := func(in isa.Inst) isa.Inst { in.NoMask = true; return in }
	p := []isa.Inst{
		all(arith(isa.OpMov, 8, dst(20, d), scalar(1, 24, d))),
		all(arith(isa.OpMov, 8, dst(3, isa.TypeW), imm(isa.TypeV, 0x76543210))),
		all(arith(isa.OpMov, 8, dst(2, d), packed(3, isa.TypeW))),
	}
	for r := uint8(10); r < 14; r++ {
		p = append(p, all(arith(isa.OpMov, 8, dst(r, d), imm(d, 0))))
	}
	p = append(p, body...)
	p = append(p, scalarOp(isa.OpShl, dst(21, d), scalar(20, 0, d), imm(isa.TypeUW, 4)))
	for r := uint8(10); r < 14; r++ {
		out := save(21, r, fields.SWSBDist(1)|fields.SWSBSet(int(r)))
		out.ExecSize, out.NoMask, out.Desc = 1, true, out.Desc&^0xFF
		p = append(p, out, syncNop(fields.SWSBSrc(int(r))), scalarOp(isa.OpAdd, dst(21, d), scalar(21, 0, d), imm(d, 4)))
	}
	data := make([]byte, 64)
	for i := range data {
		data[i] = 0xFF
	}
	for i := range p {
		if p[i].Op == isa.OpSync {
			p[i].NoMask = true
		}
	}
	run := &thread.Dispatch{Program: FromInsts(target.TGL, append(p, endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{invocations, 1, 1}, SLMSize: 64,
		Surfaces: []*thread.Surface{{Data: data}}, Payload: ComputePayload(abi.JacquardCS, nil), Options: thread.Options{Fused: fused}}
	_, err := Run(context.Background(), run)
	var out []uint32
	for i := 0; i < len(data); i += 4 {
		out = append(out, binary.LittleEndian.Uint32(data[i:]))
	}
	return out, err
}

// countingLoop adds one to r10.0 with an unmasked instruction in every iteration; the number of iterations is
// the thread's number plus one. If guarded is set, it adds only in threads with active lanes.
func countingLoop(guarded bool) []isa.Inst {
	d := isa.TypeD
	br := func(in isa.Inst) isa.Inst { in.ExecSize = 8; return in }
	a := newAsm()
	a.add(arith(isa.OpMov, 8, dst(6, d), imm(d, 0)))
	a.label("loop").add(arith(isa.OpAdd, 8, dst(6, d), packed(6, d), imm(d, 1)))
	count := scalarOp(isa.OpAdd, dst(10, d), scalar(10, 0, d), imm(d, 1))
	if guarded {
		a.add(scalarOp(isa.OpMov, arfDst(isa.ARFF0+1, 0, isa.TypeUD), arfScalar(isa.ARFCE0, 0, isa.TypeUD)))
		count.Pred, count.Flag = isa.PredAny8H, 2
	}
	test := compareAll(isa.CModLE, 0, packed(6, d), scalar(20, 0, d))
	test.NoMask = false
	a.add(count, test)
	a.br(br(pred(op0(isa.OpWhile), 0, false)), "loop", "")
	return a.done()
}

// TestFusedLoop checks that an unmasked counter continues in a thread whose lanes have left the loop, unless it
// is guarded by a check for active lanes.
func TestFusedLoop(t *testing.T) {
	for _, c := range []struct {
		invocations    uint32
		fused, guarded bool
		want           []uint32
	}{
		{32, false, false, []uint32{1, 2, 3, 4}},
		{32, true, false, []uint32{2, 2, 4, 4}},
		{32, true, true, []uint32{1, 2, 3, 4}},
		{24, true, false, []uint32{2, 2, 3, ^uint32(0)}}, // the last thread has no neighbor to wait for
		{24, true, true, []uint32{1, 2, 3, ^uint32(0)}},
	} {
		out, err := runFused(c.invocations, c.fused, countingLoop(c.guarded))
		if got := []uint32{out[0], out[4], out[8], out[12]}; err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d invocations, fused %v, guarded %v: %d, %v; want %d", c.invocations, c.fused, c.guarded, got, err, c.want)
		}
	}
}

// TestFusedStuck checks that if a thread alone loses its last lanes on a divergent path, the path is executed,
// as is all following code until control flow is uniform. Jumps out of uniform control flow are taken.
func TestFusedStuck(t *testing.T) {
	d := isa.TypeD
	br := func(in isa.Inst) isa.Inst { in.ExecSize = 8; return in }
	set := func(r uint8) isa.Inst { return scalarOp(isa.OpMov, dst(r, d), imm(d, 7)) }
	body := func(lanes uint64) []isa.Inst {
		a := newAsm()
		a.add(compareAll(isa.CModLT, 0, packed(2, d), imm(d, lanes)), compareAll(isa.CModLT, 2, packed(2, d), imm(d, 0)))
		a.br(br(pred(op0(isa.OpIf), 2, false)), "a", "a").add(set(10)).label("a").br(br(op0(isa.OpEndif)), "b", "")
		a.label("b").br(br(pred(op0(isa.OpIf), 0, false)), "c", "c")
		a.br(br(pred(op0(isa.OpIf), 2, false)), "d", "d").add(set(11)).label("d").br(br(op0(isa.OpEndif)), "c", "")
		a.label("c").br(br(op0(isa.OpEndif)), "e", "")
		a.label("e").br(br(pred(op0(isa.OpIf), 2, false)), "f", "f").add(set(12)).label("f").br(br(op0(isa.OpEndif)), "g", "")
		return a.label("g").done()
	}
	for _, c := range []struct {
		lanes uint64
		fused bool
		want  []uint32
	}{
		{5, false, []uint32{0, 0, 0}},
		{5, true, []uint32{0, 7, 0}},
		{8, true, []uint32{0, 0, 0}}, // nothing diverges
	} {
		if out, err := runFused(8, c.fused, body(c.lanes)); err != nil || !slices.Equal(out[:3], c.want) {
			t.Errorf("%d lanes, fused %v: %d, %v; want %d", c.lanes, c.fused, out[:3], err, c.want)
		}
	}
}

// TestFusedJump checks that fused threads cannot jump to different places.
func TestFusedJump(t *testing.T) {
	d := isa.TypeD
	body := func(thread uint64) []isa.Inst {
		jump := isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true, Pred: isa.PredNormal, JIP: 32}
		return []isa.Inst{compareAll(isa.CModGE, 0, scalar(20, 0, d), imm(d, thread)), jump, scalarOp(isa.OpMov, dst(10, d), imm(d, 7))}
	}
	for _, c := range []struct {
		invocations uint32
		thread      uint64 // the first thread that jumps
		fused, want bool
	}{{32, 1, false, false}, {32, 1, true, true}, {32, 2, true, false}, {32, 3, true, true}, {24, 2, true, false}} {
		_, err := runFused(c.invocations, c.fused, body(c.thread))
		var f *thread.Fault
		if c.want != (errors.As(err, &f) && f.Kind == thread.FaultFlow && strings.Contains(f.Msg, "the scalar condition differs")) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestFusedWait checks that an instruction skipped by a thread without lanes does not wait, so that later
// instructions cannot rely on its wait.
func TestFusedWait(t *testing.T) {
	d := isa.TypeD
	for _, apart := range []bool{false, true} {
		br := func(in isa.Inst) isa.Inst { in.ExecSize = 8; return in }
		a := newAsm()
		a.add(compareAll(isa.CModEQ, 0, scalar(20, 0, d), imm(d, 0)))
		a.br(br(pred(op0(isa.OpIf), 0, false)), "a", "a")
		read := load(30, 10, fields.SWSBDist(1)|fields.SWSBSet(0))
		read.NoMask = true
		a.add(read)
		if apart {
			a.add(syncNop(fields.SWSBDst(0)), add(31, 30, 0))
		} else {
			a.add(sw(add(31, 30, 0), fields.SWSBDst(0)))
		}
		a.add(scalarOp(isa.OpMov, dst(11, d), scalar(30, 0, d)))
		a.label("a").br(br(op0(isa.OpEndif)), "b", "").label("b")
		for _, fused := range []bool{false, true} {
			_, err := runFused(16, fused, a.done())
			var f *thread.Fault
			if want := fused && !apart; want != (errors.As(err, &f) && f.Kind == thread.FaultHazard) {
				t.Errorf("waits apart %v, fused %v: %v", apart, fused, err)
			}
		}
	}
}

// TestFusedBarrier checks that the partner of an odd thread, which has no lanes, neither signals nor waits.
func TestFusedBarrier(t *testing.T) {
	for _, invocations := range []uint32{8, 16, 24, 32} {
		for _, slice := range []uint64{0, 1, 3} {
			d, data := groupDispatch(exchange(true, true), thread.Options{Fused: true, Slice: slice, Seed: 3})
			d.LocalSize[0] = invocations
			s, err := Run(context.Background(), d)
			threads := invocations / 8
			if err != nil || s.Threads != 2*uint64(threads) {
				t.Fatalf("%d invocations: %d threads, %v", invocations, s.Threads, err)
			}
			for i := range threads - 1 {
				if got := binary.LittleEndian.Uint32(data[4*i:]); got != i+1 {
					t.Errorf("%d invocations: thread %d saw %d", invocations, i, got)
				}
			}
		}
	}
}
