// SPDX-License-Identifier: MIT

package target

import (
	"slices"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// TestTargetLikeAnother: a machine that is like another has the other's lists with the changes in its row, and its own keys.
func TestTargetLikeAnother(t *testing.T) {
	machines, err := Machines(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]Machine{}
	for _, m := range machines {
		of[m.Name] = m
	}
	tgl, icl, skl := of["tgl"], of["icl"], of["skl"]
	if icl.Platform != "icl" || skl.Platform != "skl" {
		t.Errorf("platforms %s and %s", icl.Platform, skl.Platform)
	}
	at := slices.Index(tgl.Rewrite, "lower_dot_2x16") + 1
	if want := slices.Insert(slices.Clone(tgl.Rewrite), at, "lower_dot_4x8"); !slices.Equal(icl.Rewrite, want) {
		t.Errorf("icl has %v, want %v", icl.Rewrite, want)
	}
	if slices.Contains(icl.Has, "dp4a") || !slices.Contains(icl.Has, "rotate") {
		t.Errorf("icl has %v", icl.Has)
	}
	rewrites := func(option string) bool { return slices.Contains(skl.Rewrite, option) }
	if rewrites("has_rotate") || !rewrites("lower_rotate") || !rewrites("lower_dot_4x8") {
		t.Errorf("skl has %v", skl.Rewrite)
	}
	if slices.Contains(skl.Has, "rotate") {
		t.Errorf("skl has %v", skl.Has)
	}
}
