// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// compactForms are the kinds of compacted words.
var compactForms = []string{"basic", "ternary"}

func checkCompact(t *isatab.Tables, errs *diag.List, cols isatab.Columns) {
	target := map[string]map[int]string{} // by layout and form
	place := func(pos func(string) diag.Pos, full, layout, form string) (words []string) {
		if t.Resolved[layout] == nil {
			errs.Addf(pos("layout"), full, "unknown layout %q", layout)
		}
		if isatab.Index(compactForms, form) < 0 {
			errs.Addf(pos("form"), full, "unknown form %q; known are %s", form, strings.Join(compactForms, ", "))
		}
		for _, row := range t.Layouts {
			l := t.Resolved[row.Name]
			if n := l.Row.Name + "/" + form; l.Is(layout) {
				words = append(words, n)
				if target[n] == nil {
					target[n] = map[int]string{}
				}
			}
		}
		return words
	}
	claim := func(pos diag.Pos, full string, words []string, text string) int {
		spans, msg := isatab.ParseBits(text)
		if msg != "" {
			errs.Addf(pos, full, "%s", msg)
		}
		n := 0
		for _, s := range spans {
			n += s.Width()
			for b := s.Lo; b <= s.Hi; b++ {
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
		spans, msg := isatab.ParseBits(text)
		if msg == "" && (len(spans) > ranges || spans[0].Hi >= isatab.WordBits/2) {
			msg = fmt.Sprintf("%q is not one range of a %d-bit word", text, isatab.WordBits/2)
		}
		if msg != "" {
			errs.Addf(pos, full, "%s", msg)
			return 0
		}
		return isatab.FieldWidth(spans)
	}
	for _, r := range t.Copies {
		words := place(r.At, r.Full, r.Val.Layout, r.Val.Form)
		if a, b := source(r.At("from"), r.Full, r.Val.From, 1), claim(r.At("to"), r.Full, words, r.Val.To); a != b {
			errs.Addf(r.Pos, r.Full, "%d bits are copied to %d", a, b)
		}
	}
	for _, r := range t.Compacts {
		words := place(r.At, r.Full, r.Val.Layout, r.Val.Form)
		n := source(r.At("index"), r.Full, r.Val.Index, 1)
		w := claim(r.At("bits"), r.Full, words, r.Val.Bits)
		for _, p := range isatab.SortedKeys(r.Val.Entries) {
			cols.Check(errs, r.At("entries"), r.Full, p)
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
	for _, r := range t.Immediates {
		for _, words := range place(r.At, r.Full, r.Val.Layout, "basic") {
			if seen[words] != "" {
				errs.Addf(r.Pos, r.Full, "[%s] has the immediates of the layout's compacted words", seen[words])
				break
			}
			seen[words] = r.Full
		}
		source(r.At("from"), r.Full, r.Val.From, 2)
		for _, n := range append(isatab.SortedKeys(r.Val.Shift), r.Val.Signed...) {
			if typeByName(t, n) == nil {
				errs.Unknown(r.Pos, r.Full, "type", n, table.Names(t.Types))
			}
		}
	}
}

// spread moves an entry's bits to their positions in the full word. Ranges are
// listed least significant first.
func spread(entry int, text string) (w [2]uint64) {
	spans, _ := isatab.ParseBits(text)
	v := uint64(entry)
	slices.Reverse(spans)
	for _, p := range isatab.Pieces(spans) {
		w[p.Word] |= v >> p.From & (1<<p.Width - 1) << p.At
	}
	return w
}

// compactWords returns the file with, for each platform, a function that expands a
// compacted word to the full one, and its tables already spread over the two words.
func compactWords(t *isatab.Tables) (*emit.File, error) {
	f := emit.NewFile("isa", "")
	for _, p := range t.Platforms {
		if !t.HasCompact(p) {
			continue
		}
		for _, r := range t.Compacts {
			if !t.LayoutOf(p).Is(r.Val.Layout) {
				continue
			}
			var rows emit.Rows
			entries := r.Val.EntriesOf(p)
			for _, e := range entries {
				w := spread(e, r.Val.Bits)
				rows.F("{%#x, %#x},\n", w[0], w[1])
			}
			name := compactName(p, r)
			f.Table(name+": "+r.Val.Doc, name, fmt.Sprintf("[%d][2]uint64", len(entries)), &rows)
		}
		var cases []jen.Code
		for _, form := range compactForms {
			body, err := expandForm(t, p, form)
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
	for _, r := range t.Immediates {
		emitImmediate(t, f, &r.Val)
	}
	return f, nil
}

// formatsOf returns the formats of instructions whose compacted words have a form.
var formatsOf = map[string]string{"basic": "FormatBasic, FormatMath, FormatSync", "ternary": "FormatTernary"}

// compactName returns the variable of a table of compacted words.
func compactName(p *table.Row[isatab.Platform], r *table.Row[isatab.CompactRow]) string {
	return "compact" + p.Val.Go + isatab.GoName(strings.TrimPrefix(r.Name, r.Val.Layout+"_"), "")
}

// expandForm returns code that expands compacted words of a form, or nil if there are none. Fields
// that an immediate replaces come late.
func expandForm(t *isatab.Tables, p *table.Row[isatab.Platform], form string) (early []jen.Code, err error) {
	l := t.LayoutOf(p)
	var late []jen.Code
	add := func(notImm bool, code ...jen.Code) {
		if notImm {
			late = append(late, code...)
		} else {
			early = append(early, code...)
		}
	}
	for _, r := range t.Copies {
		if r.Val.Form != form || !l.Is(r.Val.Layout) {
			continue
		}
		from, at := must(isatab.ParseBits(r.Val.From)), 0
		for _, pc := range isatab.Pieces(must(isatab.ParseBits(r.Val.To))) {
			add(r.Val.NotImm, emit.Go(fmt.Sprintf("w%d |= c >> %d & %#x << %d", pc.Word, from[0].Lo+at, uint64(1)<<pc.Width-1, pc.At)))
			at += pc.Width
		}
	}
	for _, r := range t.Compacts {
		if r.Val.Form != form || !l.Is(r.Val.Layout) {
			continue
		}
		ix := must(isatab.ParseBits(r.Val.Index))[0]
		add(r.Val.NotImm, jen.Block(
			emit.Go(fmt.Sprintf("e := &%s[c>>%d&%#x]", compactName(p, r), ix.Lo, uint64(1)<<ix.Width()-1)),
			emit.Go("w0 |= e[0]"),
			emit.Go("w1 |= e[1]")))
	}
	if late == nil && early == nil {
		return nil, nil
	}
	done := emit.Return("w0, w1, decodeOK")
	if late != nil {
		put, err := isatab.Coder{T: t, L: l}.Put("imm32", "imm")
		if err != nil {
			return nil, err
		}
		imm := immediateOf(t, l)
		if imm == nil {
			return nil, l.Missing("immediate", "of compacted words")
		}
		var with []jen.Code
		mask, _ := l.Mask(map[string]int{"imm32": 0})
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
func immediateOf(t *isatab.Tables, l *isatab.Layout) *isatab.ImmediateRow {
	for _, r := range t.Immediates {
		if l.Is(r.Val.Layout) {
			return &r.Val
		}
	}
	return nil
}

func must(s []isatab.Span, _ string) []isatab.Span { return s }

// emitImmediate writes the function that extracts a compacted immediate: bits that
// are otherwise source 1's register and region.
func emitImmediate(t *isatab.Tables, f *emit.File, r *isatab.ImmediateRow) {
	l := t.Resolved[r.Layout]
	c := isatab.Coder{T: t, L: l}
	type1, _ := c.Get("src1_type")
	type0, _ := c.Get("src0_type")
	spans, _ := isatab.ParseBits(r.From)
	var parts []string
	for _, p := range isatab.Pieces(spans) {
		parts = append(parts, fmt.Sprintf("c>>%d&%#x<<%d", p.At, uint64(1)<<p.Width-1, p.From))
	}
	var cases []jen.Code
	for _, n := range isatab.SortedKeys(r.Shift) {
		cases = append(cases, emit.Case(typeName(n), emit.Go(fmt.Sprintf("v <<= %d", r.Shift[n]))))
	}
	if len(r.Signed) > 0 {
		var names []string
		for _, n := range r.Signed {
			names = append(names, typeName(n))
		}
		n := 64 - isatab.FieldWidth(spans)
		cases = append(cases, emit.Case(strings.Join(names, ", "), emit.Go(fmt.Sprintf("v = uint64(int64(v<<%d)>>%d) & 0xFFFFFFFF", n, n))))
	}
	name := "compactImm" + strings.ToUpper(r.Layout)
	f.Func(name+" returns the immediate of a compacted word whose tables say that it has\none, as encoded in the full word.",
		name+"(p Platform, w0, w1, c uint64) (uint64, bool)",
		emit.Go("var t Type"),
		emit.Switch("",
			emit.Case(c.Is("src1_imm32"), emit.Go("t = typeImmOf[p]["+type1+"]")),
			emit.Case(c.Is("src0_imm32"), emit.Go("t = typeImmOf[p]["+type0+"]")),
			emit.Default(emit.Return("0, false"))),
		emit.Go("v := "+strings.Join(parts, "|")),
		emit.Switch("t", cases...),
		emit.If("types[t].size == 2", emit.Go("v = v&0xFFFF | v&0xFFFF<<16")),
		emit.Return("v, true"))
}
