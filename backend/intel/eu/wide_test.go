// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/alu"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// wideMachine returns a machine with all 64-bit arithmetic and a hardware scoreboard.
func wideMachine() *target.Target {
	m := *target.ICL
	m.Name, m.Has = "wide", m.Has|target.Int64|target.Float64|target.Mul32x32
	return &m
}

// element returns the bytes of one lane's operand.
func (b *bench) element(r, lane, size int) []byte { return b.Reg[r*grfSize+lane*size:][:size] }

func (b *bench) put(r, lane, size int, v uint64) {
	var q [8]byte
	binary.LittleEndian.PutUint64(q[:], v)
	copy(b.element(r, lane, size), q[:])
}

func (b *bench) bits(r, lane, size int) uint64 {
	var q [8]byte
	copy(q[:], b.element(r, lane, size))
	return binary.LittleEndian.Uint64(q[:])
}

// integer returns the value of an element of an integer type.
func integer(v uint64, t isa.Type) *big.Int {
	n := new(big.Int).SetUint64(v)
	if s := t.Size(); t.IsSigned() && v>>(8*s-1)&1 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*s)))
	}
	return n
}

// quad returns random integers of any magnitude, including the limits of the types.
func quad(r *rand.Rand) uint64 {
	v := r.Uint64() >> r.IntN(64)
	switch r.IntN(8) {
	case 0:
		return []uint64{0, 1, math.MaxUint64, math.MaxInt64, 1 << 63, math.MaxUint32, 1 << 31, math.MaxInt32}[r.IntN(8)]
	case 1, 2:
		return -v
	}
	return v
}

// TestWideIntegers compares operations with 64-bit operands with unbounded arithmetic.
func TestWideIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	types := []isa.Type{isa.TypeUQ, isa.TypeQ, isa.TypeUD, isa.TypeD}
	pick := func() isa.Type { return types[r.IntN(len(types))] }
	ops := []isa.Op{isa.OpMov, isa.OpNot, isa.OpAnd, isa.OpOr, isa.OpXor, isa.OpAdd, isa.OpMul, isa.OpShl, isa.OpShr, isa.OpAsr, isa.OpSel, isa.OpCmp}
	cmods := []isa.CMod{isa.CModEQ, isa.CModNE, isa.CModGT, isa.CModGE, isa.CModLT, isa.CModLE, isa.CModOV}
	machine := wideMachine()
	for range 4000 {
		in := arith(ops[r.IntN(len(ops))], 4, dst(10, pick()), row4(2, pick()), row4(4, pick()))
		in.SWSB = 0
		d, s := &in.Dst.Type, [2]isa.Type{in.Src[0].Type, in.Src[1].Type}
		unary, logic := false, thread.IsLogic(in.Op)
		switch in.Op {
		case isa.OpMov, isa.OpNot:
			unary, in.Src[1] = true, isa.Operand{}
		case isa.OpMul:
			for k := range s {
				s[k] = types[2+r.IntN(2)]
				in.Src[k].Type = s[k]
			}
		case isa.OpSel:
			in.CMod = []isa.CMod{isa.CModGE, isa.CModLT}[r.IntN(2)]
		case isa.OpCmp:
			in.CMod = cmods[r.IntN(6)]
		}
		if d.Size() == 4 && s[0].Size() == 4 && (unary || s[1].Size() == 4) && in.Op != isa.OpMul {
			continue // no 64-bit operand
		}
		if !logic && in.Op != isa.OpCmp {
			in.Sat = r.IntN(3) == 0
			if in.CMod == isa.CModNone && r.IntN(2) == 0 {
				in.CMod = cmods[r.IntN(7)]
			}
			in.Src[0].Neg, in.Src[0].Abs = r.IntN(4) == 0, r.IntN(4) == 0
		} else if logic && in.Op != isa.OpNot {
			in.Src[1].Neg = r.IntN(4) == 0
		}
		b := benchOf(t, machine, 8, thread.HazardsStrict, in)
		var x, y [4]*big.Int
		for i := range 4 {
			p, q := quad(r), quad(r)
			if r.IntN(6) == 0 {
				q = p
			}
			b.put(2, i, s[0].Size(), p)
			b.put(4, i, s[1].Size(), q)
			x[i], y[i] = integer(b.bits(2, i, s[0].Size()), s[0]), integer(b.bits(4, i, s[1].Size()), s[1])
			if in.Src[0].Abs {
				x[i].Abs(x[i])
			}
			if in.Src[0].Neg {
				x[i].Neg(x[i])
			}
			if in.Src[1].Neg {
				y[i].Not(y[i])
			}
		}
		run(b.Thread, 10)
		if b.Err != nil {
			t.Fatalf("%+v: %v", in, b.Err)
		}
		for i := range 4 {
			v, flag := wideResult(in, s, x[i], y[i])
			if got := b.bits(10, i, d.Size()); got != v {
				t.Fatalf("%s.%v %v %v, saturate %v, negate %v absolute %v: %v and %v give %#x, want %#x", in.Op, *d, s[0], s[1],
					in.Sat, in.Src[0].Neg, in.Src[0].Abs, x[i], y[i], got, v)
			}
			if in.CMod != isa.CModNone && in.Op != isa.OpSel && b.Flag[0]>>i&1 != 0 != flag {
				t.Fatalf("%s.%v %v %v, saturate %v: %v and %v: condition %v is %v", in.Op, *d, s[0], s[1], in.Sat, x[i], y[i],
					in.CMod, !flag)
			}
		}
	}
}

