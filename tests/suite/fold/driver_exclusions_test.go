// SPDX-License-Identifier: MIT

package fold

import (
	"math"
	"math/big"
	"strings"
)

// driverPreserves are the widths at which lavapipe keeps denormals, a choice that SPIR-V leaves to the implementation. It
// keeps them at all widths.
const driverPreserves = 1 | 2 | 4

// driverExclusion is a difference between the folder and lavapipe that is not the folder's fault: SPIR-V or the Vulkan
// specification ("Precision of SPIR-V Instructions") leaves the result open, or lavapipe is wrong.
type driverExclusion struct {
	insts  string // instructions, separated by spaces
	reason string
	when   func(x *result) bool
}

var driverExclusions = []driverExclusion{
	{"OpSDiv OpUMod OpSRem OpSMod", "division by zero is undefined",
		func(x *result) bool { return x.arg(1, 0) == 0 }},
	{"OpSMod", "lavapipe gives the remainder with the sign of the dividend",
		func(x *result) bool {
			a, b := signed(x.arg(0, 0), x.d.size), signed(x.arg(1, 0), x.d.size)
			return b.Sign() != 0 && x.got == wrap(new(big.Int).Rem(a, b), x.d.size)
		}},
	{"OpBitFieldSExtract OpBitFieldUExtract", "undefined when offset and count add up to more than the width",
		func(x *result) bool { return x.arg(1, 0)+x.arg(2, 0) > 32 }},
	{"OpConvertFToU OpConvertFToS", "undefined when the integer does not fit the result type, and for NaN",
		func(x *result) bool {
			f := math.Trunc(x.float(0, 0))
			low, high := 0.0, math.Ldexp(1, x.out.bits)
			if x.d.inst == "OpConvertFToS" {
				low, high = -high/2, high/2
			}
			return !(f >= low && f < high)
		}},
	{"OpSDot OpUDot OpSUDot OpSDotAccSat OpUDotAccSat", "undefined when a product or a sum before the accumulator overflows",
		func(x *result) bool {
			sum, sgn := new(big.Int), x.d.inst[2] == 'S'
			for k := range x.d.in[0].comps {
				p, w := new(big.Int), x.d.in[0].bits
				if sgn {
					p.Mul(signed(x.arg(0, k), w), signed(x.arg(1, k), w))
				} else {
					p.Mul(unsigned(x.arg(0, k)), unsigned(x.arg(1, k)))
				}
				sum.Add(sum, p)
			}
			low, high := new(big.Int), pow2(x.out.bits)
			if sgn {
				high = pow2(x.out.bits - 1)
				low.Neg(high)
			}
			return sum.Cmp(low) < 0 || sum.Cmp(high) >= 0
		}},

	{"glsl.FSign glsl.ModfStruct OpQuantizeToF16", "the sign of a zero is open without SignedZeroInfNanPreserve",
		func(x *result) bool { return x.wanted() == 0 && x.gotten() == 0 }},
	{"glsl.ModfStruct", "infinities have no fraction, which is open without SignedZeroInfNanPreserve",
		func(x *result) bool { return math.IsInf(x.float(0, 0), 0) }},
	{"glsl.FrexpStruct", "undefined for infinities and NaN; denormals may be flushed, and lavapipe gives no significand for them",
		func(x *result) bool { return !(math.Abs(x.float(0, 0)) < math.Inf(1)) || x.denormal(0, 0) }},
	{"glsl.Ldexp", "undefined above the type's largest exponent, and denormal results may be flushed",
		func(x *result) bool {
			exp, l := int32(x.arg(1, 0)), layouts[x.d.size]
			return exp > int32(l.emax)+1 || exp < -int32(l.emin) || math.Abs(x.wanted()) < math.Ldexp(1, -int(l.emin))
		}},
	{"glsl.PackHalf2x16", "any NaN matches a NaN",
		func(x *result) bool {
			for s := 0; s < 32; s += 16 {
				w, g := x.want>>s&0xffff, x.got>>s&0xffff
				if w != g && (decode(w, 16, false) != nil || decode(g, 16, false) != nil) {
					return false
				}
			}
			return true
		}},

	{"glsl.Fma", "inherits the precision of a multiplication and an addition; lavapipe rounds the product",
		func(x *result) bool {
			sum := math.Abs(x.float(0, 0)*x.float(1, 0)) + math.Abs(x.float(2, 0))
			return x.within(sum*x.epsilon()) || x.overflows(sum)
		}},
	{"glsl.Sin glsl.Cos", "absolute error of 2^-11 from -pi to pi, no bound beyond",
		func(x *result) bool { return x.within(0x1p-11) || !(math.Abs(x.float(0, 0)) <= math.Pi) }},
	{"glsl.Exp2", "3 + 2|x| units in the last place",
		func(x *result) bool {
			return x.within((3 + 2*math.Abs(x.float(0, 0))) * math.Abs(x.wanted()) * x.epsilon())
		}},
	{"glsl.Log2", "3 units in the last place, 2^-21 absolute from 0.5 to 2; denormal sources may be flushed",
		func(x *result) bool {
			bound := 3 * math.Abs(x.wanted()) * x.epsilon()
			if f := x.float(0, 0); f >= 0.5 && f <= 2 {
				bound = 0x1p-21
			}
			return x.within(bound) || x.denormal(0, 0)
		}},
	{"glsl.Pow", "exp2(y log2(x)); undefined for x < 0, and for x = 0 with y <= 0; denormal sources may be flushed",
		func(x *result) bool {
			base, y := x.float(0, 0), x.float(1, 0)
			if base < 0 || base == 0 && y <= 0 || base != base || y != y || x.denormal(0, 0) || x.denormal(1, 0) || math.IsInf(base, 0) {
				return true
			}
			log := math.Log2(base)
			t := y * log
			logError := max(3*math.Abs(log)*x.epsilon(), 0x1p-21)
			relative := (3+2*math.Abs(t))*x.epsilon() + (math.Abs(y)*logError+math.Abs(t)*x.epsilon())*math.Ln2
			return x.within(relative*math.Abs(x.wanted())) || math.Abs(t) > 120 || relative > 0.5
		}},
	{"glsl.SmoothStep", "inherits from its formula; undefined when the edges are not in order",
		func(x *result) bool {
			return !(x.float(0, 0) < x.float(1, 0)) || x.within(0x1p-19*math.Abs(x.wanted()))
		}},
}

