package draw

import "jacquard.example/core/texture"

// LogicOp is how the bits of a color are combined with those of an attachment (Vulkan
// specification, "Logical Operations").
type LogicOp uint8

// The operations, in an order in which a bit of the number is the result for two bits: 8 of the
// number for both set, 4 for only the source's, 2 for only the attachment's and 1 for none.
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

// Logic is the logical operation of a draw, which replaces blending.
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

// apply combines a color, which is an integer or a fixed-point number in the attachment, with a
// texel. Colors of other formats are not changed.
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

// logical reports whether logical operations apply to a format: not to floats and sRGB.
func logical(f *texture.Format) bool {
	for c := range 4 {
		if k := f.Component(c); k != nil && (k.Numeric == texture.SFloat || k.Numeric == texture.UFloat || k.Numeric == texture.SRGB) {
			return false
		}
	}
	return true
}
