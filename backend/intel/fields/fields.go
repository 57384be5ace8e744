// SPDX-License-Identifier: MIT

// Package fields contains the fields of EU instruction words that mean the same on every machine that has them:
// the software scoreboard ([SWSB]), and the swizzles and write masks of access mode Align16. It also contains
// small functions for the generated codec in generated/isa. It is independent of the tables and of the rest of
// the project.
package fields

import (
	"math/bits"
	"strconv"
)

// Bit returns 1 for true and 0 for false.
func Bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Imm32 returns the 32-bit immediate field for a value of size bytes. 16-bit values occupy both halves.
func Imm32(v uint64, size int) uint64 {
	if size == 2 {
		v &= 0xFFFF
		return v | v<<16
	}
	return v & 0xFFFFFFFF
}

// Signed sign-extends a field of up to 16 bits.
func Signed(v uint64, bits int) int16 { return int16(v<<(16-bits)) >> (16 - bits) }

// LeadingComps returns the number of components that a channel mask enables, or 0 if they are not the leading
// ones.
func LeadingComps(mask uint8) int {
	if mask&(mask+1) != 0 {
		return 0
	}
	return bits.OnesCount8(mask)
}

// Name returns names[i], or kind and the number for a code without a name.
func Name(names []string, i uint8, kind string) string {
	if int(i) < len(names) && names[i] != "" {
		return names[i]
	}
	return kind + "(" + strconv.Itoa(int(i)) + ")"
}
