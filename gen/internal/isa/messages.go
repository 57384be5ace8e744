package isa

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// descBits are the bits of a descriptor that a message's own fields may use: all
// except the lengths and the header.
func descBit(b int) bool { return b <= 18 || b >= 29 && b <= 31 }

// HeaderBit is the bit of a descriptor that is set if the first payload starts with a header.
const HeaderBit = 1 << 19

// fixedBits returns the mask and the value of a message's identifying bits.
func (m *messageRow) fixedBits() (mask, value uint32, msg string) {
	for _, k := range sortedKeys(m.Fixed) {
		spans, msg := parseBits(k)
		if msg != "" {
			return 0, 0, msg
		}
		fm, fv := scatter(spans, uint32(m.Fixed[k]))
		if m.Fixed[k] < 0 || m.Fixed[k]>>fieldWidth(spans) != 0 {
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

func fieldWidth(spans []span) int {
	n := 0
	for _, s := range spans {
		n += s.width()
	}
	return n
}

// scatter returns a field's mask in a descriptor and a value in its position.
func scatter(spans []span, v uint32) (mask, value uint32) {
	for _, p := range pieces(spans) {
		m := uint32(1<<p.width-1) << p.at
		mask |= m
		value |= v >> p.from << p.at & m
	}
	return mask, value
}

func (t *tables) msgFieldByName(n string) *table.Row[msgField] {
	for _, f := range t.msgFields {
		if f.Name == n {
			return f
		}
	}
	return nil
}

func (t *tables) msgEnumByName(n string) *table.Row[msgEnum] {
	for _, e := range t.msgEnums {
		if e.Name == n {
			return e
		}
	}
	return nil
}

// checkLacks checks the operations that platforms lack.
func (t *tables) checkLacks(errs *diag.List, cols columns) {
	for _, e := range t.msgEnums {
		for _, p := range sortedKeys(e.Val.Lacks) {
			cols.check(errs, e.At("lacks"), e.Full, p)
			for _, n := range e.Val.Lacks[p] {
				if _, ok := e.Val.Values[n]; !ok {
					errs.Unknown(e.At("lacks"), e.Full, "value", n, maps.Keys(e.Val.Values))
				}
			}
		}
	}
}

// lacks returns the operations of an enumeration that a platform lacks.
func (e *msgEnum) lacks(p *table.Row[platform]) []string {
	if names, ok := e.Lacks[p.Name]; ok {
		return names
	}
	return e.Lacks[p.Val.Family]
}

func (t *tables) checkMessages(errs *diag.List) {
	for _, f := range t.msgFields {
		spans, msg := parseBits(f.Val.Bits)
		if msg != "" {
			errs.Addf(f.At("bits"), f.Full, "%s", msg)
			continue
		}
		for _, s := range spans {
			for b := s.lo; b <= s.hi; b++ {
				if !descBit(b) {
					errs.Addf(f.At("bits"), f.Full, "bit %d of a descriptor is not available to messages", b)
				}
			}
		}
		switch k := f.Val.Kind; k {
		case "", "uint", "bool", "comps":
		case "lanes":
			if len(f.Val.Values) == 0 {
				errs.Addf(f.Pos, f.Full, "lanes need values")
			}
		default:
			e := t.msgEnumByName(k)
			if e == nil {
				plain := []string{"uint", "bool", "comps", "lanes"}
				errs.Unknown(f.At("kind"), f.Full, "kind", k, diag.Join(slices.Values(plain), table.Names(t.msgEnums)))
				continue
			}
			for _, n := range sortedKeys(e.Val.Values) {
				if e.Val.Values[n]>>fieldWidth(spans) != 0 {
					errs.Addf(f.At("bits"), f.Full, "%s of [%s] does not fit", n, e.Full)
				}
			}
		}
		f.Val.checkWords(errs, f, fieldWidth(spans))
		seen := map[int]string{}
		for _, n := range sortedKeys(f.Val.Values) {
			v := f.Val.Values[n]
			if v < 0 || v>>fieldWidth(spans) != 0 {
				errs.Addf(f.At("values"), f.Full, "value %d does not fit the field", v)
			}
			if o, dup := seen[v]; dup {
				errs.Addf(f.At("values"), f.Full, "%s and %s have the same value", o, n)
			}
			seen[v] = n
		}
	}
	type identity struct {
		mask, value uint32
		row         *table.Row[messageRow]
	}
	known := map[string][]identity{}
	overlaps := overlaps{uses: map[string]int{}, in: map[string][]overlap{}}
	for _, m := range t.messages {
		sfid := ""
		for _, s := range t.sfids {
			if s.Name == m.Val.SFID {
				sfid = s.Name
			}
		}
		if sfid == "" {
			errs.Unknown(m.At("sfid"), m.Full, "shared function", m.Val.SFID, table.Names(t.sfids))
		}
		mask, value, msg := m.Val.fixedBits()
		if msg != "" {
			errs.Addf(m.At("fixed"), m.Full, "%s", msg)
			continue
		}
		for _, o := range known[sfid] {
			if common := o.mask & mask; o.value&common == value&common {
				errs.Addf(m.At("fixed"), m.Full, "cannot be distinguished from [%s]", o.row.Full)
			}
		}
		known[sfid] = append(known[sfid], identity{mask, value, m})
		if !t.checkMessageFields(errs, m) {
			continue
		}
		overlaps.add(t, m, mask)
		for _, l := range []struct{ key, expr string }{{"mlen", m.Val.Mlen}, {"rlen", m.Val.Rlen}, {"xlen", m.Val.Xlen}} {
			if _, msg := t.lengthExpr(m, l.expr); msg != "" {
				errs.Addf(m.At(l.key), m.Full, "%s", msg)
			}
		}
	}
	overlaps.report(errs, t)
}

// checkMessageFields checks the names of a message's fields.
func (t *tables) checkMessageFields(errs *diag.List, m *table.Row[messageRow]) bool {
	for i, n := range m.Val.Fields {
		switch {
		case t.msgFieldByName(n) == nil:
			errs.Unknown(m.At("fields"), m.Full, "field", n, table.Names(t.msgFields))
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
func (t *tables) lengthExpr(m *table.Row[messageRow], expr string) (string, string) {
	if expr == "" {
		return "0", ""
	}
	param := func(kinds ...string) string {
		for _, n := range m.Val.Fields {
			if f := t.msgFieldByName(n); f != nil && index(kinds, f.Val.Kind) >= 0 {
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
func paramName(f *table.Row[msgField]) string {
	if f.Name == "return" {
		return "ret"
	}
	if f.Val.Kind == "lanes" {
		return "lanes"
	}
	g := goName(f.Name, "")
	return strings.ToLower(g[:1]) + g[1:]
}

// infoName returns a field's name in MsgInfo. Fields for lanes share one.
func infoName(f *table.Row[msgField]) string {
	if f.Val.Kind == "lanes" {
		return "Lanes"
	}
	return goName(f.Name, f.Val.Go)
}

// byValue returns the names of an enumeration in the order of their codes.
func byValue(m map[string]int) []string {
	names := sortedKeys(m)
	sort.SliceStable(names, func(i, j int) bool { return m[names[i]] < m[names[j]] })
	return names
}
