package fields

import (
	"math/bits"
	"strings"
)

// elements are the names of the four elements that swizzles and write masks select from.
const elements = "xyzw"

// Swizzle selects the element that each of four lanes reads among four elements of a
// source. The zero value is the identity: lane i reads element i.
//
// Bits 2i+1:2i are the element that lane i reads, xor i.
type Swizzle uint8

// Identity is the identity swizzle as encoded in words.
const Identity = 0xE4

// SwizzleOf returns the swizzle by which the four lanes read elements x, y, z and w.
func SwizzleOf(x, y, z, w uint8) Swizzle {
	return Swizzle(x&3|y&3<<2|z&3<<4|w&3<<6) ^ Identity
}

// Lane returns the element that a lane reads, which is among the same four.
func (s Swizzle) Lane(i int) int { return i&^3 | int(s^Identity)>>(i&3*2)&3 }

// String returns the elements that the four lanes read, "yyxw".
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

// WriteMask selects which of each four elements of a destination are written. The zero
// value is the full mask.
//
// Bit i is 1 if element i is not written.
type WriteMask uint8

// FullMask is the full mask as encoded in words.
const FullMask = 0xF

// MaskOf returns the mask that writes the elements whose bits are set: bit 0 is x.
func MaskOf(written uint8) WriteMask { return WriteMask(^written & FullMask) }

// Writes reports whether a lane is written.
func (m WriteMask) Writes(i int) bool { return m>>(i&3)&1 == 0 }

// Lanes returns the set of lanes that are written.
func (m WriteMask) Lanes() uint32 { return uint32(^m&FullMask) * 0x11111111 }

// String returns the elements that are written, "xz".
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

// Align16Size reports whether swizzles and write masks can select elements of a size.
func Align16Size(size int) bool { return size == 2 || size == 4 }

// LaneMask returns a subregister of one element of a size as a subregister of four
// elements and the mask, as encoded in words, that selects one of them; no mask for a size
// whose elements cannot be selected.
func LaneMask(sub uint8, size int) (four uint8, mask uint64) {
	if !Align16Size(size) {
		return 0, 0
	}
	lane := sub / uint8(size) % 4
	return sub - lane*uint8(size), 1 << lane
}

// MaskLane undoes LaneMask: it returns the subregister of the one element that a mask
// selects of four. ok is false if the mask selects another number of elements, or the four
// are not aligned.
func MaskLane(four uint8, m WriteMask, size int) (sub uint8, ok bool) {
	mask := uint8(^m & FullMask)
	if bits.OnesCount8(mask) != 1 || !Align16Size(size) || four%uint8(4*size) != 0 {
		return 0, false
	}
	return four + uint8(bits.TrailingZeros8(mask))*uint8(size), true
}
