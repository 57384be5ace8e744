package isa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
)

// wordBits is the width of an instruction word.
const wordBits = 128

// span is a range of bits, hi >= lo.
type span struct{ hi, lo int }

func (s span) width() int { return s.hi - s.lo + 1 }

// parseBits parses "43,35" or "127:124,97:96". The message describes an error.
func parseBits(text string) ([]span, string) {
	var out []span
	var seen [wordBits]bool
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
		if lo < 0 || hi >= wordBits {
			return nil, fmt.Sprintf("%q is outside the word's %d bits", part, wordBits)
		}
		for b := lo; b <= hi; b++ {
			if seen[b] {
				return nil, fmt.Sprintf("bit %d occurs twice", b)
			}
			seen[b] = true
		}
		out = append(out, span{hi, lo})
	}
	return out, ""
}

// coder writes the straight-line code that puts fields of one layout into the
// words w0 (bits 63:0) and w1 (bits 127:64) and extracts them.
type coder struct {
	t *tables
	l *layout
}

// piece is a part of a field within one 64-bit word: width bits at word bit
// `at`, which are the field's bits from `from` on.
type piece struct{ word, at, width, from int }

func pieces(spans []span) []piece {
	var out []piece
	from := 0
	for i := len(spans) - 1; i >= 0; i-- {
		for lo := spans[i].lo; lo <= spans[i].hi; {
			end := min(spans[i].hi, lo|63)
			w := end - lo + 1
			out = append(out, piece{lo / 64, lo % 64, w, from})
			from += w
			lo = end + 1
		}
	}
	return out
}

// put ORs value, an expression of type uint64, into a field.
func (c coder) put(field, value string) (out []jen.Code, err error) {
	if !c.l.has(field) {
		return nil, c.l.missing("field", field)
	}
	ps := pieces(c.l.spans[field])
	if len(ps) > 1 {
		out = append(out, emit.Go("v := "+value))
		value = "v"
	}
	for _, p := range ps {
		v := value
		if p.from > 0 {
			v = fmt.Sprintf("(%s)>>%d", value, p.from)
		}
		out = append(out, emit.Go(fmt.Sprintf("w%d |= (%s) & %#x << %d", p.word, v, uint64(1)<<p.width-1, p.at)))
	}
	if len(ps) > 1 {
		out = []jen.Code{jen.Block(out...)}
	}
	return out, nil
}

// get returns an expression of type uint64 for a field's value.
func (c coder) get(field string) (string, error) {
	if !c.l.has(field) {
		return "", c.l.missing("field", field)
	}
	var parts []string
	for _, p := range pieces(c.l.spans[field]) {
		s := fmt.Sprintf("w%d>>%d&%#x", p.word, p.at, uint64(1)<<p.width-1)
		if p.from > 0 {
			s = fmt.Sprintf("(%s)<<%d", s, p.from)
		}
		parts = append(parts, s)
	}
	return "(" + strings.Join(parts, "|") + ")", nil
}

// mark writes a group's constants.
func (c coder) mark(group string) (out []jen.Code) {
	_, value := c.l.mask(c.l.v.When[group], c.l.v.Fixed[group])
	for i, v := range value {
		if v != 0 {
			out = append(out, emit.Go(fmt.Sprintf("w%d |= %#x", i, v)))
		}
	}
	return out
}

// is returns an expression for whether a word has the constants that distinguish a group from
// its alternatives.
func (c coder) is(group string) string {
	mask, value := c.l.mask(c.l.v.When[group])
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

// told reports whether constants distinguish a group from its alternatives.
func (c coder) told(group string) bool { return len(c.l.v.When[group]) > 0 }

// with reports whether the layout has one of the fields that a group may have.
func (c coder) with(group, field string) bool { return slices.Contains(c.l.v.With[group], field) }

// enc returns an expression for the code of value, of type uint8, in a coding; noCode
// if it has none.
func (c coder) enc(coding, value string) string {
	return fmt.Sprintf("(%sEnc[%s]-1)", codingName(coding, strings.ToUpper(c.l.row.Name)), value)
}

// dec returns an expression for the value of a field in a coding; noValue if its
// code has none.
func (c coder) dec(coding, field string) (string, error) {
	get, err := c.get(field)
	return fmt.Sprintf("%sDec[%s]", codingName(coding, strings.ToUpper(c.l.row.Name)), get), err
}

// code returns the code of a key of a coding.
func (c coder) code(coding, key string) (string, error) {
	v, ok := c.l.v.Codes[coding][key]
	if !ok {
		return "", c.l.missing("code", coding+"."+key)
	}
	return strconv.Itoa(v), nil
}

// hasCode reports whether a key of a coding has a code.
func (c coder) hasCode(coding, key string) bool {
	_, ok := c.l.v.Codes[coding][key]
	return ok
}
