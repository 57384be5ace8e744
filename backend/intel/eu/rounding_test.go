// SPDX-License-Identifier: MIT

package eu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/num"
	"jacquard.example/generated/isa"
)

var bigModes = [4]big.RoundingMode{thread.RoundNearest: big.ToNearestEven, thread.RoundUp: big.ToPositiveInf, thread.RoundDown: big.ToNegativeInf, thread.RoundZero: big.ToZero}

// TestRoundingModes compares add, mul and mad in both float widths and all rounding modes with exact arithmetic
// that rounds once.
func TestRoundingModes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	exact := func(v float32) *big.Float { return new(big.Float).SetPrec(500).SetFloat64(float64(v)) }
	for _, typ := range []isa.Type{isa.TypeF, isa.TypeHF} {
		prec, span := uint(24), 30
		if typ == isa.TypeHF {
			prec, span = 11, 6 // stay clear of denormals and overflow
		}
		value := func() float32 {
			v := float32(math.Ldexp(1+r.Float64(), r.IntN(2*span)-span))
			if typ == isa.TypeHF {
				v = num.F16ToF32(num.F32ToF16RNE(float32(math.Ldexp(1+r.Float64(), r.IntN(span)-span/2))))
			}
			if r.IntN(2) == 0 {
				v = -v
			}
			return v
		}
		for mode := uint8(0); mode < 4; mode++ {
			for round := 0; round < 200; round++ {
				b := newBench(t, 8, thread.HazardsOff,
					arith(isa.OpAdd, 8, dst(10, typ), packed(2, typ), packed(3, typ)),
					arith(isa.OpMul, 8, dst(11, typ), packed(2, typ), packed(3, typ)),
					arith(isa.OpMad, 8, dst(12, typ), tern(4, typ), tern(2, typ), tern(3, typ)))
				b.SetCR0(uint32(mode)<<thread.Cr0RoundShift | thread.Cr0KeepF16 | thread.Cr0KeepF32)
				var in [3][8]float32
				for k := range in {
					for i := range in[k] {
						in[k][i] = value()
					}
				}
				for i := 0; i < 8; i++ { // some sums that almost cancel
					if p := -float32(in[0][i] * in[1][i]); r.IntN(2) == 0 {
						in[2][i] = p
						if typ == isa.TypeHF {
							in[2][i] = num.F16ToF32(num.F32ToF16RNE(p))
						}
					}
					for k := range in {
						if typ == isa.TypeF {
							b.setF(2+k, i, in[k][i])
						} else {
							h := num.F32ToF16RNE(in[k][i])
							b.Reg[(2+k)*grfSize+2*i], b.Reg[(2+k)*grfSize+2*i+1] = byte(h), byte(h>>8)
						}
					}
				}
				b.exec(t)
				for i := 0; i < 8; i++ {
					x, y, z := exact(in[0][i]), exact(in[1][i]), exact(in[2][i])
					prod := new(big.Float).SetPrec(500).Mul(x, y)
					for k, e := range []*big.Float{new(big.Float).SetPrec(500).Add(x, y), prod, new(big.Float).SetPrec(500).Add(prod, z)} {
						got := float64(b.f(10+k, i))
						if typ == isa.TypeHF {
							got = float64(num.F16ToF32(b.w(10+k, i)))
						}
						want, _ := new(big.Float).SetMode(bigModes[mode]).SetPrec(prec).Set(e).Float64()
						if math.Abs(want) < math.Ldexp(1, -14) && typ == isa.TypeHF {
							continue
						}
						if got != want {
							t.Fatalf("%s mode %d op %d of %g, %g, %g: %g, want %g", typ, mode, k, in[0][i], in[1][i], in[2][i], got, want)
						}
					}
				}
			}
		}
	}
}

// TestFloatToIntConversions covers the limits of every integer type.
func TestFloatToIntConversions(t *testing.T) {
	for _, typ := range []isa.Type{isa.TypeUB, isa.TypeB, isa.TypeUW, isa.TypeW, isa.TypeUD, isa.TypeD} {
		lo, hi := thread.IntRange(typ)
		for _, f := range []float32{0, 0.99, -0.99, 1.5, float32(lo), float32(hi), float32(lo) - 1, float32(hi) + 1, float32(lo) * 2, float32(hi) * 2, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())} {
			want := int64(0)
			if f == f {
				v := math.Trunc(float64(f))
				want = int64(math.Max(float64(lo), math.Min(float64(hi), v)))
			}
			d := dst(10, typ)
			d.HStride = uint8(4 / typ.Size())
			b := newBench(t, 8, thread.HazardsStrict, arith(isa.OpMov, 8, d, packed(2, isa.TypeF)))
			b.setF(2, 0, f)
			b.exec(t)
			if got := b.IntAt(10*grfSize, typ); got != want {
				t.Errorf("%g to %s: %d, want %d", f, typ, got, want)
			}
		}
	}
}
