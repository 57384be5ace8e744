// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

func grf(r, sub uint8, t isa.Type, v, w, h uint8) isa.Operand {
	return isa.Operand{File: isa.FileGRF, Type: t, Reg: r, Sub: sub, VStride: v, Width: w, HStride: h}
}

func packed(r uint8, t isa.Type) isa.Operand { return grf(r, 0, t, 8, 8, 1) }

func scalar(r, sub uint8, t isa.Type) isa.Operand { return grf(r, sub, t, 0, 1, 0) }

func dst(r uint8, t isa.Type) isa.Operand {
	return isa.Operand{File: isa.FileGRF, Type: t, Reg: r, HStride: 1}
}

func arf(code uint8, t isa.Type) isa.Operand {
	return isa.Operand{File: isa.FileARF, Type: t, Reg: code, HStride: 1, VStride: 8, Width: 8}
}

func imm(t isa.Type, v uint64) isa.Operand { return isa.Operand{File: isa.FileImm, Type: t, Imm: v} }

func immF(v float32) isa.Operand { return imm(isa.TypeF, uint64(math.Float32bits(v))) }

func arith(op isa.Op, n uint8, d isa.Operand, src ...isa.Operand) isa.Inst {
	in := isa.Inst{Op: op, ExecSize: n, Dst: d, SWSB: fields.SWSBDist(1)}
	copy(in.Src[:], src)
	return in
}

// tern returns a GRF operand of a three-source instruction.
func tern(r uint8, t isa.Type) isa.Operand {
	return isa.Operand{File: isa.FileGRF, Type: t, Reg: r, VStride: 8, HStride: 1}
}

// endThread returns the message that ends a thread.
func endThread() isa.Inst {
	return isa.Inst{Op: isa.OpSend, ExecSize: 8, NoMask: true, EOT: true, SFID: isa.SFIDTS, Desc: 0x02000000,
		Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 127}, {File: isa.FileARF}}, Dst: isa.Operand{File: isa.FileARF}}
}

// bench is one thread of a machine whose registers a test can access.
type bench struct {
	*thread.Thread
}

// newBench returns a thread of simd lanes that runs the instructions and ends.
func newBench(t testing.TB, simd int, rules thread.HazardRules, insts ...isa.Inst) *bench {
	t.Helper()
	return benchOf(t, target.TGL, simd, rules, insts...)
}

// benchOf is like newBench, for a given machine.
func benchOf(t testing.TB, machine *target.Target, simd int, rules thread.HazardRules, insts ...isa.Inst) *bench {
	t.Helper()
	return benchOn(t, FromInsts(machine, append(insts, endThread())), simd, func(o *thread.Options) { o.Hazards = rules })
}

// benchOn returns a thread that runs p, which must end itself.
func benchOn(t testing.TB, p *thread.Program, simd int, set ...func(*thread.Options)) *bench {
	t.Helper()
	d := &thread.Dispatch{Program: p, SIMD: simd, Groups: [3]uint32{1, 1, 1},
		LocalSize: [3]uint32{uint32(simd), 1, 1}, SLMSize: 1024, ScratchPerThread: 2048, Options: thread.Options{StepLimit: 10000}}
	for _, f := range set {
		f(&d.Options)
	}
	var s thread.Stats
	r, err := newRunner(context.Background(), d, &s)
	if err != nil {
		t.Fatal(err)
	}
	th := r.g.Threads[0]
	r.reset(th, [3]uint32{})
	return &bench{th}
}

func (b *bench) exec(t testing.TB) {
	t.Helper()
	run(b.Thread, math.MaxUint64)
	if b.Err != nil {
		t.Fatal(b.Err)
	}
}

// grfSize is the size of the registers of the machines in most of these tests.
const grfSize = 32

func (b *bench) setU(r, d int, v uint32) {
	binary.LittleEndian.PutUint32(b.Reg[r*b.Prog.GRF+4*d:], v)
}
func (b *bench) u(r, d int) uint32 { return binary.LittleEndian.Uint32(b.Reg[r*b.Prog.GRF+4*d:]) }
func (b *bench) setF(r, d int, v float32) {
	b.setU(r, d, math.Float32bits(v))
}
func (b *bench) f(r, d int) float32 { return math.Float32frombits(b.u(r, d)) }
func (b *bench) w(r, i int) uint16 {
	return binary.LittleEndian.Uint16(b.Reg[r*grfSize+2*i:])
}

