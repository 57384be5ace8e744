// SPDX-License-Identifier: MIT

package ir

import "jacquard.example/generated/kind"

// Layout computes sizes and offsets of types. With explicit layout, types specify strides, offsets and row-major order.
// Otherwise these are ignored: a type that is also used in a buffer may have them (SPIR-V specification 2.16.2 requires
// them only in the storage classes of buffers). Types without them are packed with natural alignment: scalars are
// aligned to their size, vectors to the size of their components. A bool is a dword.
type Layout struct {
	types *TypeTable
	form  layoutForm
}

type layoutForm uint8

const (
	explicitLayout layoutForm = iota // as specified by types
	packedLayout
	dwordLayout // packed, but no scalar is smaller than a dword
	numLayouts
)

// extent is the space that a type takes in one form of layout, in bytes.
type extent struct {
	size   uint32
	align  uint32 // 0 if not computed yet
	stride uint32 // from one element to the next
	end    uint32 // end of the last scalar: size without trailing padding
}

// layouts caches extents by type, and offsets by member.
type layouts [numLayouts]struct {
	extents []extent
	offsets []uint32
}

func (m *layouts) reset() {
	for i := range m {
		m[i].extents, m[i].offsets = m[i].extents[:0], m[i].offsets[:0]
	}
}

// Scalar returns the size in bytes of a scalar whose size in bits is given.
func (l Layout) Scalar(bits uint8) uint32 {
	switch {
	case bits == 1 || l.form == dwordLayout && bits < 32:
		return 4
	}
	return uint32(bits) / 8
}

// Size returns the size in bytes of a type and its alignment.
func (l Layout) Size(t Type) (size, align uint32) {
	e := l.extent(t)
	return e.size, e.align
}

// End returns the end of a type's last scalar in bytes: Size without trailing padding.
func (l Layout) End(t Type) uint32 { return l.extent(t).end }

// Stride returns the bytes between elements of an array, components of a vector, columns of a matrix, or rows of a
// row-major matrix.
func (l Layout) Stride(t Type) uint32 { return l.extent(t).stride }

// Offset returns the offset of a struct member.
func (l Layout) Offset(t Type, member int) uint32 {
	l.extent(t)
	return l.types.layouts[l.form].offsets[int(l.types.types[t].members)+member]
}

// Agrees reports whether the parts of a struct, array, matrix or vector have the same
// offsets in another layout.
func (l Layout) Agrees(o Layout, t Type) bool {
	if l.form == o.form {
		return true
	}
	x := l.types.At(t)
	if x.Kind == TypeStruct {
		for i := range int(x.Len) {
			if l.Offset(t, i) != o.Offset(t, i) {
				return false
			}
		}
		return true
	}
	return l.Stride(t) == o.Stride(t) && l.RowMajor(t) == o.RowMajor(t)
}

// RowMajor reports whether a matrix is stored row by row, not column by column.
func (l Layout) RowMajor(t Type) bool {
	x := l.types.At(t)
	return l.form == explicitLayout && x.Kind == TypeMatrix && x.RowMajor
}

// extent returns the extent of a type. The extent of each type is computed once, however many types contain it.
func (l Layout) extent(t Type) extent {
	m := &l.types.layouts[l.form]
	if int(t) >= len(m.extents) {
		m.extents = append(m.extents, make([]extent, len(l.types.types)-len(m.extents))...)
		m.offsets = append(m.offsets, make([]uint32, len(l.types.members)-len(m.offsets))...)
	}
	if e := m.extents[t]; e.align != 0 {
		return e
	}
	var e extent
	switch l.types.types[t].Kind {
	case TypeArray, TypeMatrix:
		e = l.elements(t)
	case TypeStruct:
		e = l.members(t)
	default:
		_, bits, n := l.types.ScalarOf(t)
		b := max(l.Scalar(bits), 1)
		e = extent{size: b * n, align: b, stride: b, end: b * n}
	}
	l.types.layouts[l.form].extents[t] = e
	return e
}

// elements places the elements of an array or matrix.
func (l Layout) elements(t Type) extent {
	x := l.types.types[t]
	of := l.extent(x.Elem)
	steps := x.Len
	if l.RowMajor(t) { // the step goes from row to row
		_, bits, rows := l.types.ScalarOf(x.Elem)
		b := l.Scalar(bits)
		of, steps = extent{size: b * x.Len, align: b, end: b * x.Len}, rows
	}
	e := extent{align: of.align, stride: RoundUp(of.size, of.align)}
	if x.Stride != 0 && l.form == explicitLayout {
		e.stride = x.Stride
	}
	e.size = SatMul(e.stride, steps)
	if steps > 0 {
		e.end = SatAdd(SatMul(e.stride, steps-1), of.end)
	}
	return e
}

// members places the members of a struct.
func (l Layout) members(t Type) extent {
	e := extent{align: 1}
	for i, m := range l.types.Members(t) {
		of := l.extent(m.Type)
		at := m.Offset
		if at == NoOffset || l.form != explicitLayout {
			at = RoundUp(e.size, of.align)
		}
		l.types.layouts[l.form].offsets[int(l.types.types[t].members)+i] = at
		e.size = max(e.size, SatAdd(at, of.size))
		e.end = max(e.end, SatAdd(at, of.end))
		e.align = max(e.align, of.align)
	}
	e.size = RoundUp(e.size, e.align)
	return e
}

// private are the modes of memory that is private to an invocation.
const private = kind.ModeFunctionTemp | kind.ModeShaderTemp

// LayoutOf returns the layout of memory of a mode. Private memory uses whole dwords. Private memory and constant data
// ignore the layout in types, and so does workgroup memory unless one of its variables is a block.
func (s *Shader) LayoutOf(m kind.Mode) Layout {
	l := Layout{types: &s.Types}
	switch {
	case m&private != 0:
		l.form = dwordLayout
	case m&kind.ModeConstant != 0, m&kind.ModeShared != 0 && !s.sharedBlocks:
		l.form = packedLayout
	}
	return l
}

// LayoutOfVar returns the layout of a variable's memory.
func (s *Shader) LayoutOfVar(x Var) Layout {
	if s.sharedBlocks && s.vars[x].Mode == kind.ModeShared && !s.Var(x).SharedBlock(&s.Types) {
		return Layout{&s.Types, packedLayout}
	}
	return s.LayoutOf(s.vars[x].Mode)
}

const tooLarge = 1<<32 - 64

// SatAdd adds two sizes; a sum that overflows saturates to a size beyond all limits.
func SatAdd(a, b uint32) uint32 {
	if s := uint64(a) + uint64(b); s < tooLarge {
		return uint32(s)
	}
	return tooLarge
}

// SatMul multiplies two sizes; a product that overflows saturates like a sum.
func SatMul(a, b uint32) uint32 {
	if s := uint64(a) * uint64(b); s < tooLarge {
		return uint32(s)
	}
	return tooLarge
}

// RoundUp rounds x up to a multiple of to, which must be positive.
func RoundUp(x, to uint32) uint32 { return SatAdd(x, to-1) / to * to }
