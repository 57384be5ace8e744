// SPDX-License-Identifier: MIT

package entries_test

import (
	"fmt"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/entries"
)

// TestChoose: an entry point is chosen if the flags leave only one whose stage can be compiled. Otherwise the error
// lists the candidates, and the flags that it gives select each.
func TestChoose(t *testing.T) {
	list := []jacquard.EntryPoint{
		{Name: "main", Stage: "geometry"}, {Name: "main", Stage: "vertex"}, {Name: "main", Stage: "fragment"}, {Name: "it's", Stage: "fragment"},
	}
	one := func(name, stage string) jacquard.EntryPoint {
		return jacquard.EntryPoint{Name: name, Stage: jacquard.Stage(stage)}
	}
	for _, c := range []struct {
		list         []jacquard.EntryPoint
		entry, stage string
		want         jacquard.EntryPoint
		err          string
	}{
		{list, "", "vertex", one("main", "vertex"), ""},
		{list, "it's", "", one("it's", "fragment"), ""},
		{list, "main", "fragment", one("main", "fragment"), ""},
		{list[:2], "", "", one("main", "vertex"), ""}, // the geometry shader is not a candidate
		{list[:1], "", "", one("", ""), ""},
		{list, "other", "", one("", ""), `x.spv: error: no entry point "other"; the module has:
  geometry "main"                   --stage geometry
  vertex   "main"                   --stage vertex
  fragment "main"                   --entry main --stage fragment
  fragment "it's"                   --entry 'it'\''s'`},
		{list, "main", "", one("", ""), `x.spv: error: the module has 2 entry points named "main"; choose one of them:
  vertex   "main"                   --stage vertex
  fragment "main"                   --stage fragment`},
		{list, "", "fragment", one("", ""), `x.spv: error: the module has 2 entry points of stage fragment; choose one of them:
  fragment "main"                   --entry main
  fragment "it's"                   --entry 'it'\''s'`},
		{list, "", "", one("", ""), `x.spv: error: the module has 3 entry points; choose one of them:
  vertex   "main"                   --stage vertex
  fragment "main"                   --entry main --stage fragment
  fragment "it's"                   --entry 'it'\''s'`},
		{[]jacquard.EntryPoint{list[1], list[1]}, "", "", one("", ""), ""},
	} {
		got, ok, err := entries.Choose("x.spv", c.list, c.entry, c.stage)
		if got != c.want || ok != (c.want.Name != "") || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("entry %q, stage %q: %v, %v, %v", c.entry, c.stage, got, ok, err)
		}
	}
}

// TestChooseOfMany: an error does not list thousands of entry points.
func TestChooseOfMany(t *testing.T) {
	var list []jacquard.EntryPoint
	for i := range 5000 {
		list = append(list, jacquard.EntryPoint{Name: fmt.Sprint("e", i), Stage: "compute"})
	}
	if _, _, err := entries.Choose("x.spv", list, "", ""); err == nil || len(err.Error()) > 3000 {
		t.Errorf("%v", err)
	}
}