func TestAddPackedAndScalar(t *testing.T) {
	b := newBench(t, 16, thread.HazardsStrict,
		arith(isa.OpAdd, 16, dst(10, isa.TypeD), packed(2, isa.TypeD), scalar(4, 8, isa.TypeD)),
		arith(isa.OpAdd, 16, dst(12, isa.TypeF), packed(10, isa.TypeD), imm(isa.TypeW, 0xFFFF)))
	for i := 0; i < 16; i++ {
		b.setU(2, i, uint32(i*3))
	}
	b.setU(4, 2, 100)
	b.exec(t)
	for i := 0; i < 16; i++ {
		if got := b.u(10, i); got != uint32(100+i*3) {
			t.Errorf("lane %d: %d", i, got)
		}
		if got := b.f(12, i); got != float32(99+i*3) {
			t.Errorf("lane %d as float: %g", i, got)
		}
	}
}

func TestRegions(t *testing.T) {
	// Compare every lane of <V;W,H> with the manual's formula.
	for _, c := range []struct{ v, w, h, n uint8 }{
		{8, 8, 1, 8}, {0, 1, 0, 8}, {4, 4, 1, 8}, {16, 8, 2, 8}, {8, 4, 2, 8}, {2, 2, 0, 8}, {1, 4, 0, 16}, {0, 8, 1, 16}, {1, 2, 1, 4}, {1, 1, 0, 8},
	} {
		b := newBench(t, 16, thread.HazardsStrict, arith(isa.OpMov, c.n, dst(10, isa.TypeUD), grf(2, 4, isa.TypeUW, c.v, c.w, c.h)))
		for i := 0; i < 32; i++ {
			binary.LittleEndian.PutUint16(b.Reg[2*grfSize+2*i:], uint16(1000+i))
		}
		b.exec(t)
		for i := 0; i < int(c.n); i++ {
			want := uint32(1000 + 2 + i/int(c.w)*int(c.v) + i%int(c.w)*int(c.h))
			if got := b.u(10, i); got != want {
				t.Errorf("<%d;%d,%d> lane %d: %d, want %d", c.v, c.w, c.h, i, got, want)
			}
		}
	}
}

func TestIndirect(t *testing.T) {
	one := arith(isa.OpMov, 8, dst(10, isa.TypeUD), grf(0, 0, isa.TypeUD, 8, 8, 1))
	one.Src[0].Indirect, one.Src[0].AddrSub, one.Src[0].AddrOff = true, 1, 32
	each := arith(isa.OpMov, 8, dst(11, isa.TypeUD), grf(0, 0, isa.TypeUD, isa.VStrideVxH, 1, 0))
	each.Src[0].Indirect = true
	rows := arith(isa.OpMov, 8, dst(12, isa.TypeUD), grf(0, 0, isa.TypeUD, isa.VStrideVxH, 4, 1))
	rows.Src[0].Indirect = true
	out := arith(isa.OpMov, 8, isa.Operand{Type: isa.TypeUD, File: isa.FileGRF, Indirect: true, AddrSub: 2, AddrOff: -32,
		HStride: 1}, packed(20, isa.TypeUD))
	b := newBench(t, 8, thread.HazardsStrict, one, each, rows, out)
	for i := 0; i < 8; i++ {
		binary.LittleEndian.PutUint16(b.Reg[thread.A0Base+2*i:], uint16(20*32+4*(7-i)*2))
	}
	for i := 0; i < 32; i++ {
		b.setU(20, i, uint32(500+i))
	}
	b.exec(t)
	addr := func(i int) int { return (7 - i) * 2 } // dwords after r20 that a0.i points to
	for i := 0; i < 8; i++ {
		if got, want := b.u(10, i), uint32(500+addr(1)+8+i); got != want {
			t.Errorf("1x1 lane %d: %d, want %d", i, got, want)
		}
		if got, want := b.u(11, i), uint32(500+addr(i)); got != want {
			t.Errorf("Vx1 lane %d: %d, want %d", i, got, want)
		}
		if got, want := b.u(12, i), uint32(500+addr(i/4)+i%4); got != want {
			t.Errorf("VxH lane %d: %d, want %d", i, got, want)
		}
		if got, want := b.u(20, addr(2)-8+i), uint32(500+i); i+addr(2)-8 < 0 && got != want {
			t.Errorf("indirect destination lane %d: %d, want %d", i, got, want)
		}
	}
}

