// SPDX-License-Identifier: MIT

package rules

import (
	"fmt"
	"slices"

	"jacquard.example/gen/internal/pattern"
)

// A rule can cover a pattern, or match a term, only if every instruction and
// literal that it requires occurs there. An index lists the rules of each root
// by the rarest of these features, so that a query checks few rules.

// Rarity is the number of rules in which a word occurs.
type Rarity map[string]int

func newRarity(rules []*Rule) Rarity {
	out := Rarity{}
	for _, r := range rules {
		seen := map[string]bool{}
		r.Find.Asked(func(n *pattern.Node) {
			if w := n.Word(); !seen[w] {
				seen[w] = true
				out[w]++
			}
		})
	}
	return out
}

// Rarest returns the node of a pattern that the fewest rules require, or nil.
func (c Rarity) Rarest(find *pattern.Node) *pattern.Node {
	var best *pattern.Node
	find.Asked(func(n *pattern.Node) {
		if best == nil || c[n.Word()] < c[best.Word()] {
			best = n
		}
	})
	return best
}

// index lists rules by root and word.
type index struct {
	rarity Rarity
	by     map[string][]*Rule
}

func newIndex(c Rarity) *index { return &index{c, map[string][]*Rule{}} }

func indexKey(set int, root, word string) string { return fmt.Sprint(set, " ", root, " ", word) }

func (x *index) add(r *Rule) {
	word := ""
	if n := x.rarity.Rarest(r.Find); n != nil {
		word = n.Word()
	}
	key := indexKey(r.Set, r.Find.Name, word)
	x.by[key] = append(x.by[key], r)
}

// like returns the rules of a set that may cover a pattern, in the order of the
// table.
func (x *index) like(set int, n *pattern.Node) []*Rule {
	root := n.Name
	out := slices.Clone(x.by[indexKey(set, root, "")])
	seen := map[string]bool{}
	n.Asked(func(n *pattern.Node) {
		if w := n.Word(); !seen[w] {
			seen[w] = true
			out = append(out, x.by[indexKey(set, root, w)]...)
		}
	})
	slices.SortFunc(out, func(a, b *Rule) int { return a.Number - b.Number })
	return out
}
