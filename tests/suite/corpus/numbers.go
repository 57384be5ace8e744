// SPDX-License-Identifier: MIT

package corpus

import (
	"math"
	"math/rand/v2"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/synth"
)

// makeUp sets a number in data to a generated value.
func makeUp(n synth.Scalar, data []byte, rng *rand.Rand, as style) {
	if n.Kind == ir.TypeFloat {
		n.Set(data, synth.FloatBits(generateFloat(rng, as), n.Bits))
	} else {
		n.Set(data, generateInt(rng, n.Bits, n.Kind == ir.TypeInt, as))
	}
}

func floatOf(x uint64, bits uint8) float64 {
	switch bits {
	case 16:
		return float64(num.F16ToF32(uint16(x)))
	case 32:
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

func generateInt(rng *rand.Rand, bits uint8, signed bool, as style) uint64 {
	mask := ^uint64(0) >> (64 - bits)
	x := rng.Uint64N(64)
	switch as {
	case tame:
		return x & mask
	case unit:
		return 1 + x%7
	}
	switch rng.Uint32N(4) {
	case 0:
		x = rng.Uint64() & mask >> rng.Uint32N(uint32(bits))
	case 1:
		if signed {
			x = -x
		}
	}
	return x & mask
}

func generateFloat(rng *rand.Rand, as style) float64 {
	switch as {
	case unit:
		return float64(float32(rng.Float64()*2 - 1))
	case bold:
		switch rng.Uint32N(4) {
		case 0:
			return float64(rng.IntN(17) - 8)
		case 1:
			return rng.Float64()
		}
	}
	return float64(float32(rng.Float64()*8 - 4))
}

// output is an image that a shader may write if format is not nil, and otherwise a buffer.
type output struct {
	index   int
	scalars []synth.Scalar
	format  *texture.Format
}

// number describes a result: how to read it, and the minimum error, absolute or relative, that follows from the
// precision of its format.
type number struct {
	float bool
	bits  uint8
	slack float64 // absolute
	share float64 // error as a share of the number
}

// results returns all numbers of the outputs, always in the same order.
func (in *inputs) results() (numbers []number, values []uint64) {
	for _, o := range in.outputs {
		if o.format == nil {
			for _, n := range o.scalars {
				numbers = append(numbers, number{float: n.Kind == ir.TypeFloat, bits: n.Bits})
				values = append(values, n.Get(in.buffers[o.index].Data))
			}
			continue
		}
		data := in.images[o.index].Data
		var as [4]number
		for c := range as {
			as[c] = component(o.format, c)
		}
		for at := 0; at+o.format.Bytes <= len(data); at += o.format.Bytes {
			texel := o.format.Decode(data[at : at+o.format.Bytes])
			for c := range texel {
				if o.format.Has(c) {
					numbers = append(numbers, as[c])
					values = append(values, texel[c])
				}
			}
		}
	}
	return numbers, values
}

// component returns the description of component c of a format's texels.
func component(f *texture.Format, c int) number {
	n := number{float: f.Base == kind.BaseFloat, bits: 64}
	if !n.float {
		return n
	}
	n.bits = 32
	for _, x := range f.Comps {
		if x.Name != "RGBA"[c] {
			continue
		}
		switch x.Numeric {
		case texture.UNorm, texture.SNorm:
			n.slack = 1.01 / (math.Ldexp(1, int(x.Bits)-1) - 1)
			if x.Numeric == texture.UNorm {
				n.slack = 1.01 / (math.Ldexp(1, int(x.Bits)) - 1)
			}
		case texture.SFloat, texture.UFloat:
			if x.Bits < 32 {
				n.share = math.Ldexp(1, -min(int(x.Bits)-6, 10))
			}
		}
	}
	return n
}
