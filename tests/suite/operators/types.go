// SPDX-License-Identifier: MIT

package operators

import (
	"encoding/binary"
	"fmt"
	"math"

	"jacquard.example/core/num"
)

// Kind is the interpretation of a type's bits.
type Kind uint8

// The kinds of types.
const (
	Int Kind = iota
	Uint
	Float
)

// Type is a scalar type of GLSL.
type Type struct {
	Name string
	Vec  string // the name of its vectors, without the number
	Kind Kind
	Bits int
}

// Types are all scalar types that a shader computes with.
var Types = []Type{
	{"int8_t", "i8vec", Int, 8}, {"uint8_t", "u8vec", Uint, 8},
	{"int16_t", "i16vec", Int, 16}, {"uint16_t", "u16vec", Uint, 16},
	{"int", "ivec", Int, 32}, {"uint", "uvec", Uint, 32},
	{"int64_t", "i64vec", Int, 64}, {"uint64_t", "u64vec", Uint, 64},
	{"float16_t", "f16vec", Float, 16}, {"float", "vec", Float, 32}, {"double", "dvec", Float, 64},
}

var uintType, intType = Types[5], Types[4]

// of returns the vector of n components, or the scalar.
func (t Type) of(n int) string {
	if n == 1 {
		return t.Name
	}
	return fmt.Sprint(t.Vec, n)
}

// put appends a value: f for floats, i for integers.
func (t Type) put(b []byte, i uint64, f float64) []byte {
	if t.Kind == Float {
		switch t.Bits {
		case 16:
			i = uint64(num.F32ToF16RNE(float32(f)))
		case 32:
			i = uint64(math.Float32bits(float32(f)))
		case 64:
			i = math.Float64bits(f)
		}
	}
	switch t.Bits {
	case 8:
		return append(b, byte(i))
	case 16:
		return binary.LittleEndian.AppendUint16(b, uint16(i))
	case 32:
		return binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	return binary.LittleEndian.AppendUint64(b, i)
}

// float reads a float.
func (t Type) float(b []byte) float64 {
	switch t.Bits {
	case 16:
		return float64(num.F16ToF32(binary.LittleEndian.Uint16(b)))
	case 32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// epsilon returns the distance from 1 to the next float.
func (t Type) epsilon() float64 {
	return map[int]float64{16: 0x1p-10, 32: 0x1p-23, 64: 0x1p-52}[t.Bits]
}

// Tolerance is the maximum distance of a valid result from the exact one; two valid results may be twice as far apart.
type Tolerance struct {
	ULP float64 // relative tolerance, in distances between floats
	Eps float64 // absolute tolerance where sums cancel, in distances between floats at 1
	Abs float64 // absolute tolerance; for half floats at least 2^-7 if it is set
}

// Compare returns the index of the first element in which two outputs differ, or -1 if there is none.
func Compare(c *Case, x, y []byte) int {
	n := c.Output.Bits / 8
	for i := 0; i+n <= len(x); i += n {
		a, b := x[i:i+n], y[i:i+n]
		if string(a) == string(b) {
			continue
		}
		if c.Output.Kind != Float {
			return i / n
		}
		f, g := c.Output.float(a), c.Output.float(b)
		if f != f && g != g || f == g {
			continue
		}
		abs := c.Tol.Abs
		if abs != 0 && c.Output.Bits == 16 {
			abs = max(abs, 0x1p-7)
		}
		limit := 2 * (abs + c.Output.epsilon()*(c.Tol.Eps+c.Tol.ULP*max(math.Abs(f), math.Abs(g))))
		if !(math.Abs(f-g) <= limit) {
			return i / n
		}
	}
	return -1
}
