// SPDX-License-Identifier: MIT

package legal

import (
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
	"jacquard.example/gen/internal/target"
)

// TestRulesNeedLowerings removes, one at a time, a selection row, a rule and a lowering on which rules rely.
func TestRulesNeedLowerings(t *testing.T) {
	ctx := &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}}
	read, err := load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := rules.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	machines, err := target.Machines(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := read.closed(tab, machines); err != nil {
		t.Fatal(err)
	}
	unselected := func(name string, size int) func(*tables, *rules.Table) {
		return func(x *tables, _ *rules.Table) {
			for _, c := range x.selected {
				c.Any[name] &^= pattern.SizeSet(size)
			}
		}
	}
	without := func(name string) func(*tables, *rules.Table) {
		return func(_ *tables, tab *rules.Table) {
			tab.Rules = slices.DeleteFunc(slices.Clone(tab.Rules), func(r *rules.Rule) bool {
				base, _, _ := strings.Cut(r.Name, "/")
				return base == name
			})
		}
	}
	for _, b := range []struct {
		name string
		do   func(*tables, *rules.Table)
		says string
	}{
		{"a row", unselected("ishr", 16), "makes ishr at 16 bits, which dg2, hsw, icl, lnl, skl, tgl cannot select"},
		{"a row by which rules lower", unselected("uclz", 32), "makes uclz at "},
		{"a rule", without("lower_unsigned_div16"), "makes udiv at 16 bits, which dg2, hsw, icl, lnl, skl, tgl cannot select"},
		{"a rule for pairs", without("unpack_64_packed_x"), "makes unpack_64_2x32_split_x, which dg2, hsw, icl, lnl, skl, tgl cannot select"},
		{"a lowering", func(x *tables, _ *rules.Table) { x.lowerings = x.lowerings[1:] }, "makes urol at 64 bits, which dg2, icl, lnl, tgl cannot select"},
		{"a lowering that runs once", func(x *tables, _ *rules.Table) { x.lowerings = x.lowerings[:1] }, "makes frexp_exp at 16, 32 bits, which dg2, hsw, icl, lnl, skl, tgl cannot select"},
		{"what a lowering leaves", func(x *tables, _ *rules.Table) {
			l := *x.lowerings[1]
			l.leaves = append(l.leaves, form{x.ops.ByName("ldexp"), 64})
			x.lowerings = append(slices.Clone(x.lowerings[:1]), &l)
		}, "leaves: ldexp at 64 bits, which dg2, hsw, icl, lnl, skl, tgl cannot select"},
	} {
		t.Run(b.name, func(t *testing.T) {
			x, y := *read, *tab
			x.selected = nil
			for _, c := range read.selected {
				d := *c
				d.Any = map[string]pattern.Sizes{}
				for k, v := range c.Any {
					d.Any[k] = v
				}
				x.selected = append(x.selected, &d)
			}
			b.do(&x, &y)
			err := x.closed(&y, machines)
			if err == nil || !strings.Contains(err.Error(), b.says) {
				t.Errorf("want %q, not %v", b.says, err)
			}
		})
	}
}
