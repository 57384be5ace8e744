// SPDX-License-Identifier: MIT

package num

import "math"

// Mode selects rounding and the treatment of denormals, per width. The zero value rounds to nearest even and keeps
// denormals.
type Mode uint8

// The bits of a Mode.
const (
	Flush16 Mode = 1 << iota // denormal sources and results become zeros of their sign
	Flush32
	Flush64
	RTZ16 // rounds toward zero instead of to nearest even
	RTZ32
	RTZ64

	RTZAny = RTZ16 | RTZ32 | RTZ64
)

// Flush returns the mode's bit that flushes denormals of a width, or 0 if it is not 16, 32 or 64.
func Flush(bits int) Mode { return byWidth(bits, Flush16, Flush32, Flush64) }

// RTZ returns the mode's bit that rounds results of a width toward zero, or 0 if it is not 16, 32 or 64.
func RTZ(bits int) Mode { return byWidth(bits, RTZ16, RTZ32, RTZ64) }

// Rounding is a rounding direction of IEEE 754-2008, 4.3.
type Rounding uint8

// The directions.
const (
	NearestEven Rounding = iota
	TowardZero
	Upward   // toward positive infinity
	Downward // toward negative infinity
)

// rounding returns the mode's direction for the width whose bit is rtz.
func (m Mode) rounding(rtz Mode) Rounding {
	if m&rtz != 0 {
		return TowardZero
	}
	return NearestEven
}

func byWidth(bits int, m16, m32, m64 Mode) Mode {
	switch bits {
	case 16:
		return m16
	case 32:
		return m32
	case 64:
		return m64
	}
	return 0
}

// The canonical NaN of each width: positive, quiet, no payload.
const (
	NaN16 uint16 = 0x7e00
	NaN32 uint32 = 0x7fc00000
	NaN64 uint64 = 0x7ff8000000000000
)

// Smallest normal numbers.
const (
	MinNormal16 = 0x1p-14
	MinNormal32 = 0x1p-126
	MinNormal64 = 0x1p-1022
)

// Load16 converts a 16-bit source to its representation.
func Load16(x uint64, m Mode) float32 {
	if m&Flush16 != 0 && x&0x7c00 == 0 {
		x &= 0x8000
	}
	return F16ToF32(uint16(x))
}

// Load32 converts a 32-bit source.
func Load32(x uint64, m Mode) float32 {
	if m&Flush32 != 0 && x&0x7f800000 == 0 {
		x &= 0x80000000
	}
	return math.Float32frombits(uint32(x))
}

// Load64 converts a 64-bit source.
func Load64(x uint64, m Mode) float64 {
	if m&Flush64 != 0 && x&0x7ff0000000000000 == 0 {
		x &= 0x8000000000000000
	}
	return math.Float64frombits(x)
}

// Store16 returns the bits of a 16-bit result.
func Store16(f float32, m Mode) uint64 {
	x := F32ToF16RNE(f)
	if m&Flush16 != 0 && x&0x7c00 == 0 {
		x &= 0x8000
	}
	return uint64(x)
}

// Store32 returns the bits of a 32-bit result.
func Store32(f float32, m Mode) uint64 {
	if f != f {
		return uint64(NaN32)
	}
	x := uint64(math.Float32bits(f))
	if m&Flush32 != 0 && x&0x7f800000 == 0 {
		x &= 0x80000000
	}
	return x
}

// Store64 returns the bits of a 64-bit result.
func Store64(f float64, m Mode) uint64 {
	if f != f {
		return NaN64
	}
	x := math.Float64bits(f)
	if m&Flush64 != 0 && x&0x7ff0000000000000 == 0 {
		x &= 0x8000000000000000
	}
	return x
}
