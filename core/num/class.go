// SPDX-License-Identifier: MIT

package num

// Class classifies a constant's bits by the values that matter for algebraic identities: the result has one bit set.
// The tables of the rewrite rules use it to tell which literals a constant can be.
func Class(x uint64, bits uint8) uint8 {
	x &= ^uint64(0) >> (64 - bits)
	switch {
	case x == 0:
		return ClassZero
	case x == ^uint64(0)>>(64-bits):
		return ClassOnes
	case x == 1:
		return ClassOne
	case x == 1<<(bits-1):
		return ClassSign
	}
	switch bits {
	case 16:
		x &^= 1 << 15
		if x == 0x3c00 {
			return ClassUnit
		}
	case 32:
		x &^= 1 << 31
		if x == 0x3f800000 {
			return ClassUnit
		}
	case 64:
		x &^= 1 << 63
		if x == 0x3ff0000000000000 {
			return ClassUnit
		}
	}
	return ClassOther
}

// The classes.
const (
	ClassZero uint8 = 1 << iota // no bit set: 0, 0.0 and false
	ClassOnes                   // all bits set: -1 and true
	ClassOne                    // 1 at more than one bit
	ClassSign                   // only the highest bit set: -0.0
	ClassUnit                   // 1.0 and -1.0
	ClassOther
)