func TestImmediateVectors(t *testing.T) {
	b := newBench(t, 8, thread.HazardsStrict,
		arith(isa.OpMov, 8, dst(10, isa.TypeW), imm(isa.TypeV, 0xF6543210)),
		arith(isa.OpMov, 8, dst(11, isa.TypeUW), imm(isa.TypeUV, 0xF6543210)),
		arith(isa.OpMov, 4, dst(12, isa.TypeF), imm(isa.TypeVF, 0x30203048)),
		arith(isa.OpAdd, 8, dst(13, isa.TypeUW), packed(11, isa.TypeUW), imm(isa.TypeUV, 0x11111111)))
	b.exec(t)
	if b.w(10, 7) != 0xFFFF || b.w(11, 7) != 15 || b.w(10, 3) != 3 || b.w(13, 3) != 4 {
		t.Errorf("V %x UV %x sum %x", b.w(10, 7), b.w(11, 7), b.w(13, 3))
	}
	for i, want := range []float32{3, 1, 0.5, 1} { // 0x48: 2^1·1.5
		if b.f(12, i) != want {
			t.Errorf("VF lane %d: %g, want %g", i, b.f(12, i), want)
		}
	}
}

// TestImmediateVectorsOfDwords checks that dword lanes read the vector element at their position in the
// destination.
func TestImmediateVectorsOfDwords(t *testing.T) {
	b := newBench(t, 8, thread.HazardsStrict,
		arith(isa.OpAdd, 4, dst(10, isa.TypeUD), scalar(2, 0, isa.TypeUW), imm(isa.TypeUV, 0x08080400)),
		arith(isa.OpMov, 2, dst(11, isa.TypeD), imm(isa.TypeV, 0x0F7)))
	b.setU(2, 0, 16)
	b.exec(t)
	for i, want := range []uint32{16, 20, 24, 24} {
		if b.u(10, i) != want {
			t.Errorf("lane %d: %d, want %d", i, b.u(10, i), want)
		}
	}
	if b.u(11, 0) != 7 || b.u(11, 1) != 0 {
		t.Errorf("got %d %d", b.u(11, 0), b.u(11, 1))
	}
	b = newBench(t, 8, thread.HazardsStrict, arith(isa.OpMov, 8, dst(10, isa.TypeUD), imm(isa.TypeUV, 0x76543210)))
	run(b.Thread, 10)
	if b.Err == nil || b.Err.Kind != thread.FaultOperand {
		t.Errorf("eight doublewords: %v", b.Err)
	}
}

func TestModifiersAndSaturation(t *testing.T) {
	neg := packed(2, isa.TypeD)
	neg.Neg = true
	both := packed(2, isa.TypeF)
	both.Neg, both.Abs = true, true
	not := packed(2, isa.TypeUD)
	not.Neg = true
	sat := arith(isa.OpAdd, 1, dst(13, isa.TypeUB), packed2(2, isa.TypeD), imm(isa.TypeW, 300))
	sat.Sat = true
	satF := arith(isa.OpAdd, 1, dst(14, isa.TypeF), packed2(2, isa.TypeF), immF(-5))
	satF.Sat = true
	b := newBench(t, 8, thread.HazardsStrict,
		arith(isa.OpMov, 8, dst(10, isa.TypeD), neg),
		arith(isa.OpMov, 8, dst(11, isa.TypeF), both),
		arith(isa.OpAnd, 8, dst(12, isa.TypeUD), not, imm(isa.TypeUD, 0xFFFF)), sat, satF)
	b.setU(2, 0, math.Float32bits(1.5))
	b.exec(t)
	if got := int32(b.u(10, 0)); got != -0x3FC00000 {
		t.Errorf("neg: %x", got)
	}
	if got := b.f(11, 0); got != -1.5 {
		t.Errorf("-abs: %g", got)
	}
	if got := b.u(12, 0); got != 0xFFFF {
		t.Errorf("not: %x", got)
	}
	if b.Reg[13*grfSize] != 255 || b.f(14, 0) != 0 {
		t.Errorf("saturated: %d %g", b.Reg[13*grfSize], b.f(14, 0))
	}
}

