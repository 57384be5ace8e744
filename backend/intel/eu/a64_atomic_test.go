// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// narrow returns the machines with registers of 32 bytes, for which tests write payloads by hand.
func narrow() []*target.Target {
	return slices.DeleteFunc(slices.Clone(target.All), func(m *target.Target) bool { return m.Registers.Bytes != grfSize })
}

// a64Bench returns a bench with lanes 0 and 5 enabled. The address of lane l is 8·l + 8 bytes into a mapping,
// whose data it also returns.
func a64Bench(t testing.TB, machine *target.Target, in isa.Inst) (*bench, []byte) {
	t.Helper()
	data := make([]byte, 128)
	b := imageBench(t, machine, nil, in)
	b.Group.Machine.Maps = []thread.Mapping{{Addr: mapAddr, Data: data}}
	b.Active = 1<<0 | 1<<5
	for _, l := range []int{0, 5} {
		b.setU(20, 2*l, mapAddr&0xFFFFFFFF+uint32(8*l)+8)
		b.setU(20, 2*l+1, mapAddr>>32)
	}
	return b, data
}

// TestA64Atomics64 checks that operands and results are packed quadwords, that comparisons are signed and
// unsigned in 64 bits, and that carries propagate into the upper dword.
func TestA64Atomics64(t *testing.T) {
	const big = 1<<63 | 5
	for _, c := range []struct {
		aop          uint32
		operands     uint32
		old, a, b    uint64
		want, result uint64
	}{
		{message.AopAnd, 1, 0xFF00FF00FF, 0x0FF0000FF0, 0, 0x0F000000F0, 0xFF00FF00FF}, {message.AopOr, 1, 1 << 40, 3, 0, 1<<40 | 3, 1 << 40},
		{message.AopXor, 1, 1<<40 | 1, 1<<40 | 2, 0, 3, 1<<40 | 1}, {message.AopMov, 1, 7, big, 0, big, 7},
		{message.AopInc, 0, 0xFFFFFFFF, 0, 0, 1 << 32, 0xFFFFFFFF}, {message.AopDec, 0, 1 << 32, 0, 0, 0xFFFFFFFF, 1 << 32}, {message.AopPreDec, 0, 1 << 32, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF},
		{message.AopAdd, 1, 0xFFFFFFFF, 1, 0, 1 << 32, 0xFFFFFFFF}, {message.AopSub, 1, 0, 1, 0, math.MaxUint64, 0}, {message.AopRevSub, 1, 1, 1 << 33, 0, 1<<33 - 1, 1},
		{message.AopIMax, 1, big, 1, 0, 1, big}, {message.AopIMin, 1, big, 1, 0, big, big}, {message.AopUMax, 1, big, 1, 0, big, big}, {message.AopUMin, 1, big, 1, 0, 1, big},
		{message.AopCmpWr, 2, big, big, 9 << 33, 9 << 33, big}, {message.AopCmpWr, 2, big, 5, 9, big, big},
	} {
		for _, machine := range narrow() {
			for ret := range uint32(2) {
				desc := 0x040490FD + ret*0x00202000 + c.aop<<8
				b, data := a64Bench(t, machine, send(isa.SFIDDC1, 8, desc, c.operands<<7))
				for _, l := range []int{0, 5} {
					binary.LittleEndian.PutUint64(data[8*l+8:], c.old+uint64(l)<<48)
					binary.LittleEndian.PutUint64(b.Reg[60*grfSize+8*l:], c.a+uint64(l)<<48)
					binary.LittleEndian.PutUint64(b.Reg[62*grfSize+8*l:], c.b)
					binary.LittleEndian.PutUint64(b.Reg[100*grfSize+8*l:], 77)
				}
				b.exec(t)
				result := uint64(77)
				if ret != 0 {
					result = c.result
				}
				if got := binary.LittleEndian.Uint64(data[8:]); got != c.want {
					t.Errorf("%s operation %d leaves %x, want %x", machine, c.aop, got, c.want)
				}
				if got := binary.LittleEndian.Uint64(b.Reg[100*grfSize:]); got != result {
					t.Errorf("%s operation %d returns %x, want %x", machine, c.aop, got, result)
				}
				if got := binary.LittleEndian.Uint64(b.Reg[100*grfSize+40:]); ret != 0 && got>>48&7 != 5 &&
					c.aop != message.AopSub && c.aop != message.AopPreDec {
					t.Errorf("%s operation %d returns %x to lane 5", machine, c.aop, got)
				}
				for l, v := range []byte(data) { // all other bytes are unchanged
					if (l < 8 || l >= 16 && l < 48 || l >= 56) && v != 0 {
						t.Fatalf("%s operation %d: byte %d is %x", machine, c.aop, l, v)
					}
				}
			}
		}
	}
}

