// SPDX-License-Identifier: MIT

package rewriting

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// maxRewrites is the number of rewrites of a rule's own instance after which rules are
// considered to undo each other.
const maxRewrites = 400

// loop is an expression on which rewriting does not end, and the rules that undo each other there.
type loop struct {
	on    string
	rules []*rules.Rule
}

func (l loop) String() string {
	var names []string
	for _, r := range l.rules {
		names = append(names, fmt.Sprintf("[rule.%s] at %s", r.Name, r.Pos))
	}
	undo := " undo each other"
	if len(names) == 1 {
		undo = " undoes itself"
	}
	return fmt.Sprintf("rewriting does not terminate on %s: %s%s", l.on, strings.Join(names, ", "), undo)
}

// loops rejects rules that undo each other, whatever their rows claim. Every rule
// is run on its own search expression, at every size and with several constants, under the
// fewest and under the most options with which it is enabled, and with float
// instructions that may give up everything or only as much as the rule needs.
func loops(t *rules.Table) {
	found := make([]loop, len(t.Rules))
	vectors.InParallel(len(t.Rules), func() func(i int) {
		looping := looper(t)
		return func(i int) { found[i] = looping(t.Rules[i]) }
	})
	said := map[diag.Pos]bool{}
	for _, l := range found {
		if l.rules == nil {
			continue
		}
		var parties []rules.Party
		for _, r := range l.rules {
			parties = append(parties, r.Party())
		}
		if r := l.rules[t.Record().Newest(parties)]; !said[r.Pos] {
			said[r.Pos] = true
			t.Errs.Addf(r.Pos, r.Full(), "%s", l)
		}
	}
}

// looper returns a function that finds a loop in rewriting a rule's search expression. The function caches its
// rewriting systems and is for one goroutine.
func looper(t *rules.Table) func(*rules.Rule) loop {
	w := newWorld(t)
	systems := map[string]*system{}
	system := func(r *rules.Rule, on map[string]bool, all bool) *system {
		key := fmt.Sprint(r.Set, on, all)
		if !all {
			key += fmt.Sprint(r.GivesUp)
		}
		if systems[key] == nil {
			systems[key] = w.system(r.Set, on, func(e *rules.Rule) bool { return all || within(e, r) })
		}
		return systems[key]
	}
	return func(r *rules.Rule) loop {
		for _, on := range settings(t, r) {
			for _, all := range []bool{true, false} {
				if !all && !r.Float() {
					continue
				}
				if l := looping(t, system(r, on, all), r); l.rules != nil {
					return l
				}
			}
		}
		return loop{}
	}
}

// within reports whether e fires on instructions that give up only the flags that r needs.
func within(e *rules.Rule, r *rules.Rule) bool {
	return e.AllowedBy != "" || !slices.ContainsFunc(e.GivesUp, func(g string) bool { return !slices.Contains(r.GivesUp, g) })
}

// settings returns a smallest set of options under which the rule is enabled, and a large one: all options, or, if that
// disables the rule, all but the options of its condition that the smallest set lacks.
func settings(t *rules.Table, r *rules.Rule) []map[string]bool {
	least := map[string]bool{}
	if r.Cond != nil {
		least = r.Cond.Least()
	}
	most := map[string]bool{}
	for _, o := range t.Options {
		most[o.Name] = true
	}
	if r.Cond != nil && !r.Cond.Holds(most) {
		for _, o := range r.Cond.Options {
			delete(most, o)
		}
		for o := range least {
			most[o] = true
		}
	}
	return []map[string]bool{least, most}
}

// looping rewrites instances of a rule and returns a loop, without rules if rewriting always ends.
func looping(t *rules.Table, s *system, r *rules.Rule) loop {
	for _, in := range vectors.Instances(t, r, rules.MaxAssignments) {
		for round := range 3 {
			x := s.w.instance(in, round)
			if x == nil {
				break
			}
			_, fired, ok := s.normalize(x, maxRewrites)
			if ok {
				continue
			}
			l := loop{on: fmt.Sprint(x)}
			for _, f := range fired[maxRewrites/2:] {
				if !slices.Contains(l.rules, f) {
					l.rules = append(l.rules, f)
				}
			}
			return l
		}
	}
	return loop{}
}

// instance returns the search expression of an instance, with constants from the vectors that generation tries,
// different ones in every round. It returns nil if there are none.
func (w *world) instance(in *vectors.Instance, round int) *term {
	consts := in.Constants(round)
	if consts == nil {
		return nil
	}
	return w.build(in.Rule.Find, in.Size, func(n *pattern.Node) *term {
		v := in.Rule.Typing.Var(n.Name)
		if v.Const {
			return w.constant(consts[n.Name], in.Size(n.Class), n.Base)
		}
		name := n.Name
		if n.Swz != "" {
			name += "." + n.Swz
		}
		return w.leaf(name, in.Size(n.Class))
	}, w.node)
}