func packed2(r uint8, t isa.Type) isa.Operand { return grf(r, 0, t, 0, 1, 0) }

func TestFlagsAndPredicates(t *testing.T) {
	cmp := arith(isa.OpCmp, 8, arf(isa.ARFNull, isa.TypeD), packed(2, isa.TypeD), imm(isa.TypeW, 4))
	cmp.CMod, cmp.Flag = isa.CModLT, 2 // f1.0
	set := arith(isa.OpMov, 8, dst(10, isa.TypeD), imm(isa.TypeD, 7))
	set.Pred, set.Flag = isa.PredNormal, 2
	inv := arith(isa.OpMov, 8, dst(11, isa.TypeD), imm(isa.TypeD, 7))
	inv.Pred, inv.Flag, inv.PredInv = isa.PredNormal, 2, true
	any := arith(isa.OpMov, 8, dst(12, isa.TypeD), imm(isa.TypeD, 7))
	any.Pred, any.Flag = isa.PredAll4H, 2
	sel := arith(isa.OpSel, 8, dst(13, isa.TypeD), packed(2, isa.TypeD), imm(isa.TypeW, 99))
	sel.Pred, sel.Flag = isa.PredNormal, 2
	smin := arith(isa.OpSel, 8, dst(14, isa.TypeD), packed(2, isa.TypeD), imm(isa.TypeW, 3))
	smin.CMod = isa.CModLT
	b := newBench(t, 8, thread.HazardsStrict, cmp, set, inv, any, sel, smin)
	for i := 0; i < 8; i++ {
		b.setU(2, i, uint32(i))
	}
	b.exec(t)
	if b.Flag[1] != 0x0F || b.Flag[0] != 0 {
		t.Fatalf("flags %x %x", b.Flag[0], b.Flag[1])
	}
	for i := 0; i < 8; i++ {
		lo := uint32(0)
		if i < 4 {
			lo = 7
		}
		if b.u(10, i) != lo || b.u(11, i) != 7-lo || b.u(12, i) != lo {
			t.Errorf("lane %d: %d %d %d", i, b.u(10, i), b.u(11, i), b.u(12, i))
		}
		s := uint32(99)
		if i < 4 {
			s = uint32(i)
		}
		if b.u(13, i) != s || b.u(14, i) != min(uint32(i), 3) {
			t.Errorf("lane %d: sel %d min %d", i, b.u(13, i), b.u(14, i))
		}
	}
}

func TestMinMaxNaN(t *testing.T) {
	mk := func(c isa.CMod, d uint8) isa.Inst {
		in := arith(isa.OpSel, 8, dst(d, isa.TypeF), packed(2, isa.TypeF), packed(3, isa.TypeF))
		in.CMod = c
		return in
	}
	b := newBench(t, 8, thread.HazardsStrict, mk(isa.CModLT, 10), mk(isa.CModGE, 11))
	nan := float32(math.NaN())
	in := [][2]float32{{nan, 2}, {2, nan}, {1, 2}, {2, 1}, {-1, -2}, {nan, nan}}
	for i, v := range in {
		b.setF(2, i, v[0])
		b.setF(3, i, v[1])
	}
	b.exec(t)
	for i, want := range [][2]float32{{2, 2}, {2, 2}, {1, 2}, {1, 2}, {-2, -1}} {
		if b.f(10, i) != want[0] || b.f(11, i) != want[1] {
			t.Errorf("%v: min %g max %g", in[i], b.f(10, i), b.f(11, i))
		}
	}
	if v := b.f(10, 5); v == v {
		t.Errorf("min of two NaN: %g", v)
	}
}

