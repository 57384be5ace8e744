// SPDX-License-Identifier: MIT

package eu

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// barrier returns instructions that signal the gateway, with a header made from r0, and wait.
func barrier() []isa.Inst {
	and := arith(isa.OpAnd, 8, dst(30, isa.TypeUD), scalar(0, 8, isa.TypeUD), imm(isa.TypeUD, 0x7F000000))
	and.NoMask = true
	gw := isa.Inst{Op: isa.OpSend, ExecSize: 1, NoMask: true, SFID: isa.SFIDGateway, Desc: 0x02000004,
		SWSB: fields.SWSBDist(1) | fields.SWSBSet(15),
		Dst:  isa.Operand{File: isa.FileARF}, Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 30}, {File: isa.FileARF}}}
	wait := isa.Inst{Op: isa.OpSync, ExecSize: 1, NoMask: true, Sync: isa.SyncBar}
	return append([]isa.Inst{and, gw}, wait, syncNop(fields.SWSBDst(15)))
}

// sharedFence returns a fence of shared memory and a wait for it.
func sharedFence() []isa.Inst {
	f := isa.Inst{Op: isa.OpSend, ExecSize: 8, NoMask: true, SFID: isa.SFIDDC0, Desc: 0x0219E0FE, SWSB: fields.SWSBSet(14),
		Dst: dst(31, isa.TypeUD), Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 0}, {File: isa.FileARF}}}
	return []isa.Inst{f, syncNop(fields.SWSBDst(14))}
}

// exchange returns a program in which every thread stores its subgroup id to shared memory and, after an
// optional fence and barrier, stores the value that the next thread wrote to the surface at 4·thread.
func exchange(withFence, withBarrier bool) []isa.Inst {
	one := func(in isa.Inst) isa.Inst { in.ExecSize, in.NoMask = 1, true; return in }
	id := scalar(1, 24, isa.TypeUD)
	p := []isa.Inst{
		one(arith(isa.OpShl, 1, dst(10, isa.TypeUD), id, imm(isa.TypeUW, 2))),
		one(arith(isa.OpMov, 1, dst(11, isa.TypeUD), id)),
		one(save(10, 11, fields.SWSBDist(1)|fields.SWSBSet(0))),
		syncNop(fields.SWSBDst(0)),
	}
	if withFence {
		p = append(p, sharedFence()...)
	}
	if withBarrier {
		p = append(p, barrier()...)
	}
	p = append(p,
		one(arith(isa.OpAdd, 1, dst(12, isa.TypeD), id, imm(isa.TypeW, 1))),
		one(arith(isa.OpAnd, 1, dst(12, isa.TypeUD), scalar(12, 0, isa.TypeUD), imm(isa.TypeUW, 3))),
		one(arith(isa.OpShl, 1, dst(12, isa.TypeUD), scalar(12, 0, isa.TypeUD), imm(isa.TypeUW, 2))),
		one(load(13, 12, fields.SWSBDist(1)|fields.SWSBSet(1))),
		syncNop(fields.SWSBDst(1)))
	out := save(10, 13, fields.SWSBSet(2))
	out.Desc = out.Desc &^ 0xFF
	return append(p, one(out), endThread())
}

func groupDispatch(p []isa.Inst, o thread.Options) (*thread.Dispatch, []byte) {
	data := make([]byte, 64)
	return &thread.Dispatch{Program: FromInsts(target.TGL, p), SIMD: 8, Groups: [3]uint32{2, 1, 1}, LocalSize: [3]uint32{32, 1, 1}, SLMSize: 64,
		Surfaces: []*thread.Surface{{Data: data}}, Payload: ComputePayload(abi.JacquardCS, nil), Options: o}, data
}

