// SPDX-License-Identifier: MIT

package piglit

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// scalar is a type of numbers in commands.
type scalar struct {
	bytes  int
	float  bool
	signed bool
}

var scalars = map[string]scalar{
	"int": {4, false, true}, "uint": {4, false, false}, "float": {4, true, true}, "double": {8, true, true},
	"int64": {8, false, true}, "uint64": {8, false, false}, "int64_t": {8, false, true}, "uint64_t": {8, false, false},
	"bool": {4, false, false},
}

var (
	vectorType = regexp.MustCompile(`^(i|u|d|b|i64|u64)?vec([234])$`)
	matrixType = regexp.MustCompile(`^(d)?mat([234])(?:x([234]))?$`)
	prefixes   = map[string]string{"": "float", "i": "int", "u": "uint", "d": "double", "b": "bool", "i64": "int64", "u64": "uint64"}
)

// shapeOf splits a type's name into its scalar, columns and rows.
func shapeOf(name string) (s scalar, columns, rows int, ok bool) {
	if s, ok := scalars[name]; ok {
		return s, 1, 1, true
	}
	if m := vectorType.FindStringSubmatch(name); m != nil {
		return scalars[prefixes[m[1]]], 1, int(m[2][0] - '0'), true
	}
	if m := matrixType.FindStringSubmatch(name); m != nil {
		columns = int(m[2][0] - '0')
		rows = columns
		if m[3] != "" {
			rows = int(m[3][0] - '0')
		}
		return scalars[prefixes[m[1]]], columns, rows, true
	}
	return s, 0, 0, false
}

// parse reads a number as bytes. A float may be written as its bits in
// hexadecimal.
func (s scalar) parse(word string) ([]byte, error) {
	var bits uint64
	switch {
	case s.float && len(word) > 2 && word[:2] == "0x":
		b, err := strconv.ParseUint(word[2:], 16, s.bytes*8)
		if err != nil {
			return nil, err
		}
		bits = b
	case s.float:
		f, err := strconv.ParseFloat(strings.TrimSuffix(word, ";"), s.bytes*8)
		if err != nil && !math.IsInf(f, 0) {
			return nil, err
		}
		if bits = math.Float64bits(f); s.bytes == 4 {
			bits = uint64(math.Float32bits(float32(f)))
		}
	case len(word) > 0 && word[0] == '-':
		i, err := strconv.ParseInt(word, 0, s.bytes*8)
		if err != nil {
			return nil, err
		}
		bits = uint64(i)
	default:
		if !s.signed {
			word = strings.TrimSuffix(word, "u")
		}
		u, err := strconv.ParseUint(word, 0, 64) // bits beyond the type's size do not count
		if err != nil {
			return nil, err
		}
		bits = u
	}
	return binary.LittleEndian.AppendUint64(nil, bits)[:s.bytes], nil
}

func (s scalar) parseAll(words []string) (data []byte, err error) {
	for _, w := range words {
		b, err := s.parse(w)
		if err != nil {
			return nil, err
		}
		data = append(data, b...)
	}
	return data, nil
}

// compare applies a command's comparison to two numbers.
func (s scalar) compare(got, want []byte, op string) (bool, error) {
	var c int
	switch {
	case s.float && s.bytes == 4:
		x, y := math.Float32frombits(binary.LittleEndian.Uint32(got)), math.Float32frombits(binary.LittleEndian.Uint32(want))
		c = order(float64(x), float64(y))
	case s.float:
		c = order(math.Float64frombits(binary.LittleEndian.Uint64(got)), math.Float64frombits(binary.LittleEndian.Uint64(want)))
	case s.signed:
		c = order(signed(got), signed(want))
	default:
		c = order(unsigned(got), unsigned(want))
	}
	switch op {
	case "==":
		return c == 0, nil
	case "!=":
		return c != 0, nil
	case "<":
		return c < 0, nil
	case ">":
		return c > 0 && c != 2, nil
	case "<=":
		return c <= 0, nil
	case ">=":
		return c >= 0 && c != 2, nil
	}
	return false, fmt.Errorf("unknown comparison %q", op)
}

// order returns -1, 0 or 1, or 2 for unordered operands.
func order[T int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return 2
}

func unsigned(b []byte) uint64 {
	var w [8]byte
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:])
}

func signed(b []byte) int64 {
	u := unsigned(b)
	return int64(u<<(64-8*len(b))) >> (64 - 8*len(b))
}
