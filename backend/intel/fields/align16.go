// SPDX-License-Identifier: MIT

package fields

import (
	"math/bits"
	"strings"
)

// elements are the names of the elements that swizzles and write masks select.
const elements = "xyzw"

// Swizzle selects, for each lane of a group of four, the element of the group that it reads. The zero value is
// the identity: lane i reads element i.
//
// In Align16, an operand of one or two sources has the region <V;4,1>: group g of the lanes reads row g, which begins V·g
// elements after the operand, and the swizzle selects from the row. V is 4 if each group has its own row, and 0 if all
// read the same. Sources of three have <2;1> for V = 4, or are a single element for all lanes. Code that knows regions
// applies the swizzle to the lanes within each row, and needs nothing else.
//
// Bits 2i+1:2i are the number of the element that lane i reads, xor i.
type Swizzle uint8

// Identity is the identity swizzle as encoded in words.
const Identity = 0xE4

// SwizzleOf returns the swizzle whose four lanes read elements x, y, z and w.
func SwizzleOf(x, y, z, w uint8) Swizzle {
	return Swizzle(x&3|y&3<<2|z&3<<4|w&3<<6) ^ Identity
}

// Lane returns the element that lane i reads, which is in the same group of four.
func (s Swizzle) Lane(i int) int { return i&^3 | int(s^Identity)>>(i&3*2)&3 }

// String returns the elements that the four lanes read, as in "yyxw".
func (s Swizzle) String() string {
	var w [len(elements)]byte
	for i := range w {
		w[i] = elements[s.Lane(i)]
	}
	return string(w[:])
}

// SwizzleByName is the inverse of Swizzle.String.
func SwizzleByName(name string) (Swizzle, bool) {
	var from [len(elements)]uint8
	if len(name) != len(elements) {
		return 0, false
	}
	for i := range from {
		k := strings.IndexByte(elements, name[i])
		if k < 0 {
			return 0, false
		}
		from[i] = uint8(k)
	}
	return SwizzleOf(from[0], from[1], from[2], from[3]), true
}

// WriteMask selects the elements of each group of four of a destination that are written. The zero value is the
// full mask.
//
// Bit i is 1 if element i is not written.
type WriteMask uint8

// FullMask is the full mask as encoded in words.
const FullMask = 0xF

// MaskOf returns the mask that writes the elements whose bits are set; bit 0 is x.
func MaskOf(written uint8) WriteMask { return WriteMask(^written & FullMask) }

// Writes reports whether a lane is written.
func (m WriteMask) Writes(i int) bool { return m>>(i&3)&1 == 0 }

// Lanes returns the set of lanes that are written.
func (m WriteMask) Lanes() uint32 { return uint32(^m&FullMask) * 0x11111111 }

// String returns the written elements, as in "xz".
func (m WriteMask) String() string {
	w := make([]byte, 0, len(elements))
	for i := range elements {
		if m.Writes(i) {
			w = append(w, elements[i])
		}
	}
	return string(w)
}

// MaskByName is the inverse of WriteMask.String.
func MaskByName(name string) (WriteMask, bool) {
	written, least := uint8(0), 0
	for i := range len(name) {
		k := strings.IndexByte(elements, name[i])
		if k < least {
			return 0, false
		}
		written |= 1 << k
		least = k + 1
	}
	return MaskOf(written), true
}

// Align16Size reports whether swizzles and write masks can select elements of size bytes.
func Align16Size(size int) bool { return size == 2 || size == 4 }

// LaneMask converts a subregister of one element to a subregister of four elements and the mask, as encoded in
// words, that selects the element. The mask is 0 for a size whose elements cannot be selected.
func LaneMask(sub uint8, size int) (four uint8, mask uint64) {
	if !Align16Size(size) {
		return 0, 0
	}
	lane := sub / uint8(size) % 4
	return sub - lane*uint8(size), 1 << lane
}

// MaskLane is the inverse of LaneMask: it returns the subregister of the single element that a mask selects
// among four. ok is false if the mask selects another number of elements, or the four are not aligned.
func MaskLane(four uint8, m WriteMask, size int) (sub uint8, ok bool) {
	mask := uint8(^m & FullMask)
	if bits.OnesCount8(mask) != 1 || !Align16Size(size) || four%uint8(4*size) != 0 {
		return 0, false
	}
	return four + uint8(bits.TrailingZeros8(mask))*uint8(size), true
}
