// SPDX-License-Identifier: MIT

package num

// PackedFloat returns the element of a packed vector of floats with the value of a 32-bit float: a sign, three bits of
// exponent with a bias of 3, and four bits of fraction; all zeros but the sign are zero. ok is false if there is none.
// Instructions of Intel GPUs have four of them as an immediate (Haswell PRM vol. 7, "Packed Restricted Float Vector").
func PackedFloat(bits uint32) (element uint8, ok bool) {
	const fraction, exponent, bias = 4, 3, 3
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
