// SPDX-License-Identifier: MIT

package num

import "math"

// ToInt rounds toward zero to a signed integer of a width: NaN yields 0, and out-of-range
// values the nearest bound.
func ToInt(f float64, bits uint) int64 {
	limit := math.Float64frombits(uint64(1023+bits-1) << 52) // 2^(bits-1)
	switch {
	case f != f:
		return 0
	case f >= limit:
		return int64(1)<<(bits-1) - 1
	case f < -limit:
		return int64(-1) << (bits - 1)
	}
	return int64(f)
}

// ToUint rounds toward zero to an unsigned integer of a width: NaN yields 0, and
// out-of-range values the nearest bound.
func ToUint(f float64, bits uint) uint64 {
	limit := math.Float64frombits(uint64(1023+bits) << 52) // 2^bits
	switch {
	case !(f > 0):
		return 0
	case f >= limit:
		return ^uint64(0) >> (64 - bits)
	}
	return uint64(f)
}

// FromInt16 rounds a signed integer to a 16-bit float.
func FromInt16(x int64, m Mode) float32 {
	if m&RTZ16 != 0 {
		return F16ToF32(uint16(fmt16.fromInt(x < 0, magnitude(x), TowardZero)))
	}
	return Round16(float32(x)) // values that float32 rounds are infinite in 16 bits anyway
}

// FromInt32 rounds a signed integer to a 32-bit float.
func FromInt32(x int64, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.fromInt(x < 0, magnitude(x), TowardZero))
	}
	return float32(x)
}

// FromInt64 rounds a signed integer to a 64-bit float.
func FromInt64(x int64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.fromInt(x < 0, magnitude(x), TowardZero))
	}
	return float64(x)
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// FromUint16 rounds an unsigned integer to a 16-bit float.
func FromUint16(x uint64, m Mode) float32 {
	if m&RTZ16 != 0 {
		return F16ToF32(uint16(fmt16.fromInt(false, x, TowardZero)))
	}
	return Round16(float32(x))
}

// FromUint32 rounds an unsigned integer to a 32-bit float.
func FromUint32(x uint64, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(fmt32.fromInt(false, x, TowardZero))
	}
	return float32(x)
}

// FromUint64 rounds an unsigned integer to a 64-bit float.
func FromUint64(x uint64, m Mode) float64 {
	if m&RTZ64 != 0 {
		return math.Float64frombits(fmt64.fromInt(false, x, TowardZero))
	}
	return float64(x)
}

// IntTo…, UintTo… and FloatTo… round in an explicit direction.

// IntTo16 rounds a signed integer to a 16-bit float.
func IntTo16(x int64, r Rounding) float32 {
	return F16ToF32(uint16(fmt16.fromInt(x < 0, magnitude(x), r)))
}

// IntTo32 rounds a signed integer to a 32-bit float.
func IntTo32(x int64, r Rounding) float32 { return float32of(fmt32.fromInt(x < 0, magnitude(x), r)) }

// IntTo64 rounds a signed integer to a 64-bit float.
func IntTo64(x int64, r Rounding) float64 {
	return math.Float64frombits(fmt64.fromInt(x < 0, magnitude(x), r))
}

// UintTo16 rounds an unsigned integer to a 16-bit float.
func UintTo16(x uint64, r Rounding) float32 { return F16ToF32(uint16(fmt16.fromInt(false, x, r))) }

// UintTo32 rounds an unsigned integer to a 32-bit float.
func UintTo32(x uint64, r Rounding) float32 { return float32of(fmt32.fromInt(false, x, r)) }

// UintTo64 rounds an unsigned integer to a 64-bit float.
func UintTo64(x uint64, r Rounding) float64 { return math.Float64frombits(fmt64.fromInt(false, x, r)) }

// FloatTo16 rounds a float to 16 bits.
func FloatTo16(f float64, r Rounding) float32 {
	return F16ToF32(uint16(convert(&fmt64, &fmt16, math.Float64bits(f), r)))
}

// FloatTo32 rounds a float to 32 bits.
func FloatTo32(f float64, r Rounding) float32 {
	return float32of(convert(&fmt64, &fmt32, math.Float64bits(f), r))
}

// Narrow16 rounds a float64 to a 16-bit float.
func Narrow16(f float64, m Mode) float32 { return F16ToF32(F64ToF16(f, m.rounding(RTZ16))) }

// Narrow16From32 rounds a float32 to a 16-bit float.
func Narrow16From32(f float32, m Mode) float32 {
	if m&RTZ16 != 0 {
		return Round16RTZ(f)
	}
	return Round16(f)
}

// Narrow32 rounds a float64 to a 32-bit float.
func Narrow32(f float64, m Mode) float32 {
	if m&RTZ32 != 0 {
		return float32of(convert(&fmt64, &fmt32, math.Float64bits(f), TowardZero))
	}
	return float32(f)
}
