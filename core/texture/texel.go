// SPDX-License-Identifier: MIT

package texture

import (
	"math"

	"jacquard.example/core/num"
	"jacquard.example/generated/kind"
)

// Texel is a texel as a shader sees it: red, green, blue, alpha. Components of float formats are 32-bit floats;
// components of signed integer formats are sign-extended.
type Texel [4]uint64

// Float returns component c of a texel of a float format.
func (t *Texel) Float(c int) float32 { return math.Float32frombits(uint32(t[c])) }

// SetFloat sets component c of a texel of a float format.
func (t *Texel) SetFloat(c int, x float32) { t[c] = uint64(math.Float32bits(x)) }

// One returns the alpha component of texels in a format without alpha.
func (f *Format) One() uint64 {
	if f.Base == kind.BaseFloat {
		return uint64(math.Float32bits(1))
	}
	return 1
}

// fill sets the components that the format lacks: to 0, and alpha to 1 (Vulkan specification, "Conversion to RGBA").
func (f *Format) fill(t *Texel) {
	for c := range t {
		if f.comp[c] < 0 {
			t[c] = 0
			if c == 3 {
				t[c] = f.One()
			}
		}
	}
}

// window returns the bytes of a texel that contain a component, as one number, and the bit position of the component in
// it. A component of whole bytes has its own bytes; a packed texel has at most 8 bytes.
func (c *Component) window(texel []byte) (bytes []byte, shift uint) {
	if c.Shift%8 == 0 && c.Bits%8 == 0 {
		at := int(c.Shift / 8)
		return texel[at : at+int(c.Bits/8)], 0
	}
	return texel, uint(c.Shift)
}

func number(b []byte) uint64 {
	x := uint64(0)
	for i, v := range b {
		x |= uint64(v) << (8 * i)
	}
	return x
}

// get returns a component's bits.
func (c *Component) get(texel []byte) uint64 {
	b, shift := c.window(texel)
	return number(b) >> shift & (^uint64(0) >> (64 - c.Bits))
}

func (c *Component) put(texel []byte, x uint64) {
	b, shift := c.window(texel)
	mask := ^uint64(0) >> (64 - c.Bits) << shift
	x = number(b)&^mask | x<<shift&mask
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
}

func signed(x uint64, bits uint8) int64 { return int64(x<<(64-bits)) >> (64 - bits) }

// Decode decodes the bytes of a texel.
func (f *Format) Decode(texel []byte) Texel {
	var t Texel
	if f.shared {
		f.decodeShared(texel, &t)
	} else {
		for c, i := range f.comp {
			if i >= 0 {
				t[c] = f.Comps[i].decode(texel, c == 3)
			}
		}
	}
	f.fill(&t)
	return t
}

// decode returns a component's value ("Conversion from Normalized Fixed-Point to Floating-Point", "Unsigned 11-Bit
// Floating-Point Numbers" and "sRGB" of the Vulkan specification and the Khronos Data Format specification that it
// refers to).
func (c *Component) decode(texel []byte, alpha bool) uint64 {
	x := c.get(texel)
	v := 0.0
	switch c.Numeric {
	case UInt:
		return x
	case SInt:
		return uint64(signed(x, c.Bits))
	case UNorm:
		v = float64(x) / c.scale()
	case SNorm: // the lowest number is -1 too
		v = max(float64(signed(x, c.Bits))/c.scale(), -1)
	case UScaled:
		v = float64(x)
	case SScaled:
		v = float64(signed(x, c.Bits))
	case SRGB:
		if v = float64(x) / c.scale(); !alpha {
			v = linear(v)
		}
	case UFloat:
		return uint64(math.Float32bits(smallFloat(x, c.Bits-5)))
	case SFloat:
		if c.Bits == 16 {
			return uint64(math.Float32bits(num.F16ToF32(uint16(x))))
		}
		return x
	}
	return uint64(math.Float32bits(float32(v)))
}

// scale returns the largest integer that a component holds, which stands for 1 in normalized formats.
func (c *Component) scale() float64 {
	if c.Numeric == SNorm || c.Numeric == SScaled {
		return float64(uint64(1)<<(c.Bits-1) - 1)
	}
	return float64(uint64(1)<<c.Bits - 1)
}

// linear returns the value of an sRGB code. The inverse is srgb.
func linear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func srgb(c float64) float64 {
	if c <= 0.0031308 {
		return c * 12.92
	}
	return 1.055*math.Pow(c, 1/2.4) - 0.055
}

