package isa

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// wordBits is the width of an instruction word.
const wordBits = 128

// span is a range of bits, hi >= lo.
type span struct{ hi, lo int }

func (s span) width() int { return s.hi - s.lo + 1 }

// parseBits reads "43,35" or "127:124,97:96". A message says what is wrong.
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
			return nil, fmt.Sprintf("%q lies outside the word's %d bits", part, wordBits)
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

func (t *tables) checkFields(errs *diag.List) {
	layouts := map[string]bool{}
	for _, l := range t.layouts {
		layouts[l.Name] = true
	}
	for _, p := range t.platforms {
		if !layouts[p.Val.Layout] {
			errs.Addf(p.At("layout"), p.Full, "unknown layout %q", p.Val.Layout)
		}
	}
	fields := map[string]*table.Row[fieldRow]{}
	for _, f := range t.fields {
		fields[f.Name] = f
		for _, l := range sortedKeys(f.Val.Bits) {
			if !layouts[l] {
				errs.Addf(f.At("bits"), f.Full, "unknown layout %q", l)
			}
			if _, msg := parseBits(f.Val.Bits[l]); msg != "" {
				errs.Addf(f.At("bits"), f.Full, "%s", msg)
			}
		}
	}
	groups := map[string]*table.Row[groupRow]{}
	for _, g := range t.groups {
		groups[g.Name] = g
		for _, n := range g.Val.Fields {
			if fields[n] == nil {
				errs.Addf(g.At("fields"), g.Full, "unknown field %q", n)
			}
		}
	}
	for _, f := range t.forms {
		for _, l := range sortedKeys(layouts) {
			t.checkForm(errs, f, l, fields, groups)
		}
	}
}

// checkForm tries every choice of alternatives and refuses fields that share a
// bit. A field that two groups of a choice both name is one field.
func (t *tables) checkForm(errs *diag.List, f *table.Row[formRow], layout string, fields map[string]*table.Row[fieldRow], groups map[string]*table.Row[groupRow]) {
	choices := [][]string{nil}
	for _, alt := range f.Val.Groups {
		var next [][]string
		for _, g := range strings.Split(alt, "|") {
			if groups[g] == nil {
				errs.Addf(f.At("groups"), f.Full, "unknown group %q", g)
				return
			}
			for _, c := range choices {
				next = append(next, append(append([]string(nil), c...), g))
			}
		}
		choices = next
	}
	reported := map[string]bool{}
	for _, c := range choices {
		var owner [wordBits]string
		for _, g := range c {
			for _, n := range groups[g].Val.Fields {
				fr := fields[n]
				if fr == nil {
					continue
				}
				spans, _ := parseBits(fr.Val.Bits[layout])
				for _, s := range spans {
					for b := s.lo; b <= s.hi; b++ {
						o := owner[b]
						if o != "" && o != n && !reported[o+n] {
							reported[o+n] = true
							errs.Addf(fr.At("bits"), fr.Full, "bit %d of layout %s also belongs to [field.%s] in [%s]", b, layout, o, f.Full)
						}
						owner[b] = n
					}
				}
			}
		}
	}
}

// coder writes the straight-line code that puts fields of one layout into and
// takes them out of the words w0 (bits 63:0) and w1 (bits 127:64).
type coder struct {
	layout string
	spans  map[string][]span
	used   map[string]bool
}

func (t *tables) newCoder(layout string) *coder {
	c := &coder{layout: layout, spans: map[string][]span{}, used: map[string]bool{}}
	for _, f := range t.fields {
		if text, ok := f.Val.Bits[layout]; ok {
			c.spans[f.Name], _ = parseBits(text)
		}
	}
	return c
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

// put is a statement that ors value, an expression of type uint64, into a field.
func (c *coder) put(field, value string) (string, error) {
	spans, ok := c.spans[field]
	if !ok {
		return "", fmt.Errorf("layout %s has no field %q", c.layout, field)
	}
	c.used[field] = true
	var b strings.Builder
	ps := pieces(spans)
	if len(ps) > 1 {
		fmt.Fprintf(&b, "{\nv := %s\n", value)
		value = "v"
	}
	for _, p := range ps {
		v := value
		if p.from > 0 {
			v = fmt.Sprintf("(%s)>>%d", value, p.from)
		}
		fmt.Fprintf(&b, "w%d |= (%s) & %#x << %d\n", p.word, v, uint64(1)<<p.width-1, p.at)
	}
	if len(ps) > 1 {
		b.WriteString("}\n")
	}
	return b.String(), nil
}

// get is an expression of type uint64 for a field's value.
func (c *coder) get(field string) (string, error) {
	spans, ok := c.spans[field]
	if !ok {
		return "", fmt.Errorf("layout %s has no field %q", c.layout, field)
	}
	c.used[field] = true
	var parts []string
	for _, p := range pieces(spans) {
		s := fmt.Sprintf("w%d>>%d&%#x", p.word, p.at, uint64(1)<<p.width-1)
		if p.from > 0 {
			s = fmt.Sprintf("(%s)<<%d", s, p.from)
		}
		parts = append(parts, s)
	}
	return "(" + strings.Join(parts, "|") + ")", nil
}