func TestBarrier(t *testing.T) {
	for _, o := range []thread.Options{{}, {Slice: 1, Seed: 9}, {Slice: 3, Seed: 4}} {
		d, data := groupDispatch(exchange(true, true), o)
		s, err := Run(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 4; i++ {
			if got := binary.LittleEndian.Uint32(data[4*i:]); got != uint32(i+1)%4 {
				t.Errorf("%+v: thread %d saw %d", o, i, got)
			}
		}
		if s.Threads != 8 || s.Sends != 8*5+8 {
			t.Errorf("%d threads, %d sends", s.Threads, s.Sends)
		}
	}
	// Without the barrier, running the threads one after the other exposes the error.
	d, data := groupDispatch(exchange(true, false), thread.Options{})
	if _, err := Run(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	if got := binary.LittleEndian.Uint32(data); got != 0xCDCDCDCD {
		t.Errorf("shared memory held %x before it was written", got)
	}
}

func TestRaces(t *testing.T) {
	for _, o := range []thread.Options{{Races: true}, {Races: true, Slice: 1, Seed: 9}} {
		d, _ := groupDispatch(exchange(true, true), o)
		if _, err := Run(context.Background(), d); err != nil {
			t.Errorf("with a barrier: %v", err)
		}
		d, _ = groupDispatch(exchange(true, false), o)
		_, err := Run(context.Background(), d)
		if f, ok := err.(*thread.Fault); !ok || f.Kind != thread.FaultRace {
			t.Errorf("without: %v", err)
		}
		d, _ = groupDispatch(exchange(false, true), o)
		_, err = Run(context.Background(), d)
		if f, ok := err.(*thread.Fault); !ok || f.Kind != thread.FaultRace ||
			!strings.Contains(err.Error(), "without a fence before the last barrier") {
			t.Errorf("without a fence: %v", err)
		}
	}
	// Atomics on one address do not race.
	inc := send(isa.SFIDDC1, 8, 0x020095FE, 0)
	inc.Src[0].Reg = 40
	d, _ := groupDispatch([]isa.Inst{inc, endThread()}, thread.Options{Races: true})
	if _, err := Run(context.Background(), d); err != nil {
		t.Errorf("atomics: %v", err)
	}
}

func TestLanesLeftBehind(t *testing.T) {
	// The thread ends inside an if; the lanes that skipped the if are lost.
	cmp := test(isa.CModLT, 0, 1, 0)
	br := pred(isa.Inst{Op: isa.OpIf, ExecSize: 16, JIP: 32, UIP: 32}, 0, true)
	d, _ := groupDispatch([]isa.Inst{cmp, br, endThread(), {Op: isa.OpEndif, ExecSize: 16, JIP: 16}, endThread()}, thread.Options{})
	if _, err := Run(context.Background(), d); err != nil {
		t.Errorf("all lanes take the branch: %v", err)
	}
	cmp.Src[1] = imm(isa.TypeW, 1) // push data: some lanes hold 1, some 0
	d, _ = groupDispatch([]isa.Inst{cmp, br, endThread(), {Op: isa.OpEndif, ExecSize: 16, JIP: 16}, endThread()}, thread.Options{})
	_, err := Run(context.Background(), d)
	if f, ok := err.(*thread.Fault); !ok || f.Kind != thread.FaultFlow || !strings.Contains(err.Error(), "still waits at 0x0030") {
		t.Errorf("got %v", err)
	}
}

func TestBarrierDeadlock(t *testing.T) {
	// Thread 0 ends without reaching the barrier.
	jump := isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true, Pred: isa.PredNormal, JIP: int32(16 * (len(barrier()) + 1))}
	cmp := arith(isa.OpCmp, 1, arf(isa.ARFNull, isa.TypeUD), scalar(1, 24, isa.TypeUD), imm(isa.TypeUW, 0))
	cmp.CMod, cmp.NoMask = isa.CModEQ, true
	p := append([]isa.Inst{cmp, jump}, barrier()...)
	d, _ := groupDispatch(append(p, endThread()), thread.Options{})
	_, err := Run(context.Background(), d)
	f, ok := err.(*thread.Fault)
	if !ok || f.Kind != thread.FaultBarrier || f.Thread != 1 ||
		!strings.Contains(err.Error(), "3 of 4 threads have signalled, 1 have ended") {
		t.Errorf("got %v", err)
	}
}

func TestPayload(t *testing.T) {
	l := thread.Launch{Group: [3]uint32{5, 6, 7}, Groups: [3]uint32{8, 9, 10}, LocalSize: [3]uint32{4, 2, 9}, Thread: 1, Threads: 5, SIMD: 16,
		BarrierID: 3, Scratch: 4096 + 2048, ScratchLog: 1, FFTID: 11}
	g := thread.GRFs{Size: 32}
	l.Fill(abi.JacquardCS, &g, []byte{1, 0, 0, 0, 2})
	for _, c := range []struct {
		r, d int
		want uint32
	}{{0, 1, 5}, {0, 6, 6}, {0, 7, 7}, {0, 2, 3 << 24}, {0, 3, 1}, {0, 5, 6144 | 11}, {1, 0, 8}, {1, 1, 9}, {1, 2, 10}, {1, 3, 0}, {1, 6, 1}, {1, 7, 5}, {2, 0, 1}, {2, 1, 2}} {
		if got := g.Dword(c.r, c.d); got != c.want {
			t.Errorf("r%d.%d: %x, want %x", c.r, c.d, got, c.want)
		}
	}
	g = thread.GRFs{Size: 32}
	l.SIMD = 32
	l.Fill(abi.ZebinTGLLP, &g, []byte{9})
	// Lane 20 of thread 1 is invocation 52: x 0, y 1, z 6.
	word := func(r, i int) int { return int(binary.LittleEndian.Uint16(g.Bytes[32*r+2*i:])) }
	if word(2, 4) != 52%4 || word(4, 4) != 52/4%2 || word(6, 4) != 52/8 || g.Bytes[7*32] != 9 {
		t.Errorf("local id %d %d %d, block %d", word(2, 4), word(4, 4), word(6, 4), g.Bytes[7*32])
	}
	// In registers of twice the size, one has the words of all lanes.
	g = thread.GRFs{Size: 64}
	l.Fill(abi.ZebinTGLLP, &g, []byte{9})
	word = func(r, i int) int { return int(binary.LittleEndian.Uint16(g.Bytes[64*r+2*i:])) }
	if word(1, 20) != 52%4 || word(2, 20) != 52/4%2 || word(3, 20) != 52/8 || g.Bytes[4*64] != 9 {
		t.Errorf("64 bytes: local id %d %d %d, block %d", word(1, 20), word(2, 20), word(3, 20), g.Bytes[4*64])
	}
}

// TestInlinePayload: where the push data are in memory, a register has the first 32 bytes of the program's own part.
func TestInlinePayload(t *testing.T) {
	l := thread.Launch{Groups: [3]uint32{8, 9, 10}, LocalSize: [3]uint32{16, 1, 1}, Thread: 1, Threads: 5, SIMD: 16}
	user := make([]byte, 41)
	for i := range user {
		user[i] = byte(i)
	}
	for _, n := range []int{0, 5, 41} {
		g := thread.GRFs{Size: 32}
		l.Fill(abi.JacquardCSGen125, &g, user[:n])
		in := min(n, 32)
		if !bytes.Equal(g.Bytes[32:][:in], user[:in]) || n < 32 && g.Set[1] != (n > 0) || g.Set[2] || g.Set[3] {
			t.Errorf("%d bytes: r1 has %x, set are %v", n, g.Bytes[32:64], g.Set[:4])
		}
		if len(l.Pushed) < 32+n || binary.LittleEndian.Uint32(l.Pushed[4:]) != 9 || !bytes.Equal(l.Pushed[32:][:n], user[:n]) {
			t.Errorf("%d bytes: memory has %x", n, l.Pushed)
		}
	}
}

func TestPartialThread(t *testing.T) {
	// 13 invocations in threads of 8: the last has five lanes.
	d := &thread.Dispatch{Program: FromInsts(target.TGL, []isa.Inst{func() isa.Inst {
		in := send(isa.SFIDDC1, 8, 0x02009500, 0) // inc
		in.Src[0].Reg = 40
		return in
	}(), endThread()}), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{13, 1, 1}}
	data := make([]byte, 4)
	d.Surfaces = []*thread.Surface{{Data: data}}
	if _, err := Run(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	if data[0] != 13 {
		t.Errorf("%d invocations ran", data[0])
	}
}

func TestLaunchErrors(t *testing.T) {
	p := FromInsts(target.TGL, []isa.Inst{endThread()})
	for _, d := range []*thread.Dispatch{
		{SIMD: 8, LocalSize: [3]uint32{1, 1, 1}},
		{Program: p, SIMD: 4, LocalSize: [3]uint32{1, 1, 1}},
		{Program: p, SIMD: 8},
		{Program: p, SIMD: 8, LocalSize: [3]uint32{1024, 1024, 1}},
		{Program: p, SIMD: 8, LocalSize: [3]uint32{513, 1, 1}},
		{Program: p, SIMD: 16, LocalSize: [3]uint32{16, 8, 9}},
		{Program: p, SIMD: 8, LocalSize: [3]uint32{1, 1, 1}, SLMSize: 1 << 17},
		{Program: p, SIMD: 8, LocalSize: [3]uint32{1, 1, 1}, ScratchPerThread: 1000},
		{Program: p, SIMD: 8, LocalSize: [3]uint32{1, 1, 1}, ScratchPerThread: 4 << 20},
		{Program: p, SIMD: 8, LocalSize: [3]uint32{1, 1, 1}, Mappings: []thread.Mapping{{Addr: 0, Data: make([]byte, 10)}, {Addr: 5, Data: make([]byte, 10)}}},
	} {
		if _, err := Run(context.Background(), d); err == nil {
			t.Errorf("%+v was accepted", d)
		}
	}
	if _, err := Run(context.Background(), &thread.Dispatch{Program: p, SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{8, 8, 8}, ScratchPerThread: 2 << 20}); err != nil {
		t.Errorf("64 threads with 2 MiB of scratch space each: %v", err)
	}
}