// TestA64AtomicTraps checks the faults for wrong lengths, misaligned addresses and unknown operations.
func TestA64AtomicTraps(t *testing.T) {
	for _, c := range []struct {
		desc, ex uint32
		off      uint32
		want     string
	}{
		{0x0424B7FD, 1 << 6, 0, "the payload has 3 registers, but the message takes 4"},
		{0x0414B7FD, 2 << 6, 0, "the response has 1 registers, but the message returns 2"},
		{0x0424BEFD, 2 << 6, 0, "the message takes 6"},
		{0x0424B7FD, 2 << 6, 4, "is not aligned to 8 bytes"},
		{0x0424B0FD, 2 << 6, 0, "unknown atomic 0"},
	} {
		b, _ := a64Bench(t, target.TGL, send(isa.SFIDDC1, 8, c.desc, c.ex))
		b.setU(20, 0, b.u(20, 0)+c.off)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%08x: %v, want %q", c.desc, b.Err, c.want)
		}
	}
}

// TestA64AtomicFloat checks float minimum, maximum and compare-and-write at 64-bit addresses on all machines.
func TestA64AtomicFloat(t *testing.T) {
	for _, c := range []struct {
		fop, operands   uint32
		old, a, b, want float32
	}{{message.FopMax, 1, 1, 2, 0, 2}, {message.FopMin, 1, 1, 2, 0, 1}, {message.FopCmpWr, 2, 1, 1, 9, 9}, {message.FopCmpWr, 2, 1, 2, 9, 1}} {
		for _, machine := range target.All {
			b, data := a64Bench(t, machine, send(isa.SFIDDC1, 8, 0x041760FD+c.fop<<8, c.operands<<6))
			for _, l := range []int{0, 5} {
				binary.LittleEndian.PutUint32(data[8*l+8:], math.Float32bits(c.old))
				b.setF(60, l, c.a)
				b.setF(61, l, c.b)
			}
			b.exec(t)
			for _, l := range []int{0, 5} {
				if got := math.Float32frombits(dw(data, 8*l+8)); got != c.want || b.f(100, l) != c.old {
					t.Errorf("%s operation %d leaves %g and returns %g", machine, c.fop, got, b.f(100, l))
				}
			}
		}
	}
}

// TestQwordsDefined checks that a masked message that returns quadwords defines them only in its enabled lanes,
// so that an unmasked message that uses the others as addresses faults.
func TestQwordsDefined(t *testing.T) {
	for _, desc := range []uint32{0x042402FD, 0x0424B7FD} { // a read and an atomic
		var insts []isa.Inst
		for r := range uint8(2) {
			mv := arith(isa.OpMov, 8, dst(20+r, isa.TypeUD), imm(isa.TypeUD, mapAddr&0xFFFFFFFF))
			mv.NoMask = true
			insts = append(insts, mv)
			mv.Dst.HStride, mv.Dst.Reg = 2, 20+r
			mv.Dst.Sub, mv.ExecSize = 4, 4
			mv.Src[0].Imm = mapAddr >> 32
			insts = append(insts, mv)
			mv.Dst = dst(60+r, isa.TypeUD)
			mv.Src[0].Imm, mv.ExecSize = 0, 8
			insts = append(insts, mv)
		}
		first := send(isa.SFIDDC1, 8, desc, 0)
		if desc>>14&31 == 0x12 {
			first = send(isa.SFIDDC1, 8, desc, 2<<6)
		}
		second := send(isa.SFIDDC1, 8, 0x041406FD&^0x600|0x100, 0)
		second.NoMask, second.Src[0].Reg, second.Dst.Reg = true, 100, 110
		insts = append(insts, syncNop(fields.SWSBDist(1)), first, isa.Inst{Op: isa.OpSync, Sync: isa.SyncAllWr, ExecSize: 1}, second)
		data := make([]byte, 64)
		binary.LittleEndian.PutUint64(data, mapAddr)
		d := &thread.Dispatch{Program: FromInsts(target.TGL, append(insts, endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{5, 1, 1},
			Mappings: []thread.Mapping{{Addr: mapAddr, Data: data}},
			Options:  thread.Options{Addresses: true, Hazards: thread.HazardsLenient}}
		b := dispatchBench(t, d)
		run(b.Thread, 20)
		if b.Err == nil || b.Err.Kind != thread.FaultUndefined || !strings.Contains(b.Err.Error(), "address of lane 5") {
			t.Errorf("%08x: %v", desc, b.Err)
		}
	}
}
