// SPDX-License-Identifier: MIT

package descriptors

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// descBit reports whether a message's own fields may use bit b of a descriptor. Bits 20 to 28
// hold the lengths, and bit 19 is the header bit, unless a message has a field there and no header.
func descBit(b int) bool { return b <= 19 || b >= 29 && b <= 31 }

// HeaderBit is the bit of a descriptor that is set if the first payload starts with a header.
const HeaderBit = 1 << 19

// fixedBits returns the mask and the value of a message's identifying bits.
func fixedBits(m *isatab.MessageRow) (mask, value uint32, msg string) {
	for _, k := range isatab.SortedKeys(m.Fixed) {
		spans, msg := isatab.ParseBits(k)
		if msg != "" {
			return 0, 0, msg
		}
		fm, fv := scatter(spans, uint32(m.Fixed[k]))
		if m.Fixed[k] < 0 || m.Fixed[k]>>isatab.FieldWidth(spans) != 0 {
			return 0, 0, fmt.Sprintf("%#x does not fit bits %s", m.Fixed[k], k)
		}
		if mask&fm != 0 {
			return 0, 0, fmt.Sprintf("bits %s overlap another entry", k)
		}
		mask |= fm
		value |= fv
	}
	return mask, value, ""
}

// scatter returns a field's mask in a descriptor and a value in its position.
func scatter(spans []isatab.Span, v uint32) (mask, value uint32) {
	for _, p := range isatab.Pieces(spans) {
		m := uint32(1<<p.Width-1) << p.At
		mask |= m
		value |= v >> p.From << p.At & m
	}
	return mask, value
}

func msgFieldByName(t *isatab.Tables, n string) *table.Row[isatab.MsgField] {
	for _, f := range t.MsgFields {
		if f.Name == n {
			return f
		}
	}
	return nil
}

func msgEnumByName(t *isatab.Tables, n string) *table.Row[isatab.MsgEnum] {
	for _, e := range t.MsgEnums {
		if e.Name == n {
			return e
		}
	}
	return nil
}

// CheckLacks checks the operations that platforms lack.
func CheckLacks(t *isatab.Tables, errs *diag.List, cols isatab.Columns) {
	for _, e := range t.MsgEnums {
		for _, p := range isatab.SortedKeys(e.Val.Lacks) {
			cols.Check(errs, e.At("lacks"), e.Full, p)
			for _, n := range e.Val.Lacks[p] {
				if _, ok := e.Val.Values[n]; !ok {
					errs.Unknown(e.At("lacks"), e.Full, "value", n, maps.Keys(e.Val.Values))
				}
			}
		}
	}
}

// lacks returns the operations of an enumeration that a platform lacks.
func lacks(e *isatab.MsgEnum, p *table.Row[isatab.Platform]) []string {
	if names, ok := e.Lacks[p.Name]; ok {
		return names
	}
	return e.Lacks[p.Val.Family]
}

func checkMessages(t *isatab.Tables, errs *diag.List) {
	for _, f := range t.MsgFields {
		spans, msg := isatab.ParseBits(f.Val.Bits)
		if msg != "" {
			errs.Addf(f.At("bits"), f.Full, "%s", msg)
			continue
		}
		for _, s := range spans {
			for b := s.Lo; b <= s.Hi; b++ {
				if !descBit(b) {
					errs.Addf(f.At("bits"), f.Full, "bit %d of a descriptor is not available to messages", b)
				}
			}
		}
		switch k := f.Val.Kind; k {
		case "", "uint", "bool", "comps":
		case "lanes", "number":
			if len(f.Val.Values) == 0 {
				errs.Addf(f.Pos, f.Full, "%s need values", k)
			}
		default:
			e := msgEnumByName(t, k)
			if e == nil {
				plain := []string{"uint", "bool", "comps", "number", "lanes"}
				errs.Unknown(f.At("kind"), f.Full, "kind", k, diag.Join(slices.Values(plain), table.Names(t.MsgEnums)))
				continue
			}
			for _, n := range isatab.SortedKeys(e.Val.Values) {
				if e.Val.Values[n]>>isatab.FieldWidth(spans) != 0 {
					errs.Addf(f.At("bits"), f.Full, "%s of [%s] does not fit", n, e.Full)
				}
			}
		}
		checkWords(&f.Val, errs, f, isatab.FieldWidth(spans))
		seen := map[int]string{}
		for _, n := range isatab.SortedKeys(f.Val.Values) {
			v := f.Val.Values[n]
			if v < 0 || v>>isatab.FieldWidth(spans) != 0 {
				errs.Addf(f.At("values"), f.Full, "value %d does not fit the field", v)
			}
			if o, dup := seen[v]; dup {
				errs.Addf(f.At("values"), f.Full, "%s and %s have the same value", o, n)
			}
			seen[v] = n
		}
	}
	known := map[string][]identified{}
	overlaps := overlaps{uses: map[string]int{}, in: map[string][]overlap{}}
	for _, m := range t.Messages {
		sfid := m.Val.SFID
		if sfidByName(t, sfid) == nil {
			errs.Unknown(m.At("sfid"), m.Full, "shared function", m.Val.SFID, table.Names(t.Sfids))
		}
		for _, n := range m.Val.Also {
			if sfidByName(t, n) == nil {
				errs.Unknown(m.At("also"), m.Full, "shared function", n, table.Names(t.Sfids))
			}
		}
		mask, _, msg := fixedBits(&m.Val)
		if msg != "" {
			errs.Addf(m.At("fixed"), m.Full, "%s", msg)
			continue
		}
		own, msg := identities(t, &m.Val)
		if msg != "" {
			errs.Addf(m.At("select"), m.Full, "%s", msg)
			continue
		}
		for _, sfid := range append([]string{sfid}, m.Val.Also...) {
			for _, o := range known[sfid] {
				if slices.ContainsFunc(own, func(i identity) bool { return i.like(o.identity) }) {
					errs.Addf(m.At("fixed"), m.Full, "cannot be distinguished from [%s]", o.row.Full)
					break
				}
			}
			for _, i := range own {
				known[sfid] = append(known[sfid], identified{i, m})
			}
		}
		if !checkMessageFields(t, errs, m) {
			continue
		}
		overlaps.add(t, m, mask)
		for _, l := range []struct{ key, expr string }{{"mlen", m.Val.Mlen}, {"rlen", m.Val.Rlen}, {"xlen", m.Val.Xlen}} {
			if _, msg := lengthExpr(t, m, l.expr); msg != "" {
				errs.Addf(m.At(l.key), m.Full, "%s", msg)
			}
		}
	}
	overlaps.report(errs, t)
}

