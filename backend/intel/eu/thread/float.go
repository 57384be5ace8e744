// SPDX-License-Identifier: MIT

package thread

import "math"

// Rounding modes as encoded in cr0.0[5:4].
const (
	RoundNearest = iota
	RoundUp
	RoundDown
	RoundZero
)

// Bits of cr0.0 (TGL PRM vol. 2d, cr0): the rounding mode and, for each width, whether denormals are kept.
//
// For 16-bit floats the documents give no details. Here, a move that converts to 16 bits keeps denormals
// regardless of cr0, and instructions that read 16-bit floats flush denormals according to cr0. Mesa's compiler
// (src/intel/compiler, fquantize2f16) converts with cr0 as it is after reset and flushes with a comparison and
// a select, so it assumes that the machine keeps them. For shaders that ask for DenormFlushToZero at 16 bits it
// emits only a move, but its driver does not offer this mode (src/intel/vulkan/anv_physical_device.c,
// shaderDenormFlushToZeroFloat16), since the math unit always keeps such denormals (KBL PRM vol. 2a, math; not
// so here): Mesa's code for tests/amber/op_denorm_flush is not evidence about the machine. Our compiler relies on
// neither: if a shader asks for the flush it multiplies by one; otherwise Vulkan leaves the result open.
const (
	Cr0RoundShift = 4
	Cr0KeepF64    = 1 << 6
	Cr0KeepF32    = 1 << 7
	Cr0KeepF16    = 1 << 10
)

// QuietNaN32 is the NaN that operations on 32-bit floats return.
const QuietNaN32 = 0x7FC00000

// SetCR0 stores the control register and derives the rounding and denormal modes from it.
func (t *Thread) SetCR0(v uint32) {
	t.cr0 = v
	t.Round = uint8(v>>Cr0RoundShift) & 3
	t.Flush64 = v&Cr0KeepF64 == 0
	t.Flush32 = v&Cr0KeepF32 == 0
	t.Flush16 = v&Cr0KeepF16 == 0
}

// flushDenorm32 replaces a denormal with a zero of the same sign.
func flushDenorm32(f float32) float32 {
	b := math.Float32bits(f)
	if b&0x7F800000 == 0 {
		return math.Float32frombits(b & 0x80000000)
	}
	return f
}

// twoSum returns a+b exactly, as the rounded sum s and its error e.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	bb := s - a
	e = float64(a-float64(s-bb)) + float64(b-bb)
	return s, e
}

