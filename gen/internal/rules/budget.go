package rules

import (
	"jacquard.example/gen/internal/pattern"
)

// What a table of rules may ask of the generator. All figures are counted before
// the work is done, so that the same table is refused on every machine; the
// project's own rules stay below a tenth.
const (
	maxRules   = 8192      // after expansion
	maxVectors = 400_000   // instructions of both sides at all sizes, which vectors are run through
	maxAlike   = 500_000   // pairs of rules that may cover each other
	maxTries   = 1_000_000 // times that a rule may match at a place of what another finds, at all sizes
)

// whereFactor is how much more often a condition is computed than the sides.
const whereFactor = 8

// budget refuses tables on which the checks of Verify and Hygiene would not end
// soon.
func (t *Table) budget() {
	all := newIndex(t.rarity)
	for _, r := range t.Rules {
		all.add(r)
	}
	vectors, alike, tries := 0, 0, 0
	for _, r := range t.Rules {
		sizes := len(r.Typing.Assignments(maxAssignments))
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
				t.errs.Addf(r.Pos, r.full(), "the rules up to here have "+b.what, b.n, b.most)
				return
			}
		}
	}
}
