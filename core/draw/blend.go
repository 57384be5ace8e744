package draw

import (
	"math"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Factor is what a color is multiplied by before it is blended (Vulkan specification, "Blend
// Factors").
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
	SrcAlphaSaturate
)

// BlendOp is how the two products are combined (Vulkan specification, "Blend Operations").
type BlendOp uint8

// The operations.
const (
	Add BlendOp = iota
	Subtract
	ReverseSubtract
	Min
	Max
)

// Equation is how one part of a color is blended.
type Equation struct {
	Src, Dst Factor
	Op       BlendOp
}

// Blend is how fragments are combined with an attachment.
type Blend struct {
	Enabled      bool
	Color, Alpha Equation
	Keep         uint8 // a bit for each component that is not written
}

// factor returns the factor for component c.
func (f Factor) of(src, dst *[4]float32, c int) float32 {
	switch f {
	case One:
		return 1
	case SrcColor:
		return src[c]
	case OneMinusSrcColor:
		return 1 - src[c]
	case DstColor:
		return dst[c]
	case OneMinusDstColor:
		return 1 - dst[c]
	case SrcAlpha:
		return src[3]
	case OneMinusSrcAlpha:
		return 1 - src[3]
	case DstAlpha:
		return dst[3]
	case OneMinusDstAlpha:
		return 1 - dst[3]
	case SrcAlphaSaturate:
		if c == 3 {
			return 1
		}
		return min(src[3], 1-dst[3])
	}
	return 0
}

func (e *Equation) apply(src, dst *[4]float32, c int) float32 {
	s, d := src[c], dst[c]
	switch e.Op {
	case Min:
		return min(s, d)
	case Max:
		return max(s, d)
	}
	s, d = s*e.Src.of(src, dst, c), d*e.Dst.of(src, dst, c)
	switch e.Op {
	case Subtract:
		return s - d
	case ReverseSubtract:
		return d - s
	}
	return s + d
}

// write blends a fragment's color with a texel and writes it.
func (c *Color) write(texel []byte, color *[4]uint32) {
	f := c.Format
	old := f.Decode(texel)
	out := texture.Texel{}
	for i, x := range color {
		out[i] = uint64(x)
		if f.Base == kind.BaseInt {
			out[i] = uint64(int64(int32(x)))
		}
	}
	if c.Blend.Enabled {
		var src, dst [4]float32
		for i := range src {
			src[i], dst[i] = c.limit(i, math.Float32frombits(color[i])), old.Float(i)
		}
		for i := range src {
			e := &c.Blend.Color
			if i == 3 {
				e = &c.Blend.Alpha
			}
			out.SetFloat(i, e.apply(&src, &dst, i))
		}
	}
	for i := range out {
		if c.Blend.Keep>>i&1 != 0 {
			out[i] = old[i]
		}
	}
	f.Encode(texel, &out)
}

// limit returns component i of a color within the range of a fixed-point attachment (Vulkan
// specification, "Blending").
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

// clampTo clamps a number to low and 1; what is no number becomes 0.
func clampTo(x, low float32) float32 {
	if x != x {
		return 0
	}
	return min(max(x, low), 1)
}
