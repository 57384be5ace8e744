// SPDX-License-Identifier: MIT

package num

import (
	"math/bits"
	"unsafe"
)

// Signed is the set of signed integer types.
type Signed interface{ int8 | int16 | int32 | int64 }

// Unsigned is the set of unsigned integer types.
type Unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

func width[T Signed | Unsigned]() uint {
	var z T
	return uint(unsafe.Sizeof(z)) * 8
}

// DivS returns the signed quotient rounded toward zero. Like the other divisions, it is total: see the package comment.
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

// RemS returns the signed remainder with the sign of the dividend.
func RemS[T Signed](a, b T) T {
	switch b {
	case 0:
		return a
	case -1:
		return 0
	}
	return a % b
}

// ModS returns the signed remainder with the sign of the divisor.
func ModS[T Signed](a, b T) T {
	r := RemS(a, b)
	if b != 0 && r != 0 && r^b < 0 {
		r += b
	}
	return r
}

// DivU returns the unsigned quotient.
func DivU[T Unsigned](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a / b
}

// RemU returns the unsigned remainder.
func RemU[T Unsigned](a, b T) T {
	if b == 0 {
		return a
	}
	return a % b
}

// MulHighS returns the high half of the signed product of twice the width.
func MulHighS[T Signed](a, b T) T {
	w := width[T]()
	if w < 64 {
		return T(int64(a) * int64(b) >> w)
	}
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return T(int64(hi) - int64(a)>>63&int64(b) - int64(b)>>63&int64(a))
}

// MulHighU returns the high half of the unsigned product of twice the width.
func MulHighU[T Unsigned](a, b T) T {
	w := width[T]()
	if w < 64 {
		return T(uint64(a) * uint64(b) >> w)
	}
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return T(hi)
}

// AddSatS returns the signed sum, clamped to the range of the type.
func AddSatS[T Signed](a, b T) T {
	s := a + b
	if (a^s)&(b^s) < 0 { // both operands have the opposite sign of the sum
		return bound(a)
	}
	return s
}

// SubSatS returns the signed difference, clamped to the range of the type.
func SubSatS[T Signed](a, b T) T {
	d := a - b
	if (a^b)&(a^d) < 0 {
		return bound(a)
	}
	return d
}

// bound returns the end of T's range on the side of a.
func bound[T Signed](a T) T {
	most := T(1) << (width[T]() - 1)
	if a < 0 {
		return most
	}
	return ^most
}

// AddSatU returns the unsigned sum, clamped to all ones.
func AddSatU[T Unsigned](a, b T) T {
	if s := a + b; s >= a {
		return s
	}
	return ^T(0)
}

// SubSatU returns the unsigned difference, clamped to zero.
func SubSatU[T Unsigned](a, b T) T {
	if a < b {
		return 0
	}
	return a - b
}

// PopCount returns the number of one bits.
func PopCount[T Unsigned](a T) T { return T(bits.OnesCount64(uint64(a))) }

// CLZ returns the number of zero bits above the highest one bit, or the width for 0.
func CLZ[T Unsigned](a T) T {
	return T(uint(bits.LeadingZeros64(uint64(a))) - (64 - width[T]()))
}

// CTZ returns the number of zero bits below the lowest one bit, or the width for 0.
func CTZ[T Unsigned](a T) T {
	if a == 0 {
		return T(width[T]())
	}
	return T(bits.TrailingZeros64(uint64(a)))
}

// Reverse reverses the order of the bits.
func Reverse[T Unsigned](a T) T {
	return T(bits.Reverse64(uint64(a)) >> (64 - width[T]()))
}
