// SPDX-License-Identifier: MIT

package runner

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/core/texture"
)

// Type is a type of the script: a number (scalar, vector, matrix), an array or
// a struct.
type Type struct {
	Name string // as written in the script

	// A number: Rows components, in Cols columns; both are 1 for a scalar,
	// Cols is 1 for a vector.
	Scalar     Scalar
	Rows, Cols int

	// An array of Elem. Len is 0 for T[], whose length depends on the buffer's size.
	Elem *Type
	Len  int

	// A struct. Stride is 0 if the script sets none.
	Members []Member
	Stride  int
	Struct  bool

	Format  *texture.Format // the format if the type is a texel format
	numbers int             // the number of numbers in a value, at most maxSegments+1
	depth   int             // the nesting depth of structs and arrays
}

// Member is one member of a struct. Offset is -1 and the strides are 0 if the script leaves them to
// the layout rules.
type Member struct {
	Name         string
	Type         *Type
	Offset       int
	ArrayStride  int
	MatrixStride int
	Pos          Pos
}

// Segment is one number of a buffer's element.
type Segment struct {
	Offset int // in bytes from the start of the element
	Scalar Scalar
	Comp   int // its component of the vector, or 0 for a scalar
}

// Layout describes where the numbers of one element of a buffer are.
type Layout struct {
	Size     int // size of an element in bytes, padding included
	Segments []Segment
}

// maxSegments bounds the numbers in one element, so that a script of a few
// bytes cannot allocate gigabytes.
const maxSegments = 1 << 16

// maxDepth bounds the nesting of structs and arrays.
const maxDepth = 32

// Measure computes the type's numbers and depth from its parts.
func (t *Type) Measure() {
	t.numbers, t.depth = t.Rows*t.Cols, 0
	for _, m := range t.Members {
		t.numbers = min(t.numbers+m.Type.numbers, maxSegments+1)
		t.depth = max(t.depth, m.Type.depth+1)
	}
	if t.Elem != nil {
		t.numbers = min(t.Elem.numbers*min(max(t.Len, 1), maxSegments+1), maxSegments+1)
		t.depth = t.Elem.depth + 1
	}
}

// ParseType parses a type: int32, vec3<float>, mat2x4<double>, T[], T[4], or the name of a struct in named.
func ParseType(text string, named map[string]*Type) (*Type, bool) {
	if t := named[text]; t != nil {
		return t, true
	}
	if base, ok := strings.CutSuffix(text, "]"); ok {
		i := strings.LastIndexByte(base, '[')
		if i < 0 {
			return nil, false
		}
		elem, ok := ParseType(base[:i], named)
		if !ok || elem.Elem != nil {
			return nil, false // the language has no arrays of arrays
		}
		n := 0
		if size := base[i+1:]; size != "" {
			var err error
			if n, err = strconv.Atoi(size); err != nil || n <= 0 {
				return nil, false
			}
		}
		t := &Type{Name: text, Elem: elem, Len: n}
		t.Measure()
		return t, true
	}
	t := &Type{Name: text, Rows: 1, Cols: 1}
	scalar := text
	if i := strings.IndexByte(text, '<'); i >= 0 && strings.HasSuffix(text, ">") {
		dims := text[:i]
		scalar = text[i+1 : len(text)-1]
		dim := func(c byte) int {
			if c < '2' || c > '4' {
				return 0
			}
			return int(c - '0')
		}
		switch {
		case len(dims) == 4 && dims[:3] == "vec":
			t.Rows = dim(dims[3])
		case len(dims) == 6 && dims[:3] == "mat" && dims[4] == 'x':
			t.Cols, t.Rows = dim(dims[3]), dim(dims[5])
		default:
			return nil, false
		}
		if t.Rows == 0 || t.Cols == 0 {
			return nil, false
		}
	}
	var ok bool
	t.Scalar, ok = ScalarNamed(scalar)
	t.Measure()
	return t, ok
}

// Std names the two layouts of the OpenGL Shading Language Specification 4.60,
// section 7.6.2.2.
type Std uint8

const (
	Std430 Std = iota
	Std140
)

// RoundUp rounds n up to a multiple of to.
func RoundUp(n, to int) int { return (n + to - 1) / to * to }

// aggregate rounds the alignment of an array, a matrix or a struct: std140 raises it to the alignment of a vec4.
func (s Std) aggregate(align int) int {
	if s == Std140 {
		return RoundUp(align, 16)
	}
	return align
}

// vecAlign returns the alignment of a vector of rows components: a vec3 is aligned like a vec4.
func vecAlign(s Scalar, rows int) int {
	if rows == 3 {
		rows = 4
	}
	return rows * s.Bytes()
}

