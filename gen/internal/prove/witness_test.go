// SPDX-License-Identifier: MIT

package prove

import (
	"testing"

	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// TestWitnesses confirms by the meanings that every rule of the project, and every
// claim of a row, needs every flag it gives up. If the ledger has no witness, the test
// searches for one.
func TestWitnesses(t *testing.T) {
	tab, ledger := project(t)
	flags, found := 0, 0
	for _, tab := range []*rules.Table{tab, claims(t)} {
		p := &Prover{Table: tab}
		for _, r := range tab.Rules {
			flags += len(r.Claimed())
			found += witnessed(t, p, r, ledger)
		}
	}
	t.Logf("%d flags, %d of them not in the ledger", flags, found)
}

// witnessed checks one rule; it returns the number of witnesses that it had to search for.
func witnessed(t *testing.T, p *Prover, r *rules.Rule, ledger Ledger) int {
	if len(r.Claimed()) == 0 {
		return 0
	}
	list := vectors.Instances(p.Table, r, maxInstances)
	res, ok := ledger.Lookup(p.Table, r)
	if !ok {
		if p.Solver == nil {
			p.Solver = solver(t)
		}
		res = make([]Result, len(list))
		if err := p.witnesses(t.Context(), list, res); err != nil {
			t.Fatal(err)
		}
		for _, n := range res[0].Needless {
			t.Errorf("%s: %s %v", r.Pos, r.Title(), n)
		}
		return len(r.Claimed())
	}
	have := map[string]bool{}
	for i, x := range res {
		for _, w := range x.Witnesses {
			if err := w.Confirm(list[i]); err != nil {
				t.Errorf("%s: %s (%s) %v", r.Pos, r.Title(), x.Sizes, err)
			}
			have[w.Flag] = true
		}
	}
	for _, g := range r.Claimed() {
		if !have[g] {
			t.Errorf("%s: %s gives_up: %s: no witness in the ledger; run make prove", r.Pos, r.Title(), g)
		}
	}
	return 0
}

// TestNeedlessFlags: flags that no vector needs are reported, with the reason.
func TestNeedlessFlags(t *testing.T) {
	tab, err := rules.LoadFile(defs(), "testdata/needless.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"exact":        "gives_up: nsz: no vector shows the rule wrong without it",
		"covered":      "gives_up: inf: no vector shows the rule wrong without it",
		"regroups":     "gives_up: inf: a rule that regroups or transforms makes no claim about infinities",
		"transforms":   "gives_up: contract: transform covers it",
		"fuses_only":   "gives_up: reassoc: no vector shows the rule wrong without it",
		"regroup_only": "gives_up: contract: no vector shows the rule wrong without it",
		"denormals":    "gives_up: denorm: no vector shows the rule wrong without it",
	}
	p := &Prover{Table: tab, Solver: solver(t), Budget: quickBudget}
	res, err := p.All(t.Context(), tab.Rules, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range res {
		for _, n := range r.Needless {
			if want[r.Rule] != n.String() {
				t.Errorf("%s: %s; expected %q", r.Rule, n, want[r.Rule])
			}
			delete(want, r.Rule)
		}
		if r.Status == Refuted {
			t.Errorf("%s: %s", r.Rule, r.Counterexample)
		}
	}
	for name := range want {
		t.Errorf("%s was accepted", name)
	}
}