// identity is a pattern of bits by which messages are told apart.
type identity struct{ mask, value uint32 }

// identified is an identity and its message.
type identified struct {
	identity
	row *table.Row[isatab.MessageRow]
}

// like reports whether some descriptor matches both.
func (i identity) like(o identity) bool {
	common := i.mask & o.mask
	return i.value&common == o.value&common
}

// identities returns the patterns of a message: its fixed bits, or each value of the field that selects it. The message
// describes an error.
func identities(t *isatab.Tables, m *isatab.MessageRow) (out []identity, msg string) {
	if m.Select == "" {
		mask, value, _ := fixedBits(m)
		return []identity{{mask, value}}, ""
	}
	f := msgFieldByName(t, m.Select)
	if f == nil || msgEnumByName(t, f.Val.Kind) == nil || !slices.Contains(m.Fields, m.Select) || m.Fixed != nil {
		return nil, m.Select + " is not one of its fields with an enumeration, or there are fixed bits too"
	}
	spans, _ := isatab.ParseBits(f.Val.Bits)
	values := msgEnumByName(t, f.Val.Kind).Val.Values
	for _, n := range isatab.SortedKeys(values) {
		mask, value := scatter(spans, uint32(values[n]))
		out = append(out, identity{mask, value})
	}
	return out, ""
}

func sfidByName(t *isatab.Tables, n string) *table.Row[isatab.Named] {
	for _, s := range t.Sfids {
		if s.Name == n {
			return s
		}
	}
	return nil
}

// checkMessageFields checks the names of a message's fields.
func checkMessageFields(t *isatab.Tables, errs *diag.List, m *table.Row[isatab.MessageRow]) bool {
	for i, n := range m.Val.Fields {
		switch {
		case msgFieldByName(t, n) == nil:
			errs.Unknown(m.At("fields"), m.Full, "field", n, table.Names(t.MsgFields))
			return false
		case slices.Contains(m.Val.Fields[:i], n):
			errs.Addf(m.At("fields"), m.Full, "field %s is listed twice", n)
			return false
		}
	}
	return true
}

// lengthExpr returns the Go expression for a length, in terms of the builder's
// parameters.
func lengthExpr(t *isatab.Tables, m *table.Row[isatab.MessageRow], expr string) (string, string) {
	if expr == "" {
		return "0", ""
	}
	param := func(kinds ...string) string {
		for _, n := range m.Val.Fields {
			if f := msgFieldByName(t, n); f != nil && isatab.Index(kinds, f.Val.Kind) >= 0 {
				return paramName(f)
			}
		}
		return ""
	}
	var parts []string
	for _, p := range strings.Split(expr, "*") {
		e := ""
		switch p {
		case "G":
			if v := param("lanes"); v != "" {
				e = v + "/8"
			}
		case "C":
			e = param("comps")
		case "A":
			if v := param("atomic_op", "float_atomic_op"); v != "" {
				e = v + ".Operands()"
			}
		case "R":
			for _, n := range m.Val.Fields {
				if n == "return" {
					e = "int(fields.Bit(ret))"
				}
			}
		default:
			if len(p) == 1 && p[0] >= '1' && p[0] <= '9' {
				e = p
			}
		}
		if e == "" {
			return "", fmt.Sprintf("%q is not allowed in a length of this message", p)
		}
		parts = append(parts, e)
	}
	return strings.Join(parts, "*"), ""
}

// paramName returns a field's name as a parameter.
func paramName(f *table.Row[isatab.MsgField]) string {
	if f.Name == "return" {
		return "ret"
	}
	if f.Val.Kind == "lanes" {
		return "lanes"
	}
	g := isatab.GoName(f.Name, "")
	return strings.ToLower(g[:1]) + g[1:]
}

// infoName returns a field's name in MsgInfo. Fields for lanes share one.
func infoName(f *table.Row[isatab.MsgField]) string {
	if f.Val.Kind == "lanes" {
		return "Lanes"
	}
	return isatab.GoName(f.Name, f.Val.Go)
}

// byValue returns the names of an enumeration in the order of their codes.
func byValue(m map[string]int) []string {
	names := isatab.SortedKeys(m)
	sort.SliceStable(names, func(i, j int) bool { return m[names[i]] < m[names[j]] })
	return names
}
