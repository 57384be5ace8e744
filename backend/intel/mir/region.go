// SPDX-License-Identifier: MIT

package mir

import (
	"math/bits"

	"jacquard.example/generated/isa"
)

// Rows is the shape of a region whose lanes are not equidistant: rows of elements. Operand.Stride is the
// distance between elements of a row, and the vertical stride the distance between rows. 0 denotes a region with one
// stride; each <v;w,h> whose lanes are equidistant is equivalent to one of those.
//
// Bits 2:0 are the log2 of the width; bits 5:3 are 0 for a vertical stride of 0, else
// its log2 + 1.
type Rows uint8

// Maximum values of the fields of a region (TGL PRM vol. 2a, "Register Region
// Restrictions").
const (
	maxVStride = 32
	maxWidth   = 16
	MaxHStride = 4
)

// IsStride reports whether n is a valid vertical stride or a valid distance of the elements of a single-column
// region: 0 or a power of two up to 32.
func IsStride(n uint) bool { return n <= maxVStride && n&(n-1) == 0 }

// RegionOf returns the region <v;w,h> as a stride and rows. ok is false if the machine cannot encode it.
func RegionOf(v, w, h uint) (stride uint8, rows Rows, ok bool) {
	switch {
	case !IsStride(v) || !IsStride(h) || h > MaxHStride || bits.OnesCount(w) != 1 || w > maxWidth:
		return 0, 0, false
	case w == 1:
		return uint8(v), 0, h == 0
	case v == 0 && h == 0:
		return 0, 0, false
	case v == w*h:
		return uint8(h), 0, true
	}
	return uint8(h), rowsOf(v, w), true
}

func rowsOf(v, w uint) Rows { return Rows(bits.Len(v)<<3 | bits.TrailingZeros(w)) }

// Width returns the number of elements in a row.
func (r Rows) Width() uint { return 1 << (r & 7) }

// VStride returns the distance between the starts of rows, in elements.
func (r Rows) VStride() uint { return 1 << (r >> 3) >> 1 }

// Valid reports whether RegionOf can return r with this stride.
func (r Rows) Valid(stride uint8) bool {
	_, rows, ok := RegionOf(r.VStride(), r.Width(), uint(stride))
	return r == 0 || ok && rows == r
}

// WithRegion returns the operand with the region <v;w,h>. It panics if the machine cannot encode the region.
func (o Operand) WithRegion(v, w, h uint) Operand {
	var ok bool
	if o.Stride, o.Rows, ok = RegionOf(v, w, h); !ok {
		panic("mir: the machine has no such region")
	}
	return o
}

// HasStride reports whether neighboring lanes read or write elements at a distance of s.
func (o *Operand) HasStride(s uint8) bool { return o.Stride == s && o.Rows == 0 && o.Swizzle == 0 }

// LaneOffset returns the distance in bytes from Off to the element of a lane, counted from the first lane of
// the instruction. It ignores the swizzle, by which the lane may read the element of another lane of its group
// of four.
func (o *Operand) LaneOffset(lane uint32) uint32 {
	return o.element(lane) * uint32(o.Type.Size())
}

// element is like LaneOffset, counted in elements.
func (o *Operand) element(lane uint32) uint32 {
	if o.Rows == 0 {
		return lane * uint32(o.Stride)
	}
	w := uint32(o.Rows.Width())
	return lane/w*uint32(o.Rows.VStride()) + lane%w*uint32(o.Stride)
}

// Extent returns the number of bytes from Off to the end of the last of n lanes' elements.
func (o *Operand) Extent(n int) uint32 {
	if o.File == Imm {
		return uint32(o.Type.Size())
	}
	return o.span(uint32(n))
}

// span is like Extent, for operands other than immediates.
func (o *Operand) span(n uint32) uint32 {
	return (o.element(n-1) + 1) * uint32(o.Type.Size())
}

// Slice restricts an operand to n of its lanes, starting at lane first. Both numbers are powers of two, or first is 0.
func (o *Operand) Slice(first uint32, n int) {
	if !o.IsReg() {
		return
	}
	o.Off += o.LaneOffset(first)
	if o.Rows != 0 && int(o.Rows.Width()) >= n { // within a row
		o.Rows = 0
	}
}

// LowWords returns the low words of an operand of doublewords.
func (o Operand) LowWords() Operand {
	o.Type = isa.TypeUW
	o.Stride *= 2
	if o.Rows != 0 {
		o.Rows = rowsOf(2*o.Rows.VStride(), o.Rows.Width())
	}
	return o
}
