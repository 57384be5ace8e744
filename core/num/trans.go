// SPDX-License-Identifier: MIT

package num

import (
	"math"
	"math/bits"
)

// The functions here compute in float64 with every step rounded, so that they return the same bits on every host; the
// standard library's may be fused differently. They are accurate to a few units in the last place of a float64 and
// therefore nearly always return the nearest float32.

// horner evaluates a series at x, lowest power first.
func horner(c []float64, x float64) float64 {
	s := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		s = float64(float64(s*x) + c[i])
	}
	return s
}

// Exp2 returns 2 to the power x.
func Exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 1100:
		return math.Inf(1)
	case x < -1100:
		return 0
	}
	n := math.RoundToEven(x)
	return Ldexp64(horner(exp2Series[:], float64(x-n)), int32(n), 0)
}

// Log2 returns the logarithm to base 2; NaN below zero.
func Log2(x float64) float64 {
	hi, lo := log2(x)
	return float64(hi + lo)
}

// log2 returns the logarithm in two parts: an integer and a rest of at most 1/2, or one
// special value.
func log2(x float64) (whole, rest float64) {
	switch {
	case x != x || x < 0:
		return math.NaN(), 0
	case x == 0:
		return math.Inf(-1), 0
	case x > math.MaxFloat64:
		return x, 0
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := float64((m - 1) / (m + 1))
	return float64(e), float64(s * horner(log2Series[:], float64(s*s)))
}

// Pow returns x to the power y: 1 if y = 0 or x = 1, otherwise NaN if x < 0. In float64 it is
// accurate to about 42 bits.
func Pow(x, y float64) float64 {
	if y == 0 || x == 1 {
		return 1
	}
	whole, rest := log2(x)
	if y-y != 0 || whole-whole != 0 {
		return Exp2(float64(y * float64(whole+rest)))
	}
	// Integer parts multiply exactly if y is short; the rest is small.
	a := float64(y * whole)
	b := float64(y * rest)
	an, bn := math.RoundToEven(a), math.RoundToEven(b)
	if math.Abs(an+bn) > 5000 {
		return Exp2(float64(an + bn))
	}
	r := float64(float64(a-an) + float64(b-bn))
	return float64(Ldexp64(Exp2(r), int32(float64(an+bn)), 0))
}

// Sin returns the sine of an angle in radians.
func Sin(x float64) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	q, r := reduce(x)
	return quadrant(q, r)
}

// Cos returns the cosine of an angle in radians.
func Cos(x float64) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	q, r := reduce(x)
	return quadrant(q+1, r)
}

// quadrant returns sin(q·π/2 + r) for |r| <= π/4.
func quadrant(q uint64, r float64) float64 {
	var y float64
	rr := float64(r * r)
	if q&1 == 0 {
		y = r
		if rr != 0 {
			y = float64(r * horner(sinSeries[:], rr))
		}
	} else {
		y = horner(cosSeries[:], rr)
	}
	if q&2 != 0 {
		y = -y
	}
	return y
}

// reduce decomposes a finite x into q·π/2 + r with |r| <= π/4, q modulo 4. It multiplies the angle by the relevant bits
// of 2/π (Payne and Hanek): bits that yield multiples of four quadrants are omitted, and 128 bits of the fraction are
// kept.
func reduce(x float64) (q uint64, r float64) {
	if math.Abs(x) <= halfPi/2 {
		return 0, x
	}
	n := fmt64.unpack(math.Float64bits(x))
	// x = lo · 2^exp. The window is chosen so that the product modulo 2^256 has two bits of
	// quadrant at the top.
	start := n.exp - 2
	h3, _ := bits.Mul64(n.lo, piBits(start+192))
	h2, l2 := bits.Mul64(n.lo, piBits(start+128))
	h1, l1 := bits.Mul64(n.lo, piBits(start+64))
	l0 := n.lo * piBits(start)
	p2, c := bits.Add64(l2, h3, 0)
	p1, c := bits.Add64(l1, h2, c)
	p0, _ := bits.Add64(l0, h1, c)

	q = p0 >> 62
	hi, lo := p0<<2|p1>>62, p1<<2|p2>>62
	neg := n.neg
	if hi>>63 != 0 { // a half or more: count back from the next quadrant
		q++
		neg = !neg
		lo, c = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, c)
	}
	if n.neg {
		q = -q
	}
	f := fmt64.pack(neg, hi, lo, -128, false, NearestEven)
	return q & 3, float64(math.Float64frombits(f) * halfPi)
}

// piBits returns the 64 bits of 2/π that start at a position after the binary point;
// positions before it are zero. The position is at least -64.
func piBits(place int) uint64 {
	if place < 0 {
		return twoOverPi[0] >> -place
	}
	w, s := place/64, place%64
	return twoOverPi[w]<<s | twoOverPi[w+1]>>(64-s)
}
