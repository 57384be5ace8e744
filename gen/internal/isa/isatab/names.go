// SPDX-License-Identifier: MIT

package isatab

import (
	"maps"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// At returns the code in a platform's column: its own, or its family's.
func (c Codes) At(p *table.Row[Platform]) (int, bool) {
	if v, ok := c[p.Name]; ok {
		return v, v >= 0
	}
	v, ok := c[p.Val.Family]
	return v, ok
}

// Columns holds the names of platforms and families.
type Columns map[string]bool

// Check reports names that are neither a platform nor a family.
func (c Columns) Check(errs *diag.List, pos diag.Pos, full string, names ...string) {
	for _, n := range names {
		if !c[n] {
			errs.Unknown(pos, full, "platform or family", n, maps.Keys(c))
		}
	}
}

// OpFormats are the formats of instruction words.
var OpFormats = []string{"basic", "ternary", "send", "sends", "branch", "wait", "sync", "math", "nop"}

// Index returns the position of s in the list, or -1.
func Index(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// GoName returns a row's identifier: its go key, or its name in camel case.
func GoName(name, explicit string) string {
	if explicit != "" {
		return explicit
	}
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
