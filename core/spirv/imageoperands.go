package spirv

import (
	"math/bits"

	"jacquard.example/generated/kind"
)

// Image operands (SPIR-V specification 3.14).
const (
	operandBias = 1 << iota
	operandLod
	operandGrad
	operandConstOffset
	operandOffset
	operandConstOffsets
	operandSample
	operandMinLod
	operandMakeAvailable
	operandMakeVisible
	operandNonPrivate
	operandVolatile
	operandSignExtend
	operandZeroExtend
	operandNontemporal
)

// imageOperandNames holds the names and the number of ids of each operand, by bit.
var imageOperandNames = [...]struct {
	name string
	ids  int
}{
	{"Bias", 1}, {"Lod", 1}, {"Grad", 2}, {"ConstOffset", 1}, {"Offset", 1}, {"ConstOffsets", 1}, {"Sample", 1}, {"MinLod", 1},
	{"MakeTexelAvailable", 1}, {"MakeTexelVisible", 1}, {"NonPrivateTexel", 0}, {"VolatileTexel", 0}, {"SignExtend", 0}, {"ZeroExtend", 0},
	{"Nontemporal", 0},
}

// imageOperands holds the ids of the image operands, 0 for absent ones.
type imageOperands struct {
	mask                                                      uint32
	bias, lod, ddx, ddy, offset, constOffsets, sample, minLod uint32
	access                                                    kind.Access
}

// imageOperands reads the image operands at word i, of which only those in allowed may
// occur.
func (r *reader) imageOperands(in []uint32, i int, allowed uint32) imageOperands {
	var o imageOperands
	if i >= len(in) {
		return o
	}
	o.mask = in[i]
	i++
	for m := o.mask; m != 0; m &= m - 1 {
		b := bits.TrailingZeros32(m)
		if b >= len(imageOperandNames) {
			r.fail("unknown image operand %#x", uint32(1)<<b)
		}
		x := &imageOperandNames[b]
		if allowed>>b&1 == 0 {
			r.fail("image operand %s is not supported here", x.name)
		}
		if i+x.ids > len(in) {
			r.fail("image operand %s is truncated", x.name)
		}
		for _, id := range in[i : i+x.ids] {
			r.checkID(id)
		}
		switch 1 << b {
		case operandBias:
			o.bias = in[i]
		case operandLod:
			o.lod = in[i]
		case operandGrad:
			o.ddx, o.ddy = in[i], in[i+1]
		case operandConstOffset, operandOffset:
			o.offset = in[i]
		case operandConstOffsets:
			o.constOffsets = in[i]
		case operandSample:
			o.sample = in[i]
		case operandMinLod:
			o.minLod = in[i]
		case operandMakeAvailable, operandMakeVisible:
			r.scope(in[i])
			o.access |= kind.AccessCoherent
		case operandVolatile:
			o.access |= kind.AccessVolatile
		}
		i += x.ids
	}
	if i != len(in) {
		r.fail("%d words follow the image operands", len(in)-i)
	}
	return o
}
