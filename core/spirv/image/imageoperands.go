// SPDX-License-Identifier: MIT

package image

import (
	"math/bits"

	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
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

// operandIDs is the number of ids of each operand, by bit.
var operandIDs = [...]int{1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}

// imageOperands holds the ids of the image operands, or 0 for absent ones.
type imageOperands struct {
	mask                                                      uint32
	bias, lod, ddx, ddy, offset, constOffsets, sample, minLod uint32
	access                                                    kind.Access
}

// readOperands reads the image operands at word i. It rejects operands that are not in allowed.
func readOperands(r *module.Reader, in []uint32, i int, allowed uint32) imageOperands {
	var o imageOperands
	if i >= len(in) {
		return o
	}
	o.mask = in[i]
	i++
	for m := o.mask; m != 0; m &= m - 1 {
		b := bits.TrailingZeros32(m)
		if allowed>>b&1 == 0 {
			x := r.Known("image operand", spirvtab.ImageOperands, 1<<b)
			r.Refuse("image operand %s is not supported here", x.Name)
		}
		ids := operandIDs[b]
		if i+ids > len(in) {
			r.Fail("image operand %s is truncated", spirvtab.ImageOperands.Lookup(1<<b).Name)
		}
		for _, id := range in[i : i+ids] {
			value.CheckID(r, id)
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
			value.Scope(r, in[i])
			o.access |= kind.AccessCoherent
		case operandVolatile:
			o.access |= kind.AccessVolatile
		}
		i += ids
	}
	if i != len(in) {
		r.Fail("%d words follow the image operands", len(in)-i)
	}
	return o
}
