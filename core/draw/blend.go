// SPDX-License-Identifier: MIT

package draw

import (
	"math"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Factor selects the multiplier of a color before blending (Vulkan specification, "Blend Factors").
type Factor uint8

// The factors.
const (
	Zero Factor = iota
	One
	SrcColor
	OneMinusSrcColor
	DstColor
	OneMinusDstColor
	SrcAlpha
	OneMinusSrcAlpha
	DstAlpha
	OneMinusDstAlpha
	ConstantColor
	OneMinusConstantColor
	ConstantAlpha
	OneMinusConstantAlpha
	SrcAlphaSaturate
	Src1Color
	OneMinusSrc1Color
	Src1Alpha
	OneMinusSrc1Alpha
)

// BlendOp selects the operation that combines the two products (Vulkan specification, "Blend Operations").
type BlendOp uint8

// The operations.
const (
	Add BlendOp = iota
	Subtract
	ReverseSubtract
	Min
	Max
)

// Equation is a blend equation, for the color or for the alpha component.
type Equation struct {
	Src, Dst Factor
	Op       BlendOp
}

// Blend is the blend state of an attachment.
type Blend struct {
	Enabled      bool
	Color, Alpha Equation
	Keep         uint8 // a bit for each component that is masked off
}

// operands are the colors that blend factors and equations refer to.
type operands struct{ src, src1, dst, constant [4]float32 }

// of returns the value of the factor for component c.
func (f Factor) of(o *operands, c int) float32 {
	switch f {
	case Zero:
		return 0
	case One:
		return 1
	case SrcAlphaSaturate:
		if c == 3 {
			return 1
		}
		return min(o.src[3], 1-o.dst[3])
	}
	from := &o.src
	switch f {
	case DstColor, OneMinusDstColor, DstAlpha, OneMinusDstAlpha:
		from = &o.dst
	case ConstantColor, OneMinusConstantColor, ConstantAlpha, OneMinusConstantAlpha:
		from = &o.constant
	case Src1Color, OneMinusSrc1Color, Src1Alpha, OneMinusSrc1Alpha:
		from = &o.src1
	}
	switch f {
	case SrcAlpha, OneMinusSrcAlpha, DstAlpha, OneMinusDstAlpha, ConstantAlpha, OneMinusConstantAlpha, Src1Alpha, OneMinusSrc1Alpha:
		c = 3
	}
	x := from[c]
	switch f {
	case OneMinusSrcColor, OneMinusDstColor, OneMinusSrcAlpha, OneMinusDstAlpha, OneMinusConstantColor, OneMinusConstantAlpha,
		OneMinusSrc1Color, OneMinusSrc1Alpha:
		return 1 - x
	}
	return x
}

func (e *Equation) apply(o *operands, c int) float32 {
	s, d := o.src[c], o.dst[c]
	switch e.Op {
	case Min:
		return min(s, d)
	case Max:
		return max(s, d)
	}
	s, d = s*e.Src.of(o, c), d*e.Dst.of(o, c)
	switch e.Op {
	case Subtract:
		return s - d
	case ReverseSubtract:
		return d - s
	}
	return s + d
}

// blend blends a fragment's color with a sample and writes it.
func (s *State) blend(c *Color, texel []byte, color, second *[4]uint32) {
	f := c.Format
	old := f.Decode(texel)
	out := texture.Texel{}
	for i, x := range color {
		out[i] = uint64(x)
		if f.Base == kind.BaseInt {
			out[i] = uint64(int64(int32(x)))
		}
	}
	switch {
	case s.Logic.Enabled:
		s.Logic.apply(f, texel, &out)
	case c.Blend.Enabled:
		var o operands
		for i := range o.src {
			o.src[i], o.dst[i] = c.limit(i, math.Float32frombits(color[i])), old.Float(i)
			o.src1[i], o.constant[i] = c.limit(i, math.Float32frombits(second[i])), c.limit(i, s.BlendConstant[i])
		}
		for i := range o.src {
			e := &c.Blend.Color
			if i == 3 {
				e = &c.Blend.Alpha
			}
			out.SetFloat(i, e.apply(&o, i))
		}
	}
	for i := range out {
		if c.Blend.Keep>>i&1 != 0 {
			out[i] = old[i]
		}
	}
	f.Encode(texel, &out)
}

// limit clamps component i of a color to the range of a fixed-point attachment (Vulkan specification, "Blending").
func (c *Color) limit(i int, x float32) float32 {
	k := c.Format.Component(i)
	if k == nil {
		return x
	}
	switch k.Numeric {
	case texture.UNorm, texture.SRGB:
		return clampTo(x, 0)
	case texture.SNorm:
		return clampTo(x, -1)
	}
	return x
}

// clampTo clamps a number to the range from low to 1; NaN becomes 0.
func clampTo(x, low float32) float32 {
	if x != x {
		return 0
	}
	return min(max(x, low), 1)
}
