// SPDX-License-Identifier: MIT

package fold

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

// The approximated functions of the tables, over big numbers: series with reduced arguments, to 160 bits after the
// binary point.

const transPrec = 1400 // a 64-bit float times 1/pi, and 160 bits after the point

func bigOf(n int64) *big.Float { return new(big.Float).SetPrec(transPrec).SetInt64(n) }

func bigMul(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(transPrec).Mul(x, y) }
func bigDiv(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(transPrec).Quo(x, y) }
func bigAdd(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(transPrec).Add(x, y) }
func bigSub(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(transPrec).Sub(x, y) }

// short rounds a number to the precision that the series need.
func short(x *big.Float) *big.Float { return new(big.Float).SetPrec(256).Set(x) }

// series adds first, first*next(1), first*next(1)*next(2) … until the terms
// are below 2^-200 of the sum.
func series(first *big.Float, next func(k int64) *big.Float) *big.Float {
	sum, term := short(first), short(first)
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-200; k++ {
		term.Mul(term, short(next(k)))
		sum.Add(sum, term)
	}
	return sum
}

// atanInverse returns atan(1/n).
func atanInverse(n int64) *big.Float {
	sum, power := bigOf(0), bigDiv(bigOf(1), bigOf(n))
	for k := int64(1); power.MantExp(nil) > -transPrec; k += 2 {
		t := bigDiv(power, bigOf(k))
		if k%4 == 3 {
			t.Neg(t)
		}
		sum.Add(sum, t)
		power.Quo(power, bigOf(n*n))
	}
	return sum
}

var (
	// Machin: pi/4 = 4 atan(1/5) - atan(1/239).
	bigHalfPi = bigMul(bigOf(2), bigSub(bigMul(bigOf(4), atanInverse(5)), atanInverse(239)))
	bigLn2    = bigLn(big.NewFloat(2))
)

// bigLn returns the logarithm of a number near 1 , or of 2, by
// 2 atanh((m-1)/(m+1)).
func bigLn(m *big.Float) *big.Float {
	s := bigDiv(bigSub(m, bigOf(1)), bigAdd(m, bigOf(1)))
	if s.Sign() == 0 {
		return s
	}
	ss := bigMul(s, s)
	sum, power := short(s), short(s)
	for k := int64(3); power.MantExp(nil) > sum.MantExp(nil)-200; k += 2 {
		power.Mul(power, short(ss))
		sum.Add(sum, new(big.Float).SetPrec(256).Quo(power, short(bigOf(k))))
	}
	return sum.Mul(sum, short(bigOf(2)))
}

// bigLog2 returns the logarithm to base 2 of a positive number.
func bigLog2(x *big.Float) *big.Float {
	m := new(big.Float)
	e := x.MantExp(m) // m in [0.5, 1)
	if m.Cmp(big.NewFloat(0.75)) < 0 {
		m.Mul(m, big.NewFloat(2))
		e--
	}
	return bigAdd(bigOf(int64(e)), bigDiv(bigLn(m), bigLn2))
}

// bigExp2 returns 2 to a power of moderate size.
func bigExp2(x *big.Float) *big.Float {
	n, _ := bigAdd(x, big.NewFloat(0.5)).Int64() // toward zero; the rest stays below 2
	r := bigMul(bigSub(x, bigOf(n)), bigLn2)
	y := series(big.NewFloat(1), func(k int64) *big.Float { return bigDiv(r, bigOf(k)) })
	return y.SetMantExp(y, int(n))
}

