package num

import (
	"math/bits"
	"unsafe"
)

// Signed are the signed integers of every width.
type Signed interface{ int8 | int16 | int32 | int64 }

// Unsigned are the unsigned integers of every width.
type Unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

func width[T Signed | Unsigned]() uint {
	var z T
	return uint(unsafe.Sizeof(z)) * 8
}

// DivS is the signed quotient rounded towards zero; total.
func DivS[T Signed](a, b T) T {
	switch {
	case b == 0 && a < 0:
		return 1
	case b == 0:
		return -1
	case b == -1:
		return -a
	}
	return a / b
}

// RemS is the signed remainder with the sign of the dividend; total.
func RemS[T Signed](a, b T) T {
	switch b {
	case 0:
		return a
	case -1:
		return 0
	}
	return a % b
}

// ModS is the signed remainder with the sign of the divisor; total.
func ModS[T Signed](a, b T) T {
	r := RemS(a, b)
	if b != 0 && r != 0 && r^b < 0 {
		r += b
	}
	return r
}

// DivU is the unsigned quotient; total.
func DivU[T Unsigned](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a / b
}

// RemU is the unsigned remainder; total.
func RemU[T Unsigned](a, b T) T {
	if b == 0 {
		return a
	}
	return a % b
}

// MulHighS is the high half of the signed product of twice the width.
func MulHighS[T Signed](a, b T) T {
	w := width[T]()
	if w < 64 {
		return T(int64(a) * int64(b) >> w)
	}
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return T(int64(hi) - int64(a)>>63&int64(b) - int64(b)>>63&int64(a))
}

// MulHighU is the high half of the unsigned product of twice the width.
func MulHighU[T Unsigned](a, b T) T {
	w := width[T]()
	if w < 64 {
		return T(uint64(a) * uint64(b) >> w)
	}
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return T(hi)
}

// AddSatS is the signed sum, clamped to the range of the type.
func AddSatS[T Signed](a, b T) T {
	s := a + b
	if (a^s)&(b^s) < 0 { // both operands have the sign that the sum lacks
		return bound(a)
	}
	return s
}

// SubSatS is the signed difference, clamped to the range of the type.
func SubSatS[T Signed](a, b T) T {
	d := a - b
	if (a^b)&(a^d) < 0 {
		return bound(a)
	}
	return d
}

// bound is the end of T's range on the side of a.
func bound[T Signed](a T) T {
	most := T(1) << (width[T]() - 1)
	if a < 0 {
		return most
	}
	return ^most
}

// AddSatU is the unsigned sum, clamped to all ones.
func AddSatU[T Unsigned](a, b T) T {
	if s := a + b; s >= a {
		return s
	}
	return ^T(0)
}

// SubSatU is the unsigned difference, clamped to zero.
func SubSatU[T Unsigned](a, b T) T {
	if a < b {
		return 0
	}
	return a - b
}

// PopCount is the number of one bits.
func PopCount[T Unsigned](a T) T { return T(bits.OnesCount64(uint64(a))) }

// CLZ is the number of zero bits above the highest one bit, the width for 0.
func CLZ[T Unsigned](a T) T {
	return T(uint(bits.LeadingZeros64(uint64(a))) - (64 - width[T]()))
}

// CTZ is the number of zero bits below the lowest one bit, the width for 0.
func CTZ[T Unsigned](a T) T {
	if a == 0 {
		return T(width[T]())
	}
	return T(bits.TrailingZeros64(uint64(a)))
}

// Reverse turns the order of the bits around.
func Reverse[T Unsigned](a T) T {
	return T(bits.Reverse64(uint64(a)) >> (64 - width[T]()))
}
