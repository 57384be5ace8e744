// SPDX-License-Identifier: MIT

package operators

import (
	"math"
	"math/rand/v2"
)

// Domain restricts the values of an operand so that results are defined.
type Domain uint8

// The domains of operands.
const (
	Any      Domain = iota // integers: all, corners first; floats: -100 … 100, and powers of two
	NonZero                // signed integers are not -1 either: dividing the smallest integer by -1 has no result
	Amount                 // 0 … bits-1
	Positive               // above 0; signed integers: 0 or more
	Unit                   // -1 … 1
	Small                  // -4 … 4
	AtLeast1               // 1 … 100
	Halfway                // any, but never halfway between two integers
	Exponent               // whole numbers -6 … 6
)

func random(name string) *rand.Rand {
	seed := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		seed = (seed ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, 7))
}

// values returns n values of a type as bytes.
func values(r *rand.Rand, t Type, d Domain, n int) []byte {
	var b []byte
	for i := range n {
		if t.Kind == Float {
			b = t.put(b, 0, floatValue(r, t, d, i))
		} else {
			b = t.put(b, intValue(r, t, d, i), 0)
		}
	}
	return b
}

func intValue(r *rand.Rand, t Type, d Domain, i int) uint64 {
	top := uint64(1) << (t.Bits - 1)
	x := r.Uint64() >> r.IntN(64)
	if corners := []uint64{0, 1, ^uint64(0), top, top - 1, 2, 3, top + 1}; i < 4*len(corners) && i%4 == 0 {
		x = corners[i/4]
	}
	mask := ^uint64(0) >> (64 - t.Bits)
	switch d {
	case Amount:
		return r.Uint64N(uint64(t.Bits))
	case Small, Unit, Exponent:
		return uint64(r.IntN(9)-4) & mask
	case Positive, AtLeast1:
		if t.Kind == Int {
			x &= top - 1
		}
		if d == AtLeast1 {
			x |= 1
		}
	case NonZero:
		for x&mask == 0 || t.Kind == Int && x&mask == mask {
			x = r.Uint64()
		}
	}
	return x & mask
}

func floatValue(r *rand.Rand, t Type, d Domain, i int) float64 {
	x := r.Float64()*200 - 100
	if corners := []float64{0, 1, -1, 0.5, -0.5, 2, -2, 64, 0.125, 3}; i < 3*len(corners) && i%3 == 0 {
		x = corners[i/3]
	}
	if t.Bits == 16 {
		x = math.Mod(x, 8) // products and sums stay far from overflow
	}
	switch d {
	case NonZero:
		if math.Abs(x) < 0.05 {
			x = 1.75
		}
	case Positive:
		x = math.Abs(x) + 0.03125
	case AtLeast1:
		x = math.Abs(x) + 1
	case Unit:
		x = r.Float64()*2 - 1
	case Small:
		x = r.Float64()*8 - 4
	case Halfway:
		if f := math.Abs(x - math.Trunc(x)); f > 0.4 && f < 0.6 {
			x = math.Trunc(x) + 0.25
		}
	case Exponent:
		x = math.Trunc(r.Float64()*13 - 6)
	}
	if t.Bits == 16 { // representable in the type, so that both sides see the same
		return t.float(t.put(nil, 0, x))
	}
	return x
}