// OddSum returns a+b rounded to odd: if the sum is inexact, its last bit is set, so that a later rounding to a
// narrower format still sees on which side of a tie the exact sum is (Boldo and Melquiond, "Emulation of FMA
// and correctly rounded sums").
func OddSum(a, b float64) float64 {
	s, e := twoSum(a, b)
	if e == 0 || math.IsInf(s, 0) || e != e {
		return s
	}
	bits := math.Float64bits(s)
	if bits&1 != 0 {
		return s
	}
	if (e > 0) == (s > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}

// Fma32 returns a·b+c rounded once to float32, to nearest even. The product of two float32 values is exact in
// float64. Rounding the sum to float64 first is harmless unless the sum becomes a tie of float32 (or a float32
// denormal, whose ties are elsewhere). In these cases the sum is rounded to odd, which keeps more than two bits
// beyond float32's.
func Fma32(a, b, c float32) float32 {
	p := float64(a) * float64(b)
	s := p + float64(c)
	bits := math.Float64bits(s)
	if bits&(1<<29-1) != 1<<28 && bits>>52&0x7FF > 1023-126 {
		return float32(s)
	}
	return float32(OddSum(p, float64(c)))
}

// Round32 rounds a float64 to float32 in a rounding mode.
func Round32(x float64, mode uint8) float32 {
	f := float32(x)
	if mode == RoundNearest || x != x || math.IsInf(x, 0) || float64(f) == x {
		return f
	}
	switch mode {
	case RoundUp:
		if float64(f) < x {
			f = math.Nextafter32(f, float32(math.Inf(1)))
		}
	case RoundDown:
		if float64(f) > x {
			f = math.Nextafter32(f, float32(math.Inf(-1)))
		}
	case RoundZero:
		if math.Abs(float64(f)) > math.Abs(x) {
			f = math.Nextafter32(f, 0)
		}
	}
	return f
}

// Round16 rounds a float64 to float16 bits in a rounding mode. Every value and every tie of float16 is a
// float64, so one step is exact.
func Round16(x float64, mode uint8) uint16 {
	bits := math.Float64bits(x)
	sign := uint16(bits >> 48 & 0x8000)
	exp := int(bits>>52&0x7FF) - 1023
	frac := bits & (1<<52 - 1)
	if exp == 1024 {
		if frac != 0 {
			return sign | 0x7E00
		}
		return sign | 0x7C00
	}
	if x == 0 || exp < -1022 {
		if x != 0 && (mode == RoundUp && sign == 0 || mode == RoundDown && sign != 0) {
			return sign | 1
		}
		return sign
	}
	// The result is mant·2^(e-10) with e ≥ -14; drop is the number of bits of the 53-bit significand that are
	// cut off.
	sig := frac | 1<<52
	e := exp
	drop := 42
	if e < -14 {
		drop += -14 - e
		e = -14
	}
	var mant, rest, half uint64
	if drop > 63 {
		mant, rest, half = 0, 1, 2
	} else {
		mant = sig >> drop
		rest = sig & (1<<drop - 1)
		half = 1 << (drop - 1)
	}
	inc := false
	switch mode {
	case RoundNearest:
		inc = rest > half || rest == half && mant&1 != 0
	case RoundUp:
		inc = rest != 0 && sign == 0
	case RoundDown:
		inc = rest != 0 && sign != 0
	}
	if inc {
		mant++
	}
	// A carry out of the significand propagates into the exponent.
	h := uint64(e+14)<<10 + mant
	if h >= 0x7C00 {
		if mode == RoundZero || mode == RoundUp && sign != 0 || mode == RoundDown && sign == 0 {
			return sign | 0x7BFF
		}
		return sign | 0x7C00
	}
	return sign | uint16(h)
}

// Half32 returns the value of a float16: a sign, five bits of exponent with bias 15 and ten bits of fraction.
// Exponent 0 encodes zero and denormals, 31 infinities and NaN (TGL PRM vol. 7, "Half Precision Floating
// Point").
func Half32(h uint16) float32 {
	exp, frac := uint32(h>>10&31), uint32(h&0x3FF)
	var f float32
	switch exp {
	case 0:
		f = float32(frac) / (1 << 24)
	case 31:
		if frac != 0 {
			return math.Float32frombits(QuietNaN32)
		}
		f = float32(math.Inf(1))
	default:
		f = math.Float32frombits((exp-15+127)<<23 | frac<<13)
	}
	if h>>15 != 0 {
		return -f
	}
	return f
}

// vf32 returns the value of one element of a VF immediate: a sign, three bits of exponent with bias 3 and four
// bits of fraction. There are no denormals; 0 is zero (TGL PRM vol. 7, "Packed Restricted Float").
func vf32(b uint8) float32 {
	sign := uint32(b&0x80) << 24
	if b&0x7F == 0 {
		return math.Float32frombits(sign)
	}
	exp := uint32(b>>4&7) - 3 + 127
	return math.Float32frombits(sign | exp<<23 | uint32(b&15)<<19)
}

// floatToInt converts to an integer between lo and hi, toward zero. Out-of-range values are clamped, NaN
// becomes 0 (TGL PRM vol. 7, "Float to Integer").
func floatToInt(f float32, lo, hi int64) int64 {
	switch x := float64(f); {
	case x != x:
		return 0
	case x <= float64(lo):
		return lo
	case x >= float64(hi):
		return hi
	default:
		return int64(x)
	}
}

// intToFloat rounds an integer of at most 53 bits to float32.
func intToFloat(v int64, mode uint8) float32 {
	if mode == RoundNearest {
		return float32(v)
	}
	return Round32(float64(v), mode)
}
