package isa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// compactForms are the kinds of compacted words.
var compactForms = []string{"basic", "ternary"}

func (t *tables) checkCompact(errs *diag.List, cols columns) {
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
						errs.Addf(pos, full, "bit %d of the full word is also set by [%s]", b, o)
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
			cols.check(errs, r.At("entries"), r.Full, p)
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
				errs.Unknown(r.Pos, r.Full, "type", n, table.Names(t.types))
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

// spread moves an entry's bits to their positions in the full word. Ranges are
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

// compactWords returns the file with, for each platform, a function that expands a
// compacted word to the full one, and its tables already spread over the two words.
func (t *tables) compactWords() (*emit.File, error) {
	f := emit.NewFile("isa", "")
	for _, p := range t.platforms {
		if !t.hasCompact(p) {
			continue
		}
		for _, r := range t.compacts {
			if !t.layoutOf(p).is(r.Val.Layout) {
				continue
			}
			var rows emit.Rows
			entries := r.Val.entries(p)
			for _, e := range entries {
				w := spread(e, r.Val.Bits)
				rows.F("{%#x, %#x},\n", w[0], w[1])
			}
			name := compactName(p, r)
			f.Table(name+": "+r.Val.Doc, name, fmt.Sprintf("[%d][2]uint64", len(entries)), &rows)
		}
		var cases []jen.Code
		for _, form := range compactForms {
			body, err := t.expandForm(p, form)
			if err != nil {
				return nil, err
			}
			if body != nil {
				cases = append(cases, emit.Case(formatsOf[form], body...))
			}
		}
		name := "expand" + p.Val.Go
		f.Func(name+" returns the full form of a compacted word.", name+"(p Platform, c uint64) (w0, w1 uint64, why decodeProblem)",
			emit.Go("op := opOf[p][c&0x7F]"),
			emit.If("op >= NumOps", emit.Return("0, 0, unknownOpcode")),
			emit.Switch("Ops[op].Format", cases...),
			emit.Return("0, 0, unknownCompact"))
	}
	for _, r := range t.immediates {
		t.emitImmediate(f, &r.Val)
	}
	return f, nil
}

// formatsOf returns the formats of instructions whose compacted words have a form.
var formatsOf = map[string]string{"basic": "FormatBasic, FormatMath, FormatSync", "ternary": "FormatTernary"}

// compactName returns the variable of a table of compacted words.
func compactName(p *table.Row[platform], r *table.Row[compactRow]) string {
	return "compact" + p.Val.Go + goName(strings.TrimPrefix(r.Name, r.Val.Layout+"_"), "")
}

// expandForm returns code that expands compacted words of a form, nil if there are none. Fields
// that an immediate replaces come late.
func (t *tables) expandForm(p *table.Row[platform], form string) (early []jen.Code, err error) {
	l := t.layoutOf(p)
	var late []jen.Code
	add := func(notImm bool, code ...jen.Code) {
		if notImm {
			late = append(late, code...)
		} else {
			early = append(early, code...)
		}
	}
	for _, r := range t.copies {
		if r.Val.Form != form || !l.is(r.Val.Layout) {
			continue
		}
		from, at := must(parseBits(r.Val.From)), 0
		for _, pc := range pieces(must(parseBits(r.Val.To))) {
			add(r.Val.NotImm, emit.Go(fmt.Sprintf("w%d |= c >> %d & %#x << %d", pc.word, from[0].lo+at, uint64(1)<<pc.width-1, pc.at)))
			at += pc.width
		}
	}
	for _, r := range t.compacts {
		if r.Val.Form != form || !l.is(r.Val.Layout) {
			continue
		}
		ix := must(parseBits(r.Val.Index))[0]
		add(r.Val.NotImm, jen.Block(
			emit.Go(fmt.Sprintf("e := &%s[c>>%d&%#x]", compactName(p, r), ix.lo, uint64(1)<<ix.width()-1)),
			emit.Go("w0 |= e[0]"),
			emit.Go("w1 |= e[1]")))
	}
	if late == nil && early == nil {
		return nil, nil
	}
	done := emit.Return("w0, w1, decodeOK")
	if late != nil {
		put, err := coder{t, l}.put("imm32", "imm")
		if err != nil {
			return nil, err
		}
		imm := t.immediateOf(l)
		if imm == nil {
			return nil, l.missing("immediate", "of compacted words")
		}
		var with []jen.Code
		mask, _ := l.mask(map[string]int{"imm32": 0})
		for i, m := range mask {
			if m != 0 {
				with = append(with, emit.Go(fmt.Sprintf("w%d &^= %#x", i, m)))
			}
		}
		with = append(append(with, put...), done)
		early = append(early, emit.If("imm, is := compactImm"+strings.ToUpper(imm.Layout)+"(p, w0, w1, c); is", with...))
	}
	return append(append(early, late...), done), nil
}

// immediateOf returns the encoding of immediates in compacted words of a layout.
func (t *tables) immediateOf(l *layout) *immediateRow {
	for _, r := range t.immediates {
		if l.is(r.Val.Layout) {
			return &r.Val
		}
	}
	return nil
}

func must(s []span, _ string) []span { return s }

// emitImmediate writes the function that extracts a compacted immediate: bits that
// are otherwise source 1's register and region.
func (t *tables) emitImmediate(f *emit.File, r *immediateRow) {
	l := t.resolved[r.Layout]
	c := coder{t, l}
	type1, _ := c.get("src1_type")
	type0, _ := c.get("src0_type")
	spans, _ := parseBits(r.From)
	var parts []string
	for _, p := range pieces(spans) {
		parts = append(parts, fmt.Sprintf("c>>%d&%#x<<%d", p.at, uint64(1)<<p.width-1, p.from))
	}
	var cases []jen.Code
	for _, n := range sortedKeys(r.Shift) {
		cases = append(cases, emit.Case(typeName(n), emit.Go(fmt.Sprintf("v <<= %d", r.Shift[n]))))
	}
	if len(r.Signed) > 0 {
		var names []string
		for _, n := range r.Signed {
			names = append(names, typeName(n))
		}
		n := 64 - fieldWidth(spans)
		cases = append(cases, emit.Case(strings.Join(names, ", "), emit.Go(fmt.Sprintf("v = uint64(int64(v<<%d)>>%d) & 0xFFFFFFFF", n, n))))
	}
	name := "compactImm" + strings.ToUpper(r.Layout)
	f.Func(name+" returns the immediate of a compacted word whose tables say that it has\none, as encoded in the full word.", name+"(p Platform, w0, w1, c uint64) (uint64, bool)",
		emit.Go("var t Type"),
		emit.Switch("",
			emit.Case(c.is("src1_imm32"), emit.Go("t = typeImmOf[p]["+type1+"]")),
			emit.Case(c.is("src0_imm32"), emit.Go("t = typeImmOf[p]["+type0+"]")),
			emit.Default(emit.Return("0, false"))),
		emit.Go("v := "+strings.Join(parts, "|")),
		emit.Switch("t", cases...),
		emit.If("types[t].size == 2", emit.Go("v = v&0xFFFF | v&0xFFFF<<16")),
		emit.Return("v, true"))
}
