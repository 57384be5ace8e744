// SPDX-License-Identifier: MIT

package rules

import (
	"fmt"
	"go/parser"
	"testing"
)

func conditionOf(t *testing.T, text string, options ...string) *Condition {
	t.Helper()
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return &Condition{expr: e, Options: options}
}

// TestOrderIsBounded: every opcode is expressed in terms of all that follow, and the rule that
// would close the cycle is enabled only where its end is disabled.
func TestOrderIsBounded(t *testing.T) {
	const n = 60
	on, off, free := &Rule{Cond: conditionOf(t, "x", "x")}, &Rule{Cond: conditionOf(t, "!x", "x")}, &Rule{}
	o := &order{entries: map[string][]below{}, steps: maxSteps}
	for i := range n {
		for j := i + 1; j < n; j++ {
			by := free
			if j == n-1 {
				by = on
			}
			if c := o.add([]below{{fmt.Sprint(i), fmt.Sprint(j), by}}); c != nil {
				t.Fatal(c)
			}
		}
	}
	if o.steps < maxSteps/2 {
		t.Fatalf("%d steps are left", o.steps)
	}
	o.add([]below{{fmt.Sprint(n - 1), "0", off}})
	if o.steps >= 0 {
		t.Errorf("%d steps are left", o.steps)
	}
	// Without the condition the cycle is found immediately.
	o = &order{entries: o.entries, steps: maxSteps}
	if c := o.cycle(below{fmt.Sprint(n - 2), "1", free}); len(c) < 2 {
		t.Errorf("%v is not a cycle", c)
	}
}

// TestImpliesIsBounded: conditions over forty options are not tried in all settings.
func TestImpliesIsBounded(t *testing.T) {
	var all []*Condition
	for i := range 40 {
		x := fmt.Sprintf("x%d", i)
		all = append(all, conditionOf(t, x, x))
	}
	if (*Condition)(nil).implies(all...) {
		t.Error("one of forty options is always on")
	}
	if !all[7].implies(all...) {
		t.Error("an option does not imply itself")
	}
	var list []below
	for _, c := range all {
		list = append(list, below{rule: &Rule{Cond: c}})
	}
	if !together(list) {
		t.Error("forty options cannot be on together")
	}
}
