package pass_test

import (
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
)

// TestCheckOrder: the error names the pass and the one that must run before it.
func TestCheckOrder(t *testing.T) {
	a, b := pass.Pass{Name: "a"}, pass.Pass{Name: "b", After: []string{"a"}}
	c := pass.Pass{Name: "c", After: []string{"a", "b"}}
	loop := func(rows ...pass.Pass) pass.Pass { return pass.Pass{Loop: rows} }
	for _, x := range []struct {
		rows        []pass.Pass
		part, whole string
	}{
		{[]pass.Pass{a, b, c}, "", ""},
		{[]pass.Pass{a, a, b, c, b}, "pass c must run after b, and runs before it", "pass c must run after b, and runs before it"},
		{[]pass.Pass{b, a}, "pass b must run after a, and runs before it", "pass b must run after a, and runs before it"},
		{[]pass.Pass{a, b, a}, "pass b must run after a, and runs before it", "pass b must run after a, and runs before it"},
		{[]pass.Pass{b, {Name: "x"}, a}, "pass b must run after a, and runs before it", "pass b must run after a, and runs before it"},
		{[]pass.Pass{b, c}, "", "pass b must run after a, which does not run"},
		{[]pass.Pass{loop(a, loop(a)), b}, "", ""},
		{[]pass.Pass{loop(b, a)}, "pass b must run after a, and runs before it", "pass b must run after a, and runs before it"},
		{[]pass.Pass{loop(a, b)}, "", ""},
	} {
		for _, whole := range []bool{false, true} {
			got, want := "", x.part
			if err := pass.CheckOrder(x.rows, whole); err != nil {
				got = err.Error()
			}
			if whole {
				want = x.whole
			}
			if got != want {
				t.Errorf("%v, whole %v: says %q, want %q", pass.Names(x.rows), whole, got, want)
			}
		}
	}
}

// TestConstraintsHoldSomething: the pipeline backwards breaks the constraint of every
// row that has one.
func TestConstraintsHoldSomething(t *testing.T) {
	known := map[string]pass.Pass{}
	for _, p := range pipeline.Known {
		known[p.Name] = p
	}
	n := 0
	for _, p := range pipeline.Known {
		for _, name := range p.After {
			before, ok := known[name]
			if !ok {
				t.Errorf("%s comes after %s, and there is no such pass", p.Name, name)
			}
			if pass.CheckOrder([]pass.Pass{p, before}, false) == nil {
				t.Errorf("%s may run before %s", p.Name, name)
			}
			n++
		}
	}
	if n < 10 {
		t.Errorf("%d constraints", n)
	}
}
