// SPDX-License-Identifier: MIT

package runner

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"jacquard.example/core/num"
)

// Scalar is the type of one number in a buffer.
type Scalar uint8

// The scalars in the order of the scalars table.
const (
	Int8 Scalar = iota
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	Float32
	Float64
)

// scalars holds the name and size of each scalar.
var scalars = [...]struct {
	name  string
	bytes int
}{
	Int8: {"int8", 1}, Int16: {"int16", 2}, Int32: {"int32", 4}, Int64: {"int64", 8},
	Uint8: {"uint8", 1}, Uint16: {"uint16", 2}, Uint32: {"uint32", 4}, Uint64: {"uint64", 8},
	Float16: {"float16", 2}, Float32: {"float", 4}, Float64: {"double", 8},
}

func (s Scalar) String() string { return scalars[s].name }

// Bytes returns the scalar's size.
func (s Scalar) Bytes() int { return scalars[s].bytes }

// IsFloat reports whether the scalar is a float.
func (s Scalar) IsFloat() bool { return s >= Float16 }

// IsSigned reports whether the scalar is a signed integer.
func (s Scalar) IsSigned() bool { return s <= Int64 }

// ScalarNamed returns the scalar type with a name in scripts.
func ScalarNamed(name string) (Scalar, bool) {
	for s, info := range scalars {
		if info.name == name {
			return Scalar(s), true
		}
	}
	return 0, false
}

// Number is a literal, parsed as an integer or as a float depending on its context. For an integer,
// Bits is its two's complement.
type Number struct {
	Bits uint64
	F    float64
}

// Literal parses text as a number of type s. why is empty on success. Integers outside both the
// signed and the unsigned range of s are rejected: -1 and 0xffffffff are both valid for a uint32.
func Literal(text string, s Scalar) (n Number, why string) {
	if s.IsFloat() {
		f, ok := ParseFloat(text)
		if !ok {
			return n, "is not a number"
		}
		return Number{F: f}, ""
	}
	bits, neg, ok := ParseInt(text)
	if !ok {
		// CTS writes FILL 0.0 for buffers of integers
		if whole, found := strings.CutSuffix(text, ".0"); found {
			bits, neg, ok = ParseInt(whole)
		}
	}
	if !ok {
		if _, float := ParseFloat(text); float {
			return n, "is not an integer in the 64-bit range, as " + s.String() + " requires"
		}
		return n, "is not a number"
	}
	width := uint(s.Bytes() * 8)
	if width < 64 {
		if neg && int64(bits) < -(1<<(width-1)) || !neg && bits >= 1<<width {
			return n, "does not fit in " + s.String()
		}
		bits &= 1<<width - 1
	}
	return Number{Bits: bits}, ""
}

// ParseInt reads a decimal or 0x literal.
func ParseInt(text string) (bits uint64, neg, ok bool) {
	if hex, is := strings.CutPrefix(text, "0x"); is {
		u, err := strconv.ParseUint(hex, 16, 64)
		return u, false, err == nil
	}
	if strings.HasPrefix(text, "-") {
		i, err := strconv.ParseInt(text, 10, 64)
		return uint64(i), i < 0, err == nil
	}
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, false, false // ParseUint would accept +1
	}
	u, err := strconv.ParseUint(text, 10, 64)
	return u, false, err == nil
}

// ParseFloat reads a decimal literal, a 0x integer or NaN in any case.
func ParseFloat(text string) (float64, bool) {
	if strings.EqualFold(text, "nan") {
		return math.NaN(), true
	}
	if strings.HasPrefix(text, "0x") {
		u, _, ok := ParseInt(text)
		return float64(u), ok
	}
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || (digits[0] < '0' || digits[0] > '9') && digits[0] != '.' ||
		strings.ContainsAny(digits, "xX_pP") {
		return 0, false // forms that Go accepts but AmberScript does not
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// Store writes n as a scalar of type s at the start of p.
func (n Number) Store(p []byte, s Scalar) {
	bits := n.Bits
	switch s {
	case Float16:
		bits = uint64(num.F64ToF16(n.F, num.NearestEven))
	case Float32:
		bits = uint64(math.Float32bits(float32(n.F)))
	case Float64:
		bits = math.Float64bits(n.F)
	}
	switch s.Bytes() {
	case 1:
		p[0] = byte(bits)
	case 2:
		binary.LittleEndian.PutUint16(p, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(bits))
	default:
		binary.LittleEndian.PutUint64(p, bits)
	}
}

// Load reads the scalar of type s at the start of p. Integers have the same form as those returned
// by Literal.
func Load(p []byte, s Scalar) Number {
	var bits uint64
	switch s.Bytes() {
	case 1:
		bits = uint64(p[0])
	case 2:
		bits = uint64(binary.LittleEndian.Uint16(p))
	case 4:
		bits = uint64(binary.LittleEndian.Uint32(p))
	default:
		bits = binary.LittleEndian.Uint64(p)
	}
	switch s {
	case Float16:
		return Number{F: float64(num.F16ToF32(uint16(bits)))}
	case Float32:
		return Number{F: float64(math.Float32frombits(uint32(bits)))}
	case Float64:
		return Number{F: math.Float64frombits(bits)}
	}
	return Number{Bits: bits}
}

// signed returns the value of an integer of type s, which must be signed.
func (n Number) signed(s Scalar) int64 {
	shift := uint(64 - s.Bytes()*8)
	return int64(n.Bits<<shift) >> shift
}

// float returns the value of a number of type s as a float64.
func (n Number) float(s Scalar) float64 {
	switch {
	case s.IsFloat():
		return n.F
	case s.IsSigned():
		return float64(n.signed(s))
	}
	return float64(n.Bits)
}

// Format formats a number of type s for a report.
func (n Number) Format(s Scalar) string {
	switch {
	case s == Float64:
		return strconv.FormatFloat(n.F, 'g', -1, 64)
	case s.IsFloat():
		return strconv.FormatFloat(n.F, 'g', -1, 32)
	case s.IsSigned():
		return strconv.FormatInt(n.signed(s), 10)
	}
	return strconv.FormatUint(n.Bits, 10)
}
