package isa

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// compactForms are the kinds of compacted words.
var compactForms = []string{"basic", "ternary"}

func (t *tables) checkCompact(errs *diag.List, cols map[string]bool) {
	target := map[string]map[int]string{"basic": {}, "ternary": {}}
	claim := func(pos diag.Pos, full, form, text string) int {
		if index(compactForms, form) < 0 {
			errs.Addf(pos, full, "unknown form %q; known are %s", form, strings.Join(compactForms, ", "))
			return 0
		}
		spans, msg := parseBits(text)
		if msg != "" {
			errs.Addf(pos, full, "%s", msg)
		}
		n := 0
		for _, s := range spans {
			n += s.width()
			for b := s.lo; b <= s.hi; b++ {
				if o := target[form][b]; o != "" {
					errs.Addf(pos, full, "bit %d of the full word is also given by [%s]", b, o)
				}
				target[form][b] = full
			}
		}
		return n
	}
	source := func(pos diag.Pos, full, text string) int {
		spans, msg := parseBits(text)
		if msg == "" && (len(spans) != 1 || spans[0].hi >= wordBits/2) {
			msg = fmt.Sprintf("%q is not one range of a word of %d bits", text, wordBits/2)
		}
		if msg != "" {
			errs.Addf(pos, full, "%s", msg)
			return 0
		}
		return spans[0].width()
	}
	for _, r := range t.copies {
		if a, b := source(r.At("from"), r.Full, r.Val.From), claim(r.At("to"), r.Full, r.Val.Form, r.Val.To); a != b {
			errs.Addf(r.Pos, r.Full, "%d bits are copied to %d", a, b)
		}
	}
	for _, r := range t.compacts {
		n := source(r.At("index"), r.Full, r.Val.Index)
		w := claim(r.At("bits"), r.Full, r.Val.Form, r.Val.Bits)
		for _, p := range sortedKeys(r.Val.Entries) {
			if !cols[p] {
				errs.Addf(r.At("entries"), r.Full, "unknown platform or family %q", p)
			}
			if len(r.Val.Entries[p]) != 1<<n {
				errs.Addf(r.At("entries"), r.Full, "%d entries of %s, but the index has %d bits", len(r.Val.Entries[p]), p, n)
			}
			for i, e := range r.Val.Entries[p] {
				if e < 0 || e>>w != 0 {
					errs.Addf(r.At("entries"), r.Full, "entry %d of %s does not fit %d bits", i, p, w)
				}
			}
		}
	}
}

func (r *compactRow) entries(p *table.Row[platform]) []int {
	if e, ok := r.Entries[p.Name]; ok {
		return e
	}
	return r.Entries[p.Val.Family]
}

// hasCompact reports whether every table has the platform's entries.
func (t *tables) hasCompact(p *table.Row[platform]) bool {
	for _, r := range t.compacts {
		if r.Val.entries(p) == nil {
			return false
		}
	}
	return len(t.compacts) > 0
}

// spread puts an entry's bits where they belong in the full word. Ranges are
// listed least significant first.
func spread(entry int, text string) (w [2]uint64) {
	spans, _ := parseBits(text)
	v := uint64(entry)
	slices.Reverse(spans)
	for _, p := range pieces(spans) {
		w[p.word] |= v >> p.from & (1<<p.width - 1) << p.at
	}
	return w
}

// emitCompact writes, for each platform, a function that expands a compacted
// word into the full one, and its tables already spread over the two words.
func (t *tables) emitCompact(b *bytes.Buffer) {
	b.WriteString("package isa\n\n")
	for _, p := range t.platforms {
		if !t.hasCompact(p) {
			continue
		}
		name := func(r *table.Row[compactRow]) string { return "compact" + p.Val.Go + goName(r.Name, "") }
		for _, r := range t.compacts {
			es := r.Val.entries(p)
			fmt.Fprintf(b, "// %s: %s\nvar %s = [%d][2]uint64{\n", name(r), r.Val.Doc, name(r), len(es))
			for _, e := range es {
				w := spread(e, r.Val.Bits)
				fmt.Fprintf(b, "\t{%#x, %#x},\n", w[0], w[1])
			}
			b.WriteString("}\n\n")
		}
		fmt.Fprintf(b, `// expand%s gives the full form of a compacted word.
func expand%s(p Platform, c uint64) (w0, w1 uint64, why decodeProblem) {
	op := opOf[p][c&0x7F]
	if op >= NumOps {
		return 0, 0, unknownOpcode
	}
	switch Ops[op].Format {
`, p.Val.Go, p.Val.Go)
		for _, form := range compactForms {
			if form == "ternary" {
				b.WriteString("\tcase FormatTernary:\n")
			} else {
				b.WriteString("\tcase FormatBasic, FormatMath, FormatSync:\n")
			}
			for _, r := range t.copies {
				if r.Val.Form == form {
					from, _ := parseBits(r.Val.From)
					to, _ := parseBits(r.Val.To)
					fmt.Fprintf(b, "\t\tw%d |= c >> %d & %#x << %d\n", to[0].lo/64, from[0].lo, uint64(1)<<from[0].width()-1, to[0].lo%64)
				}
			}
			late := ""
			for _, r := range t.compacts {
				if r.Val.Form != form {
					continue
				}
				ix, _ := parseBits(r.Val.Index)
				load := fmt.Sprintf("\t\t{\n\t\t\te := &%s[c>>%d&%#x]\n\t\t\tw0 |= e[0]\n\t\t\tw1 |= e[1]\n\t\t}\n", name(r), ix[0].lo, uint64(1)<<ix[0].width()-1)
				if r.Name == "basic_src1" {
					late = load
					continue
				}
				b.WriteString(load)
			}
			if late != "" {
				fmt.Fprintf(b, "\t\tif imm, is := compactImm(p, w0, w1, c); is {\n\t\t\tw1 = w1&0xFFFFFFFF | imm<<32\n\t\t\treturn w0, w1, decodeOK\n\t\t}\n%s", late)
			}
			b.WriteString("\t\treturn w0, w1, decodeOK\n")
		}
		b.WriteString("\t}\n\treturn 0, 0, unknownCompact\n}\n\n")
	}
	b.WriteString(t.compactImm())
}

// compactImm is the function that finds a compacted immediate: the 12 bits that
// otherwise are source 1's register and region.
func (t *tables) compactImm() string {
	c := t.newCoder(t.platforms[0].Val.Layout)
	get := func(f string) string {
		s, err := c.get(f)
		if err != nil {
			return "0"
		}
		return s
	}
	return fmt.Sprintf(`// compactImm is the immediate of a compacted word whose tables say that it has
// one. Its 12 bits are extended by the type: integers by sign or zero, floats
// get zeros below.
func compactImm(p Platform, w0, w1, c uint64) (uint64, bool) {
	var t Type
	switch {
	case %s != 0:
		t = typeImmOf[p][%s]
	case %s != 0:
		t = typeImmOf[p][%s]
	default:
		return 0, false
	}
	v := c >> 52
	switch t {
	case TypeF:
		v <<= 20
	case TypeHF:
		v <<= 4
	case TypeD, TypeW:
		v = uint64(int64(v<<52)>>52) & 0xFFFFFFFF
	}
	if types[t].size == 2 {
		v = v&0xFFFF | v&0xFFFF<<16
	}
	return v, true
}
`, get("src1_imm"), get("src1_type"), get("src0_imm"), get("src0_type"))
}
