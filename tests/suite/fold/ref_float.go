// SPDX-License-Identifier: MIT

package fold

import (
	"math"
	"math/big"

	"jacquard.example/core/num"
)

func (e env) direction(w int) direction {
	if e.mode&num.RTZ(w) != 0 {
		return zeroward
	}
	return nearest
}
func (e env) flush(w int) bool { return e.mode&num.Flush(w) != 0 }

// in reads the sources of a float operation at the execution size.
func (e env) in(s [][]uint64) []real {
	out := make([]real, len(s))
	for i, x := range s {
		out[i] = decode(x[0], e.w, e.flush(e.w))
	}
	return out
}

// step rounds the result of a step of a composed operation.
func (e env) step(r real) real { return decode(encode(r, e.w, e.direction(e.w), false), e.w, false) }

func (e env) out(r real) []uint64 { return one(encode(r, e.w, e.direction(e.w), e.flush(e.w))) }

func floats(name string, f func(e env, x []real) real) {
	refs[name] = func(e env, s [][]uint64) []uint64 { return e.out(f(e, e.in(s))) }
}

func predicate(name string, f func(e env, x []real) bool) {
	refs[name] = func(e env, s [][]uint64) []uint64 { return bit(f(e, e.in(s))) }
}

func init() {
	floats("fadd", func(e env, x []real) real { return add(e.w, x[0], x[1]) })
	floats("fsub", func(e env, x []real) real { return sub(e.w, x[0], x[1]) })
	floats("fmul", func(e env, x []real) real { return mul(e.w, x[0], x[1]) })
	floats("fdiv", func(e env, x []real) real { return quo(e.w, x[0], x[1]) })
	floats("ffma", func(e env, x []real) real { return fma(e.w, x[0], x[1], x[2]) })
	floats("frcp", func(e env, x []real) real { return quo(e.w, fromFloat(e.w, 1), x[0]) })
	floats("fsqrt", func(e env, x []real) real { return sqrt(e.w, x[0]) })
	floats("frsq", func(e env, x []real) real { return quo(e.w, fromFloat(e.w, 1), e.step(sqrt(e.w, x[0]))) })
	rem := func(mode int) func(e env, x []real) real {
		return func(e env, x []real) real {
			q := integral(e.step(quo(e.w, x[0], x[1])), mode)
			return sub(e.w, x[0], e.step(mul(e.w, x[1], q)))
		}
	}
	floats("frem", rem(0))
	floats("fmod", rem(-1))
	floats("flrp", func(e env, x []real) real {
		t := e.step(sub(e.w, fromFloat(e.w, 1), x[2]))
		return add(e.w, e.step(mul(e.w, x[0], t)), e.step(mul(e.w, x[1], x[2])))
	})
	floats("fneg", func(_ env, x []real) real { return neg(x[0]) })
	floats("fabs", func(_ env, x []real) real {
		if x[0] == nil {
			return nil
		}
		return new(big.Float).Abs(x[0])
	})
	floats("fsign", func(e env, x []real) real {
		switch {
		case x[0] == nil:
			return newReal(e.w)
		case x[0].Sign() == 0:
			return x[0]
		}
		return fromFloat(e.w, float64(x[0].Sign()))
	})
	floats("fsat", func(e env, x []real) real {
		if x[0] == nil || x[0].Sign() <= 0 {
			return newReal(e.w)
		}
		return pick(x[0], fromFloat(e.w, 1), false)
	})
	floats("fmin", func(_ env, x []real) real { return pick(x[0], x[1], false) })
	floats("fmax", func(_ env, x []real) real { return pick(x[0], x[1], true) })
	floats("ffloor", func(_ env, x []real) real { return integral(x[0], -1) })
	floats("fceil", func(_ env, x []real) real { return integral(x[0], 1) })
	floats("ftrunc", func(_ env, x []real) real { return integral(x[0], 0) })
	floats("fround_even", func(_ env, x []real) real { return integral(x[0], 2) })
	floats("ffract", func(e env, x []real) real { return sub(e.w, x[0], integral(x[0], -1)) })
	refs["ldexp"] = func(e env, s [][]uint64) []uint64 {
		x := decode(s[0][0], e.w, e.flush(e.w))
		if x != nil && !x.IsInf() && x.Sign() != 0 {
			n := min(max(int(int32(s[1][0])), -6000), 6000)
			x = new(big.Float).SetMantExp(x, n)
		}
		return e.out(x)
	}
	floats("frexp_sig", func(e env, x []real) real {
		if x[0] == nil || x[0].IsInf() || x[0].Sign() == 0 {
			return x[0]
		}
		m := new(big.Float)
		x[0].MantExp(m)
		return m
	})
	refs["frexp_exp"] = func(e env, s [][]uint64) []uint64 {
		x := e.in(s)[0]
		if x == nil || x.IsInf() || x.Sign() == 0 {
			return one(0)
		}
		return one(uint64(uint32(int32(x.MantExp(nil)))))
	}
	refs["fquantize2f16"] = func(e env, s [][]uint64) []uint64 {
		e.w = 32
		x := decode(s[0][0], 32, e.flush(32))
		h := decode(encode(x, 16, e.direction(16), true), 16, true)
		return one(encode(h, 32, nearest, e.flush(32)))
	}

	predicate("feq", func(_ env, x []real) bool { return equal(x[0], x[1]) })
	predicate("fneu", func(_ env, x []real) bool { return !equal(x[0], x[1]) })
	predicate("flt", func(_ env, x []real) bool { return less(x[0], x[1]) })
	predicate("fge", func(_ env, x []real) bool { return less(x[1], x[0]) || equal(x[0], x[1]) })
	predicate("fisfinite", func(_ env, x []real) bool { return x[0] != nil && !x[0].IsInf() })
	predicate("fisnormal", func(e env, x []real) bool {
		return x[0] != nil && !x[0].IsInf() && x[0].Sign() != 0 && x[0].MantExp(nil)-1 >= -int(layouts[e.w].emin)
	})

	for _, n := range []int{2, 3, 4, 8, 16} {
		vec := func(e env, s []uint64) []real {
			out := make([]real, n)
			for i := range out {
				out[i] = decode(s[i], e.w, e.flush(e.w))
			}
			return out
		}
		refs["fdot"+itoa(n)] = func(e env, s [][]uint64) []uint64 {
			a, b := vec(e, s[0]), vec(e, s[1])
			t := e.step(mul(e.w, a[0], b[0]))
			for i := 1; i < n; i++ {
				t = e.step(add(e.w, t, e.step(mul(e.w, a[i], b[i]))))
			}
			return e.out(t)
		}
		all := func(e env, s [][]uint64) bool {
			a, b := vec(e, s[0]), vec(e, s[1])
			for i := range a {
				if !equal(a[i], b[i]) {
					return false
				}
			}
			return true
		}
		refs["ball_fequal"+itoa(n)] = func(e env, s [][]uint64) []uint64 { return bit(all(e, s)) }
		refs["bany_fnequal"+itoa(n)] = func(e env, s [][]uint64) []uint64 { return bit(!all(e, s)) }
	}

	for _, w := range []int{8, 16, 32, 64} {
		toInt := func(e env, s [][]uint64) *big.Int {
			x := e.in(s)[0]
			switch {
			case x == nil:
				return new(big.Int)
			case x.IsInf() && x.Signbit():
				return new(big.Int).Neg(pow2(100))
			case x.IsInf():
				return pow2(100)
			}
			i, _ := x.Int(nil)
			return i
		}
		refs["f2i"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return one(clampS(toInt(e, s), w)) }
		refs["f2u"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return one(clampU(toInt(e, s), w)) }
	}
	for _, w := range []int{16, 32, 64} {
		to := func(e env, r real) []uint64 { return one(encode(r, w, e.direction(w), e.flush(w))) }
		refs["i2f"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return to(e, newReal(64).SetInt(signed(s[0][0], e.w))) }
		refs["u2f"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return to(e, newReal(64).SetInt(unsigned(s[0][0]))) }
		refs["f2f"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return to(e, e.in(s)[0]) }
		refs["b2f"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return to(e, fromFloat(w, float64(s[0][0]))) }
	}

	// Conversions with a direction (SPIR-V 3.16, OpenCL C 6.2.3.2: _rte, _rtz, _rtp, _rtn); values out of range
	// overflow as in IEEE 754.
	for suffix, d := range map[string]direction{"rtne": nearest, "rtz": zeroward, "rtp": upward, "rtn": downward} {
		for _, w := range []int{16, 32, 64} {
			to := func(e env, r real) []uint64 { return one(encode(r, w, d, e.flush(w))) }
			name := itoa(w) + "_" + suffix
			refs["i2f"+name] = func(e env, s [][]uint64) []uint64 { return to(e, newReal(64).SetInt(signed(s[0][0], e.w))) }
			refs["u2f"+name] = func(e env, s [][]uint64) []uint64 { return to(e, newReal(64).SetInt(unsigned(s[0][0]))) }
			if w < 64 {
				refs["f2f"+name] = func(e env, s [][]uint64) []uint64 { return to(e, e.in(s)[0]) }
			}
		}
	}
}

