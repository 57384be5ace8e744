// SPDX-License-Identifier: MIT

package isatab

import (
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// fieldRow is a field of instruction words.
type fieldRow struct {
	Doc   string `toml:"doc" doc:"Its contents." required:"true"`
	Width int    `toml:"width" doc:"Its width in bits, where it is the same in all layouts." minimum:"1"`
	Other int    `toml:"other" doc:"Another width that it has in some layouts." minimum:"1"`
}

// groupRow is a group of fields.
type groupRow struct {
	Doc   string   `toml:"doc" doc:"The common property of the fields." required:"true"`
	Needs []string `toml:"needs" doc:"The fields that a layout with the group must place." items:"^[a-z0-9_]+$"`
	May   []string `toml:"may" doc:"Fields that a layout can have in the group." items:"^[a-z0-9_]+$"`
}

// formRow is a form of instruction words.
type formRow struct {
	Doc    string   `toml:"doc" doc:"The words described." required:"true"`
	Format string   `toml:"format" doc:"The format of the opcodes whose words have the form." required:"true" enum:"basic,math,ternary,send,sends,branch,wait,sync,nop"`
	Groups []string `toml:"groups" doc:"The groups, a|b being alternatives." required:"true"`
}

// layoutRow is a layout of instruction words: which of the forms a family of machines
// has, and the positions of fields. It inherits the rest from the layout that it is like.
type layoutRow struct {
	Doc         string                       `toml:"doc" doc:"The machines meant." required:"true"`
	Like        string                       `toml:"like" doc:"The [layout] it is derived from; keys it does not have are inherited."`
	Formats     []string                     `toml:"formats" doc:"The formats of opcodes that it has words for."`
	Lacks       []string                     `toml:"lacks" doc:"Groups that its words do not have."`
	MacroRegion []int                        `toml:"macro_region" doc:"The region that words of math macros hold: vertical stride, width, horizontal stride."`
	MacroScalar bool                         `toml:"macro_scalar" doc:"Words of one lane have it too; otherwise they have a scalar region."`
	VecRegion   []int                        `toml:"vector_region" doc:"The region of vectors in three-source words that only distinguish vectors from scalars: vertical stride, horizontal stride."`
	WholeExDesc bool                         `toml:"whole_exdesc" doc:"The text has the shared function and the end of the thread in the extended descriptor."`
	SecondLen   bool                         `toml:"second_length" doc:"The text of a message has the length of the second payload with it: r30:2."`
	WordLen     []string                     `toml:"word_length" doc:"Shared functions whose messages never have a length in a register." items:"^[a-z0-9_]+$"`
	ResponseUD  bool                         `toml:"response_ud" doc:"The text of a message has the type of the response even if it is ud."`
	FromNext    []string                     `toml:"from_next" doc:"Branches whose targets count from the next instruction." items:"^[a-z]+$"`
	Far         []string                     `toml:"far" doc:"Branches whose targets are in far_jip." items:"^[a-z]+$"`
	Register    int                          `toml:"register" doc:"Bytes of a register; default: 32." enum:"32,64"`
	Barriers    bool                         `toml:"barrier_numbers" doc:"A sync that waits for a barrier can have its number."`
	BranchUnit  int                          `toml:"branch_unit" doc:"Bytes that a target counts, except in far_jip; default: 1." minimum:"1"`
	With        map[string][]string          `toml:"with" doc:"By group, the optional fields that it has."`
	Bits        map[string]string            `toml:"bits" doc:"By field, its bits, most significant range first: 43,35. Empty removes a field of the layout it is derived from."`
	When        map[string]map[string]int    `toml:"when" doc:"By group, fields with the values that distinguish the group from its alternatives."`
	Fixed       map[string]map[string]int    `toml:"fixed" doc:"By group, fields with values that are written but have no meaning."`
	Ops         map[string]map[string]int    `toml:"ops" doc:"By opcode, fields with values that are written but have no meaning."`
	Codes       map[string]map[string]int    `toml:"codes" doc:"By coding, the code of each value."`
	Scoreboard  map[string]map[string]string `toml:"scoreboard" doc:"By the instructions that have them (all, in_order, math, send), the waits of the software scoreboard, as in texts with d for a distance and t for a token, and their codes: bits, most significant first, with the digits of d and t."`
}

// Layout is a layout with the parts inherited from its like.
type Layout struct {
	Row   *table.Row[layoutRow]
	V     layoutRow
	like  *Layout           // or nil
	Spans map[string][]Span // spans of the fields
}

// Is reports whether the layout has the given name, or is like it.
func (l *Layout) Is(name string) bool { return l.Row.Name == name || l.like != nil && l.like.Is(name) }

// at returns the position of a key of a part of the row, such as bits.opcode, or of the
// row if the layout inherits it.
func (l *Layout) at(part, key string) diag.Pos { return l.Row.At(part + "." + key) }

// Has reports whether the layout places a field.
func (l *Layout) Has(field string) bool { return l.Spans[field] != nil }

// Width returns the number of bits of a field.
func (l *Layout) Width(field string) int { return FieldWidth(l.Spans[field]) }

// RegisterBits returns the number of bits of a position in a register, in bytes.
func (l *Layout) RegisterBits() int { return bits.Len(uint(max(l.V.Register, 32)) - 1) }

// Mask returns the bits of fields in the two halves of a word, and their value
// when the fields hold the given values.
func (l *Layout) Mask(values ...map[string]int) (mask, value [2]uint64) {
	for _, m := range values {
		for f, v := range m {
			for _, p := range Pieces(l.Spans[f]) {
				ones := uint64(1)<<p.Width - 1
				mask[p.Word] |= ones << p.At
				value[p.Word] |= uint64(v) >> p.From & ones << p.At
			}
		}
	}
	return mask, value
}

// Overlap reports whether two fields share a bit.
func (l *Layout) Overlap(a, b string) bool {
	ma, _ := l.Mask(map[string]int{a: 0})
	mb, _ := l.Mask(map[string]int{b: 0})
	return ma[0]&mb[0]|ma[1]&mb[1] != 0
}

// resolve completes each layout with the parts inherited from its like.
func (t *Tables) resolve(errs *diag.List) {
	t.Resolved = map[string]*Layout{}
	for _, r := range t.Layouts {
		l := &Layout{Row: r, V: r.Val}
		if r.Val.Like != "" {
			base := t.Resolved[r.Val.Like]
			if base == nil {
				errs.Addf(r.At("like"), r.Full, "no layout up to here is named %q", r.Val.Like)
			} else {
				l.like = base
				l.inherit(base)
			}
		}
		l.Spans = map[string][]Span{}
		for f, text := range l.V.Bits {
			if text == "" {
				continue
			}
			spans, msg := ParseBits(text)
			if msg != "" {
				errs.Addf(l.at("bits", f), r.Full, "%s: %s", f, msg)
				continue
			}
			l.Spans[f] = spans
		}
		t.Resolved[r.Name] = l
	}
}

func (l *Layout) inherit(base *Layout) {
	v, b := &l.V, &base.V
	if v.Formats == nil {
		v.Formats = b.Formats
	}
	if v.Lacks == nil {
		v.Lacks = b.Lacks
	}
	if v.MacroRegion == nil {
		v.MacroRegion = b.MacroRegion
	}
	if v.FromNext == nil {
		v.FromNext = b.FromNext
	}
	if v.VecRegion == nil {
		v.VecRegion = b.VecRegion
	}
	if v.Far == nil {
		v.Far = b.Far
	}
	if v.WordLen == nil {
		v.WordLen = b.WordLen
	}
	if v.Register == 0 {
		v.Register = b.Register
	}
	if v.BranchUnit == 0 {
		v.BranchUnit = b.BranchUnit
	}
	v.Barriers = v.Barriers || b.Barriers
	v.MacroScalar = v.MacroScalar || b.MacroScalar
	v.WholeExDesc = v.WholeExDesc || b.WholeExDesc
	v.SecondLen = v.SecondLen || b.SecondLen
	v.ResponseUD = v.ResponseUD || b.ResponseUD
	v.With = over(b.With, v.With)
	v.Bits = over(b.Bits, v.Bits)
	v.When = over(b.When, v.When)
	v.Fixed = over(b.Fixed, v.Fixed)
	v.Ops = over(b.Ops, v.Ops)
	v.Codes = over(b.Codes, v.Codes)
	v.Scoreboard = over(b.Scoreboard, v.Scoreboard)
}

// over returns base with the entries of m added or replaced.
func over[V any](base, m map[string]V) map[string]V {
	out := map[string]V{}
	for k, v := range base {
		out[k] = v
	}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// LayoutOf returns the layout of a platform's words.
func (t *Tables) LayoutOf(p *table.Row[Platform]) *Layout { return t.Resolved[p.Val.Layout] }

// BothModes reports whether all formats have words in access modes Align1 and Align16.
func (l *Layout) BothModes() bool { return l.HasGroup("dst16") }

// HasGroup reports whether the layout's words have a group.
func (l *Layout) HasGroup(name string) bool { return !slices.Contains(l.V.Lacks, name) }

// fieldsOf returns the fields of a group in the layout.
func (t *Tables) fieldsOf(l *Layout, group string) []string {
	var out []string
	add := func(names ...string) {
		for _, n := range names {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	for _, g := range t.groups {
		if g.Name == group {
			add(g.Val.Needs...)
		}
	}
	add(l.V.With[group]...)
	add(SortedKeys(l.V.When[group])...)
	add(SortedKeys(l.V.Fixed[group])...)
	return out
}

func byName[T any](rows []*table.Row[T]) map[string]*table.Row[T] {
	out := map[string]*table.Row[T]{}
	for _, r := range rows {
		out[r.Name] = r
	}
	return out
}

// CheckLayouts rejects layouts that are contradictory, or that lack a field that one of their forms needs.
func (t *Tables) CheckLayouts(errs *diag.List) {
	fields, groups := byName(t.fields), byName(t.groups)
	for _, g := range t.groups {
		for _, k := range []string{"needs", "may"} {
			list := g.Val.Needs
			if k == "may" {
				list = g.Val.May
			}
			for _, n := range list {
				if fields[n] == nil {
					errs.Unknown(g.At(k), g.Full, "field", n, maps.Keys(fields))
				}
			}
		}
	}
	for _, f := range t.forms {
		for _, alt := range f.Val.Groups {
			for _, g := range strings.Split(alt, "|") {
				if groups[g] == nil {
					errs.Unknown(f.At("groups"), f.Full, "group", g, maps.Keys(groups))
				}
			}
		}
	}
	for _, r := range t.Layouts {
		t.checkLayout(errs, t.Resolved[r.Name], fields, groups)
	}
}

func (t *Tables) checkLayout(errs *diag.List, l *Layout, fields map[string]*table.Row[fieldRow], groups map[string]*table.Row[groupRow]) {
	full := l.Row.Full
	for _, f := range l.V.Formats {
		if !slices.Contains(OpFormats, f) {
			errs.Unknown(l.Row.At("formats"), full, "format", f, slices.Values(OpFormats))
		}
	}
	for _, g := range l.V.Lacks {
		if groups[g] == nil {
			errs.Unknown(l.Row.At("lacks"), full, "group", g, maps.Keys(groups))
		}
	}
	for _, f := range SortedKeys(l.V.Bits) {
		if !l.Row.Has("bits." + f) { // inherited, and checked there
			continue
		}
		if fields[f] == nil {
			errs.Unknown(l.at("bits", f), full, "field", f, maps.Keys(fields))
		} else if w := fields[f].Val.Width; w != 0 && l.Has(f) && l.Width(f) != w && l.Width(f) != fields[f].Val.Other {
			errs.Addf(l.at("bits", f), full, "field %s has %d bits, not %d", f, l.Width(f), w)
		}
	}
	for _, g := range SortedKeys(l.V.With) {
		if groups[g] == nil {
			errs.Unknown(l.at("with", g), full, "group", g, maps.Keys(groups))
			continue
		}
		for _, f := range l.V.With[g] {
			if !slices.Contains(groups[g].Val.May, f) {
				errs.Unknown(l.at("with", g), full, "optional field of ["+groups[g].Full+"]", f, slices.Values(groups[g].Val.May))
			}
		}
	}
	for _, c := range []struct {
		part   string
		values map[string]map[string]int
	}{{"when", l.V.When}, {"fixed", l.V.Fixed}, {"ops", l.V.Ops}} {
		for _, g := range SortedKeys(c.values) {
			if c.part == "ops" {
				if t.opByName(g) == nil {
					errs.Unknown(l.at(c.part, g), full, "opcode", g, table.Names(t.Ops))
				}
			} else if groups[g] == nil {
				errs.Unknown(l.at(c.part, g), full, "group", g, maps.Keys(groups))
			}
			for _, f := range SortedKeys(c.values[g]) {
				if v := c.values[g][f]; !l.Has(f) {
					errs.Addf(l.at(c.part, g), full, "field %s has no bits", f)
				} else if v < 0 || v>>l.Width(f) != 0 {
					errs.Addf(l.at(c.part, g), full, "%d does not fit the %d bits of %s", v, l.Width(f), f)
				}
			}
		}
	}
	for _, k := range []struct {
		key   string
		names []string
	}{{"from_next", l.V.FromNext}, {"far", l.V.Far}} {
		for _, n := range k.names {
			if op := t.opByName(n); op == nil || op.Val.Format != "branch" {
				errs.Unknown(l.Row.At(k.key), full, "branch", n, branches(t.Ops))
			}
		}
	}
	for _, n := range l.V.WordLen {
		if !slices.ContainsFunc(t.Sfids, func(r *table.Row[Named]) bool { return r.Name == n }) {
			errs.Unknown(l.Row.At("word_length"), full, "shared function", n, table.Names(t.Sfids))
		}
	}
	if len(l.V.WordLen) > 0 && !slices.Contains(l.V.With["send_exdesc_reg"], "s_src1_len") {
		errs.Addf(l.Row.At("word_length"), full, "[group.send_exdesc_reg] has no field s_src1_len")
	}
	if r := l.V.MacroRegion; len(r) != 3 && l.HasGroup("macro") {
		errs.Addf(l.Row.At("macro_region"), full, "macro_region must have a vertical stride, a width and a horizontal stride")
	}
	if l.HasGroup("ternary_src0_scalar") && slices.Contains(l.V.Formats, "ternary") && len(l.V.VecRegion) != 2 {
		errs.Addf(l.Row.At("vector_region"), full, "vector_region must have a vertical stride and a horizontal stride")
	}
	if errs.Err() != nil {
		return
	}
	if l.HasGroup("src0_imm64") && !maps.Equal(l.V.When["src0_imm32"], l.V.When["src0_imm64"]) {
		errs.Addf(l.at("when", "src0_imm64"), full,
			"the constants of [group.src0_imm32] and [group.src0_imm64] differ; the type tells them apart")
	}
	used, reported := map[string]bool{}, map[string]bool{}
	for _, f := range t.forms {
		if slices.Contains(l.V.Formats, f.Val.Format) {
			t.checkForm(errs, f, l, used, reported)
		}
	}
	for _, f := range SortedKeys(l.Spans) {
		if !used[f] && l.Row.Has("bits."+f) {
			errs.Addf(l.at("bits", f), full, "no form of the layout has the field %s", f)
		}
	}
	if l.HasGroup("far_target") != (len(l.V.Far) > 0) {
		errs.Addf(l.Row.At("far"), full, "[group.far_target] is for the branches in far, and must be lacking without any")
	}
	t.checkCodings(errs, l)
	l.checkScoreboard(errs)
}

// branches yields the names of the opcodes that branch.
func branches(ops []*table.Row[OpRow]) iter.Seq[string] {
	return table.Names(slices.DeleteFunc(slices.Clone(ops), func(o *table.Row[OpRow]) bool { return o.Val.Format != "branch" }))
}

// checkForm tries every choice of alternatives and rejects fields that a layout
// does not place, and different ones that share a bit. Two groups of a choice may have
// the same field, and two groups of constants may require the same value of a
// bit.
func (t *Tables) checkForm(errs *diag.List, f *table.Row[formRow], l *Layout, used, reported map[string]bool) {
	choices := [][]string{nil}
	for _, alt := range f.Val.Groups {
		var have []string
		for _, g := range strings.Split(alt, "|") {
			if l.HasGroup(g) {
				have = append(have, g)
			}
		}
		if have == nil {
			if strings.Contains(alt, "|") && !reported[alt] {
				reported[alt] = true
				errs.Addf(l.Row.At("lacks"), l.Row.Full, "all alternatives of %s of [%s] are lacking", alt, f.Full)
			}
			continue
		}
		t.checkTold(errs, f, l, have, reported)
		var next [][]string
		for _, g := range have {
			for _, c := range choices {
				next = append(next, append(slices.Clone(c), g))
			}
		}
		choices = next
	}
	for _, c := range choices {
		var owner [WordBits]string
		for _, g := range c {
			for _, n := range t.fieldsOf(l, g) {
				used[n] = true
				if !l.Has(n) && !reported[n] {
					reported[n] = true
					errs.Addf(l.at("bits", n), l.Row.Full, "field %s, which [group.%s] of [%s] needs, has no bits", n, g, f.Full)
				}
				for _, s := range l.Spans[n] {
					for b := s.Lo; b <= s.Hi; b++ {
						n, o := n, owner[b]
						if o != "" && o != n && !reported[o+" "+n] {
							reported[o+" "+n], reported[n+" "+o] = true, true
							if !l.Row.Has("bits."+n) && l.Row.Has("bits."+o) {
								n, o = o, n
							}
							errs.Addf(l.at("bits", n), l.Row.Full, "bit %d of field %s also belongs to field %s in [%s]", b, n, o, f.Full)
						}
						owner[b] = n
					}
				}
			}
		}
	}
}

// otherwise are groups that a decoder distinguishes from their alternatives by something
// other than constants: by the width of the type, by the opcode.
var otherwise = map[string]bool{"src0_imm64": true, "targets2": true, "far_target": true}

// excludes reports whether a constant of group a is not a value of the field in group b,
// where it is another constant, or has the codes of a coding.
func (t *Tables) excludes(l *Layout, a, b string) bool {
	for f, v := range l.V.When[a] {
		if o, ok := l.V.When[b][f]; ok {
			if o != v {
				return true
			}
		} else if slices.Contains(t.fieldsOf(l, b), f) && l.noCode(f, v) {
			return true
		}
	}
	return false
}

// checkTold rejects alternatives that a decoder cannot distinguish.
func (t *Tables) checkTold(errs *diag.List, f *table.Row[formRow], l *Layout, groups []string, reported map[string]bool) {
	for i, a := range groups {
		for _, b := range groups[:i] {
			if otherwise[a] || otherwise[b] {
				continue
			}
			told := t.excludes(l, a, b) || t.excludes(l, b, a)
			if !told && !reported[a+"|"+b] {
				reported[a+"|"+b] = true
				errs.Addf(l.at("when", a), l.Row.Full, "nothing distinguishes [group.%s] from [group.%s] in [%s]", b, a, f.Full)
			}
		}
	}
}

func (t *Tables) opByName(name string) *table.Row[OpRow] {
	for _, r := range t.Ops {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// CheckOpForms rejects opcodes of a platform for which its layout has no words.
func (t *Tables) CheckOpForms(errs *diag.List) {
	for _, p := range t.Platforms {
		l := t.LayoutOf(p)
		if l == nil {
			continue
		}
		for _, r := range t.Ops {
			if _, ok := r.Val.Code.At(p); ok && slices.Contains(OpFormats, r.Val.Format) && !slices.Contains(l.V.Formats, r.Val.Format) {
				errs.Addf(r.At("code"), r.Full, "%s has the opcode, but [%s] has no words of format %s", p.Name, l.Row.Full, r.Val.Format)
			} else if ok && l.Has("opcode") {
				if c, _ := r.Val.Code.At(p); c>>l.Width("opcode") != 0 {
					errs.Addf(r.At("code"), r.Full, "code %#x of %s does not fit the %d bits of its opcodes", c, p.Name, l.Width("opcode"))
				}
			}
		}
	}
}

// Missing returns the error of a template that requires something that the layout lacks.
func (l *Layout) Missing(what, name string) error {
	return fmt.Errorf("%s: [%s] has no %s %q", l.Row.Pos, l.Row.Full, what, name)
}