// TestFMA32 compares Fma32 with exact arithmetic.
func TestFMA32(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 200000; i++ {
		a, b := math.Float32frombits(rng.Uint32()), math.Float32frombits(rng.Uint32())
		c := math.Float32frombits(rng.Uint32())
		if i%2 == 0 { // near cancellation
			c = -float32(a * b)
			c = math.Float32frombits(math.Float32bits(c) + uint32(rng.IntN(3)))
		}
		if a != a || b != b || c != c || math.IsInf(float64(a), 0) || math.IsInf(float64(b), 0) || math.IsInf(float64(c), 0) {
			continue
		}
		x := new(big.Float).SetPrec(2000).SetFloat64(float64(a))
		x.Mul(x, new(big.Float).SetFloat64(float64(b)))
		x.Add(x, new(big.Float).SetFloat64(float64(c)))
		want, _ := x.Float32()
		if got := thread.Fma32(a, b, c); got != want {
			t.Fatalf("%g*%g+%g: %g, want %g", a, b, c, got, want)
		}
	}
}

func TestHalf(t *testing.T) {
	for h := 0; h < 1<<16; h++ {
		f := thread.Half32(uint16(h))
		if h&0x7FFF > 0x7C00 {
			if math.Float32bits(f) != thread.QuietNaN32 {
				t.Fatalf("%x is %x", h, math.Float32bits(f))
			}
			continue
		}
		// IEEE 754, 3.4: (-1)^s · 2^(e-15) · (1 + f/1024); denormals: 2^-14 · f/1024.
		want := math.Ldexp(1+float64(h&0x3FF)/1024, h>>10&31-15)
		switch h >> 10 & 31 {
		case 0:
			want = math.Ldexp(float64(h&0x3FF)/1024, -14)
		case 31:
			want = math.Inf(1)
		}
		if want = math.Copysign(want, float64(1-h>>15<<1)); math.Float64bits(float64(f)) != math.Float64bits(want) {
			t.Fatalf("%x is %g, want %g", h, f, want)
		}
		for mode := uint8(0); mode < 4; mode++ {
			if got := thread.Round16(float64(f), mode); got != uint16(h) {
				t.Fatalf("mode %d: %x became %x", mode, h, got)
			}
		}
		if h&0x7FFF >= 0x7BFF {
			continue
		}
		// A value between two adjacent halves is rounded according to the mode.
		next := thread.Half32(uint16(h + 1))
		mid := (float64(f) + float64(next)) / 2
		even := uint16(h)
		if h&1 != 0 {
			even = uint16(h + 1)
		}
		neg := h&0x8000 != 0
		up, down := uint16(h+1), uint16(h)
		if neg {
			up, down = down, up
		}
		for mode, want := range []uint16{even, up, down, uint16(h)} {
			if got := thread.Round16(mid, uint8(mode)); got != want {
				t.Fatalf("mode %d: %g between %x and its successor became %x", mode, mid, h, got)
			}
		}
	}
	if thread.Round16(65520, thread.RoundNearest) != 0x7C00 || thread.Round16(65519, thread.RoundNearest) != 0x7BFF ||
		thread.Round16(1e9, thread.RoundZero) != 0x7BFF || thread.Round16(math.NaN(), 0) != 0x7E00 {
		t.Error("overflow")
	}
}

func TestIntegerMultiply(t *testing.T) {
	// mach yields the low half of a 32×32-bit product without {AccWrEn} and the high half with it.
	lowU := grf(3, 0, isa.TypeUW, 16, 8, 2)
	acc := arf(isa.ARFAcc0, isa.TypeD)
	mach := arith(isa.OpMach, 8, dst(10, isa.TypeD), packed(2, isa.TypeD), packed(3, isa.TypeD))
	machHi := mach
	machHi.Dst.Reg, machHi.AccWrEn = 11, true
	b := newBench(t, 8, thread.HazardsStrict,
		arith(isa.OpMul, 8, acc, packed(2, isa.TypeD), lowU), mach,
		arith(isa.OpMul, 8, acc, packed(2, isa.TypeD), lowU), machHi,
		arith(isa.OpMov, 8, dst(12, isa.TypeD), acc))
	vals := []int32{0, 1, -1, math.MaxInt32, math.MinInt32, 123456789, -987654321, 0x10001}
	for i, v := range vals {
		b.setU(2, i, uint32(v))
		b.setU(3, i, uint32(vals[(i+3)%8]))
	}
	b.exec(t)
	for i, v := range vals {
		p := int64(v) * int64(vals[(i+3)%8])
		if b.u(10, i) != uint32(p) || b.u(11, i) != uint32(p>>32) || b.u(12, i) != uint32(p) {
			t.Errorf("lane %d: %x·%x: low %x high %x acc %x, want %x", i, v, vals[(i+3)%8], b.u(10, i), b.u(11, i), b.u(12, i), p)
		}
	}
}

