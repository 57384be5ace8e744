// SPDX-License-Identifier: MIT

package num

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func Example() {
	fmt.Println(DivS(int8(-128), -1), DivU(uint16(7), 0), ModS(int32(-7), 3))
	fmt.Printf("%#04x %v\n", F32ToF16RNE(65520), F16ToF32(0x3555))
	fmt.Println(ToInt(math.NaN(), 32), ToInt(1e30, 32), ToUint(-5, 8))
	// Output:
	// -128 65535 2
	// 0x7c00 0.33325195
	// 0 2147483647 0
}

// TestHalfExact: every 16-bit float survives a conversion to float32 and back, and the float32 halfway between two
// neighbours rounds correctly.
func TestHalfExact(t *testing.T) {
	for h := range uint32(1 << 16) {
		h := uint16(h)
		f := F16ToF32(h)
		if h&0x7fff > 0x7c00 {
			if math.Float32bits(f) != NaN32 || F32ToF16RNE(f) != NaN16 {
				t.Fatalf("%#x: NaN is not canonical", h)
			}
			continue
		}
		if F32ToF16RNE(f) != h || F32ToF16RTZ(f) != h || Round16(f) != f || F64ToF16(float64(f), NearestEven) != h {
			t.Fatalf("%#x does not come back from %v", h, f)
		}
		if h&0x7fff >= 0x7bff {
			continue
		}
		next := F16ToF32(h + 1)
		half := (float64(f) + float64(next)) / 2
		even := h + h&1
		for _, c := range []struct {
			f    float64
			rne  uint16
			name string
		}{
			{half, even, "halfway"},
			{math.Nextafter(half, float64(f)), h, "below halfway"},
			{math.Nextafter(half, float64(next)), h + 1, "above halfway"},
		} {
			if F64ToF16(c.f, NearestEven) != c.rne || F64ToF16(c.f, TowardZero) != h {
				t.Fatalf("%s %#x: %#x, toward zero %#x", c.name, h, F64ToF16(c.f, NearestEven), F64ToF16(c.f, TowardZero))
			}
		}
		if F32ToF16RNE(float32(half)) != even || F32ToF16RTZ(float32(half)) != h || F16ToF32(even) != Round16(float32(half)) {
			t.Fatalf("halfway above %#x", h)
		}
		up := math.Float32frombits(math.Float32bits(float32(half)) + 1)
		if F32ToF16RNE(up) != h+1 || F32ToF16RTZ(up) != h {
			t.Fatalf("above halfway above %#x", h)
		}
	}
}

// draw draws the bits of a float: any bits, few significant bits, or a magnitude near 1.
func draw(r *rand.Rand, f *format) uint64 {
	x := r.Uint64() & (f.signBit()<<1 - 1)
	switch r.IntN(4) {
	case 0:
		x &= f.signBit() | f.inf() | 7 // few significant bits
	case 1:
		one := uint64(-f.emin+1) << (f.prec - 1)
		x = x&(f.signBit()|(1<<(f.prec-1)-1)) | one + uint64(r.IntN(4))<<(f.prec-1)
	}
	return x
}

// TestSoftFloat: when rounding to nearest, the integer implementation agrees with the host's
// floats.
func TestSoftFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	same := func(what string, got uint64, want float64) {
		t.Helper()
		if got != Store64(want, 0) {
			t.Fatalf("%s: %#x, the host %#x", what, got, Store64(want, 0))
		}
	}
	for range 200000 {
		x, y, z := draw(r, &fmt64), draw(r, &fmt64), draw(r, &fmt64)
		a, b, c := math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(z)
		same(fmt.Sprintf("%v + %v", a, b), fmt64.add(x, y, NearestEven), a+b)
		same(fmt.Sprintf("%v * %v", a, b), fmt64.mul(x, y, NearestEven), a*b)
		same(fmt.Sprintf("%v / %v", a, b), fmt64.div(x, y, NearestEven), a/b)
		same(fmt.Sprintf("%v * %v + %v", a, b, c), fmt64.fma(x, y, z, NearestEven), math.FMA(a, b, c))
		same(fmt.Sprintf("%v * %v - nearly", a, b), fmt64.fma(x, y, math.Float64bits(-a*b), NearestEven), math.FMA(a, b, -(a*b)))
	}
	for range 20000 {
		x := draw(r, &fmt64)
		a := math.Float64frombits(x)
		same(fmt.Sprintf("sqrt %v", a), fmt64.sqrt(x, NearestEven), math.Sqrt(a))
		n := int32(r.IntN(4400) - 2200)
		same(fmt.Sprintf("ldexp %v %d", a, n), fmt64.scale(x, n, NearestEven), math.Ldexp(a, int(n)))
	}
}

// TestFma32 checks fused multiply-add by rounding to odd against integer arithmetic.
func TestFma32(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200000 {
		x, y, z := draw(r, &fmt32), draw(r, &fmt32), draw(r, &fmt32)
		if r.IntN(3) == 0 { // an addend that nearly cancels the product
			z = fmt32.mul(x, y, NearestEven) ^ fmt32.signBit()
		}
		got := Store32(Fma32(float32of(x), float32of(y), float32of(z), 0), 0)
		if want := fmt32.fma(x, y, z, NearestEven); got != want {
			t.Fatalf("fma %#x %#x %#x: %#x, want %#x", x, y, z, got, want)
		}
	}
}