// smallFloat returns the value of an unsigned float with five bits of exponent of bias 15.
func smallFloat(x uint64, mantissa uint8) float32 {
	m, e := x&(1<<mantissa-1), int(x>>mantissa)
	switch {
	case e == 31 && m != 0:
		return float32(math.NaN())
	case e == 31:
		return float32(math.Inf(1))
	case e == 0:
		return float32(math.Ldexp(float64(m), -14-int(mantissa)))
	}
	return float32(math.Ldexp(float64(m|1<<mantissa), e-15-int(mantissa)))
}

// toSmallFloat returns the nearest unsigned float; negative values become 0, and finite values stay finite.
func toSmallFloat(v float32, mantissa uint8) uint64 {
	inf := uint64(31) << mantissa
	switch x := float64(v); {
	case x != x:
		return inf | 1<<(mantissa-1)
	case math.IsInf(x, 1):
		return inf
	case x <= 0:
		return 0
	default:
		_, e := math.Frexp(x)                                 // x = f 2^e, f from 1/2 up
		e = max(e-1, -14)                                     // the exponent of the leading bit, or of denormals
		m := math.RoundToEven(math.Ldexp(x, int(mantissa)-e)) // in units of the last bit
		code := uint64(m) + uint64(e+14)<<mantissa            // a carry goes into the exponent
		return min(code, inf-1)
	}
}

// Encode writes a texel. Out-of-range values, including integers, become the nearest representable value; NaN becomes 0
// in formats without NaN. Components of signed formats are sign-extended.
func (f *Format) Encode(texel []byte, t *Texel) {
	if f.shared {
		f.encodeShared(texel, t)
		return
	}
	for c, i := range f.comp {
		if i >= 0 {
			f.Comps[i].encode(texel, t[c], c == 3)
		}
	}
}

func (c *Component) encode(texel []byte, x uint64, alpha bool) {
	v := math.Float32frombits(uint32(x))
	low, high, scale := 0.0, 1.0, c.scale()
	d := float64(v)
	switch c.Numeric {
	case UInt:
		c.put(texel, min(x, ^uint64(0)>>(64-c.Bits)))
		return
	case SInt:
		most := int64(uint64(1)<<(c.Bits-1) - 1)
		c.put(texel, uint64(min(max(int64(x), -most-1), most)))
		return
	case SFloat:
		if c.Bits == 16 {
			x = uint64(num.F32ToF16RNE(v))
		}
		c.put(texel, x)
		return
	case UFloat:
		c.put(texel, toSmallFloat(v, c.Bits-5))
		return
	case SNorm:
		low = -1
	case UScaled:
		high, scale = scale, 1
	case SScaled:
		low, high, scale = -scale-1, scale, 1
	case SRGB:
		if !alpha {
			d = srgb(min(max(d, 0), 1))
		}
	}
	if d != d {
		d = 0
	}
	c.put(texel, uint64(int64(math.RoundToEven(min(max(d, low), high)*scale))))
}

// For numbers with a shared exponent ("RGB to Shared Exponent Conversion"): the bits of a mantissa and the exponent's
// bias.
const (
	sharedMantissa = 9
	sharedBias     = 15
)

func (f *Format) exponent() *Component {
	for i := range f.Comps {
		if f.Comps[i].Name == 'E' {
			return &f.Comps[i]
		}
	}
	return nil
}

func (f *Format) decodeShared(texel []byte, t *Texel) {
	e := int(f.exponent().get(texel)) - sharedBias - sharedMantissa
	for c, i := range f.comp {
		if i >= 0 {
			t.SetFloat(c, float32(math.Ldexp(float64(f.Comps[i].get(texel)), e)))
		}
	}
}

func (f *Format) encodeShared(texel []byte, t *Texel) {
	const most = float64(1<<sharedMantissa-1) / (1 << sharedMantissa) * (1 << (31 - sharedBias))
	var v [4]float64
	top := 0.0
	for c, i := range f.comp {
		if i < 0 {
			continue
		}
		if x := float64(t.Float(c)); x > 0 { // false for NaN
			v[c] = min(x, most)
		}
		top = max(top, v[c])
	}
	e := -sharedBias - 1
	if top > 0 {
		_, x := math.Frexp(top)
		e = max(e, x-1)
	}
	e += 1 + sharedBias
	unit := func(x float64) float64 { return math.Floor(math.Ldexp(x, sharedBias+sharedMantissa-e) + 0.5) }
	if unit(top) == 1<<sharedMantissa {
		e++
	}
	f.exponent().put(texel, uint64(e))
	for c, i := range f.comp {
		if i >= 0 {
			f.Comps[i].put(texel, uint64(unit(v[c])))
		}
	}
}
