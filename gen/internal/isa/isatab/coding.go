// SPDX-License-Identifier: MIT

package isatab

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
)

// coding is a small table that maps values to a field's codes.
type coding struct {
	name   string
	keys   map[string]int // values by the names that tables use; nil means numbers
	fields []string       // fields that hold its codes
	must   []string       // values that every layout must have
}

var fileKeys = map[string]int{"arf": 1, "grf": 2}

// codings are the small tables that a layout has codes for.
var codings = []coding{
	{name: "exec_size", fields: []string{"exec_size"}, must: []string{"1", "8"}},
	{name: "file", keys: fileKeys, fields: []string{"dst_file", "src0_file", "src1_file", "b_file", "s_dst_file", "s_src0_file", "s_src1_file", "ss_dst_file", "ss_src1_file"}, must: []string{"arf", "grf"}},
	{name: "hstride", fields: []string{"dst_hstride", "src0_hstride", "src1_hstride", "t_src0_hstride", "t_src1_hstride", "t_src2_hstride"}, must: []string{"0", "1"}},
	{name: "width", fields: []string{"src0_width", "src1_width"}, must: []string{"1", "8"}},
	{name: "vstride", keys: map[string]int{"vxh": 255}, fields: []string{"src0_vstride", "src1_vstride"}, must: []string{"0", "8"}},
	{name: "thread_ctrl", keys: map[string]int{"atomic": 1, "switch": 2, "no_preempt": 3}, fields: []string{"thread_ctrl"}, must: []string{"atomic"}},
	{name: "t_dst_file", keys: fileKeys, fields: []string{"t_dst_file"}, must: []string{"grf"}},
	{name: "t_dst_hstride", fields: []string{"t_dst_hstride"}, must: []string{"1"}},
	{name: "t_src0_file", keys: fileKeys, fields: []string{"t_src0_file"}, must: []string{"grf"}},
	{name: "t_src1_file", keys: fileKeys, fields: []string{"t_src1_file"}, must: []string{"grf"}},
	{name: "t_src2_file", keys: fileKeys, fields: []string{"t_src2_file"}, must: []string{"grf"}},
	{name: "t_vstride", fields: []string{"t_src0_vstride", "t_src1_vstride"}, must: []string{"0"}},
}

// maxCoding is the maximum number of bits of a field with a coding.
const maxCoding = 4

// value returns the value of a key of a coding.
func (c *coding) value(key string) (int, bool) {
	if v, ok := c.keys[key]; ok {
		return v, true
	}
	n, err := strconv.Atoi(key)
	return n, err == nil && n >= 0 && n < 64 && (c.keys == nil || c.name == "vstride")
}

// placed returns the fields of a coding that a layout has.
func (c *coding) placed(l *Layout) (out []string) {
	for _, f := range c.fields {
		if l.Has(f) {
			out = append(out, f)
		}
	}
	return out
}

// noCode reports whether a number is not a code of a field's coding.
func (l *Layout) noCode(field string, n int) bool {
	for i := range codings {
		if c := &codings[i]; slices.Contains(c.fields, field) {
			for _, v := range l.V.Codes[c.name] {
				if v == n {
					return false
				}
			}
			return true
		}
	}
	return false
}

func (t *Tables) checkCodings(errs *diag.List, l *Layout) {
	full := l.Row.Full
	known := map[string]bool{}
	for i := range codings {
		c := &codings[i]
		known[c.name] = true
		codes, fields := l.V.Codes[c.name], c.placed(l)
		if len(codes) == 0 {
			if fields != nil {
				errs.Addf(l.Row.Pos, full, "field %s has no codes: %s", fields[0], c.name)
			}
			continue
		}
		at := l.at("codes", c.name)
		if fields == nil {
			errs.Addf(at, full, "no field has codes of %s", c.name)
		}
		for _, k := range c.must {
			if _, ok := codes[k]; !ok {
				errs.Addf(at, full, "%s has no code for %s", c.name, k)
			}
		}
		old := map[int]string{}
		for _, k := range SortedKeys(codes) {
			if _, ok := c.value(k); !ok {
				errs.Addf(at, full, "%s has no value %q", c.name, k)
			}
			if o, dup := old[codes[k]]; dup {
				errs.Addf(at, full, "%s has code %d for %s and for %s", c.name, codes[k], o, k)
			}
			old[codes[k]] = k
		}
		for i, f := range fields {
			w := l.Width(f)
			if w > maxCoding {
				errs.Addf(l.at("bits", f), full, "field %s has %d bits, but codes of %s at most %d", f, w, c.name, maxCoding)
			}
			for _, k := range SortedKeys(codes) {
				if i > 0 && w == l.Width(fields[0]) {
					break // reported for the first field only
				}
				if codes[k] < 0 || codes[k]>>w != 0 {
					errs.Addf(at, full, "code %d of %s does not fit the %d bits of %s", codes[k], k, w, f)
				}
			}
		}
	}
	for _, n := range SortedKeys(l.V.Codes) {
		if !known[n] {
			errs.Unknown(l.at("codes", n), full, "coding", n, maps.Keys(known))
		}
	}
}

// codingName returns the name of a coding's tables in generated code.
func codingName(name, layout string) string {
	g := GoName(name, "")
	return string(g[0]|0x20) + g[1:] + layout
}

// EmitCodings writes a layout's tables: enc from values to codes plus one, dec from
// codes to values, noValue where there is none.
func (t *Tables) EmitCodings(f *emit.File, l *Layout, suffix string) {
	var list []emit.Name
	for i := range codings {
		c := &codings[i]
		codes := l.V.Codes[c.name]
		if len(codes) == 0 {
			continue
		}
		name := codingName(c.name, suffix)
		keys := SortedKeys(codes)
		slices.SortFunc(keys, func(x, y string) int {
			a, _ := c.value(x)
			b, _ := c.value(y)
			return a - b
		})
		var enc []string
		dec := slices.Repeat([]string{"noValue"}, 1<<maxCoding)
		for _, k := range keys {
			v, _ := c.value(k)
			enc = append(enc, fmt.Sprintf("%d: %d", v, codes[k]+1))
			dec[codes[k]] = strconv.Itoa(v)
		}
		list = append(list,
			emit.Name{Name: name + "Enc", Is: "= [256]uint8{" + strings.Join(enc, ", ") + "}"},
			emit.Name{Name: name + "Dec", Is: fmt.Sprintf("= [%d]uint8{%s}", len(dec), strings.Join(dec, ", "))})
	}
	f.Vars("The codes of layout "+l.Row.Name+": enc has codes plus one by value, and 0 for no code; dec has\nvalues by code.", list)
}
