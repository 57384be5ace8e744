package interp

import (
	"math"

	"jacquard.example/core/num"
	"jacquard.example/generated/kind"
)

// coding says how the bits of a texel's component are read.
type coding uint8

const (
	codeFloat coding = iota
	codeUint
	codeSint
	codeUnorm
	codeSnorm
)

// texelFormat is a format whose components have one size and lie one behind
// the other, red first.
type texelFormat struct {
	comps int
	bits  uint8
	code  coding
}

// texelFormats are the formats that can be interpreted (SPIR-V spec 3.11).
var texelFormats = [...]texelFormat{
	kind.FormatRgba32f: {4, 32, codeFloat}, kind.FormatRg32f: {2, 32, codeFloat}, kind.FormatR32f: {1, 32, codeFloat},
	kind.FormatRgba16f: {4, 16, codeFloat}, kind.FormatRg16f: {2, 16, codeFloat}, kind.FormatR16f: {1, 16, codeFloat},
	kind.FormatRgba16: {4, 16, codeUnorm}, kind.FormatRg16: {2, 16, codeUnorm}, kind.FormatR16: {1, 16, codeUnorm},
	kind.FormatRgba8: {4, 8, codeUnorm}, kind.FormatRg8: {2, 8, codeUnorm}, kind.FormatR8: {1, 8, codeUnorm},
	kind.FormatRgba16Snorm: {4, 16, codeSnorm}, kind.FormatRg16Snorm: {2, 16, codeSnorm}, kind.FormatR16Snorm: {1, 16, codeSnorm},
	kind.FormatRgba8Snorm: {4, 8, codeSnorm}, kind.FormatRg8Snorm: {2, 8, codeSnorm}, kind.FormatR8Snorm: {1, 8, codeSnorm},
	kind.FormatRgba32i: {4, 32, codeSint}, kind.FormatRg32i: {2, 32, codeSint}, kind.FormatR32i: {1, 32, codeSint},
	kind.FormatRgba16i: {4, 16, codeSint}, kind.FormatRg16i: {2, 16, codeSint}, kind.FormatR16i: {1, 16, codeSint},
	kind.FormatRgba8i: {4, 8, codeSint}, kind.FormatRg8i: {2, 8, codeSint}, kind.FormatR8i: {1, 8, codeSint},
	kind.FormatRgba32ui: {4, 32, codeUint}, kind.FormatRg32ui: {2, 32, codeUint}, kind.FormatR32ui: {1, 32, codeUint},
	kind.FormatRgba16ui: {4, 16, codeUint}, kind.FormatRg16ui: {2, 16, codeUint}, kind.FormatR16ui: {1, 16, codeUint},
	kind.FormatRgba8ui: {4, 8, codeUint}, kind.FormatRg8ui: {2, 8, codeUint}, kind.FormatR8ui: {1, 8, codeUint},
	kind.FormatR64ui: {1, 64, codeUint}, kind.FormatR64i: {1, 64, codeSint},
}

func (f *texelFormat) bytes() int { return f.comps * int(f.bits) / 8 }

func (f *texelFormat) component(mem []byte, c int) []byte {
	n := int(f.bits) / 8
	return mem[c*n : c*n+n]
}

func (f *texelFormat) integer() bool { return f.code == codeUint || f.code == codeSint }

// load returns component c of a texel as a value of size bits. What the format
// does not have is 0, and alpha 1.
func (f *texelFormat) load(mem []byte, c int, size uint8) (uint64, bool) {
	mask := ^uint64(0) >> (64 - size)
	if f.integer() {
		if c >= f.comps {
			return uint64(c / 3), true
		}
		x := load(f.component(mem, c))
		if f.code == codeSint {
			x = uint64(int64(x<<(64-f.bits)) >> (64 - f.bits))
		}
		return x & mask, true
	}
	x := float32(c / 3)
	if c < f.comps {
		x = f.float(load(f.component(mem, c)))
	}
	switch size {
	case 32:
		return uint64(math.Float32bits(x)), true
	case 16:
		return uint64(num.F32ToF16RNE(x)), true
	}
	return 0, false
}

// float returns what the bits of a component stand for. Normalized ones are
// fractions of the largest; the smallest signed one is -1 too (Vulkan spec,
// "Conversion From Normalized Fixed-Point to Floating-Point").
func (f *texelFormat) float(x uint64) float32 {
	switch f.code {
	case codeUnorm:
		return float32(float64(x) / float64(uint64(1)<<f.bits-1))
	case codeSnorm:
		v := int64(x<<(64-f.bits)) >> (64 - f.bits)
		return float32(max(float64(v)/float64(uint64(1)<<(f.bits-1)-1), -1))
	}
	if f.bits == 16 {
		return num.F16ToF32(uint16(x))
	}
	return math.Float32frombits(uint32(x))
}

// store writes component c of a texel from a value of size bits.
func (f *texelFormat) store(mem []byte, c int, size uint8, x uint64) bool {
	if f.integer() {
		store(f.component(mem, c), x)
		return true
	}
	var v float32
	switch size {
	case 32:
		v = math.Float32frombits(uint32(x))
	case 16:
		v = num.F16ToF32(uint16(x))
	default:
		return false
	}
	store(f.component(mem, c), f.encode(v))
	return true
}

// encode is the inverse of float: what is out of range becomes the nearest
// value, NaN of a normalized format 0.
func (f *texelFormat) encode(v float32) uint64 {
	low, scale := 0.0, float64(uint64(1)<<f.bits-1)
	switch f.code {
	case codeFloat:
		if f.bits == 16 {
			return uint64(num.F32ToF16RNE(v))
		}
		return uint64(math.Float32bits(v))
	case codeSnorm:
		low, scale = -1, float64(uint64(1)<<(f.bits-1)-1)
	}
	if v != v {
		return 0
	}
	return uint64(int64(math.RoundToEven(min(max(float64(v), low), 1) * scale)))
}
