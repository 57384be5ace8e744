// SPDX-License-Identifier: MIT

package num

import "math"

// Operations that round take the mode; rounding to nearest is done by the host's own operations. Conversions to float32
// and float64 around each operation keep the Go compiler from fusing it with the next.

// Add16 returns the sum of two 16-bit floats.
func Add16(a, b float32, m Mode) float32 {
	if m&RTZ16 != 0 {
		return F16ToF32(uint16(fmt16.add(bits16(a), bits16(b), TowardZero)))
	}
	// 24 bits are at least twice 11 plus two, so that double rounding is harmless; likewise
	// for the product, quotient and root.
	return Round16(float32(a + b))
}

// Sub16 returns the difference of two 16-bit floats.
func Sub16(a, b float32, m Mode) float32 { return Add16(a, -b, m) }

// Mul16 returns the product of two 16-bit floats.
func Mul16(a, b float32, m Mode) float32 {
	if m&RTZ16 != 0 {
		return Round16RTZ(float32(a * b)) // the product is exact in 32 bits
	}
	return Round16(float32(a * b))
}

// Div16 returns the quotient of two 16-bit floats.
func Div16(a, b float32, m Mode) float32 {
	if m&RTZ16 != 0 {
		return F16ToF32(uint16(fmt16.div(bits16(a), bits16(b), TowardZero)))
	}
	return Round16(float32(a / b))
}

// Sqrt16 returns the square root of a 16-bit float.
func Sqrt16(a float32, m Mode) float32 {
	if m&RTZ16 != 0 {
		return F16ToF32(uint16(fmt16.sqrt(bits16(a), TowardZero)))
	}
	return Round16(float32(math.Sqrt(float64(a))))
}

// Fma16 returns a*b + c, rounded once.
func Fma16(a, b, c float32, m Mode) float32 {
	if m&RTZ16 != 0 {
		return F16ToF32(uint16(fmt16.fma(bits16(a), bits16(b), bits16(c), TowardZero)))
	}
	// The product has at most 22 bits, c has 11. If float64 cannot represent the sum, the smaller operand is far below
	// the last place of the larger one, which is then the result (or, if it is the product, too large for 16 bits):
	// double rounding is harmless.
	s := float64(float64(a)*float64(b)) + float64(c)
	u := math.Float64bits(s)
	if abs := u & (1<<63 - 1); abs-1009<<52 < 29<<52 { // stays normal and finite
		u += 1<<41 - 1 + u>>42&1
		return float32(math.Float64frombits(u &^ (1<<42 - 1)))
	}
	return F16ToF32(f64ToF16RNE(s))
}

// Ldexp16 returns a times 2 to the power n, rounded once.
func Ldexp16(a float32, n int32, m Mode) float32 {
	return F16ToF32(uint16(fmt16.scale(bits16(a), n, m.rounding(RTZ16))))
}

func bits16(f float32) uint64 { return uint64(F32ToF16RNE(f)) }

// Add32 returns the sum.
func Add32(a, b float32, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.add(bits32(a), bits32(b), TowardZero))
	}
	return float32(a + b)
}

// Sub32 returns the difference.
func Sub32(a, b float32, m Mode) float32 { return Add32(a, -b, m) }

// Mul32 returns the product.
func Mul32(a, b float32, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.mul(bits32(a), bits32(b), TowardZero))
	}
	return float32(a * b)
}

// Div32 returns the quotient.
func Div32(a, b float32, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.div(bits32(a), bits32(b), TowardZero))
	}
	return float32(a / b)
}

// Sqrt32 returns the square root.
func Sqrt32(a float32, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.sqrt(bits32(a), TowardZero))
	}
	return float32(math.Sqrt(float64(a)))
}

// Fma32 returns a*b + c, rounded once.
func Fma32(a, b, c float32, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.fma(bits32(a), bits32(b), bits32(c), TowardZero))
	}
	return float32(sumToOdd(float64(float64(a)*float64(b)), float64(c))) // the product is exact
}