func TestCarry(t *testing.T) {
	add := arith(isa.OpAddc, 8, dst(10, isa.TypeUD), packed(2, isa.TypeUD), packed(3, isa.TypeUD))
	add.AccWrEn = true
	sub := arith(isa.OpSubb, 8, dst(12, isa.TypeUD), packed(2, isa.TypeUD), packed(3, isa.TypeUD))
	sub.AccWrEn = true
	b := newBench(t, 8, thread.HazardsStrict, add, arith(isa.OpMov, 8, dst(11, isa.TypeUD), arf(isa.ARFAcc0, isa.TypeUD)),
		sub, arith(isa.OpMov, 8, dst(13, isa.TypeUD), arf(isa.ARFAcc0, isa.TypeUD)))
	b.setU(2, 0, 0xFFFFFFFF)
	b.setU(3, 0, 2)
	b.setU(2, 1, 1)
	b.setU(3, 1, 2)
	b.exec(t)
	if b.u(10, 0) != 1 || b.u(11, 0) != 1 || b.u(10, 1) != 3 || b.u(11, 1) != 0 || b.u(12, 1) != 0xFFFFFFFF || b.u(13, 1) != 1 ||
		b.u(13, 0) != 0 {
		t.Errorf("%x %x %x %x", b.u(10, 0), b.u(11, 0), b.u(12, 1), b.u(13, 1))
	}
}

func TestBitOperations(t *testing.T) {
	ud := isa.TypeUD
	b := newBench(t, 8, thread.HazardsStrict,
		arith(isa.OpLzd, 8, dst(10, ud), packed(2, ud)),
		arith(isa.OpFbh, 8, dst(11, ud), packed(2, isa.TypeD)),
		arith(isa.OpFbl, 8, dst(12, ud), packed(2, ud)),
		arith(isa.OpCbit, 8, dst(13, ud), packed(2, ud)),
		arith(isa.OpBfrev, 8, dst(14, ud), packed(2, ud)),
		arith(isa.OpBfi1, 8, dst(15, ud), packed(3, ud), packed(4, ud)),
		arith(isa.OpBfi2, 8, dst(16, ud), tern(15, ud), tern(2, ud), tern(5, ud)),
		arith(isa.OpBfe, 8, dst(17, ud), tern(3, ud), tern(4, ud), tern(2, ud)),
		arith(isa.OpBfe, 8, dst(18, isa.TypeD), tern(3, isa.TypeD), tern(4, isa.TypeD), tern(2, isa.TypeD)),
		arith(isa.OpRol, 8, dst(19, ud), packed(2, ud), imm(isa.TypeUW, 8)),
		arith(isa.OpRor, 8, dst(20, ud), packed(2, ud), imm(isa.TypeUW, 8)),
		arith(isa.OpShr, 8, dst(21, ud), packed(2, ud), imm(isa.TypeUW, 36)),
		arith(isa.OpAsr, 8, dst(22, isa.TypeD), packed(2, isa.TypeD), imm(isa.TypeUW, 4)),
		arith(isa.OpShl, 8, dst(23, ud), packed(2, ud), imm(isa.TypeUW, 4)),
		arith(isa.OpDp4a, 8, dst(24, isa.TypeD), tern(3, isa.TypeD), tern(2, isa.TypeD), tern(2, isa.TypeUD)))
	v := uint32(0xF0C00A50)
	for i := 0; i < 8; i++ {
		b.setU(2, i, v)
		b.setU(3, i, 8)
		b.setU(4, i, 4)
		b.setU(5, i, 0x12345678)
	}
	b.setU(2, 1, 0)
	b.exec(t)
	for r, want := range map[int]uint32{10: 0, 11: 4, 12: 4, 13: 10, 14: 0x0A50030F, 15: 0xFF0, 16: 0x12345508, 17: 0xA5, 18: 0xFFFFFFA5,
		19: 0xC00A50F0, 20: 0x50F0C00A, 21: 0x0F0C00A5, 22: 0xFF0C00A5, 23: 0x0C00A500} {
		if got := b.u(r, 0); got != want {
			t.Errorf("r%d: %x, want %x", r, got, want)
		}
	}
	if b.u(10, 1) != 32 || b.u(11, 1) != math.MaxUint32 || b.u(12, 1) != math.MaxUint32 {
		t.Errorf("of zero: lzd %d fbh %x fbl %x", b.u(10, 1), b.u(11, 1), b.u(12, 1))
	}
	var dot int32 = 8
	for _, x := range []byte{0xF0, 0xC0, 0x0A, 0x50} {
		dot += int32(int8(x)) * int32(x)
	}
	if got := int32(b.u(24, 0)); got != dot {
		t.Errorf("dp4a: %d, want %d", got, dot)
	}
}