func (s Std) align(t *Type) int {
	switch {
	case t.Struct:
		a := 1
		for _, m := range t.Members {
			a = max(a, s.align(m.Type))
		}
		return s.aggregate(a)
	case t.Elem != nil:
		return s.aggregate(s.align(t.Elem))
	case t.Cols > 1:
		return s.aggregate(vecAlign(t.Scalar, t.Rows))
	}
	return vecAlign(t.Scalar, t.Rows)
}

// layouter flattens a type into segments.
type layouter struct {
	std      Std
	segments []Segment
}

// LayoutError reports why a type cannot be laid out.
type LayoutError struct {
	Pos Pos // position of the struct member, or zero
	Msg string
}

// place appends the segments of t at offset and returns t's size, which includes
// the padding after it only if t is an aggregate.
func (l *layouter) place(t *Type, offset int, m *Member) (int, *LayoutError) {
	switch {
	case t.Struct:
		return l.placeStruct(t, offset)
	case t.Elem != nil:
		return l.placeArray(t, offset, m)
	case t.Cols > 1:
		column := l.std.align(t)
		if m != nil && m.MatrixStride != 0 {
			if m.MatrixStride < t.Rows*t.Scalar.Bytes() {
				return 0, &LayoutError{m.Pos,
					fmt.Sprintf("MATRIX_STRIDE %d is less than the %d bytes of a column", m.MatrixStride, t.Rows*t.Scalar.Bytes())}
			}
			column = m.MatrixStride
		}
		for c := range t.Cols {
			l.vector(t, offset+c*column)
		}
		return t.Cols * column, nil
	}
	l.vector(t, offset)
	return t.Rows * t.Scalar.Bytes(), nil
}

func (l *layouter) vector(t *Type, offset int) {
	for r := range t.Rows {
		l.segments = append(l.segments, Segment{Offset: offset + r*t.Scalar.Bytes(), Scalar: t.Scalar, Comp: r})
	}
}

func (l *layouter) placeArray(t *Type, offset int, m *Member) (int, *LayoutError) {
	if t.Len == 0 {
		return 0, &LayoutError{Msg: fmt.Sprintf("the array %s needs a size", t.Name)}
	}
	var stride int
	for i := range t.Len {
		size, err := l.place(t.Elem, offset+i*stride, m)
		if err != nil {
			return 0, err
		}
		if i > 0 {
			continue
		}
		stride = RoundUp(size, l.std.align(t))
		if m != nil && m.ArrayStride != 0 {
			if m.ArrayStride < size {
				return 0, &LayoutError{m.Pos, fmt.Sprintf("ARRAY_STRIDE %d is less than the %d bytes of an element", m.ArrayStride, size)}
			}
			stride = m.ArrayStride
		}
	}
	return t.Len * stride, nil
}

func (l *layouter) placeStruct(t *Type, offset int) (int, *LayoutError) {
	end := 0
	for i := range t.Members {
		m := &t.Members[i]
		at := RoundUp(end, l.std.align(m.Type))
		if m.Offset >= 0 {
			if m.Offset < end {
				return 0, &LayoutError{m.Pos,
					fmt.Sprintf("OFFSET %d of '%s' overlaps the preceding member, which ends at %d", m.Offset, m.Name, end)}
			}
			at = m.Offset
		}
		size, err := l.place(m.Type, offset+at, m)
		if err != nil {
			return 0, err
		}
		end = at + size
	}
	if t.Stride != 0 {
		if t.Stride < end {
			return 0, &LayoutError{Msg: fmt.Sprintf("the %d bytes of struct '%s' do not fit in its STRIDE %d", end, t.Name, t.Stride)}
		}
		return t.Stride, nil
	}
	return RoundUp(end, l.std.align(t)), nil
}

// LayoutOf lays out one element of a buffer of type t. Elements of a plain vector or scalar type are placed by their
// own alignment even under std140. T[] requests the stride of an array, which is at least 16 bytes under std140.
func LayoutOf(t *Type, s Std) (*Layout, *LayoutError) {
	if t.numbers > maxSegments {
		return nil, &LayoutError{Msg: fmt.Sprintf("an element of type %s has more than %d numbers", t.Name, maxSegments)}
	}
	if t.depth > maxDepth {
		return nil, &LayoutError{Msg: fmt.Sprintf("type %s is nested more than %d deep", t.Name, maxDepth)}
	}
	l := layouter{std: s}
	align := s.align(t)
	if t.Elem != nil && t.Len == 0 {
		t = t.Elem
	}
	size, err := l.place(t, 0, nil)
	if err != nil {
		return nil, err
	}
	if !t.Struct || t.Stride == 0 {
		size = RoundUp(size, align)
	}
	return &Layout{Size: size, Segments: l.segments}, nil
}
