// SPDX-License-Identifier: MIT

package rules

import (
	"jacquard.example/gen/internal/pattern"
)

// MaxAssignments is the maximum number of assignments of sizes at which a rule is tested.
const MaxAssignments = 12

// Limits on the work that a table of rules may cause. It is counted before
// it is done, so that the same table is rejected on every machine; the
// project's own rules need less than a tenth.
const (
	maxRules   = 8192      // after expansion
	maxVectors = 400_000   // instructions of both sides at all sizes, to evaluate on vectors
	maxAlike   = 500_000   // pairs of rules that may cover each other
	maxTries   = 1_000_000 // pairs of a rule and a subpattern of another's find that it may match, at all sizes
)

// whereFactor is the number of evaluations of a condition for each evaluation of the sides.
const whereFactor = 8

// budget rejects tables on which the checks of Verify and Hygiene would take too
// long.
func (t *Table) budget() {
	all := newIndex(t.Rarity)
	for _, r := range t.Rules {
		all.add(r)
	}
	vectors, alike, tries := 0, 0, 0
	for _, r := range t.Rules {
		sizes := len(r.Typing.Assignments(MaxAssignments))
		work := r.Find.Ops() + r.Replace.Ops()
		if r.Where != nil {
			work += whereFactor * r.Where.Ops()
		}
		vectors += sizes * work
		alike += len(all.like(r.Set, r.Find))
		r.Find.Walk(func(n *pattern.Node) {
			if n.Kind == pattern.Op {
				tries += sizes * len(all.like(r.Set, n))
			}
		})
		for _, b := range []struct {
			n, most int
			what    string
		}{
			{vectors, maxVectors, "%d instructions to test on vectors; at most %d are possible"},
			{alike, maxAlike, "%d pairs with overlapping patterns; at most %d are compared"},
			{tries, maxTries, "%d places where another rule may match; at most %d are tried"},
		} {
			if b.n > b.most {
				t.Errs.Addf(r.Pos, r.Full(), "the rules up to here have "+b.what, b.n, b.most)
				return
			}
		}
	}
}
