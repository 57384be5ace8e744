// SPDX-License-Identifier: MIT

package memory

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/texture"
	"jacquard.example/generated/build"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerImageFormats turns loads of texels that the target reads without conversion into loads of the raw bits, and
// converts them by the layout of the format. The results equal texture.Format.Decode bit for bit: components of up to
// 16 bits and their maximum are exact as floats, so that only the division rounds.
func LowerImageFormats(pc *pass.Context) bool {
	c := in(pc)
	return c.Rewrite(func(v ir.Value) (ir.Src, bool) {
		if c.S.At(v).Intrinsic() != intrinsic.ImageLoad {
			return ir.Src{}, false
		}
		f := kind.Format(c.S.Index(v, intrinsic.IxFormat))
		if !c.Target().ReadsRaw(f) {
			return ir.Src{}, false
		}
		return c.unpackTexel(v, texture.Of(f)), true
	})
}

// unpackTexel inserts code before the load of a texel that loads its bits and converts them.
func (c context) unpackTexel(v ir.Value, f *texture.Format) ir.Src {
	s, b := c.S, c.B
	b.Before(v)
	raw := b.ImageLoadRaw(s.Src(v, 0), s.Src(v, 1), s.Src(v, 2),
		kind.ImageDim(s.Index(v, intrinsic.IxImageDim)), s.Index(v, intrinsic.IxImageArray) != 0,
		kind.Format(s.Index(v, intrinsic.IxFormat)),
		kind.Access(s.Index(v, intrinsic.IxAccess)), kind.BaseType(s.Index(v, intrinsic.IxTexelBase)), s.TargetForm(v))
	var out [4]ir.Src
	for i := range out {
		if x := f.Component(i); x != nil {
			out[i] = c.unpackComponent(raw.Comp(int(x.Shift/32)), x)
			continue
		}
		one := uint64(0)
		if i == 3 {
			one = f.One()
		}
		out[i] = b.Imm(uint32(one))
	}
	return b.Vec4(out[0], out[1], out[2], out[3])
}

// unpackComponent extracts a component from the word that contains it and converts it.
func (c context) unpackComponent(word ir.Src, x *texture.Component) ir.Src {
	b := c.B
	shift := uint32(x.Shift) % 32
	left, right := b.Imm(32-shift-uint32(x.Bits)), b.Imm(32-uint32(x.Bits))
	u := b.UShr(b.IShl(word, left), right)
	switch x.Numeric {
	case texture.UInt:
		return u
	case texture.SInt:
		return b.IShr(b.IShl(word, left), right)
	case texture.UNorm:
		return c.ratio(b.U2F32(u), uint32(1)<<x.Bits-1)
	case texture.SNorm: // the lowest number is -1 too
		low := immF(b, -1)
		return b.FMax(c.ratio(b.I2F32(b.IShr(b.IShl(word, left), right)), uint32(1)<<(x.Bits-1)-1), low)
	case texture.UFloat:
		return c.smallFloat(u, uint32(x.Bits)-5)
	}
	c.FailAt(c.B.Loc, "texels with %d-bit components that are read without conversion are not supported", x.Bits)
	return u
}

// ratio returns x / n, rounded to nearest even, for integers of up to 16 bits. The product with the reciprocal is
// within one unit in the last place. A fused multiply-add computes the exact remainder, which corrects it.
func (c context) ratio(x ir.Src, n uint32) ir.Src {
	b := c.B
	if c.S.Info.RoundTowardZero&2 != 0 {
		c.FailAt(c.B.Loc, "%s reads normalized texels without conversion, "+
			"which is not supported with execution mode RoundingModeRTZ for 32 bits", c.Target())
	}
	inverse := immF(b, 1/float64(n))
	q := b.FMul(x, inverse)
	r := b.FFma(b.FNeg(q), immF(b, float64(n)), x)
	return b.FFma(r, inverse, q)
}

// smallFloat converts an unsigned float with a 5-bit exponent (bias 15) and the given number of mantissa bits.
// Denormals are multiples of the smallest denormal, other numbers get a new bias, and NaN becomes the quiet NaN without
// payload.
func (c context) smallFloat(u ir.Src, mantissa uint32) ir.Src {
	b := c.B
	const bias, own = 127, 15
	small := b.FMul(b.U2F32(u), immF(b, math.Ldexp(1, 1-own-int(mantissa))))
	normal := b.IAdd(b.IShl(u, b.Imm(23-mantissa)), b.Imm((bias-own)<<23))
	inf := b.Imm(31 << mantissa)
	special := b.BCsel(b.IEq(u, inf), immF(b, math.Inf(1)), b.Imm(0x7FC00000))
	return b.BCsel(b.ULt(u, b.Imm(1<<mantissa)), small, b.BCsel(b.ULt(u, inf), normal, special))
}

// immF returns a constant float.
func immF(b *build.Builder, x float64) ir.Src { return b.Imm(math.Float32bits(float32(x))) }
