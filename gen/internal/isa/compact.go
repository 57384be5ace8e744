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
	target := map[string]map[int]string{} // by layout and form
	place := func(pos func(string) diag.Pos, full, layout, form string) (words []string) {
		if t.resolved[layout] == nil {
			errs.Addf(pos("layout"), full, "unknown layout %q", layout)
		}
		if index(compactForms, form) < 0 {
			errs.Addf(pos("form"), full, "unknown form %q; known are %s", form, strings.Join(compactForms, ", "))
		}
		for _, row := range t.layouts {
			l := t.resolved[row.Name]
			if n := l.row.Name + "/" + form; l.is(layout) {
				words = append(words, n)
				if target[n] == nil {
					target[n] = map[int]string{}
				}
			}
		}
		return words
	}
	claim := func(pos diag.Pos, full string, words []string, text string) int {
		spans, msg := parseBits(text)
		if msg != "" {
			errs.Addf(pos, full, "%s", msg)
		}
		n := 0
		for _, s := range spans {
			n += s.width()
			for b := s.lo; b <= s.hi; b++ {
				said := ""
				for _, w := range words {
					if o := target[w][b]; o != "" && o != said {
						errs.Addf(pos, full, "bit %d of the full word is also given by [%s]", b, o)
						said = o
					}
					target[w][b] = full
				}
			}
		}
		return n
	}
	source := func(pos diag.Pos, full, text string, ranges int) int {
		spans, msg := parseBits(text)
		if msg == "" && (len(spans) > ranges || spans[0].hi >= wordBits/2) {
			msg = fmt.Sprintf("%q is not one range of a word of %d bits", text, wordBits/2)
		}
		if msg != "" {
			errs.Addf(pos, full, "%s", msg)
			return 0
		}
		return fieldWidth(spans)
	}
	for _, r := range t.copies {
		words := place(r.At, r.Full, r.Val.Layout, r.Val.Form)
		if a, b := source(r.At("from"), r.Full, r.Val.From, 1), claim(r.At("to"), r.Full, words, r.Val.To); a != b {
			errs.Addf(r.Pos, r.Full, "%d bits are copied to %d", a, b)
		}
	}
	for _, r := range t.compacts {
		words := place(r.At, r.Full, r.Val.Layout, r.Val.Form)
		n := source(r.At("index"), r.Full, r.Val.Index, 1)
		w := claim(r.At("bits"), r.Full, words, r.Val.Bits)
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
	seen := map[string]string{}
	for _, r := range t.immediates {
		for _, words := range place(r.At, r.Full, r.Val.Layout, "basic") {
			if seen[words] != "" {
				errs.Addf(r.Pos, r.Full, "[%s] has the immediates of the layout's compacted words", seen[words])
				break
			}
			seen[words] = r.Full
		}
		source(r.At("from"), r.Full, r.Val.From, 2)
		for _, n := range append(sortedKeys(r.Val.Shift), r.Val.Signed...) {
			if t.typeByName(n) == nil {
				errs.Addf(r.Pos, r.Full, "unknown type %q", n)
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

// hasCompact reports whether the platform has compacted words: there are tables for
// its layout, and each has its entries.
func (t *tables) hasCompact(p *table.Row[platform]) bool {
	any := false
	for _, r := range t.compacts {
		if l := t.layoutOf(p); l == nil || !l.is(r.Val.Layout) {
			continue
		}
		if r.Val.entries(p) == nil {
			return false
		}
		any = true
	}
	return any
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
func (t *tables) emitCompact(b *bytes.Buffer) error {
	b.WriteString("package isa\n\n")
	for _, p := range t.platforms {
		if !t.hasCompact(p) {
			continue
		}
		l := t.layoutOf(p)
		name := func(r *table.Row[compactRow]) string {
			return "compact" + p.Val.Go + goName(strings.TrimPrefix(r.Name, r.Val.Layout+"_"), "")
		}
		for _, r := range t.compacts {
			if !l.is(r.Val.Layout) {
				continue
			}
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
			var early, late bytes.Buffer
			any := false
			for _, r := range t.copies {
				if r.Val.Form != form || !l.is(r.Val.Layout) {
					continue
				}
				any = true
				to := &early
				if r.Val.NotImm {
					to = &late
				}
				at := 0
				for _, pc := range pieces(must(parseBits(r.Val.To))) {
					from, _ := parseBits(r.Val.From)
					fmt.Fprintf(to, "\t\tw%d |= c >> %d & %#x << %d\n", pc.word, from[0].lo+at, uint64(1)<<pc.width-1, pc.at)
					at += pc.width
				}
			}
			for _, r := range t.compacts {
				if r.Val.Form != form || !l.is(r.Val.Layout) {
					continue
				}
				any = true
				to := &early
				if r.Val.NotImm {
					to = &late
				}
				ix, _ := parseBits(r.Val.Index)
				fmt.Fprintf(to, "\t\t{\n\t\t\te := &%s[c>>%d&%#x]\n\t\t\tw0 |= e[0]\n\t\t\tw1 |= e[1]\n\t\t}\n", name(r), ix[0].lo, uint64(1)<<ix[0].width()-1)
			}
			if !any {
				continue
			}
			formats := "FormatTernary"
			if form == "basic" {
				formats = "FormatBasic, FormatMath, FormatSync"
			}
			fmt.Fprintf(b, "\tcase %s:\n%s", formats, early.String())
			if late.Len() > 0 {
				mask, _ := l.mask(map[string]int{"imm32": 0})
				put, err := coder{t, l}.put("imm32", "imm")
				if err != nil {
					return err
				}
				imm := t.immediateOf(l)
				if imm == nil {
					return l.missing("immediate", "of compacted words")
				}
				fmt.Fprintf(b, "\t\tif imm, is := compactImm%s(p, w0, w1, c); is {\n", strings.ToUpper(imm.Layout))
				for i, m := range mask {
					if m != 0 {
						fmt.Fprintf(b, "w%d &^= %#x\n", i, m)
					}
				}
				fmt.Fprintf(b, "%s\t\t\treturn w0, w1, decodeOK\n\t\t}\n%s", put, late.String())
			}
			b.WriteString("\t\treturn w0, w1, decodeOK\n")
		}
		b.WriteString("\t}\n\treturn 0, 0, unknownCompact\n}\n\n")
	}
	for _, r := range t.immediates {
		t.emitImmediate(b, &r.Val)
	}
	return nil
}

// immediateOf is how compacted words of a layout hold immediates.
func (t *tables) immediateOf(l *layout) *immediateRow {
	for _, r := range t.immediates {
		if l.is(r.Val.Layout) {
			return &r.Val
		}
	}
	return nil
}

func must(s []span, _ string) []span { return s }

// emitImmediate writes the function that finds a compacted immediate: bits that
// otherwise are source 1's register and region.
func (t *tables) emitImmediate(b *bytes.Buffer, r *immediateRow) {
	l := t.resolved[r.Layout]
	c := coder{t, l}
	type1, _ := c.get("src1_type")
	type0, _ := c.get("src0_type")
	spans, _ := parseBits(r.From)
	var parts []string
	for _, p := range pieces(spans) {
		parts = append(parts, fmt.Sprintf("c>>%d&%#x<<%d", p.at, uint64(1)<<p.width-1, p.from))
	}
	fmt.Fprintf(b, `// compactImm%s is the immediate of a compacted word whose tables say that it has
// one, as it stands in the full word.
func compactImm%[1]s(p Platform, w0, w1, c uint64) (uint64, bool) {
	var t Type
	switch {
	case %s:
		t = typeImmOf[p][%s]
	case %s:
		t = typeImmOf[p][%s]
	default:
		return 0, false
	}
	v := %s
	switch t {
`, strings.ToUpper(r.Layout), c.is("src1_imm32"), type1, c.is("src0_imm32"), type0, strings.Join(parts, "|"))
	for _, n := range sortedKeys(r.Shift) {
		fmt.Fprintf(b, "\tcase Type%s:\n\t\tv <<= %d\n", strings.ToUpper(n), r.Shift[n])
	}
	if len(r.Signed) > 0 {
		var names []string
		for _, n := range r.Signed {
			names = append(names, "Type"+strings.ToUpper(n))
		}
		n := 64 - fieldWidth(spans)
		fmt.Fprintf(b, "\tcase %s:\n\t\tv = uint64(int64(v<<%d)>>%d) & 0xFFFFFFFF\n", strings.Join(names, ", "), n, n)
	}
	b.WriteString(`	}
	if types[t].size == 2 {
		v = v&0xFFFF | v&0xFFFF<<16
	}
	return v, true
}

`)
}
