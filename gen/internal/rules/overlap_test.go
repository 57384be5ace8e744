package rules

import (
	"slices"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// TestOverlaps: where two rules match the same expression, the earlier wins. It must
// not be the one with the heavier result.
func TestOverlaps(t *testing.T) {
	ctx := &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}}
	tab, err := Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, pairs := tab.Overlaps()
	t.Logf("%d pairs of rules match an expression in common", pairs)
	for _, o := range list {
		t.Error(o)
	}
}

// TestOverlapIsNamed: an overlap names both rules, the expression and the result of
// each.
func TestOverlapIsNamed(t *testing.T) {
	ops, ir := base(t)
	set, err := table.Load([]table.Root{{Dir: "testdata/overlap", Name: "defs"}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	tab, err := LoadSet(nil, set, ops, ir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	list, _ := tab.Overlaps()
	for _, o := range list {
		got = append(got, o.String())
	}
	want := []string{"defs/overlap.toml:2: [rule.x] takes (iadd@8 (ineg@8 a1) (isub@8 a2 (ineg@8 a1))), which the later [rule.y] at defs/overlap.toml:6 matches too, and leaves (isub@8 (isub@8 a2 (ineg@8 a1)) a1) (12) where that leaves a2 (0)"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
