// SPDX-License-Identifier: MIT

package draw

import "jacquard.example/core/texture"

// LogicOp is a logical operation on the bits of a color and of an attachment (Vulkan specification, "Logical
// Operations").
type LogicOp uint8

// The operations. Each number is the truth table of the operation: bit 3 is the result if both bits are set, bit 2 if
// only the source's is, bit 1 if only the attachment's is, and bit 0 if none is.
const (
	LogicClear LogicOp = iota
	LogicNor
	LogicAndInverted
	LogicCopyInverted
	LogicAndReverse
	LogicInvert
	LogicXor
	LogicNand
	LogicAnd
	LogicEquivalent
	LogicNoOp
	LogicOrInverted
	LogicCopy
	LogicOrReverse
	LogicOr
	LogicSet
)

// Logic is the logical operation of a draw. It replaces blending.
type Logic struct {
	Enabled bool
	Op      LogicOp
}

// bits combines bits of a source and of an attachment.
func (op LogicOp) bits(src, dst byte) (out byte) {
	for i, both := range []byte{^src & ^dst, ^src & dst, src & ^dst, src & dst} {
		if op>>i&1 != 0 {
			out |= both
		}
	}
	return out
}

// apply combines a color with a texel if the attachment's format holds integers or fixed-point numbers. It does not
// change colors of other formats.
func (l *Logic) apply(f *texture.Format, texel []byte, color *texture.Texel) {
	if !logical(f) {
		return
	}
	var encoded [32]byte
	b := encoded[:len(texel)]
	f.Encode(b, color)
	for i := range b {
		b[i] = l.Op.bits(b[i], texel[i])
	}
	*color = f.Decode(b)
}

// logical reports whether logical operations apply to a format: not if it holds floats or is sRGB.
func logical(f *texture.Format) bool {
	for c := range 4 {
		if k := f.Component(c); k != nil && (k.Numeric == texture.SFloat || k.Numeric == texture.UFloat || k.Numeric == texture.SRGB) {
			return false
		}
	}
	return true
}
