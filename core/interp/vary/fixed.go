// SPDX-License-Identifier: MIT

package vary

import (
	"math"
	"math/rand/v2"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Ranges in which the results of fixed functions are varied. Vulkan limits only the fraction bits of coordinates between
// texels and between levels (subTexelPrecisionBits, mipmapPrecisionBits: at least 4); drivers have 8 or more.
const (
	interpolation = 1.0 / (1 << 20) // error of an interpolated input, beyond its last bits
	place         = 1.0 / (1 << 12) // error of coordinates
	filtering     = 1.0 / (1 << 9)  // error of values from 0 to 1 filtered from an image
	level         = 1.0 / (1 << 4)  // error of a level of detail
	step          = 1.0 / (1 << 4)  // error of an offset from the center of a pixel (subPixelInterpolationOffsetBits: at least 4)
)

// Fixed makes s one of its variants: it varies the results of the fixed functions within their tolerances. They are
// interpolated inputs, coordinates of texels, filtering and levels of detail. s is a vertex or fragment shader whose
// inputs are lowered to slots. The seed chooses the variant.
func Fixed(s *ir.Shader, seed uint64) {
	x := &variant{s: s, b: build.Builder{Builder: ir.NewBuilder(s)}, rng: rand.New(rand.NewPCG(seed, 1))}
	var list []ir.Value
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Bits == 32 {
					list = append(list, v)
				}
			}
		}
	}
	for _, v := range list {
		switch in := s.At(v); in.Kind {
		case kind.Tex:
			x.sampling(v)
		case kind.Intrinsic:
			switch in.Intrinsic() {
			case intrinsic.LoadInterpolatedInput:
				x.replace(v, func(r ir.Src) ir.Src { return x.offset(x.float(r, rounding, 0), interpolation) })
			case intrinsic.LoadBarycentricAtOffset:
				x.b.Before(v)
				s.SetSrc(v, 0, x.offset(s.Src(v, 0), step))
			}
		}
	}
}

// sampling varies the coordinates and the result of a texture operation.
func (x *variant) sampling(v ir.Value) {
	size := float32(0)
	switch kind.TexOp(x.s.At(v).Op) {
	case kind.TexTex, kind.TexTxb, kind.TexTxl, kind.TexTxd, kind.TexTg4:
		size = filtering
	case kind.TexLOD:
		size = level
	default:
		return
	}
	if i := x.s.Tex(v).Source(kind.TexSrcCoord); i >= 0 {
		x.b.Before(v)
		x.s.SetSrc(v, i, x.offset(x.s.Src(v, i), place))
	}
	if kind.BaseType(x.s.Words(v)[kind.FieldTexDestBase]) == kind.BaseFloat {
		x.replace(v, func(r ir.Src) ir.Src { return x.offset(r, size) })
	}
}

// offset adds a number or its negative to r, or leaves r alone.
func (x *variant) offset(r ir.Src, by float32) ir.Src {
	switch x.rng.IntN(3) {
	case 0:
		return x.b.FAdd(r, x.b.Const(32, uint64(math.Float32bits(by))))
	case 1:
		return x.b.FAdd(r, x.b.Const(32, uint64(math.Float32bits(-by))))
	}
	return r
}
