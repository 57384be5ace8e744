// SPDX-License-Identifier: MIT

// Package vf converts floats to the eight bits of an element of a packed vector of floats, of which an instruction of Intel
// GPUs can have four as an immediate: a sign, three bits of exponent with a bias of 3, and four bits of fraction; all
// zeros but the sign are zero (Haswell PRM vol. 7, "Packed Restricted Float Vector"). [Of] says which floats it can
// represent. The optimizer combines operations on such constants, and the back end encodes them.
package vf

// Bits of an element.
const (
	fraction = 4
	exponent = 3
	bias     = 3
)

// Of returns the element with the value of a 32-bit float. ok is false if there is none.
func Of(bits uint32) (element uint8, ok bool) {
	const floatFraction, floatBias = 23, 127
	sign := uint8(bits>>31) << (fraction + exponent)
	if bits<<1 == 0 {
		return sign, true
	}
	e := int(bits>>floatFraction&0xFF) - floatBias + bias
	low := bits & (1<<(floatFraction-fraction) - 1)
	f := uint8(bits>>(floatFraction-fraction)) & (1<<fraction - 1)
	if e < 0 || e >= 1<<exponent || low != 0 || e == 0 && f == 0 {
		return 0, false
	}
	return sign | uint8(e)<<fraction | f, true
}
