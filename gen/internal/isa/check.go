// SPDX-License-Identifier: MIT

package isa

import (
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// check rejects contradictory tables.
func check(t *isatab.Tables) error {
	var errs diag.List
	cols := isatab.Columns{}
	for _, f := range t.Families {
		cols[f.Name] = true
	}
	for _, p := range t.Platforms {
		if !cols[p.Val.Family] {
			errs.Unknown(p.At("family"), p.Full, "family", p.Val.Family, table.Names(t.Families))
		}
	}
	for _, p := range t.Platforms {
		cols[p.Name] = true
	}
	if len(t.Platforms) == 0 {
		errs.Addf(diag.Pos{File: isatab.Dir}, "", "no [platform] row")
	}
	for _, p := range t.Platforms {
		if t.LayoutOf(p) == nil {
			errs.Unknown(p.At("layout"), p.Full, "layout", p.Val.Layout, table.Names(t.Layouts))
		}
	}
	for _, check := range []func(){ // each relies on the previous ones
		func() { t.CheckDevices(&errs); t.CheckRegFiles(&errs) },
		func() { t.CheckLayouts(&errs) },
		func() {
			for _, e := range enumerations(t) {
				checkCoded(t, &errs, cols, e)
			}
			checkNamed(t, &errs, cols, t.Arfs, 255)
			checkSame(t, &errs, t.Arfs)
			checkTypes(t, &errs, cols)
			descriptors.CheckLacks(t, &errs, cols)
			t.CheckSurfaceFormats(&errs, cols)
		},
		func() { checkOps(t, &errs, cols) },
		func() { t.CheckOpForms(&errs); checkRestricts(t, &errs, cols) },
		func() { checkCompact(t, &errs, cols); descriptors.CheckColumns(t, &errs, cols) },
	} {
		if check(); errs.Err() != nil {
			break
		}
	}
	return errs.Err()
}

// column rejects a misspelled column and a code that does not fit.
func column(errs *diag.List, pos diag.Pos, full string, cols isatab.Columns, c isatab.Codes, limit int) {
	for _, k := range isatab.SortedKeys(c) {
		cols.Check(errs, pos, full, k)
		if c[k] < -1 || c[k] > limit {
			errs.Addf(pos, full, "code %d of %s is not in 0..%d", c[k], k, limit)
		}
	}
}

// unique reports a code that an earlier row of the platform already has, once for two rows.
type unique map[string]map[int]string

func (u unique) add(errs *diag.List, pos diag.Pos, full, what, platform string, code int) {
	key := what + "/" + platform
	if u[key] == nil {
		u[key] = map[int]string{}
	}
	if old, dup := u[key][code]; dup {
		pair := full + " " + old
		if u[pair] != nil {
			return
		}
		u[pair] = map[int]string{}
		errs.Addf(pos, full, "%s %#x on %s is already used by [%s]", what, code, platform, old)
		return
	}
	u[key][code] = full
}

func checkNamed(t *isatab.Tables, errs *diag.List, cols isatab.Columns, rows []*table.Row[isatab.Named], limit int) {
	u := unique{}
	for _, r := range rows {
		column(errs, r.At("code"), r.Full, cols, r.Val.Code, limit)
		for _, p := range t.Platforms {
			if c, ok := r.Val.Code.At(p); ok {
				u.add(errs, r.At("code"), r.Full, "code", p.Name, c)
			}
		}
	}
}

// checkSame rejects codes of architecture registers that differ between platforms: machine IR contains these codes.
func checkSame(t *isatab.Tables, errs *diag.List, rows []*table.Row[isatab.Named]) {
	for _, r := range rows {
		same, _ := t.AnyCode(r.Val.Code)
		for _, p := range t.Platforms {
			if c, ok := r.Val.Code.At(p); ok && c != same {
				errs.Addf(r.At("code"), r.Full,
					"code %d of %s differs from %d of an earlier platform; codes of architecture registers are the same "+
						"everywhere", c, p.Name, same)
			}
		}
	}
}

func checkTypes(t *isatab.Tables, errs *diag.List, cols isatab.Columns) {
	u := unique{}
	fits := func(r *table.Row[isatab.TypeRow], key string, p *table.Row[isatab.Platform], code int, field string) {
		if l := t.LayoutOf(p); l != nil && l.Has(field) && code>>l.Width(field) != 0 {
			errs.Addf(r.At(key), r.Full, "%s %d of %s does not fit the %d bits of %s in [%s]", key, code, p.Name, l.Width(field), field,
				l.Row.Full)
		}
	}
	for _, r := range t.Types {
		v := &r.Val
		column(errs, r.At("code"), r.Full, cols, v.Code, 15)
		column(errs, r.At("imm"), r.Full, cols, v.Imm, 15)
		column(errs, r.At("ternary"), r.Full, cols, v.Ternary, 7)
		if v.Elem != "" && typeByName(t, v.Elem) == nil {
			errs.Unknown(r.At("elem"), r.Full, "type", v.Elem, table.Names(t.Types))
		}
		for _, p := range t.Platforms {
			if c, ok := v.Code.At(p); ok {
				u.add(errs, r.At("code"), r.Full, "code", p.Name, c)
				fits(r, "code", p, c, "dst_type")
			}
			if c, ok := v.Imm.At(p); ok {
				u.add(errs, r.At("imm"), r.Full, "imm", p.Name, c)
				fits(r, "imm", p, c, "src0_type")
			}
			if c, ok := v.Ternary.At(p); ok {
				fits(r, "ternary", p, c, "t_dst_type")
				class := 0
				if v.Float && t.LayoutOf(p) != nil && t.LayoutOf(p).Has("t_class") {
					class = 8
				}
				u.add(errs, r.At("ternary"), r.Full, "ternary", p.Name, c|class)
			}
		}
	}
	for _, r := range t.Typesets {
		for _, n := range r.Val.Types {
			if typeByName(t, n) == nil {
				errs.Unknown(r.At("types"), r.Full, "type", n, table.Names(t.Types))
			}
		}
	}
}

func typeByName(t *isatab.Tables, name string) *table.Row[isatab.TypeRow] {
	for _, r := range t.Types {
		if r.Name == name {
			return r
		}
	}
	return nil
}

func checkOps(t *isatab.Tables, errs *diag.List, cols isatab.Columns) {
	u := unique{}
	for _, r := range t.Ops {
		v := &r.Val
		column(errs, r.At("code"), r.Full, cols, v.Code, 127)
		for _, p := range t.Platforms {
			if c, ok := v.Code.At(p); ok {
				u.add(errs, r.At("code"), r.Full, "code", p.Name, c)
			}
		}
		if v.Src < 0 || v.Src > 3 || v.Format == "ternary" && v.Src != 3 || v.Format == "basic" && (v.Src < 1 || v.Src > 2) {
			errs.Addf(r.At("src"), r.Full, "%d sources do not fit format %s", v.Src, v.Format)
		}
		if v.Targets < 0 || v.Targets > 2 || v.Targets != 0 && v.Format != "branch" {
			errs.Addf(r.At("targets"), r.Full, "%d branch targets do not fit format %s", v.Targets, v.Format)
		}
		cols.Check(errs, r.At("sat_on"), r.Full, v.SatOn...)
		if cols.Check(errs, r.At("jip_on"), r.Full, v.JIPOn...); v.JIPOn != nil && v.Targets != 2 {
			errs.Addf(r.At("jip_on"), r.Full, "an opcode of %d targets cannot have only the first of two", v.Targets)
		}
		for _, sig := range v.Types {
			s, err := signature(t, sig, v.Src)
			if err != "" {
				errs.Addf(r.At("types"), r.Full, "%s", err)
			}
			cols.Check(errs, r.At("types"), r.Full, s.on...)
		}
	}
}

// sig is one allowed combination of types: bit sets indexed by the type's row.
type sig struct {
	on  []string // platforms and families, or nil for all
	dst uint32
	src [3]uint32
}

// signature parses "dst <- src0 src1": every part is a comma-separated list of
// types and typesets, optionally preceded by a list of platforms and families and a colon. The
// message describes an error.
func signature(t *isatab.Tables, text string, nsrc int) (sig, string) {
	var s sig
	if on, rest, ok := strings.Cut(text, ":"); ok {
		s.on, text = strings.Split(on, ","), rest
	}
	d, rest, ok := strings.Cut(text, "<-")
	if !ok {
		return s, "types must read \"destination <- sources\""
	}
	set, msg := typeBits(t, strings.TrimSpace(d))
	if msg != "" {
		return s, msg
	}
	s.dst = set
	parts := strings.Fields(rest)
	if len(parts) == 0 || len(parts) > 3 || len(parts) > nsrc {
		return s, "types has the wrong number of sources"
	}
	for i, p := range parts {
		set, msg := typeBits(t, p)
		if msg != "" {
			return s, msg
		}
		s.src[i] = set
	}
	return s, ""
}

func typeBits(t *isatab.Tables, list string) (uint32, string) {
	var out uint32
next:
	for _, n := range strings.Split(list, ",") {
		for i, r := range t.Types {
			if r.Name == n {
				out |= 1 << (i + 1)
				continue next
			}
		}
		for _, r := range t.Typesets {
			if r.Name == n {
				set, msg := typeBits(t, strings.Join(r.Val.Types, ","))
				if msg != "" {
					return 0, msg
				}
				out |= set
				continue next
			}
		}
		return 0, diag.Unknown("type or typeset", n, diag.Join(table.Names(t.Types), table.Names(t.Typesets)))
	}
	return out, ""
}