func TestDenormalsAndRounding(t *testing.T) {
	cr := isa.Operand{File: isa.FileARF, Reg: isa.ARFCR0, Type: isa.TypeUD, HStride: 1, Width: 1}
	set := func(v uint64) isa.Inst {
		in := arith(isa.OpMov, 1, cr, imm(isa.TypeUD, v))
		in.NoMask = true
		return in
	}
	half := func(d uint8) isa.Inst { return arith(isa.OpMul, 8, dst(d, isa.TypeF), packed(2, isa.TypeF), immF(0.5)) }
	third := func(d uint8) isa.Inst { return arith(isa.OpAdd, 8, dst(d, isa.TypeF), packed(3, isa.TypeF), immF(1)) }
	b := newBench(t, 8, thread.HazardsStrict, half(10), set(thread.Cr0KeepF32), half(11), third(12), set(1<<thread.Cr0RoundShift),
		third(13), set(2<<thread.Cr0RoundShift), third(14),
		set(3<<thread.Cr0RoundShift), third(15), arith(isa.OpMov, 8, dst(16, isa.TypeF), packed(4, isa.TypeF)))
	least := math.Float32frombits(0x00800000)
	b.setF(2, 0, least)
	b.setF(3, 0, 0x1p-30)
	b.setF(3, 1, -0x1p-30)
	b.setU(4, 0, 1)
	b.exec(t)
	if b.u(10, 0) != 0 || b.u(11, 0) != 0x00400000 {
		t.Errorf("denormal result: %x flushed, %x kept", b.u(10, 0), b.u(11, 0))
	}
	up, down := math.Float32frombits(0x3F800001), math.Float32frombits(0x3F7FFFFF)
	if b.f(12, 0) != 1 || b.f(13, 0) != up || b.f(13, 1) != 1 || b.f(14, 1) != down || b.f(15, 0) != 1 || b.f(15, 1) != down {
		t.Errorf("rounding: %x %x %x %x %x", b.u(12, 0), b.u(13, 0), b.u(13, 1), b.u(14, 1), b.u(15, 1))
	}
	if b.u(16, 0) != 1 {
		t.Error("a raw move flushed a denormal")
	}
}

func TestConversions(t *testing.T) {
	b := newBench(t, 8, thread.HazardsStrict,
		arith(isa.OpMov, 8, dst(10, isa.TypeD), packed(2, isa.TypeF)),
		arith(isa.OpMov, 8, dst(11, isa.TypeUD), packed(2, isa.TypeF)),
		arith(isa.OpMov, 8, dst(12, isa.TypeF), packed(10, isa.TypeD)),
		arith(isa.OpMov, 8, isa.Operand{File: isa.FileGRF, Reg: 13, Type: isa.TypeHF, HStride: 2}, packed(2, isa.TypeF)))
	in := []float32{1.9, -1.9, 3e9, -3e9, float32(math.NaN()), 5e9, 0, 65519}
	for i, v := range in {
		b.setF(2, i, v)
	}
	b.exec(t)
	for i, want := range []int32{1, -1, math.MaxInt32, math.MinInt32, 0, math.MaxInt32, 0, 65519} {
		if int32(b.u(10, i)) != want {
			t.Errorf("%g to D: %d", in[i], int32(b.u(10, i)))
		}
	}
	for i, want := range []uint32{1, 0, 3000000000, 0, 0, math.MaxUint32, 0, 65519} {
		if b.u(11, i) != want {
			t.Errorf("%g to UD: %d", in[i], b.u(11, i))
		}
	}
	if b.w(13, 14) != 0x7BFF || b.w(13, 4) != 0x7C00 {
		t.Errorf("to HF: %x %x", b.w(13, 14), b.w(13, 4))
	}
}

