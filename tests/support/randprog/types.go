// SPDX-License-Identifier: MIT

package randprog

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Kind is the interpretation of a scalar's bits.
type Kind uint8

// The kinds of scalars.
const (
	Bool Kind = iota
	Int
	Uint
	Float
)

// Scalar is a scalar type.
type Scalar struct {
	Kind Kind
	Bits int // 1 for booleans
}

// Scalars with names.
var (
	Boolean = Scalar{Bool, 1}
	I32     = Scalar{Int, 32}
	U32     = Scalar{Uint, 32}
	f16     = Scalar{Float, 16}
	f32     = Scalar{Float, 32}
	f64     = Scalar{Float, 64}
)

// Integer reports whether the type is an integer.
func (s Scalar) Integer() bool { return s.Kind == Int || s.Kind == Uint }

// Bytes returns the size in memory.
func (s Scalar) Bytes() int { return s.Bits / 8 }

// Mask returns a mask of a value's bits.
func (s Scalar) Mask() uint64 { return ^uint64(0) >> (64 - s.Bits) }

// glsl returns the name of the type, and the prefix of the names of its vectors and matrices.
func (s Scalar) glsl() (name, prefix string) {
	switch {
	case s == Boolean:
		return "bool", "b"
	case s == I32:
		return "int", "i"
	case s == U32:
		return "uint", "u"
	case s == f32:
		return "float", ""
	case s == f64:
		return "double", "d"
	}
	c := "?iuf"[s.Kind]
	return fmt.Sprintf("%s%d_t", [...]string{Int: "int", Uint: "uint", Float: "float"}[s.Kind], s.Bits), fmt.Sprintf("%c%d", c, s.Bits)
}

// c returns the name of the type in the C program.
func (s Scalar) c() string {
	return cNamesOf[s.Kind][bits.Len(uint(s.Bits))]
}

// cNamesOf are the names by kind and size.
var cNamesOf = [4][8]string{
	Bool:  {1: "b8"},
	Int:   {4: "i8", 5: "i16", 6: "i32", 7: "i64"},
	Uint:  {4: "u8", 5: "u16", 6: "u32", 7: "u64"},
	Float: {5: "f16", 6: "f32", 7: "f64"},
}

// unsigned returns the unsigned integer type of the same width.
func (s Scalar) unsigned() Scalar { return Scalar{Uint, s.Bits} }

// Lit returns the GLSL literal of a value given by its bits.
func (s Scalar) Lit(v uint64) string {
	name, _ := s.glsl()
	switch {
	case s == Boolean:
		return fmt.Sprint(v&1 != 0)
	case s.Kind == Float:
		f := Number(s.Float(v)) + [...]string{1: "hf", 2: "", 4: "lf"}[s.Bits/16]
		if strings.HasPrefix(f, "-") {
			return "(" + f + ")"
		}
		return f
	case s == U32:
		return fmt.Sprintf("%du", v)
	case s.Kind == Uint && s.Bits == 64:
		return fmt.Sprintf("%dul", v)
	case s.Kind == Uint:
		return fmt.Sprintf("%s(%du)", name, v)
	}
	i := s.Signed(v)
	if i == math.MinInt64 || i == math.MinInt32 && s.Bits == 32 {
		return fmt.Sprintf("%s(%s)", name, s.unsigned().Lit(v))
	}
	text := fmt.Sprint(i)
	if s.Bits == 64 {
		text += "l"
	}
	if s.Bits < 32 {
		return fmt.Sprintf("%s(%s)", name, text)
	}
	if i < 0 {
		return "(" + text + ")"
	}
	return text
}

// clit returns the C literal of a value given by its bits.
func (s Scalar) clit(v uint64) string {
	switch {
	case s == Boolean:
		return fmt.Sprint(v & 1)
	case s.Kind == Float:
		return fmt.Sprintf("(%s)(%s)", s.c(), Number(s.Float(v)))
	}
	return fmt.Sprintf("(%s)0x%xull", s.c(), v&s.Mask())
}