// bigSin returns the sine of x + quarters*pi/2.
func bigSin(x *big.Float, quarters int64) *big.Float {
	n, _ := bigAdd(bigDiv(x, bigHalfPi), big.NewFloat(0.5)).Int(nil)
	r := bigSub(x, bigMul(new(big.Float).SetPrec(transPrec).SetInt(n), bigHalfPi))
	q := new(big.Int).And(n.Add(n, big.NewInt(quarters)), big.NewInt(3)).Int64() // n modulo 4
	rr := bigMul(r, r)
	var y *big.Float
	if q%2 == 0 {
		if r.Sign() == 0 {
			return r
		}
		y = series(r, func(k int64) *big.Float { return bigDiv(rr, bigOf(-2*k*(2*k+1))) })
	} else {
		y = series(big.NewFloat(1), func(k int64) *big.Float { return bigDiv(rr, bigOf(-2*k*(2*k-1))) })
	}
	if q >= 2 {
		y.Neg(y)
	}
	return y
}

// transcendental are the functions on finite numbers where they are neither zero, infinite nor NaN; they return nil
// elsewhere. The bounds are units in the last place at 16, 32 and 64 bits.
var transcendental = map[string]struct {
	f   func(x []real) real
	ulp [3]float64
}{
	"fexp2": {func(x []real) real {
		if f, _ := x[0].Float64(); f > 1100 || f < -1200 {
			return nil
		}
		return bigExp2(x[0])
	}, [3]float64{0.51, 0.51, 4}},
	"flog2": {func(x []real) real {
		if x[0].Sign() <= 0 {
			return nil
		}
		return bigLog2(x[0])
	}, [3]float64{0.51, 0.51, 4}},
	"fsin": {func(x []real) real { return bigSin(x[0], 0) }, [3]float64{0.51, 0.51, 4}},
	"fcos": {func(x []real) real { return bigSin(x[0], 1) }, [3]float64{0.51, 0.51, 4}},
	"fpow": {func(x []real) real {
		if x[0].Sign() <= 0 {
			return nil
		}
		t := bigMul(bigLog2(x[0]), x[1])
		if f, _ := t.Float64(); f > 1100 || f < -1200 {
			return nil
		}
		return bigExp2(t)
	}, [3]float64{0.51, 0.51, 1 << 12}},
}

// TestTranscendental compares the approximations with multiple-precision results: at 16 and 32
// bits they are the nearest float or all but halfway to the next one.
func TestTranscendental(t *testing.T) {
	n := max(300, *vectors/20)
	for name, def := range transcendental {
		o, ok := op.ByName(name)
		if !ok {
			t.Fatalf("unknown opcode %s", name)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info := o.Info()
			for k, w := range floatSizes {
				r := rand.New(rand.NewPCG(uint64(w), 5))
				worst, tried := 0.0, 0
				for range n {
					var src [op.MaxSrc][16]uint64
					var dst [16]uint64
					var x []real
					for s := range info.NumSrc {
						src[s][0] = random(r, info.Src[s], w)
						x = append(x, decode(src[s][0], w, false))
					}
					finite := true
					for _, v := range x {
						finite = finite && v != nil && !v.IsInf()
					}
					if !finite {
						continue
					}
					want := def.f(x)
					fold.Eval(o, uint8(w), 1, &src, &dst, 0)
					got := decode(dst[0], w, false)
					if want == nil {
						continue
					}
					if exact := encode(want, w, nearest, false); got == nil || got.IsInf() || decode(exact, w, false).IsInf() {
						if dst[0] != exact {
							t.Fatalf("%s@%d %#x = %#x, and %#x is right", name, w, src[:info.NumSrc], dst[0], exact)
						}
						continue
					}
					tried++
					unit := max(want.MantExp(nil)-1, -int(layouts[w].emin)) - int(layouts[w].prec) + 1
					d, _ := new(big.Float).SetMantExp(bigSub(got, want), -unit).Float64()
					worst = max(worst, d, -d)
					if !(worst <= def.ulp[k]) {
						t.Fatalf("%s@%d %#x = %#x is %v units off", name, w, src[:info.NumSrc], dst[0], d)
					}
				}
				if tried < n/8 {
					t.Errorf("only %d of %d arguments are of use", tried, n)
				}
				t.Logf("%d bits: at most %.3f units off", w, worst)
			}
		})
	}
}