func TestMath(t *testing.T) {
	fn := func(f isa.MathFn, d uint8, typ isa.Type, src ...isa.Operand) isa.Inst {
		in := arith(isa.OpMath, 8, dst(d, typ), src...)
		in.Math = f
		in.SWSB = fields.SWSBSet(0)
		return in
	}
	d := isa.TypeD
	b := newBench(t, 8, thread.HazardsStrict,
		fn(isa.MathInv, 10, isa.TypeF, packed(2, isa.TypeF)), fn(isa.MathSqrt, 11, isa.TypeF, packed(2, isa.TypeF)),
		fn(isa.MathLog2, 12, isa.TypeF, packed(2, isa.TypeF)), fn(isa.MathExp2, 13, isa.TypeF, packed(2, isa.TypeF)),
		fn(isa.MathIDiv, 14, d, packed(3, d), packed(4, d)), fn(isa.MathIQuot, 16, isa.TypeUD, packed(3, isa.TypeUD),
			packed(4, isa.TypeUD)))
	for i := 0; i < 8; i++ {
		b.setF(2, i, 4)
		b.setU(4, i, 7)
	}
	b.setU(3, 0, 100)
	b.setU(3, 1, ^uint32(99))
	b.setU(3, 2, 5)
	b.setU(4, 2, 0)
	b.setU(3, 3, ^uint32(4))
	b.setU(4, 3, 0)
	b.setU(3, 4, 0x80000000)
	b.setU(4, 4, 0xFFFFFFFF)
	b.exec(t)
	if b.f(10, 0) != 0.25 || b.f(11, 0) != 2 || b.f(12, 0) != 2 || b.f(13, 0) != 16 {
		t.Errorf("%g %g %g %g", b.f(10, 0), b.f(11, 0), b.f(12, 0), b.f(13, 0))
	}
	for i, want := range [][2]int32{{14, 2}, {-14, -2}, {math.MaxInt32, math.MaxInt32}, {math.MinInt32, math.MinInt32}, {math.MinInt32, 0}} {
		if int32(b.u(14, i)) != want[0] || int32(b.u(15, i)) != want[1] {
			t.Errorf("lane %d: quotient %d remainder %d", i, int32(b.u(14, i)), int32(b.u(15, i)))
		}
	}
	if b.u(16, 1) != 0xFFFFFF9C/7 || b.u(16, 2) != math.MaxUint32 {
		t.Errorf("unsigned: %x %x", b.u(16, 1), b.u(16, 2))
	}
}

func TestIllegalInstructions(t *testing.T) {
	d := isa.TypeD
	for _, c := range []struct {
		in   isa.Inst
		want string
	}{
		{arith(isa.OpMul, 8, dst(10, d), packed(2, d), packed(3, d)), "no 32-bit by 32-bit multiply"},
		{arith(isa.OpMov, 8, dst(10, isa.TypeQ), packed(2, isa.TypeQ)), "no 64-bit arithmetic"},
		{arith(isa.OpMov, 16, dst(127, d), packed(2, d)), "past the last register"},
		{arith(isa.OpMov, 16, dst(10, d), packed(200, d)), "no register r200"},
		{arith(isa.OpAdd, 8, dst(10, d), packed(2, d), packed(2, isa.TypeF)), "integer and float"},
		{arith(isa.OpSel, 8, dst(10, d), packed(2, d), packed(3, d)), "either a predicate or"},
		{arith(isa.OpMov, 32, dst(10, d), packed(2, d)), "more than two registers"},
		{isa.Inst{Op: isa.OpIllegal, ExecSize: 1}, "no such operation"},
	} {
		b := newBench(t, 16, thread.HazardsStrict, c.in)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.in.Op, b.Err, c.want)
		}
	}
}