// wideResult returns the result of an instruction in a lane, and its condition.
func wideResult(in isa.Inst, s [2]isa.Type, x, y *big.Int) (uint64, bool) {
	d := in.Dst.Type
	width := uint(8 * d.Size())
	one := big.NewInt(1)
	v := new(big.Int)
	holds := func(c int) bool {
		switch in.CMod {
		case isa.CModEQ:
			return c == 0
		case isa.CModNE:
			return c != 0
		case isa.CModGT:
			return c > 0
		case isa.CModGE:
			return c >= 0
		case isa.CModLT:
			return c < 0
		case isa.CModLE:
			return c <= 0
		}
		return false
	}
	mode := uint64(31)
	if s[0].Size() == 8 || d.Size() == 8 {
		mode = 63
	}
	low := func(n *big.Int, bits uint) *big.Int { // its low bits
		return new(big.Int).And(n, new(big.Int).Sub(new(big.Int).Lsh(one, bits), one))
	}
	n := uint(low(y, 64).Uint64() & mode)
	switch in.Op {
	case isa.OpMov:
		v = x
	case isa.OpNot:
		v.Not(x)
	case isa.OpAnd:
		v.And(x, y)
	case isa.OpOr:
		v.Or(x, y)
	case isa.OpXor:
		v.Xor(x, y)
	case isa.OpAdd:
		v.Add(x, y)
	case isa.OpMul:
		v.Mul(x, y)
	case isa.OpShl:
		v.Lsh(x, n)
	case isa.OpAsr:
		v.Rsh(x, n)
	case isa.OpShr:
		v.Rsh(low(x, uint(mode+1)), n)
	case isa.OpSel:
		v = y
		if holds(x.Cmp(y)) {
			v = x
		}
	case isa.OpCmp:
		if holds(x.Cmp(y)) {
			return math.MaxUint64 >> (64 - width), true
		}
		return 0, false
	}
	least, most := new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, width), one)
	if d.IsSigned() {
		most.Rsh(most, 1)
		least.Not(most)
	}
	if in.Sat {
		if v.Cmp(least) < 0 {
			v = least
		} else if v.Cmp(most) > 0 {
			v = most
		}
	}
	bits := low(v, width).Uint64()
	stored := integer(bits, d)
	if in.CMod == isa.CModOV {
		return bits, stored.Cmp(v) != 0
	}
	return bits, holds(stored.Sign())
}