// TestFma16 checks fused multiply-add by a sum of 64-bit floats against integer arithmetic.
func TestFma16(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 500000 {
		x, y, z := draw(r, &fmt16), draw(r, &fmt16), draw(r, &fmt16)
		if r.IntN(3) == 0 {
			z = fmt16.mul(x, y, NearestEven) ^ fmt16.signBit()
		}
		got := Store16(Fma16(Load16(x, 0), Load16(y, 0), Load16(z, 0), 0), 0)
		if want := fmt16.fma(x, y, z, NearestEven); got != want {
			t.Fatalf("fma %#x %#x %#x: %#x, want %#x", x, y, z, got, want)
		}
	}
}

// TestTowardsZero: rounding toward zero gives a result that is not farther from zero than rounding to nearest, and at
// most one unit away.
func TestTowardsZero(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, f := range []*format{&fmt16, &fmt32, &fmt64} {
		for range 50000 {
			x, y, z := draw(r, f), draw(r, f), draw(r, f)
			for what, p := range map[string][2]uint64{
				"add":  {f.add(x, y, TowardZero), f.add(x, y, NearestEven)},
				"mul":  {f.mul(x, y, TowardZero), f.mul(x, y, NearestEven)},
				"div":  {f.div(x, y, TowardZero), f.div(x, y, NearestEven)},
				"fma":  {f.fma(x, y, z, TowardZero), f.fma(x, y, z, NearestEven)},
				"sqrt": {f.sqrt(x, TowardZero), f.sqrt(x, NearestEven)},
			} {
				if p[1]-p[0] > 1 {
					t.Fatalf("%s %#x %#x %#x: %#x toward zero, %#x nearest", what, x, y, z, p[0], p[1])
				}
			}
		}
	}
}

// TestPiBits computes 2/π with big numbers: π by Machin's formula.
func TestPiBits(t *testing.T) {
	const prec = 64*20 + 64
	arctan := func(n int64) *big.Int { // arctan(1/n), times 2^prec
		sum, term := new(big.Int), new(big.Int).Lsh(big.NewInt(1), prec)
		term.Quo(term, big.NewInt(n))
		for k := int64(1); term.Sign() != 0; k += 2 {
			part := new(big.Int).Quo(term, big.NewInt(k))
			if k%4 == 3 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Quo(term, big.NewInt(n*n))
		}
		return sum
	}
	pi := new(big.Int).Mul(arctan(5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(arctan(239), big.NewInt(4)))
	q := new(big.Int).Lsh(big.NewInt(2), 2*prec)
	q.Quo(q, pi) // 2/π times 2^prec
	for i, w := range twoOverPi {
		got := new(big.Int).Rsh(q, uint(prec-64*(i+1)))
		got.And(got, new(big.Int).SetUint64(math.MaxUint64))
		if got.Uint64() != w {
			t.Errorf("word %d of 2/π is %#x, not %#x", i, w, got)
		}
	}
	f, _ := new(big.Float).Quo(new(big.Float).SetInt(pi), new(big.Float).SetMantExp(big.NewFloat(2), prec)).Float64()
	if f != halfPi {
		t.Errorf("π/2 is %v, not %v", f, halfPi)
	}
}

// TestReduce checks the reduction of angles of every size against a product with 1280 bits of 2/π.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	q := new(big.Int)
	for _, w := range twoOverPi { // 2/π times 2^1280, checked above
		q.Or(q.Lsh(q, 64), new(big.Int).SetUint64(w))
	}
	for range 20000 {
		x := math.Float64frombits(r.Uint64())
		if x-x != 0 || math.Abs(x) < 1 {
			continue
		}
		n := fmt64.unpack(math.Float64bits(x))
		p := new(big.Int).Mul(q, new(big.Int).SetUint64(n.lo))
		p.Lsh(p, 2000) // places for negative exponents
		p = p.Rsh(p, uint(2000-n.exp))
		one := new(big.Int).Lsh(big.NewInt(1), 1280)
		quad := new(big.Int).Rsh(p, 1280)
		frac := p.Sub(p, new(big.Int).Lsh(quad, 1280))
		if frac.Cmp(new(big.Int).Rsh(one, 1)) >= 0 {
			quad.Add(quad, big.NewInt(1))
			frac.Sub(frac, one)
		}
		want, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(frac), -1280).Float64()
		want *= halfPi
		wq := quad.Uint64() & 3
		if len(quad.Bits()) == 0 {
			wq = 0
		}
		if n.neg {
			want, wq = -want, -wq&3
		}
		gq, gr := reduce(x)
		if gq != wq || math.Abs(gr-want) > 4e-16*math.Abs(want) {
			t.Fatalf("%v: quadrant %d rest %v, want %d %v", x, gq, gr, wq, want)
		}
	}
}

// TestModes checks the bits of a mode by width, and flushing on load and store.
func TestModes(t *testing.T) {
	for w, m := range map[int]Mode{16: Flush16 | RTZ16, 32: Flush32 | RTZ32, 64: Flush64 | RTZ64, 8: 0} {
		if Flush(w)|RTZ(w) != m {
			t.Errorf("Flush and RTZ of width %d are not the bits %b", w, m)
		}
	}
	if Load16(0x83ff, Flush16) != 0 || Store16(-0x1p-24, Flush16) != 0x8000 || Store16(-0x1p-24, Flush32) != 0x8001 {
		t.Error("16-bit denormals are flushed wrongly")
	}
	if Load32(0x7fffff, Flush32) != 0 || Store32(-0x1p-149, Flush32) != 0x80000000 || Store32(0x1p-126, Flush32) != 0x800000 {
		t.Error("32-bit denormals are flushed wrongly")
	}
	if Load64(1, Flush64) != 0 || Store64(0x1p-1074, Flush64) != 0 || Store64(0x1p-1074, 0) != 1 {
		t.Error("64-bit denormals are flushed wrongly")
	}
	if Store32(math.Float32frombits(0xffc12345), 0) != uint64(NaN32) {
		t.Error("NaN is not canonical")
	}
}
