// SPDX-License-Identifier: MIT

package precision

import "math"

// format describes the precision of a float format.
type format struct {
	name      string // GLSL
	bits      int
	digits    int     // digits of the significand, the leading one among them
	least     int     // exponent of the least normal number
	most      int     // exponent of the largest number
	logError  float64 // absolute errors that the specification allows
	sineError float64
	expULP    float64 // error of exp, in addition to 2|x|
	atanULP   float64
	keep      bool // the shader keeps denormals
	unbounded bool // steps neither overflow nor underflow
}

var half = format{name: "float16_t", bits: 16, digits: 11, least: -14, most: 15, logError: 0x1p-7, sineError: 0x1p-7, expULP: 1, atanULP: 5}
var single = format{name: "float", bits: 32, digits: 24, least: -126, most: 127, logError: 0x1p-21, sineError: 0x1p-11, expULP: 3, atanULP: 4096}

func (f *format) max() float64    { return math.Ldexp(2-math.Ldexp(1, 1-f.digits), f.most) }
func (f *format) normal() float64 { return math.Ldexp(1, f.least) }

// ulp returns a unit in the last place of x, which need not be a number of the format.
func (f *format) ulp(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		if f.unbounded || x != 0 {
			return 0
		}
		return math.Ldexp(1, f.least-f.digits+1)
	}
	_, e := math.Frexp(x) // |x| in [2^(e-1), 2^e)
	if !f.unbounded {
		e = max(e, f.least+1)
	}
	return math.Ldexp(1, e-f.digits)
}

// span is a set of allowed results: an interval with its ends, or anything.
type span struct {
	lo, hi float64
	any    bool
}

var anything = span{any: true}

func exactly(x float64) span {
	if math.IsNaN(x) {
		return anything
	}
	return span{lo: x, hi: x}
}

// step returns the span of a step's results: the hull of ends, in any order, each with an error of n units in the last
// place and of abs.
func (f *format) step(n, abs float64, ends ...float64) span {
	s := span{lo: math.Inf(1), hi: math.Inf(-1)}
	for _, x := range ends {
		if math.IsNaN(x) {
			return anything
		}
		d := abs
		if n > 0 {
			d += n * f.ulp(x)
		}
		s.lo, s.hi = min(s.lo, x-d), max(s.hi, x+d)
	}
	return f.bound(s)
}

// rounded is like step, for an operation that is correctly rounded to either side.
func (f *format) rounded(ends ...float64) span {
	s := span{lo: math.Inf(1), hi: math.Inf(-1)}
	for _, x := range ends {
		if math.IsNaN(x) {
			return anything
		}
		lo, hi := x, x
		if u := f.ulp(x); u > 0 {
			lo, hi = math.Floor(x/u)*u, math.Ceil(x/u)*u
		}
		s.lo, s.hi = min(s.lo, lo), max(s.hi, hi)
	}
	return f.bound(s)
}

// bound makes a span unbounded if the step may overflow, and widens it if the result may be flushed to zero.
func (f *format) bound(s span) span {
	if f.unbounded || s.any {
		return s
	}
	if s.lo < -f.max() && !math.IsInf(s.hi, -1) || s.hi > f.max() && !math.IsInf(s.lo, 1) {
		return anything
	}
	if n := f.normal(); !f.keep {
		if s.lo > 0 && s.lo < n {
			s.lo = 0
		}
		if s.hi < 0 && s.hi > -n {
			s.hi = 0
		}
	}
	return s
}

func (f *format) neg(a span) span { return span{-a.hi, -a.lo, a.any} }

func (f *format) add(a, b span) span {
	if a.any || b.any {
		return anything
	}
	return f.rounded(a.lo+b.lo, a.hi+b.hi)
}

func (f *format) sub(a, b span) span { return f.add(a, f.neg(b)) }

func (f *format) mul(a, b span) span {
	if a.any || b.any {
		return anything
	}
	return f.rounded(a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi)
}

// div computes OpFDiv: 2.5 ULP where the divisor is in a range that the format gives.
func (f *format) div(a, b span) span {
	if a.any || b.any || b.lo <= 0 && b.hi >= 0 {
		return anything
	}
	if !f.unbounded {
		most := math.Ldexp(1, -f.least)
		if math.Abs(b.lo) > most || math.Abs(b.hi) > most || math.Abs(b.lo) < f.normal() || math.Abs(b.hi) < f.normal() {
			return anything
		}
	}
	return f.step(2.5, 0, a.lo/b.lo, a.lo/b.hi, a.hi/b.lo, a.hi/b.hi)
}