// TestDoubles compares add, mul and mad of 64-bit floats in all rounding modes with exact arithmetic that
// rounds once.
func TestDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	machine := wideMachine()
	value := func() float64 {
		v := math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		switch r.IntN(8) {
		case 0:
			v = math.Ldexp(v, -1060) // denormal or almost
		case 1:
			v = math.Ldexp(v, 990)
		case 2:
			v = float64(r.IntN(3))
		}
		if r.IntN(2) == 0 {
			v = -v
		}
		return v
	}
	for range 2000 {
		mode := uint8(r.IntN(4))
		b := benchOf(t, machine, 8, thread.HazardsStrict,
			alu4(isa.OpAdd, 10), alu4(isa.OpMul, 11), alu4(isa.OpMad, 12))
		b.SetCR0(uint32(mode)<<thread.Cr0RoundShift | thread.Cr0KeepF64)
		var in [3][4]float64
		for i := range 4 {
			for k := range in {
				in[k][i] = value()
			}
			if r.IntN(3) == 0 {
				in[1][i] = -in[0][i]
			}
			if r.IntN(3) == 0 {
				in[0][i] = -float64(in[1][i] * in[2][i]) // mad nearly cancels
			}
			for k := range in {
				b.put(2+k, i, 8, math.Float64bits(in[k][i]))
			}
		}
		run(b.Thread, 10)
		if b.Err != nil {
			t.Fatal(b.Err)
		}
		for i := range 4 {
			x, y, z := in[0][i], in[1][i], in[2][i]
			exact := func(v float64) *big.Float { return new(big.Float).SetPrec(5000).SetMode(bigModes[mode]).SetFloat64(v) }
			sum := exact(x)
			sum.Add(sum, exact(y))
			product := exact(x)
			product.Mul(product, exact(y))
			fused := exact(y)
			fused.Mul(fused, exact(z)).Add(fused, exact(x))
			zero(sum, x, y, mode)
			zero(fused, x, y*z, mode)
			for k, want := range []*big.Float{sum, product, fused} {
				got := math.Float64frombits(b.bits(10+k, i, 8))
				if w := nearest(want, mode); math.Float64bits(got) != math.Float64bits(w) {
					t.Fatalf("mode %d, operation %d of %g, %g, %g: %g (%#x), want %g (%#x)", mode, k, x, y, z, got,
						math.Float64bits(got), w, math.Float64bits(w))
				}
			}
		}
	}
}

// row4 returns a source operand of four lanes.
func row4(r uint8, t isa.Type) isa.Operand { return grf(r, 0, t, 4, 4, 1) }

// alu4 returns an operation on four 64-bit floats from r2, r3 and r4.
func alu4(op isa.Op, d uint8) isa.Inst {
	in := arith(op, 4, dst(d, isa.TypeDF), row4(2, isa.TypeDF), row4(3, isa.TypeDF))
	if op == isa.OpMad {
		in = arith(op, 4, dst(d, isa.TypeDF), tern(2, isa.TypeDF), tern(3, isa.TypeDF), tern(4, isa.TypeDF))
		for k := range in.Src {
			in.Src[k].VStride = 4
		}
	}
	in.SWSB = 0
	return in
}

// zero gives a zero sum the sign that IEEE 754, 6.3 requires, which big.Float implements only for nonzero
// numbers.
func zero(sum *big.Float, x, y float64, mode uint8) {
	if sum.Sign() == 0 && math.Signbit(x) != math.Signbit(y) && (mode == thread.RoundDown) != sum.Signbit() {
		sum.Neg(sum)
	}
}

// nearest returns the float next to an exact value that a rounding mode selects.
func nearest(x *big.Float, mode uint8) float64 {
	at, _ := x.Float64()
	if x.Sign() == 0 {
		return at // big.Float gives zeros the sign of IEEE 754
	}
	below, above := at, at
	switch c := big.NewFloat(at).Cmp(x); {
	case c > 0:
		below = math.Nextafter(at, math.Inf(-1))
	case c < 0:
		above = math.Nextafter(at, math.Inf(1))
	}
	switch {
	case mode == thread.RoundUp, mode == thread.RoundZero && x.Sign() < 0:
		return above
	case mode == thread.RoundDown, mode == thread.RoundZero:
		return below
	}
	return at
}

