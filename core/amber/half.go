package amber

import "math"

// halfToFloat widens an IEEE 754 binary16 value; every one is a float32.
func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h & 0x3ff)
	switch exp {
	case 0: // zero or a denormal: frac * 2^-24 is exact
		f := float32(frac) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// floatToHalf rounds to the nearest binary16 value, ties to even.
func floatToHalf(v float64) uint16 {
	sign := uint16(math.Float64bits(v)>>48) & 0x8000
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return sign | 0x7e00
	case a >= 65520: // halfway between the largest value and the next power of two
		return sign | 0x7c00
	case a < 1.0/(1<<14): // denormals are multiples of 2^-24; rounding up gives the smallest normal
		return sign | uint16(math.RoundToEven(a*(1<<24)))
	}
	frac, exp := math.Frexp(a) // a = frac * 2^exp, frac in [0.5, 1)
	// A significand that rounds up to 2048 carries into the exponent by itself.
	return sign | (uint16(exp+13)<<10 + uint16(math.RoundToEven(frac*2048)))
}
