// SPDX-License-Identifier: MIT

package pass_test

import (
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
)

// TestCheckOrder: the error names the pass and the pass that must run before it.
func TestCheckOrder(t *testing.T) {
	const (
		bEarly = "pass b must run after a, but runs before it"
		cEarly = "pass c must run after b, but runs before it"
	)
	a, b := &pass.Pass{Name: "a"}, &pass.Pass{Name: "b", After: []string{"a"}}
	c := &pass.Pass{Name: "c", After: []string{"a", "b"}}
	for _, x := range []struct {
		rows        pass.Pipeline
		part, whole string
	}{
		{pass.Pipeline{a, b, c}, "", ""},
		{pass.Pipeline{a, a, b, c, b}, cEarly, cEarly},
		{pass.Pipeline{b, a}, bEarly, bEarly},
		{pass.Pipeline{a, b, a}, bEarly, bEarly},
		{pass.Pipeline{b, &pass.Pass{Name: "x"}, a}, bEarly, bEarly},
		{pass.Pipeline{b, c}, "", "pass b must run after a, which does not run"},
		{pass.Pipeline{pass.Loop{a, pass.Loop{a}}, b}, "", ""},
		{pass.Pipeline{pass.Loop{b, a}}, bEarly, bEarly},
		{pass.Pipeline{pass.Loop{a, b}}, "", ""},
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
				t.Errorf("%v, whole %v: says %q, want %q", x.rows.Names(), whole, got, want)
			}
		}
	}
}

// TestConstraintsHoldSomething: for every constraint, a pipeline that violates it is rejected.
func TestConstraintsHoldSomething(t *testing.T) {
	known := map[string]*pass.Pass{}
	for p := range pipeline.Known.Passes() {
		known[p.Name] = p
	}
	n := 0
	for p := range pipeline.Known.Passes() {
		for _, name := range p.After {
			before, ok := known[name]
			if !ok {
				t.Errorf("%s must run after %s, but there is no such pass", p.Name, name)
			}
			if pass.CheckOrder(pass.Pipeline{p, before}, false) == nil {
				t.Errorf("%s may run before %s", p.Name, name)
			}
			n++
		}
	}
	if n < 10 {
		t.Errorf("only %d constraints", n)
	}
}
