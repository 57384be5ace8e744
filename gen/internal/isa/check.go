package isa

import (
	"maps"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// at returns the code in a platform's column: its own, or its family's.
func (c codes) at(p *table.Row[platform]) (int, bool) {
	if v, ok := c[p.Name]; ok {
		return v, v >= 0
	}
	v, ok := c[p.Val.Family]
	return v, ok
}

// columns holds the names of platforms and families.
type columns map[string]bool

// check reports names that are neither a platform nor a family.
func (c columns) check(errs *diag.List, pos diag.Pos, full string, names ...string) {
	for _, n := range names {
		if !c[n] {
			errs.Unknown(pos, full, "platform or family", n, maps.Keys(c))
		}
	}
}

// check rejects contradictory tables.
func (t *tables) check() error {
	var errs diag.List
	cols := columns{}
	for _, f := range t.families {
		cols[f.Name] = true
	}
	for _, p := range t.platforms {
		if !cols[p.Val.Family] {
			errs.Unknown(p.At("family"), p.Full, "family", p.Val.Family, table.Names(t.families))
		}
	}
	for _, p := range t.platforms {
		cols[p.Name] = true
	}
	if len(t.platforms) == 0 {
		errs.Addf(diag.Pos{File: Dir}, "", "no [platform] row")
	}
	for _, p := range t.platforms {
		if t.layoutOf(p) == nil {
			errs.Unknown(p.At("layout"), p.Full, "layout", p.Val.Layout, table.Names(t.layouts))
		}
	}
	for _, check := range []func(){ // each relies on the previous ones
		func() { t.checkDevices(&errs); t.checkRegFiles(&errs) },
		func() { t.checkLayouts(&errs) },
		func() {
			for _, e := range t.enumerations() {
				t.checkCoded(&errs, cols, e)
			}
			t.checkNamed(&errs, cols, t.arfs, 255)
			t.checkSame(&errs, t.arfs)
			t.checkTypes(&errs, cols)
			t.checkLacks(&errs, cols)
			t.checkSurfaceFormats(&errs, cols)
		},
		func() { t.checkOps(&errs, cols) },
		func() { t.checkOpForms(&errs); t.checkRestricts(&errs, cols) },
		func() { t.checkCompact(&errs, cols); t.checkColumns(&errs, cols) },
	} {
		if check(); errs.Err() != nil {
			break
		}
	}
	return errs.Err()
}

// column rejects a misspelled column and a code that does not fit.
func column(errs *diag.List, pos diag.Pos, full string, cols columns, c codes, limit int) {
	for _, k := range sortedKeys(c) {
		cols.check(errs, pos, full, k)
		if c[k] < -1 || c[k] > limit {
			errs.Addf(pos, full, "code %d of %s is not in 0..%d", c[k], k, limit)
		}
	}
}

// unique reports a code that an earlier row of the platform already has.
type unique map[string]map[int]string

func (u unique) add(errs *diag.List, pos diag.Pos, full, what, platform string, code int) {
	key := what + "/" + platform
	if u[key] == nil {
		u[key] = map[int]string{}
	}
	if old, dup := u[key][code]; dup {
		errs.Addf(pos, full, "%s %#x on %s is already that of [%s]", what, code, platform, old)
		return
	}
	u[key][code] = full
}

func (t *tables) checkNamed(errs *diag.List, cols columns, rows []*table.Row[named], limit int) {
	u := unique{}
	for _, r := range rows {
		column(errs, r.At("code"), r.Full, cols, r.Val.Code, limit)
		for _, p := range t.platforms {
			if c, ok := r.Val.Code.at(p); ok {
				u.add(errs, r.At("code"), r.Full, "code", p.Name, c)
			}
		}
	}
}

// checkSame rejects codes of architecture registers that differ between platforms: machine IR contains these codes.
func (t *tables) checkSame(errs *diag.List, rows []*table.Row[named]) {
	for _, r := range rows {
		same, _ := t.code(r.Val.Code)
		for _, p := range t.platforms {
			if c, ok := r.Val.Code.at(p); ok && c != same {
				errs.Addf(r.At("code"), r.Full, "code %d of %s differs from %d of an earlier platform; those of architecture registers are the same everywhere", c, p.Name, same)
			}
		}
	}
}

func (t *tables) checkTypes(errs *diag.List, cols columns) {
	u := unique{}
	for _, r := range t.types {
		v := &r.Val
		column(errs, r.At("code"), r.Full, cols, v.Code, 15)
		column(errs, r.At("imm"), r.Full, cols, v.Imm, 15)
		column(errs, r.At("ternary"), r.Full, cols, v.Ternary, 7)
		if v.Elem != "" && t.typeByName(v.Elem) == nil {
			errs.Unknown(r.At("elem"), r.Full, "type", v.Elem, table.Names(t.types))
		}
		for _, p := range t.platforms {
			if c, ok := v.Code.at(p); ok {
				u.add(errs, r.At("code"), r.Full, "code", p.Name, c)
			}
			if c, ok := v.Imm.at(p); ok {
				u.add(errs, r.At("imm"), r.Full, "imm", p.Name, c)
			}
			if c, ok := v.Ternary.at(p); ok {
				class := 0
				if v.Float && t.layoutOf(p) != nil && t.layoutOf(p).has("t_class") {
					class = 8
				}
				u.add(errs, r.At("ternary"), r.Full, "ternary", p.Name, c|class)
			}
		}
	}
	for _, r := range t.typesets {
		for _, n := range r.Val.Types {
			if t.typeByName(n) == nil {
				errs.Unknown(r.At("types"), r.Full, "type", n, table.Names(t.types))
			}
		}
	}
}

func (t *tables) typeByName(name string) *table.Row[typeRow] {
	for _, r := range t.types {
		if r.Name == name {
			return r
		}
	}
	return nil
}

var opFormats = []string{"basic", "ternary", "send", "sends", "branch", "wait", "sync", "math", "nop"}

func (t *tables) checkOps(errs *diag.List, cols columns) {
	u := unique{}
	for _, r := range t.ops {
		v := &r.Val
		column(errs, r.At("code"), r.Full, cols, v.Code, 127)
		for _, p := range t.platforms {
			if c, ok := v.Code.at(p); ok {
				u.add(errs, r.At("code"), r.Full, "code", p.Name, c)
			}
		}
		if v.Src < 0 || v.Src > 3 || v.Format == "ternary" && v.Src != 3 || v.Format == "basic" && (v.Src < 1 || v.Src > 2) {
			errs.Addf(r.At("src"), r.Full, "%d sources do not fit format %s", v.Src, v.Format)
		}
		if v.Targets < 0 || v.Targets > 2 || v.Targets != 0 && v.Format != "branch" {
			errs.Addf(r.At("targets"), r.Full, "%d branch targets do not fit format %s", v.Targets, v.Format)
		}
		cols.check(errs, r.At("sat_on"), r.Full, v.SatOn...)
		for _, sig := range v.Types {
			s, err := t.signature(sig, v.Src)
			if err != "" {
				errs.Addf(r.At("types"), r.Full, "%s", err)
			}
			cols.check(errs, r.At("types"), r.Full, s.on...)
		}
	}
}

// sig is one allowed combination of types: bit sets indexed by the type's row.
type sig struct {
	on  []string // platforms and families, nil for all
	dst uint32
	src [3]uint32
}

// signature parses "dst <- src0 src1": every part is a comma-separated list of
// types and typesets, optionally preceded by a list of platforms and families and a colon. The
// message describes an error.
func (t *tables) signature(text string, nsrc int) (sig, string) {
	var s sig
	if on, rest, ok := strings.Cut(text, ":"); ok {
		s.on, text = strings.Split(on, ","), rest
	}
	d, rest, ok := strings.Cut(text, "<-")
	if !ok {
		return s, "types must read \"destination <- sources\""
	}
	set, msg := t.typeBits(strings.TrimSpace(d))
	if msg != "" {
		return s, msg
	}
	s.dst = set
	parts := strings.Fields(rest)
	if len(parts) == 0 || len(parts) > 3 || len(parts) > nsrc {
		return s, "types has the wrong number of sources"
	}
	for i, p := range parts {
		set, msg := t.typeBits(p)
		if msg != "" {
			return s, msg
		}
		s.src[i] = set
	}
	return s, ""
}

func (t *tables) typeBits(list string) (uint32, string) {
	var out uint32
next:
	for _, n := range strings.Split(list, ",") {
		for i, r := range t.types {
			if r.Name == n {
				out |= 1 << (i + 1)
				continue next
			}
		}
		for _, r := range t.typesets {
			if r.Name == n {
				set, msg := t.typeBits(strings.Join(r.Val.Types, ","))
				if msg != "" {
					return 0, msg
				}
				out |= set
				continue next
			}
		}
		return 0, diag.Unknown("type or typeset", n, diag.Join(table.Names(t.types), table.Names(t.typesets)))
	}
	return out, ""
}

func index(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