// approximations are checked against the host's library, within units in the
// last place of the width. (At 64 bits the library's own error counts: for large
// angles its sine and cosine are some units off.)
var approximations = map[string]struct {
	f   func(x ...float64) float64
	ulp [3]float64 // at 16, 32 and 64 bits
}{
	"fsin":  {func(x ...float64) float64 { return math.Sin(x[0]) }, [3]float64{1, 1, 0x1p10}},
	"fcos":  {func(x ...float64) float64 { return math.Cos(x[0]) }, [3]float64{1, 1, 0x1p10}},
	"fexp2": {func(x ...float64) float64 { return math.Exp2(x[0]) }, [3]float64{1, 1, 4}},
	"flog2": {func(x ...float64) float64 {
		if x[0] > 0.5 && x[0] < 2 { // math.Log2 cancels near 1, math.Log is wrong for denormals
			return math.Log(x[0]) / math.Ln2
		}
		return math.Log2(x[0])
	}, [3]float64{1, 1, 8}},
	"fpow": {func(x ...float64) float64 {
		switch {
		case x[0] < 0 || x[0] != x[0] || x[1] != x[1]:
			return math.NaN()
		case x[1] == 0 || x[0] == 1:
			return 1
		case x[0] == 0 && x[1] < 0:
			return math.Inf(1)
		case x[0] == 0:
			return math.Pow(0, x[1])
		}
		return math.Exp2(x[1] * math.Log2(x[0])) // math.Pow is wrong for denormals
	}, [3]float64{1, 1, 1 << 13}},
}
