// SPDX-License-Identifier: MIT

package num

import "math"

// F16ToF32 returns the exact value of a 16-bit float. NaN yields the canonical NaN.
func F16ToF32(h uint16) float32 {
	abs := uint32(h&0x7fff) << 13
	if abs-0x00800000 < 0x0f000000 { // normal: only the exponent's bias differs
		return math.Float32frombits(uint32(h&0x8000)<<16 | (abs + 112<<23))
	}
	return f16Special(h)
}

// f16Special implements F16ToF32 for zeros, denormals, infinities and NaN.
func f16Special(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	switch abs := h & 0x7fff; {
	case abs < 0x0400:
		f := float32(abs) * 0x1p-24
		return math.Float32frombits(math.Float32bits(f) | sign)
	case abs == 0x7c00:
		return math.Float32frombits(sign | 0x7f800000)
	}
	return math.Float32frombits(NaN32)
}

// F32ToF16RNE rounds to the nearest 16-bit float, halves to even.
func F32ToF16RNE(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b>>16) & 0x8000
	abs := b & 0x7fffffff
	if abs-0x38800000 < 0x0f000000 { // normal in 16 bits, or just too large
		abs += 0xfff + abs>>13&1
		return sign | uint16((abs-0x38000000)>>13)
	}
	switch {
	case abs > 0x7f800000:
		return NaN16
	case abs >= 0x47800000: // 2^16 and above
		return sign | 0x7c00
	}
	// Adding 1/2 aligns the last place of a 16-bit denormal, 2^-24, with the last place of
	// the float32 sum, so that the addition rounds.
	sum := math.Float32frombits(abs) + 0.5
	return sign | uint16(math.Float32bits(sum)-0x3f000000)
}

// F32ToF16RTZ rounds toward zero to a 16-bit float: a finite value that is too large
// becomes 65504.
func F32ToF16RTZ(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b>>16) & 0x8000
	abs := b & 0x7fffffff
	switch {
	case abs > 0x7f800000:
		return NaN16
	case abs == 0x7f800000:
		return sign | 0x7c00
	case abs >= 0x47800000:
		return sign | 0x7bff
	case abs >= 0x38800000:
		return sign | uint16((abs-0x38000000)>>13)
	case abs < 0x33800000: // below 2^-24
		return sign
	}
	return sign | uint16(math.Float32frombits(abs)*0x1p24)
}

// F64ToF16 rounds once to a 16-bit float.
func F64ToF16(f float64, r Rounding) uint16 {
	if r == NearestEven {
		return f64ToF16RNE(f)
	}
	return uint16(convert(&fmt64, &fmt16, math.Float64bits(f), r))
}

// f64ToF16RNE works like F32ToF16RNE.
func f64ToF16RNE(f float64) uint16 {
	b := math.Float64bits(f)
	sign := uint16(b>>48) & 0x8000
	abs := b & (1<<63 - 1)
	if abs-1009<<52 < 30<<52 {
		abs += 1<<41 - 1 + abs>>42&1
		return sign | uint16((abs-1008<<52)>>42)
	}
	switch {
	case abs > 0x7ff<<52:
		return NaN16
	case abs >= 1039<<52: // 2^16 and above
		return sign | 0x7c00
	}
	sum := math.Float64frombits(abs) + 0x1p28 // the last place of the sum is 2^-24
	return sign | uint16(math.Float64bits(sum))
}

// Round16 rounds a float32 to the nearest value representable in 16 bits.
func Round16(f float32) float32 {
	b := math.Float32bits(f)
	if abs := b & 0x7fffffff; abs >= 0x38800000 && abs < 0x477ff000 { // stays normal and finite
		b += 0xfff + b>>13&1
		return math.Float32frombits(b &^ 0x1fff)
	}
	return F16ToF32(F32ToF16RNE(f))
}

// Round16RTZ rounds a float32 toward zero to a value representable in 16 bits.
func Round16RTZ(f float32) float32 { return F16ToF32(F32ToF16RTZ(f)) }
