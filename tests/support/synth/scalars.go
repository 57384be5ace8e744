// SPDX-License-Identifier: MIT

package synth

import (
	"encoding/binary"
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
)

// Scalar is a number in memory.
type Scalar struct {
	At   uint32 // bytes
	Bits uint8
	Kind ir.TypeKind
	// Matrix reports that the number is an element of a matrix, Diagonal that its row equals its column.
	Matrix, Diagonal bool
}

// Scalars returns the numbers of a type that is at an offset in memory with the given size. It leaves out numbers
// beyond the end. An array of runtime size extends to the end of the memory.
func Scalars(s *ir.Shader, lay ir.Layout, t ir.Type, at, size uint32) []Scalar {
	w := walker{types: &s.Types, lay: lay, size: size}
	w.walk(t, at)
	return w.out
}

type walker struct {
	types *ir.TypeTable
	lay   ir.Layout
	size  uint32
	out   []Scalar
}

// walk appends the numbers of a type at an offset.
func (w *walker) walk(t ir.Type, at uint32) {
	if at >= w.size {
		return
	}
	x := w.types.At(t)
	switch x.Kind {
	case ir.TypeStruct:
		for i, m := range w.types.Members(t) {
			w.walk(m.Type, ir.SatAdd(at, w.lay.Offset(t, i)))
		}
	case ir.TypeArray:
		stride := max(w.lay.Stride(t), 1)
		n := x.Len
		if n == 0 {
			n = (w.size - at) / stride
		}
		for i := range min(n, w.size/stride+1) {
			w.walk(x.Elem, ir.SatAdd(at, i*stride))
		}
	case ir.TypeMatrix:
		k, bits, rows := w.types.ScalarOf(x.Elem)
		for column := range x.Len {
			for row := range rows {
				major, minor := column, row
				if x.RowMajor {
					major, minor = row, column
				}
				place := uint64(at) + uint64(major)*uint64(w.lay.Stride(t)) + uint64(minor*w.lay.Scalar(bits))
				w.add(place, Scalar{Bits: bits, Kind: k, Matrix: true, Diagonal: row == column})
			}
		}
	case ir.TypeVector, ir.TypeInt, ir.TypeUint, ir.TypeFloat:
		k, bits, n := w.types.ScalarOf(t)
		for i := range n {
			w.add(uint64(at)+uint64(i*w.lay.Scalar(bits)), Scalar{Bits: bits, Kind: k})
		}
	}
}

// add appends a number at an offset, unless it extends beyond the memory.
func (w *walker) add(at uint64, n Scalar) {
	if at+uint64(n.Bits)/8 <= uint64(w.size) {
		n.At = uint32(at)
		w.out = append(w.out, n)
	}
}

// Get reads the number's bits.
func (n Scalar) Get(data []byte) uint64 {
	var word [8]byte
	copy(word[:n.Bits/8], data[n.At:])
	return binary.LittleEndian.Uint64(word[:])
}

// Set sets the number's bits.
func (n Scalar) Set(data []byte, x uint64) {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], x)
	copy(data[n.At:], word[:n.Bits/8])
}

// FloatBits returns the bits of a float of a size.
func FloatBits(f float64, bits uint8) uint64 {
	switch bits {
	case 16:
		return uint64(num.F64ToF16(f, 0))
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}