// withoutAVX512 are exclusions that only processors without AVX-512 need: there lavapipe truncates eight 64-bit numbers
// through integers, and leaves numbers of 2^24 and above unchanged.
var withoutAVX512 = []driverExclusion{
	{"glsl.Trunc glsl.Round glsl.RoundEven OpFRem", "the sign of a zero is open without SignedZeroInfNanPreserve",
		func(x *result) bool { return x.d.size == 64 && x.wanted() == 0 && x.gotten() == 0 }},
	{"glsl.Trunc glsl.Round glsl.RoundEven", "lavapipe does not truncate",
		func(x *result) bool {
			return x.d.size == 64 && math.Abs(x.float(0, 0)) >= 1<<24 && x.got == x.arg(0, 0)
		}},
	{"glsl.Round glsl.RoundEven", "lavapipe rounds an odd number and a half toward zero",
		func(x *result) bool {
			_, f := math.Modf(x.float(0, 0))
			return x.d.size == 64 && math.Abs(f) == 0.5 && math.Abs(x.wanted()-x.gotten()) == 1
		}},
	{"OpFRem", "lavapipe does not truncate the quotient",
		func(x *result) bool {
			return x.d.size == 64 && !(math.Abs(x.float(0, 0)/x.float(1, 0)) < 1<<24) && x.gotten() == 0
		}},
}

// float returns component k of operand j.
func (x *result) float(j, k int) float64 { return toFloat(x.arg(j, k), x.d.in[j].bits) }

func (x *result) wanted() float64 { return toFloat(x.want, x.out.bits) }

func (x *result) gotten() float64 { return toFloat(x.got, x.out.bits) }

func (x *result) denormal(j, k int) bool {
	w := x.d.in[j].bits
	return x.float(j, k) != 0 && decode(x.arg(j, k), w, true).Sign() == 0
}

// epsilon returns the distance from 1 to the next larger number of the result's type.
func (x *result) epsilon() float64 { return math.Ldexp(1, 1-int(layouts[x.out.bits].prec)) }

// overflows reports whether a step whose result has magnitude at most sum may overflow. It returns true if sum is
// infinite or NaN.
func (x *result) overflows(sum float64) bool {
	l := layouts[x.out.bits]
	return !(sum < math.Ldexp(1-math.Ldexp(1, -int(l.prec)), int(l.emax)+1))
}

// within reports whether the two results differ by at most a bound plus the smallest normal number.
func (x *result) within(bound float64) bool {
	return math.Abs(x.wanted()-x.gotten()) <= bound+math.Ldexp(1, -int(layouts[x.out.bits].emin))
}

// driverUnreached maps opcodes that the reader never creates from arithmetic instructions to their origin. Opcodes that
// only kernels use are marked in their rows.
var driverUnreached = unreached(map[string]string{
	"rules put them where shifts, masks and sums are":                            "urol uror ubfe ibfe bfm bfi uclz extract_u8 extract_i8 extract_u16 extract_i16 insert_u8 insert_u16 iadd3",
	"rules and passes make them from selections and lowered instructions":        "b2f16 b2f32 b2f64 b2i8 b2i16 b2i32 b2i64 frcp mov",
	"machine instructions and lowered products are made of them":                 "imul_2x32_64 umul_2x32_64 imul_32x16 umul_32x16",
	"a pass puts them in the place of a conversion or packing of whole vectors":  "pack_half_2x16_split pack_half_2x16_rtz_split unpack_half_2x16_split_x unpack_half_2x16_split_y",
	"the reader takes vectors apart, where tools and text may pack them whole":   "pack_64_4x16 unpack_64_4x16 pack_32_2x16 unpack_32_2x16 pack_32_4x8",
	"rules join comparisons of all components to them":                           "ball_iequal2 ball_iequal3 ball_iequal4 bany_inequal2 bany_inequal3 bany_inequal4 ball_fequal2 ball_fequal3 ball_fequal4 bany_fnequal2 bany_fnequal3 bany_fnequal4",
	"OpFConvert with the decoration FPRoundingMode, whose result must be stored": "f2f16_rtne f2f16_rtz",
	"sparse images give a texel and its residency":                               "vec5",
})

func unreached(by map[string]string) map[string]string {
	out := map[string]string{}
	for reason, ops := range by {
		for _, o := range strings.Fields(ops) {
			out[o] = reason
		}
	}
	return out
}
