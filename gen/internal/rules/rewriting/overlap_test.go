// SPDX-License-Identifier: MIT

package rewriting

import (
	"slices"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

// project returns a context with the project's own tables.
func project() *domain.Context {
	return &domain.Context{Roots: []table.Root{{Dir: "../../../../defs", Name: "defs"}}}
}

// TestOverlaps: where two rules match the same expression, the earlier wins. It must
// not be the one with the heavier result.
func TestOverlaps(t *testing.T) {
	tab, err := rules.Load(project())
	if err != nil {
		t.Fatal(err)
	}
	list, pairs := Overlaps(tab)
	t.Logf("%d pairs of rules match an expression in common", pairs)
	for _, o := range list {
		t.Error(o)
	}
}

// TestOverlapIsNamed: an overlap names both rules, the expression and the result of
// each.
func TestOverlapIsNamed(t *testing.T) {
	ops, err := opcodes.Load(project())
	if err != nil {
		t.Fatal(err)
	}
	ir, err := irtab.Load(project())
	if err != nil {
		t.Fatal(err)
	}
	set, err := table.Load([]table.Root{{Dir: "testdata/overlap", Name: "defs"}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	tab, err := rules.LoadSet(nil, set, ops, ir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	list, _ := Overlaps(tab)
	for _, o := range list {
		got = append(got, o.String())
	}
	want := []string{"defs/overlap.toml:2: [rule.x] rewrites (iadd@8 (ineg@8 a1) (isub@8 a2 (ineg@8 a1))) to " +
		"(isub@8 (isub@8 a2 (ineg@8 a1)) a1) (cost 12), but the later [rule.y] at defs/overlap.toml:6 would yield a2 (cost 0)"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