// Number formats a float that has at most 20 decimal places, with a point.
func Number(f float64) string {
	text := fmt.Sprintf("%.20f", f)
	text = strings.TrimRight(text, "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text
}

// Signed returns a value of the type sign-extended.
func (s Scalar) Signed(v uint64) int64 {
	return int64(v<<(64-s.Bits)) >> (64 - s.Bits)
}

// Float returns the value of the bits of a float, which must be a normal number or zero.
func (s Scalar) Float(v uint64) float64 {
	switch s.Bits {
	case 16:
		if v&0x7fff == 0 {
			return 0
		}
		f := math.Ldexp(float64(1024+v&1023), int(v>>10&31)-25)
		if v>>15&1 != 0 {
			return -f
		}
		return f
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// BitsOf returns the encoding of a value that the type represents exactly, as a normal number or zero.
func (s Scalar) BitsOf(f float64) uint64 {
	switch s.Bits {
	case 16:
		if f == 0 {
			return 0
		}
		sign := uint64(0)
		if f < 0 {
			sign, f = 1<<15, -f
		}
		m, e := math.Frexp(f)
		return sign | uint64(e+14)<<10 | uint64(m*2048)&1023
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// Shape is the way in which a type is composed of others.
type Shape uint8

// The shapes.
const (
	IsScalar Shape = iota
	IsVector
	IsMatrix
	IsArray
	IsStruct
)

// Type is a type of the program. Equal types have equal keys.
type Type struct {
	Shape      Shape
	Base       Scalar // scalar type of scalars, vectors and matrices
	Rows, Cols int    // components of a vector or a column; columns of a matrix
	Len        int    // length of an array
	Elem       *Type
	Fields     []*Type
	Key        string // also the name in C
}

func scalarType(s Scalar) *Type { return &Type{Shape: IsScalar, Base: s, Rows: 1, Cols: 1, Key: s.c()} }

func vectorType(s Scalar, n int) *Type {
	if n == 1 {
		return scalarType(s)
	}
	return &Type{Shape: IsVector, Base: s, Rows: n, Cols: 1, Key: "v" + string(rune('0'+n)) + "_" + s.c()}
}

func matrixType(s Scalar, cols, rows int) *Type {
	return &Type{Shape: IsMatrix, Base: s, Rows: rows, Cols: cols, Key: fmt.Sprintf("m%d%d_%s", cols, rows, s.c())}
}

// ArrayType returns the type of arrays of n elements.
func ArrayType(elem *Type, n int) *Type {
	return &Type{Shape: IsArray, Elem: elem, Len: n, Key: fmt.Sprintf("a%d_%s", n, elem.Key)}
}

func structType(number int, fields []*Type) *Type {
	return &Type{Shape: IsStruct, Fields: fields, Key: fmt.Sprintf("S%d", number)}
}

// Same reports whether two types are identical.
func (t *Type) Same(u *Type) bool { return t == u || t != nil && u != nil && t.Key == u.Key }

// Simple reports whether a value is a list of numbers: a scalar, a vector or a matrix.
func (t *Type) Simple() bool { return t.Shape <= IsMatrix }

// comps returns the number of components of a simple type.
func (t *Type) comps() int { return t.Rows * t.Cols }

func (t *Type) is(s Shape, base Scalar) bool { return t.Shape == s && t.Base == base }

// With returns a scalar, vector or matrix type with another scalar type.
func (t *Type) With(s Scalar) *Type {
	if t.Shape == IsMatrix {
		return matrixType(s, t.Cols, t.Rows)
	}
	return vectorType(s, t.Rows)
}

// Part returns the type at a constant index: the element type of an array, a matrix or a vector, or field i of a
// struct.
func (t *Type) Part(i int) *Type {
	switch t.Shape {
	case IsVector:
		return scalarType(t.Base)
	case IsMatrix:
		return vectorType(t.Base, t.Rows)
	case IsArray:
		return t.Elem
	case IsStruct:
		return t.Fields[i]
	}
	panic("a scalar has no parts")
}

// parts returns the number of parts; a scalar has none.
func (t *Type) parts() int {
	switch t.Shape {
	case IsVector:
		return t.Rows
	case IsMatrix:
		return t.Cols
	case IsArray:
		return t.Len
	case IsStruct:
		return len(t.Fields)
	}
	return 0
}

// Glsl returns the name of the type.
func (t *Type) Glsl() string {
	switch t.Shape {
	case IsArray:
		dims := ""
		for t.Shape == IsArray {
			dims += fmt.Sprintf("[%d]", t.Len)
			t = t.Elem
		}
		return t.Glsl() + dims
	case IsStruct:
		return t.Key
	}
	name, prefix := t.Base.glsl()
	switch {
	case t.Shape == IsVector:
		return fmt.Sprintf("%svec%d", prefix, t.Rows)
	case t.Shape == IsMatrix && t.Rows == t.Cols:
		return fmt.Sprintf("%smat%d", prefix, t.Rows)
	case t.Shape == IsMatrix:
		return fmt.Sprintf("%smat%dx%d", prefix, t.Cols, t.Rows)
	}
	return name
}

// Each calls f for the type and its component types, inner ones first.
func (t *Type) Each(f func(*Type)) {
	if t.Elem != nil {
		t.Elem.Each(f)
	}
	for _, u := range t.Fields {
		u.Each(f)
	}
	f(t)
}

// contains reports whether u is the type or within it.
func (t *Type) contains(u *Type) bool {
	if t.Same(u) {
		return true
	}
	switch t.Shape {
	case IsVector, IsMatrix, IsArray:
		return t.Part(0).contains(u)
	case IsStruct:
		for _, f := range t.Fields {
			if f.contains(u) {
				return true
			}
		}
	}
	return false
}

// numbers returns the number of scalars in a value.
func (t *Type) numbers() int {
	switch t.Shape {
	case IsArray:
		return t.Len * t.Elem.numbers()
	case IsStruct:
		n := 0
		for _, f := range t.Fields {
			n += f.numbers()
		}
		return n
	}
	return t.comps()
}

// Leaves calls f with the scalars of a value, each with its type and its offset. at is the offset of the value.
func (t *Type) Leaves(l Layout, at int, f func(s Scalar, at int)) {
	switch t.Shape {
	case IsArray:
		for i := range t.Len {
			t.Elem.Leaves(l, at+i*l.Stride(t), f)
		}
	case IsStruct:
		for i, u := range t.Fields {
			u.Leaves(l, at+l.offset(t, i), f)
		}
	default:
		col, row := l.steps(t)
		for c := range t.Cols {
			for r := range t.Rows {
				f(t.Base, at+c*col+r*row)
			}
		}
	}
}

// Layout is a set of rules for offsets in buffers (OpenGL Shading Language
// 4.60, section 7.6.2.2; GL_EXT_scalar_block_layout).
type Layout uint8

// The layouts, and a flag that combines with each of them and makes matrices row-major.
const (
	Std430 Layout = iota
	Std140
	Packed          // everything is aligned as its scalars are
	RowMajor Layout = 1 << 7
)

func (l Layout) rules() Layout { return l &^ RowMajor }

// Glsl returns the layout's text in the declaration of a block.
func (l Layout) Glsl() string {
	name := [...]string{Std430: "std430", Std140: "std140", Packed: "scalar"}[l.rules()]
	if l&RowMajor != 0 {
		name += ", row_major"
	}
	return name
}

func up(n, to int) int { return (n + to - 1) / to * to }

// line returns the contiguous part of a matrix: a column, or a row.
func (l Layout) line(t *Type) *Type {
	if l&RowMajor != 0 {
		return vectorType(t.Base, t.Cols)
	}
	return vectorType(t.Base, t.Rows)
}

// steps returns the distances of a matrix's columns and of its rows. For a vector, the second result is the distance
// of its components, and the first is 0.
func (l Layout) steps(t *Type) (col, row int) {
	if t.Shape == IsMatrix && l&RowMajor != 0 {
		return t.Base.Bytes(), l.Stride(t)
	}
	return l.Stride(t), t.Base.Bytes()
}

// align returns the alignment of a type.
func (l Layout) align(t *Type) int {
	a := 1
	switch t.Shape {
	case IsScalar:
		return t.Base.Bytes()
	case IsVector:
		if l.rules() == Packed {
			return t.Base.Bytes()
		}
		return t.Base.Bytes() * [5]int{2: 2, 3: 4, 4: 4}[t.Rows]
	case IsMatrix:
		a = l.align(l.line(t))
	case IsArray:
		a = l.align(t.Elem)
	case IsStruct:
		for _, f := range t.Fields {
			a = max(a, l.align(f))
		}
	}
	if l.rules() == Std140 {
		a = up(a, 16)
	}
	return a
}

// Stride returns the distance of an array's elements or of a matrix's lines, or 0 for other types.
func (l Layout) Stride(t *Type) int {
	switch t.Shape {
	case IsArray:
		return up(l.Size(t.Elem), l.align(t))
	case IsMatrix:
		return up(l.Size(l.line(t)), l.align(t))
	}
	return 0
}

// Size returns the size of a value in bytes. Elements of arrays are padded, and so are structs unless they are
// packed.
func (l Layout) Size(t *Type) int {
	switch t.Shape {
	case IsArray:
		return t.Len * l.Stride(t)
	case IsMatrix:
		return t.comps() / l.line(t).Rows * l.Stride(t)
	case IsStruct:
		last := len(t.Fields) - 1
		size := l.offset(t, last) + l.Size(t.Fields[last])
		if l.rules() == Packed {
			return size
		}
		return up(size, l.align(t))
	}
	return t.Rows * t.Base.Bytes()
}

// offset returns the offset of a field.
func (l Layout) offset(t *Type, field int) int {
	at := 0
	for i, f := range t.Fields {
		at = up(at, l.align(f))
		if i == field {
			break
		}
		at += l.Size(f)
	}
	return at
}
