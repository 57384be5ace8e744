// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"math"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// one returns an unmasked scalar instruction.
func one(op isa.Op, d isa.Operand, src ...isa.Operand) isa.Inst {
	in := arith(op, 1, d, src...)
	in.NoMask = true
	return in
}

func arfScalar(code, sub uint8, t isa.Type) isa.Operand {
	return isa.Operand{File: isa.FileARF, Type: t, Reg: code, Sub: sub, Width: 1, HStride: 0}
}

func arfDst(code, sub uint8, t isa.Type) isa.Operand {
	return isa.Operand{File: isa.FileARF, Type: t, Reg: code, Sub: sub, HStride: 1}
}

func TestArchitectureRegisters(t *testing.T) {
	ud := isa.TypeUD
	at := func(d uint8) isa.Operand { o := dst(10, ud); o.Sub = 4 * d; return o }
	a := newAsm()
	a.add(test(isa.CModLT, 0, 2, 5)) // f0.0: lanes 0–4
	a.add(one(isa.OpMov, at(0), arfScalar(isa.ARFF0, 0, ud)))
	a.add(one(isa.OpMov, arfDst(isa.ARFF0, 6, isa.TypeUW), imm(isa.TypeUW, 0xBEEF))) // f1.1 through f0's slot
	a.add(one(isa.OpMov, arfDst(isa.ARFF0+1, 0, isa.TypeUW), imm(isa.TypeUW, 0x1234)))
	a.br(pred(op0(isa.OpIf), 0, false), "endif", "endif")
	a.add(one(isa.OpMov, at(1), arfScalar(isa.ARFCE0, 0, ud)))
	a.label("endif").br(op0(isa.OpEndif), "next", "")
	a.label("next").add(one(isa.OpMov, at(2), arfScalar(isa.ARFSR0, 8, ud)))
	a.add(one(isa.OpMov, at(3), arfScalar(isa.ARFIP, 0, ud)))
	a.add(one(isa.OpOr, arfDst(isa.ARFCR0, 0, ud), arfScalar(isa.ARFCR0, 0, ud), imm(ud, 0x4C0)))
	a.add(one(isa.OpMov, at(4), arfScalar(isa.ARFCR0, 0, ud)))
	a.add(one(isa.OpMov, at(5), arfScalar(isa.ARFNull, 0, ud)))
	b := newBench(t, 16, thread.HazardsStrict, a.done()...)
	for i := 0; i < 16; i++ {
		b.setU(2, i, uint32(i))
	}
	ipAt := uint32(a.labels["next"]+1) * 16
	b.exec(t)
	for d, want := range []uint32{0x1F, 0x1F, 0xFFFF, ipAt, 0x4C0, 0} {
		if got := b.u(10, d); got != want {
			t.Errorf("r10.%d: %x, want %x", d, got, want)
		}
	}
	if b.Flag[0] != 0x1F || b.Flag[1] != 0xBEEF1234 {
		t.Errorf("flags %x %x", b.Flag[0], b.Flag[1])
	}
	if b.Flush32 || b.Flush16 {
		t.Error("denormals are still flushed")
	}
}

func TestDispatchMaskWrite(t *testing.T) {
	// A program may enable lanes that were not dispatched.
	p := []isa.Inst{one(isa.OpOr, arfDst(isa.ARFSR0, 8, isa.TypeUD), arfScalar(isa.ARFSR0, 8, isa.TypeUD), imm(isa.TypeUD, 0xFF00)), addTo(4, 1)}
	b := newBench(t, 8, thread.HazardsStrict, p...)
	b.exec(t)
	if b.u(4, 0) != 1 || b.u(4, 15) != 1 {
		t.Errorf("lanes 0 and 15: %d %d", b.u(4, 0), b.u(4, 15))
	}
}

func TestVerticalPredicates(t *testing.T) {
	for _, p := range []isa.Pred{isa.PredAnyV, isa.PredAllV} {
		in := arith(isa.OpMov, 8, dst(4, isa.TypeD), imm(isa.TypeD, 1))
		in.Pred = p
		b := newBench(t, 8, thread.HazardsStrict, in)
		b.Flag = [...]uint32{0x33, 0x55, 0, 0}
		b.exec(t)
		want := uint32(0x33 | 0x55)
		if p == isa.PredAllV {
			want = 0x33 & 0x55
		}
		for i := 0; i < 8; i++ {
			if b.u(4, i) != want>>i&1 {
				t.Errorf("pred %d lane %d: %d", p, i, b.u(4, i))
			}
		}
	}
}

