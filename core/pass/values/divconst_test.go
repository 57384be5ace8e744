// SPDX-License-Identifier: MIT

package values_test

import (
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/text"
	"jacquard.example/generated/build"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// division is a shader that divides an input by a constant. Only the bits of mask may be set in the input.
type division struct {
	s     *ir.Shader
	input ir.Value
	store ir.Value
	val   []uint64
}

func newDivision(o op.Op, bits uint8, d, mask uint64) *division {
	x := &division{s: ir.New()}
	f := x.s.NewFunc("main")
	x.s.Func(f).Entry = true
	b := build.New(x.s)
	b.AtEnd(x.s.FirstBlock(f))
	n := b.Undef(1, bits)
	x.input = n.Val
	if mask != ^uint64(0)>>(64-bits) {
		n = b.IAnd(n, b.ImmN(bits, mask))
	}
	r := b.ALU(o, n, b.ImmN(bits, d))
	x.store = b.Intrinsic(intrinsic.StoreSSBO, 1, 0, r, b.Imm(0), b.Imm(0))
	return x
}

// run returns the stored result.
func (x *division) run(t *testing.T, n uint64) uint64 {
	x.val = append(x.val[:0], make([]uint64, x.s.NumValues())...)
	var src [op.MaxSrc][fold.MaxComps]uint64
	var dst [fold.MaxComps]uint64
	for v := x.s.First(x.s.FirstBlock(x.s.Entry())); v != x.store; v = x.s.At(v).Next() {
		in := x.s.At(v)
		switch in.Kind {
		case kind.Undef:
			x.val[v] = n
		case kind.LoadConst:
			x.val[v] = x.s.Const(v, 0)
		case kind.ALU:
			bits := in.Bits
			for i := range int(in.NSrc) {
				src[i][0] = x.val[x.s.Src(v, i).Val]
				if in.ALUOp().Info().Src[i].Bits == 0 {
					bits = x.s.At(x.s.Src(v, i).Val).Bits
				}
			}
			if !fold.Eval(in.ALUOp(), bits, 1, &src, &dst, 0) {
				t.Fatalf("%s cannot be computed", in.ALUOp())
			}
			x.val[v] = dst[0]
		}
	}
	return x.val[x.s.Src(x.store, 0).Val]
}

// quotient divides by d, which is not 0, by the definition of the opcode.
func quotient(o op.Op, bits uint8, n, d uint64) uint64 {
	all := ^uint64(0) >> (64 - bits)
	a, b := int64(n<<(64-bits))>>(64-bits), int64(d<<(64-bits))>>(64-bits)
	switch o {
	case op.UDiv:
		return n / d
	case op.UMod:
		return n % d
	case op.IDiv:
		if b == -1 {
			return -n & all
		}
		return uint64(a/b) & all
	}
	r := int64(0)
	if b != -1 {
		r = a % b
	}
	if o == op.IMod && r != 0 && r < 0 != (b < 0) {
		r += b
	}
	return uint64(r) & all
}

var divisions = []op.Op{op.UDiv, op.UMod, op.IDiv, op.IRem, op.IMod}

// divide compares a division before and after the pass on some dividends, and reports whether the pass changed it.
func divide(t *testing.T, o op.Op, bits uint8, d, mask uint64, dividends func(yield func(uint64) bool)) bool {
	t.Helper()
	x := newDivision(o, bits, d, mask)
	was := string(text.Print(x.s))
	changed := values.OptDivConst(pass.New(x.s))
	for n := range dividends {
		if got, want := x.run(t, n), quotient(o, bits, n&mask, d); got != want {
			t.Fatalf("%s@%d %#x by %#x: %#x, want %#x\n%s\nbecame\n%s", o, bits, n&mask, d, got, want, was, text.Print(x.s))
		}
	}
	return changed
}

// TestDivConst8 tries all 8-bit dividends and divisors.
func TestDivConst8(t *testing.T) {
	all := func(yield func(uint64) bool) {
		for n := range uint64(256) {
			if !yield(n) {
				return
			}
		}
	}
	for _, o := range divisions {
		changed := 0
		for d := uint64(1); d < 256; d++ {
			if divide(t, o, 8, d, 0xff, all) {
				changed++
			}
		}
		if changed < 120 {
			t.Errorf("%s: only %d divisors are replaced", o, changed)
		}
	}
}

// edges yields the dividends next to multiples of a divisor, where the quotient changes, for
// up to most multiples, and random dividends.
func edges(r *rand.Rand, bits uint8, d uint64, most int) func(func(uint64) bool) {
	all := ^uint64(0) >> (64 - bits)
	abs := d
	if d>>(bits-1) != 0 && r.IntN(2) == 0 {
		abs = -d & all
	}
	return func(yield func(uint64) bool) {
		for _, n := range []uint64{0, 1, all, all - 1, all >> 1, all>>1 + 1, all>>1 + 2, d, d - 1, all / d * d, all/d*d - 1} {
			if !yield(n & all) {
				return
			}
		}
		for range most {
			n := all/abs*abs - abs*r.Uint64N(all/abs) // a multiple
			if !yield((n-1)&all) || !yield(n&all) || !yield(-n&all) || !yield((1-n)&all) || !yield(r.Uint64()&all) {
				return
			}
		}
	}
}

// TestDivConst16 tries 16-bit divisors: one in about ten, or all of them with ALL_DIVISORS=1, which
// "make prove" sets.
func TestDivConst16(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	step := uint64(20)
	if os.Getenv("ALL_DIVISORS") != "" {
		step = 1
	}
	for _, o := range divisions {
		for d := uint64(1); d < 1<<16; d += 1 + r.Uint64N(step) {
			divide(t, o, 16, d, 0xffff, edges(r, 16, d, 2))
		}
	}
}

// TestDivConstWide tries divisors of 32 and 64 bits near powers of two, small ones and random ones, with dividends that
// may have fewer bits.
func TestDivConstWide(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	for _, bits := range []uint8{32, 64} {
		all := ^uint64(0) >> (64 - bits)
		var list []uint64
		for d := range uint64(300) {
			list = append(list, d+1, all-d)
		}
		for i := range bits {
			list = append(list, 1<<i, 1<<i+1, all>>i, 1<<i-1|1)
		}
		for range 500 {
			list = append(list, r.Uint64()>>r.IntN(60)&all|1, r.Uint64()&all|2)
		}
		for _, d := range list {
			for _, o := range divisions {
				divide(t, o, bits, d, all, edges(r, bits, d, 20))
				divide(t, o, bits, d, all>>r.IntN(int(bits)), edges(r, bits, d, 5))
			}
		}
	}
}

// TestMultiplier checks the inequality that makes num.Multiplier exact for every dividend, 2^p < m d <= 2^p + 2^(p-w),
// with big numbers.
func TestMultiplier(t *testing.T) {
	r := rand.New(rand.NewPCG(64, 1))
	check := func(d uint64, w, from uint8) {
		m, p, fits := num.Multiplier(d, w, from)
		x := new(big.Int).SetUint64(m)
		if !fits {
			x.Add(x, new(big.Int).Lsh(big.NewInt(1), 64))
		}
		pow := new(big.Int).Lsh(big.NewInt(1), uint(p))
		e := new(big.Int).Sub(x.Mul(x, new(big.Int).SetUint64(d)), pow)
		if p < from || p < w || e.Sign() <= 0 || e.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(p-w))) > 0 {
			t.Fatalf("d = %d, w = %d, from %d: m = %#x, fits = %v, p = %d: e = %v", d, w, from, m, fits, p, e)
		}
	}
	for d := uint64(3); d < 1<<16; d++ {
		if d&(d-1) == 0 {
			continue
		}
		check(d, 16, 16)
		check(d, 16, 32)
		check(d, 32, 32)
		check(d, 31, 32)
		check(d, 64, 64)
		check(d, 63, 64)
	}
	for range 100000 {
		d := r.Uint64()>>r.IntN(60) | 1
		if d == 1 {
			continue
		}
		if d < 1<<63 {
			check(d, 64, 64)
		}
		if d < 1<<32 {
			check(d, 32, 32)
		}
		if d < 1<<63 {
			check(d, 63, 64)
		}
	}
}
