package num

import "math"

// F16ToF32 gives the value of a 16-bit float; exact. NaN gives the canonical
// NaN.
func F16ToF32(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h) & 0x3ff
	switch exp {
	case 0:
		f := float32(frac) * 0x1p-24
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		if frac != 0 {
			return math.Float32frombits(NaN32)
		}
		return math.Float32frombits(sign | 0x7f800000)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// F32ToF16RNE rounds to the nearest 16-bit float, halves to even.
func F32ToF16RNE(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b>>16) & 0x8000
	abs := b & 0x7fffffff
	switch {
	case abs > 0x7f800000:
		return NaN16
	case abs >= 0x47800000: // 2^16 and above
		return sign | 0x7c00
	case abs >= 0x38800000: // normal in 16 bits
		abs += 0xfff + abs>>13&1
		return sign | uint16((abs-0x38000000)>>13)
	}
	// Adding 1/2 puts the last place of a 16-bit denormal, 2^-24, at the last
	// place of the float32 sum, which is then rounded by the addition.
	sum := math.Float32frombits(abs) + 0.5
	return sign | uint16(math.Float32bits(sum)-0x3f000000)
}

// F32ToF16RTZ rounds towards zero to a 16-bit float: what is too large becomes
// 65504, only an infinity stays one.
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
func F64ToF16(f float64, rtz bool) uint16 {
	return uint16(convert(&fmt64, &fmt16, math.Float64bits(f), rtz))
}

// Round16 rounds a float32 to the nearest value that 16 bits can hold.
func Round16(f float32) float32 {
	b := math.Float32bits(f)
	if abs := b & 0x7fffffff; abs >= 0x38800000 && abs < 0x477ff000 { // stays normal and finite
		b += 0xfff + b>>13&1
		return math.Float32frombits(b &^ 0x1fff)
	}
	return F16ToF32(F32ToF16RNE(f))
}

// Round16RTZ rounds a float32 towards zero to a value that 16 bits can hold.
func Round16RTZ(f float32) float32 { return F16ToF32(F32ToF16RTZ(f)) }