func TestAccumulator(t *testing.T) {
	accF, accW := arf(isa.ARFAcc0, isa.TypeF), arf(isa.ARFAcc0, isa.TypeW)
	accRow := accF
	accRow.VStride, accRow.Width = 8, 8
	copyAcc := arith(isa.OpAdd, 16, dst(20, isa.TypeF), packed(2, isa.TypeF), immF(1))
	copyAcc.AccWrEn = true
	b := newBench(t, 16, thread.HazardsStrict,
		copyAcc,
		arith(isa.OpMov, 16, dst(22, isa.TypeF), accRow),
		arith(isa.OpMac, 16, dst(24, isa.TypeF), packed(2, isa.TypeF), immF(10)),
		arith(isa.OpMov, 16, accW, imm(isa.TypeW, 7)),
		arith(isa.OpMac, 16, dst(26, isa.TypeW), packedW(4), imm(isa.TypeW, 3)),
		arith(isa.OpAvg, 16, dst(28, isa.TypeUD), packed(6, isa.TypeUD), imm(isa.TypeUD, 0xFFFFFFFF)))
	for i := 0; i < 16; i++ {
		b.setF(2, i, float32(i))
		binary.LittleEndian.PutUint16(b.Reg[4*grfSize+2*i:], uint16(i))
		b.setU(6, i, math.MaxUint32-uint32(i))
	}
	b.exec(t)
	for i := 0; i < 16; i++ {
		if b.f(22, i) != float32(i+1) || b.f(24, i) != float32(11*i+1) || b.w(26, i) != uint16(7+3*i) ||
			b.u(28, i) != math.MaxUint32-uint32(i)/2 {
			t.Errorf("lane %d: %g %g %d %x", i, b.f(22, i), b.f(24, i), b.w(26, i), b.u(28, i))
		}
	}
}

func packedW(r uint8) isa.Operand { return grf(r, 0, isa.TypeW, 16, 16, 1) }

func TestA64Atomics(t *testing.T) {
	b, data := memBench(t, send(isa.SFIDDC1, 8, 0x0414A7FF, 0x40))
	b.Active = 0x0F
	for i := 0; i < 8; i++ {
		a := uint64(mapAddr + 64)
		b.setU(20, 2*i, uint32(a))
		b.setU(20, 2*i+1, uint32(a>>32))
		b.setU(60, i, uint32(i+1))
	}
	old := dw(data, 64)
	b.exec(t)
	if dw(data, 64) != old+10 || b.u(100, 3) != old+6 || b.u(100, 0) != old {
		t.Errorf("memory %x, lanes saw %x %x", dw(data, 64), b.u(100, 0), b.u(100, 3))
	}
}

func TestMixedHalf(t *testing.T) {
	// float16 and float32 sources compute in float32.
	h := isa.Operand{File: isa.FileGRF, Type: isa.TypeHF, Reg: 2, VStride: 8, Width: 8, HStride: 1}
	b := newBench(t, 8, thread.HazardsStrict, arith(isa.OpAdd, 8, dst(10, isa.TypeF), packed(4, isa.TypeF), h),
		arith(isa.OpMad, 8, dst(12, isa.TypeHF), ternH(2), ternH(2), ternH(2)))
	binary.LittleEndian.PutUint16(b.Reg[2*grfSize:], 0x3C01) // 1 + 2^-10
	b.setF(4, 0, 0x1p-20)
	b.exec(t)
	if got, want := b.f(10, 0), float32(1+0x1p-10+0x1p-20); got != want {
		t.Errorf("%g, want %g", got, want)
	}
	if got := b.w(12, 0); got != thread.Round16(1+0x1p-10+float64(1+0x1p-10)*(1+0x1p-10), thread.RoundNearest) {
		t.Errorf("%x", got)
	}
}

func ternH(r uint8) isa.Operand { return tern(r, isa.TypeHF) }