// TestDoubleForms runs conversions, conditions and modes of 64-bit floats on x in r2 and y in r4.
func TestDoubleForms(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f64 := math.Float64bits
	f32 := func(v float32) uint64 { return uint64(math.Float32bits(v)) }
	const tiny = 0x1p-1060
	one := func(op isa.Op, d isa.Type, s ...isa.Type) isa.Inst {
		in := arith(op, 1, dst(10, d), scalar(2, 0, s[0]))
		if len(s) > 1 {
			in.Src[1] = scalar(4, 0, s[1])
		}
		in.SWSB = 0
		return in
	}
	with := func(in isa.Inst, change func(*isa.Inst)) isa.Inst { change(&in); return in }
	sat := func(in *isa.Inst) { in.Sat = true }
	neg := func(in *isa.Inst) { in.Src[0].Neg = true }
	cond := func(c isa.CMod) func(*isa.Inst) { return func(in *isa.Inst) { in.CMod = c } }
	df, f, q := isa.TypeDF, isa.TypeF, isa.TypeQ
	uq, d, ud := isa.TypeUQ, isa.TypeD, isa.TypeUD
	keep, up := uint32(thread.Cr0KeepF64|thread.Cr0KeepF32), uint32(thread.RoundUp<<thread.Cr0RoundShift)
	for i, c := range []struct {
		in   isa.Inst
		cr0  uint32
		x, y uint64
		want uint64
		flag uint32
	}{
		{one(isa.OpMov, df, f), keep, f32(1.1), 0, f64(float64(float32(1.1))), 0},
		{one(isa.OpMov, df, f), keep, f32(0x1p-140), 0, f64(0x1p-140), 0},
		{one(isa.OpMov, df, f), 0, f32(0x1p-140), 0, 0, 0},
		{one(isa.OpMov, f, df), keep, f64(1.1), 0, f32(1.1), 0},
		{one(isa.OpMov, f, df), keep | up, f64(1.1), 0, f32(1.1), 0},
		{one(isa.OpMov, f, df), keep | thread.RoundDown<<thread.Cr0RoundShift, f64(1.1), 0, f32(math.Nextafter32(1.1, 0)), 0},
		{one(isa.OpMov, f, df), keep, f64(0x1.000001p0), 0, f32(1), 0}, // a tie
		{one(isa.OpMov, f, df), keep, f64(1e300), 0, f32(float32(inf)), 0},
		{one(isa.OpMov, d, df), keep, f64(-3.999), 0, 0xFFFFFFFD, 0},
		{one(isa.OpMov, d, df), keep, f64(1e10), 0, math.MaxInt32, 0},
		{one(isa.OpMov, ud, df), keep, f64(-1e10), 0, 0, 0},
		{one(isa.OpMov, ud, df), keep, f64(3e9), 0, 3e9, 0},
		{one(isa.OpMov, q, df), keep, f64(-0x1.8p62), 0, 1<<64 - 0x1.8p62, 0},
		{one(isa.OpMov, q, df), keep, f64(nan), 0, 0, 0},
		{one(isa.OpMov, q, f), keep, f32(-1e30), 0, 1 << 63, 0},
		{one(isa.OpMov, uq, f), keep, f32(0x1p63), 0, 1 << 63, 0},
		{one(isa.OpMov, uq, df), keep, f64(-0.5), 0, 0, 0},
		{one(isa.OpMov, uq, df), keep, f64(inf), 0, math.MaxUint64, 0},
		{one(isa.OpMov, df, d), keep, 0xFFFFFFFF, 0, f64(-1), 0},
		{one(isa.OpMov, df, q), keep, 1<<53 + 1, 0, f64(1 << 53), 0},
		{one(isa.OpMov, df, q), keep | up, 1<<53 + 1, 0, f64(1<<53 + 2), 0},
		{one(isa.OpMov, df, uq), keep, math.MaxUint64, 0, f64(0x1p64), 0},
		{one(isa.OpMov, f, q), keep, 1<<40 + 1<<16 + 1, 0, f32(0x1.000002p40), 0}, // rounded once
		{one(isa.OpMov, f, uq), keep | up, 1<<63 + 1, 0, f32(0x1.000002p63), 0},
		{one(isa.OpMov, df, df), 0, 0x7FF0_0000_0000_0001, 0, 0x7FF0_0000_0000_0001, 0}, // raw
		{with(one(isa.OpMov, df, df), neg), keep, f64(tiny), 0, f64(-tiny), 0},
		{with(one(isa.OpMov, df, df), neg), 0, f64(tiny), 0, 1 << 63, 0},
		{with(one(isa.OpMov, df, df), neg), keep, f64(nan), 0, alu.QuietNaN64, 0},
		{with(one(isa.OpMov, df, df), sat), keep, f64(2), 0, f64(1), 0},
		{with(one(isa.OpMov, df, df), sat), keep, f64(nan), 0, 0, 0},
		{with(one(isa.OpMov, df, df), cond(isa.CModNE)), keep, f64(tiny), 0, f64(tiny), 1},
		{with(one(isa.OpMov, df, df), cond(isa.CModNE)), 0, f64(tiny), 0, 0, 0},
		{one(isa.OpAdd, df, df, df), 0, f64(0x1p-1021), f64(-0x1.8p-1022), 0, 0}, // a denormal
		{one(isa.OpMul, df, df, df), keep, f64(inf), 0, alu.QuietNaN64, 0},
		{with(one(isa.OpSel, df, df, df), cond(isa.CModLT)), keep, f64(3), f64(nan), f64(3), 0},
		{with(one(isa.OpSel, df, df, df), cond(isa.CModGE)), keep, f64(nan), f64(3), f64(3), 0},
		{with(one(isa.OpSel, df, df, df), cond(isa.CModGE)), keep, f64(4), f64(3), f64(4), 0},
		{with(one(isa.OpCmp, df, df, df), cond(isa.CModLT)), keep, f64(-tiny), f64(tiny), math.MaxUint64, 1},
		{with(one(isa.OpCmp, df, df, df), cond(isa.CModLT)), 0, f64(-tiny), f64(tiny), 0, 0},
		{with(one(isa.OpCmp, df, df, df), cond(isa.CModNE)), keep, f64(nan), f64(nan), math.MaxUint64, 1},
		{with(one(isa.OpCmpn, df, df, df), cond(isa.CModGE)), keep, f64(1), f64(nan), math.MaxUint64, 1},
	} {
		b := benchOf(t, wideMachine(), 8, thread.HazardsStrict, c.in)
		b.SetCR0(c.cr0)
		b.put(2, 0, 8, c.x)
		b.put(4, 0, 8, c.y)
		run(b.Thread, 10)
		if got := b.bits(10, 0, c.in.Dst.Type.Size()); b.Err != nil || got != c.want || b.Flag[0] != c.flag {
			t.Errorf("case %d, %s %v %v of %#x, %#x: %#x and flag %d, want %#x and %d (%v)", i, c.in.Op, c.in.Dst.Type,
				c.in.Src[0].Type, c.x, c.y, got, b.Flag[0], c.want, c.flag, b.Err)
		}
	}
}