func (f *format) floor(a span) span {
	if a.any {
		return a
	}
	return span{lo: math.Floor(a.lo), hi: math.Floor(a.hi)}
}

func join(a, b span) span {
	if a.any || b.any {
		return anything
	}
	return span{lo: min(a.lo, b.lo), hi: max(a.hi, b.hi)}
}

// exp2 and e^x have the same bound, in terms of their own arguments.
func (f *format) power(base func(float64) float64, a span) span {
	if a.any {
		return a
	}
	at := func(x float64) span {
		if math.IsInf(x, 0) {
			return exactly(base(x))
		}
		return f.step(f.expULP+2*math.Abs(x), 0, base(x))
	}
	s := join(at(a.lo), at(a.hi))
	s.lo = max(s.lo, 0)
	return s
}

func (f *format) exp(a span) span  { return f.power(math.Exp, a) }
func (f *format) exp2(a span) span { return f.power(math.Exp2, a) }

func (f *format) logarithm(of func(float64) float64, a span) span {
	if a.any || a.lo < 0 {
		return anything
	}
	at := func(x float64) span {
		if x >= 0.5 && x <= 2 {
			return f.step(0, f.logError, of(x))
		}
		return f.step(3, 0, of(x))
	}
	return join(at(a.lo), at(a.hi))
}

func (f *format) ln(a span) span   { return f.logarithm(math.Log, a) }
func (f *format) log2(a span) span { return f.logarithm(math.Log2, a) }

// rsqrt computes 1/sqrt within 2 ULP.
func (f *format) rsqrt(a span) span {
	if a.any || a.lo < 0 {
		return anything
	}
	return f.step(2, 0, 1/math.Sqrt(a.lo), 1/math.Sqrt(a.hi))
}

// sqrt inherits from 1/inversesqrt.
func (f *format) sqrt(a span) span {
	if a.any || a.lo < 0 {
		return anything
	}
	at := func(x float64) span {
		if x == 0 || math.IsInf(x, 1) {
			return exactly(x)
		}
		g := *f
		g.unbounded = true // the root is in the middle of the range
		return f.bound(g.div(exactly(1), g.rsqrt(exactly(x))))
	}
	return join(at(a.lo), at(a.hi))
}

// wave computes sine or cosine: an absolute error in -π … π, and between -1 and 1 within the same error elsewhere.
func (f *format) wave(of func(float64) float64, x float64) span {
	if math.IsInf(x, 0) {
		return anything
	}
	if math.Abs(x) <= math.Pi {
		return f.step(0, f.sineError, of(x))
	}
	return span{lo: -1 - f.sineError, hi: 1 + f.sineError}
}

func (f *format) atan2(y, x span) span {
	if y.any || x.any || y.lo < 0 && y.hi >= 0 && x.lo <= 0 {
		return anything
	}
	if x.lo <= 0 && x.hi >= 0 && y.lo <= 0 && y.hi >= 0 {
		return anything // the origin
	}
	return f.step(f.atanULP, 0, math.Atan2(y.lo, x.lo), math.Atan2(y.lo, x.hi), math.Atan2(y.hi, x.lo), math.Atan2(y.hi, x.hi))
}

// allows reports whether s contains a result of the format.
func (f *format) allows(s span, got float64) bool {
	switch {
	case s.any:
		return true
	case math.IsNaN(got):
		return false
	case got >= s.lo && got <= s.hi:
		return true
	case math.IsInf(got, 1), got == f.max():
		return s.hi >= f.max() // overflow: infinity, or the largest number when rounding to zero
	case math.IsInf(got, -1), got == -f.max():
		return s.lo <= -f.max()
	}
	// The result is a number of the format, a bound perhaps not.
	u := math.Ldexp(1, f.least-f.digits+1)
	if got >= s.lo-u && got <= s.hi+u && math.Abs(got) < f.normal() {
		return true // between the denormals
	}
	return got == 0 && !f.keep && s.lo < f.normal() && s.hi > -f.normal()
}
