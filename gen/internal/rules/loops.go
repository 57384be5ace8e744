package rules

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/pattern"
)

// maxRewrites is the number of rewrites of a rule's own instance after which rules are
// considered to undo each other.
const maxRewrites = 400

// loops rejects rules that undo each other, whatever their rows claim. Every rule
// is run on its own search expression, at every size and with several constants, under the
// fewest and under the most options with which it is enabled, and with float
// instructions that may give up everything or only as much as the rule needs.
func (t *Table) loops() {
	messages := make([]string, len(t.Rules))
	inParallel(len(t.Rules), func() func(i int) {
		looping := t.looper()
		return func(i int) { messages[i] = looping(t.Rules[i]) }
	})
	for i, msg := range messages {
		if msg != "" {
			t.errs.Addf(t.Rules[i].Pos, t.Rules[i].Full(), "%s", msg)
		}
	}
}

// looper returns a function that describes why rewriting a rule's search expression does
// not terminate, or returns "" if it does. It caches what it builds and is for one goroutine.
func (t *Table) looper() func(*Rule) string {
	w := newWorld(t)
	systems := map[string]*system{}
	system := func(r *Rule, on map[string]bool, all bool) *system {
		key := fmt.Sprint(r.Set, on, all)
		if !all {
			key += fmt.Sprint(r.GivesUp)
		}
		if systems[key] == nil {
			systems[key] = w.system(r.Set, on, func(e *Rule) bool { return all || e.within(r) })
		}
		return systems[key]
	}
	return func(r *Rule) string {
		for _, on := range t.settings(r) {
			for _, all := range []bool{true, false} {
				if !all && !r.Float() {
					continue
				}
				if msg := t.looping(system(r, on, all), r); msg != "" {
					return msg
				}
			}
		}
		return ""
	}
}

// within reports whether e fires on instructions that give up only what r
// needs.
func (e *Rule) within(r *Rule) bool {
	return e.AllowedBy != "" || !slices.ContainsFunc(e.GivesUp, func(g string) bool { return !slices.Contains(r.GivesUp, g) })
}

// settings returns the fewest and the most options under which the rule is enabled.
func (t *Table) settings(r *Rule) []map[string]bool {
	least := map[string]bool{}
	if r.Cond != nil {
		least = r.Cond.least()
	}
	most := map[string]bool{}
	for _, o := range t.Options {
		most[o.Name] = true
	}
	if r.Cond != nil && !r.Cond.holds(most) {
		for _, o := range r.Cond.options {
			delete(most, o)
		}
		for o := range least {
			most[o] = true
		}
	}
	return []map[string]bool{least, most}
}

// looping rewrites instances of a rule and describes which rules do not terminate.
func (t *Table) looping(s *system, r *Rule) string {
	for _, in := range t.Instances(r, maxAssignments) {
		for round := range 3 {
			x := s.w.instance(in, round)
			if x == nil {
				break
			}
			_, fired, ok := s.normalize(x, maxRewrites)
			if ok {
				continue
			}
			var names []string
			for _, f := range fired[maxRewrites/2:] {
				if name := fmt.Sprintf("[rule.%s] at %s", f.Name, f.Pos); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			return fmt.Sprintf("rewriting does not end on %s: %s", x, undo(names))
		}
	}
	return ""
}

func undo(names []string) string {
	if len(names) == 1 {
		return names[0] + " undoes itself"
	}
	return strings.Join(names, ", ") + " undo each other"
}

// instance returns the search expression of an instance. Constants are taken from those that
// generation tries, different ones in every round. It returns nil if there are none.
func (w *world) instance(in *Instance, round int) *term {
	consts := in.constants(round)
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
