// SPDX-License-Identifier: MIT

package isatab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
)

// WordBits is the width of an instruction word.
const WordBits = 128

// Span is a range of bits, hi >= lo.
type Span struct{ Hi, Lo int }

// Width returns the number of bits.
func (s Span) Width() int { return s.Hi - s.Lo + 1 }

// ParseBits parses "43,35" or "127:124,97:96". The message describes an error.
func ParseBits(text string) ([]Span, string) {
	var out []Span
	var seen [WordBits]bool
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		h, l, two := strings.Cut(part, ":")
		if !two {
			l = h
		}
		hi, err1 := strconv.Atoi(h)
		lo, err2 := strconv.Atoi(l)
		if err1 != nil || err2 != nil || hi < lo {
			return nil, fmt.Sprintf("%q is not a range of bits hi:lo", part)
		}
		if lo < 0 || hi >= WordBits {
			return nil, fmt.Sprintf("%q is outside the word's %d bits", part, WordBits)
		}
		for b := lo; b <= hi; b++ {
			if seen[b] {
				return nil, fmt.Sprintf("bit %d occurs twice", b)
			}
			seen[b] = true
		}
		out = append(out, Span{hi, lo})
	}
	return out, ""
}

// Coder writes the straight-line code that puts fields of one layout into the
// words w0 (bits 63:0) and w1 (bits 127:64) and extracts them.
type Coder struct {
	T *Tables
	L *Layout
}

// piece is a part of a field within one 64-bit word: width bits at word bit
// `at`, which are the field's bits starting at `from`.
type piece struct{ Word, At, Width, From int }

// Pieces returns the pieces of a field, starting with its lowest bits. No piece crosses a half of a word.
func Pieces(spans []Span) []piece {
	var out []piece
	from := 0
	for i := len(spans) - 1; i >= 0; i-- {
		for lo := spans[i].Lo; lo <= spans[i].Hi; {
			end := min(spans[i].Hi, lo|63)
			w := end - lo + 1
			out = append(out, piece{lo / 64, lo % 64, w, from})
			from += w
			lo = end + 1
		}
	}
	return out
}

// Put ORs value, an expression of type uint64, into a field.
func (c Coder) Put(field, value string) (out []jen.Code, err error) {
	if !c.L.Has(field) {
		return nil, c.L.Missing("field", field)
	}
	ps := Pieces(c.L.Spans[field])
	if len(ps) > 1 {
		out = append(out, emit.Go("v := "+value))
		value = "v"
	}
	for _, p := range ps {
		v := value
		if p.From > 0 {
			v = fmt.Sprintf("(%s)>>%d", value, p.From)
		}
		out = append(out, emit.Go(fmt.Sprintf("w%d |= (%s) & %#x << %d", p.Word, v, uint64(1)<<p.Width-1, p.At)))
	}
	if len(ps) > 1 {
		out = []jen.Code{jen.Block(out...)}
	}
	return out, nil
}

// Get returns an expression of type uint64 for a field's value.
func (c Coder) Get(field string) (string, error) {
	if !c.L.Has(field) {
		return "", c.L.Missing("field", field)
	}
	var parts []string
	for _, p := range Pieces(c.L.Spans[field]) {
		s := fmt.Sprintf("w%d>>%d&%#x", p.Word, p.At, uint64(1)<<p.Width-1)
		if p.From > 0 {
			s = fmt.Sprintf("(%s)<<%d", s, p.From)
		}
		parts = append(parts, s)
	}
	return "(" + strings.Join(parts, "|") + ")", nil
}

// Mark writes a group's constants.
func (c Coder) Mark(group string) (out []jen.Code) {
	_, value := c.L.Mask(c.L.V.When[group], c.L.V.Fixed[group])
	for i, v := range value {
		if v != 0 {
			out = append(out, emit.Go(fmt.Sprintf("w%d |= %#x", i, v)))
		}
	}
	return out
}

// Is returns an expression for whether a word has the constants that distinguish a group from
// its alternatives.
func (c Coder) Is(group string) string {
	mask, value := c.L.Mask(c.L.V.When[group])
	var out []string
	for i, m := range mask {
		if m != 0 {
			out = append(out, fmt.Sprintf("w%d&%#x == %#x", i, m, value[i]))
		}
	}
	if out == nil {
		return "true"
	}
	return "(" + strings.Join(out, " && ") + ")"
}

// Told reports whether constants distinguish a group from its alternatives.
func (c Coder) Told(group string) bool { return len(c.L.V.When[group]) > 0 }

// With reports whether the layout has one of the fields that a group may have.
func (c Coder) With(group, field string) bool { return slices.Contains(c.L.V.With[group], field) }

// Enc returns an expression for the code of value, of type uint8, in a coding; noCode
// if it has none.
func (c Coder) Enc(coding, value string) string {
	return fmt.Sprintf("(%sEnc[%s]-1)", codingName(coding, strings.ToUpper(c.L.Row.Name)), value)
}

// Dec returns an expression for the value of a field in a coding; noValue if its
// code has none.
func (c Coder) Dec(coding, field string) (string, error) {
	get, err := c.Get(field)
	return fmt.Sprintf("%sDec[%s]", codingName(coding, strings.ToUpper(c.L.Row.Name)), get), err
}

// Code returns the code of a key of a coding.
func (c Coder) Code(coding, key string) (string, error) {
	v, ok := c.L.V.Codes[coding][key]
	if !ok {
		return "", c.L.Missing("code", coding+"."+key)
	}
	return strconv.Itoa(v), nil
}

// HasCode reports whether a key of a coding has a code.
func (c Coder) HasCode(coding, key string) bool {
	_, ok := c.L.V.Codes[coding][key]
	return ok
}

// FieldWidth returns the number of bits of spans.
func FieldWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += s.Width()
	}
	return n
}