// TestWideRefused checks the faults for missing 64-bit operations and for machines without 64-bit arithmetic.
func TestWideRefused(t *testing.T) {
	no := *target.ICL
	q, df := isa.TypeQ, isa.TypeDF
	acc := func(in isa.Inst) isa.Inst { in.AccWrEn = true; return in }
	for _, c := range []struct {
		machine *target.Target
		in      isa.Inst
		want    string
	}{
		{&no, arith(isa.OpMov, 4, dst(10, q), row4(2, isa.TypeD)), "type q: this hardware has no 64-bit arithmetic"},
		{&no, arith(isa.OpMov, 4, dst(10, isa.TypeF), row4(2, df)), "type df: this hardware has no 64-bit arithmetic"},
		{&no, arith(isa.OpMul, 8, dst(10, isa.TypeD), packed(2, isa.TypeD), packed(3, isa.TypeD)), "no 32-bit by 32-bit multiply"},
		{wideMachine(), arith(isa.OpMul, 4, dst(10, q), row4(2, q), row4(4, isa.TypeD)), "multiplies integers of at most 32 bits"},
		{wideMachine(), arith(isa.OpAvg, 4, dst(10, q), row4(2, q), row4(4, q)), "avg does not take 64-bit integers"},
		{wideMachine(), arith(isa.OpFrc, 4, dst(10, df), row4(2, df)), "frc does not take 64-bit floats"},
		{wideMachine(), arith(isa.OpMov, 4, dst(10, q), row4(2, isa.TypeB)), "type b and a 64-bit type"},
		{wideMachine(), arith(isa.OpMov, 4, dst(10, df), row4(2, isa.TypeHF)), "type hf and a 64-bit type"},
		{wideMachine(), arith(isa.OpAdd, 4, dst(10, df), row4(2, df), row4(4, isa.TypeF)), "sources of types df and f"},
		{wideMachine(), arith(isa.OpAdd, 4, dst(10, isa.TypeF), row4(2, df), row4(4, df)), "only mov converts"},
		{wideMachine(), arith(isa.OpAdd, 4, dst(10, isa.TypeF), row4(2, q), row4(4, q)), "only mov converts"},
		{wideMachine(), acc(arith(isa.OpAdd, 4, dst(10, q), row4(2, q), row4(4, q))), "accumulator"},
		{wideMachine(), acc(arith(isa.OpMul, 8, dst(10, isa.TypeD), packed(2, isa.TypeD), packed(4, isa.TypeD))), "the contents of the accumulator"},
		{wideMachine(), arith(isa.OpAdd, 16, dst(10, q), packed(2, q), packed(4, q)), "spans more than two registers"},
		{wideMachine(), isa.Inst{Op: isa.OpMath, Math: isa.MathInv, ExecSize: 4, Dst: dst(10, df), Src: [3]isa.Operand{row4(2, df)}}, "the math unit takes no 64-bit floats"},
	} {
		c.in.SWSB = 0
		b := benchOf(t, c.machine, 8, thread.HazardsStrict, c.in)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s %v %v: %v, want %q", c.in.Op, c.in.Dst.Type, c.in.Src[0].Type, b.Err, c.want)
		}
	}
}