// sumToOdd returns the sum, with its last bit set if it is inexact ("rounding to odd"). Rounding this to fewer bits has
// the same result as rounding the exact sum. The sums of callers never overflow or underflow.
func sumToOdd(p, z float64) float64 {
	s := float64(p + z)
	bp := float64(s - z)
	err := float64(float64(p-bp) + float64(z-float64(s-bp)))
	if err == 0 || s-s != 0 {
		return s
	}
	u := math.Float64bits(s)
	if u&1 == 0 {
		if (err > 0) == (s > 0) {
			u++
		} else {
			u--
		}
	}
	return math.Float64frombits(u)
}

// Ldexp32 returns a times 2 to the power n, rounded once.
func Ldexp32(a float32, n int32, m Mode) float32 {
	return float32of(fmt32.scale(bits32(a), n, m.rounding(RTZ32)))
}

func bits32(f float32) uint64    { return uint64(math.Float32bits(f)) }
func float32of(x uint64) float32 { return math.Float32frombits(uint32(x)) }

// Add64 returns the sum.
func Add64(a, b float64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.add(math.Float64bits(a), math.Float64bits(b), TowardZero))
	}
	return float64(a + b)
}

// Sub64 returns the difference.
func Sub64(a, b float64, m Mode) float64 { return Add64(a, -b, m) }

// Mul64 returns the product.
func Mul64(a, b float64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.mul(math.Float64bits(a), math.Float64bits(b), TowardZero))
	}
	return float64(a * b)
}

// Div64 returns the quotient.
func Div64(a, b float64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.div(math.Float64bits(a), math.Float64bits(b), TowardZero))
	}
	return float64(a / b)
}

// Sqrt64 returns the square root.
func Sqrt64(a float64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.sqrt(math.Float64bits(a), TowardZero))
	}
	return math.Sqrt(a)
}

// Fma64 returns a*b + c, rounded once.
func Fma64(a, b, c float64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.fma(math.Float64bits(a), math.Float64bits(b), math.Float64bits(c), TowardZero))
	}
	return math.FMA(a, b, c)
}

// Ldexp64 returns a times 2 to the power n, rounded once.
func Ldexp64(a float64, n int32, m Mode) float64 {
	return math.Float64frombits(fmt64.scale(math.Float64bits(a), n, m.rounding(RTZ64)))
}

// Float is the set of types that represent floats.
type Float interface{ float32 | float64 }

// Min returns the smaller number; if one operand is NaN, the other one. -0 is below +0.
func Min[T Float](a, b T) T {
	switch {
	case a < b || b != b:
		return a
	case b < a || a != a:
		return b
	case a == 0 && 1/a < 0:
		return a
	}
	return b
}

// Max returns the larger number; if one operand is NaN, the other one. +0 is above -0.
func Max[T Float](a, b T) T {
	switch {
	case a > b || b != b:
		return a
	case b > a || a != a:
		return b
	case a == 0 && 1/a < 0:
		return b
	}
	return a
}

// Abs clears the sign.
func Abs[T Float](a T) T { return T(math.Abs(float64(a))) }

// Floor rounds down to an integer.
func Floor[T Float](a T) T { return T(math.Floor(float64(a))) }

// Ceil rounds up to an integer.
func Ceil[T Float](a T) T { return T(math.Ceil(float64(a))) }

// Trunc rounds toward zero to an integer.
func Trunc[T Float](a T) T { return T(math.Trunc(float64(a))) }

// Rint rounds to the nearest integer, halves to the even one.
func Rint[T Float](a T) T { return T(math.RoundToEven(float64(a))) }

// FrexpSig returns the significand in [0.5, 1) with a's sign; zeros, infinities and NaN are
// returned unchanged.
func FrexpSig[T Float](a T) T {
	s, _ := math.Frexp(float64(a))
	return T(s)
}

// FrexpExp returns the exponent that belongs to FrexpSig, or 0 for zeros, infinities and NaN.
func FrexpExp[T Float](a T) int32 {
	_, e := math.Frexp(float64(a))
	return int32(e)
}
