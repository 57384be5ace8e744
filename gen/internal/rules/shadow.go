// SPDX-License-Identifier: MIT

package rules

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/pattern"
)

// overlap rejects rules with a trivial condition, duplicates, rules that
// earlier ones always preempt, and rules that match their own replacement.
func (t *Table) overlap() {
	earlier := newIndex(t.Rarity)
	t.preempted = nil
	for _, r := range t.Rules {
		t.checkCondition(r)
		t.shadowed(r, earlier.like(r.Set, r.Find))
		earlier.add(r)
		if r.Replace.Kind == pattern.Op && r.Where == nil && pattern.Covers(r.Find, r.Typing, r.Replace, r.Typing, nil) {
			t.Errs.Addf(r.Pos, r.Full(), "matches its own replacement: it would never terminate")
		}
	}
	t.Record().Report(&t.Errs, t.preempted)
}

// checkCondition rejects a when that never or always holds.
func (t *Table) checkCondition(r *Rule) {
	if r.Cond == nil {
		return
	}
	if r.Cond.Least() == nil {
		t.Errs.Addf(r.at("when"), r.Full(), "when: %s never holds", r.WhenRow)
	} else if (*Condition)(nil).implies(r.Cond) {
		t.Errs.Addf(r.at("when"), r.Full(), "when: %s always holds", r.WhenRow)
	}
}

// shadowed rejects r if earlier similar rules match everything that it matches.
func (t *Table) shadowed(r *Rule, earlier []*Rule) {
	var by []*Rule
	for _, e := range earlier {
		fires := t.firesOn(e, r.Find, r)
		switch {
		case fires && r.Cond.implies(e.Cond):
			if twinFind(e, r) && r.WhenRow == e.WhenRow && len(e.GivesUp) == len(r.GivesUp) {
				t.preempt(e, r, "is a duplicate of %s", "is a duplicate of %s")
			} else {
				t.preempt(e, r, "can never fire: everything it matches is matched earlier by %s", "")
			}
			return
		case twin(e, r):
			const join = "has the same find and replace as %s: merge their conditions or gives_up"
			t.preempt(e, r, join, join)
			if fires {
				return
			}
		case fires:
			by = append(by, e)
		}
	}
	var conds []*Condition
	var names []string
	for _, e := range by {
		conds = append(conds, e.Cond)
		names = append(names, fmt.Sprintf("[rule.%s] at %s", e.Name, e.Pos))
	}
	if len(by) > 1 && r.Cond.implies(conds...) {
		t.Errs.Addf(r.Pos, r.Full(), "can never fire: everything it matches is matched earlier by %s", strings.Join(names, " or "))
	}
}

// preempt records that by fires before r can. msg is the format of the message at r, which names by; back is the format of the
// message at by, which names r, if r is the only rule that by preempts.
func (t *Table) preempt(by, r *Rule, msg, back string) {
	name := func(r *Rule) string { return fmt.Sprintf("[rule.%s] at %s", r.Name, r.Pos) }
	if back != "" {
		back = fmt.Sprintf(back, name(r))
	}
	t.preempted = append(t.preempted, Preemption{
		By: by.Party(), Row: r.Party(), Full: r.Full(), Other: by.Full(), Msg: fmt.Sprintf(msg, name(by)), Back: back,
	})
}

// Party returns the rule as a party of a conflict.
func (r *Rule) Party() Party { return Party{r.Name, r.Pos} }

// firesOn reports whether e fires on everything that n, a part of r's search expression,
// matches, provided that e's condition holds.
func (t *Table) firesOn(e *Rule, n *pattern.Node, r *Rule) bool {
	if e.AllowedBy == "" {
		for _, g := range e.GivesUp {
			if r.AllowedBy != "" || !slices.Contains(r.GivesUp, g) {
				return false
			}
		}
	}
	if e.Where != nil && (n != r.Find || e.Text() != r.Text()) {
		return false // conditions on constants are not compared
	}
	return pattern.Covers(e.Find, e.Typing, n, r.Typing, nil)
}

// twinFind reports whether two rules have equivalent search expressions.
func twinFind(a, b *Rule) bool {
	return pattern.Covers(a.Find, a.Typing, b.Find, b.Typing, nil) && pattern.Covers(b.Find, b.Typing, a.Find, a.Typing, nil)
}

// twin reports whether two rules differ at most in names, the order of commutative operands, when and gives_up.
func twin(a, b *Rule) bool { return a.canonical() == b.canonical() && twinFind(a, b) }

// canonical returns the text of the rule with commutative operands sorted and variables
// numbered in order of occurrence, so that rules that differ only in these have the same text.
func (r *Rule) canonical() string {
	if r.text == "" {
		r.text = r.write()
	}
	return r.text
}

func (r *Rule) write() string {
	shape := func(n *pattern.Node) string { return n.Shape(nil) }
	number := map[string]string{}
	name := func(v string) string {
		if number[v] == "" {
			number[v] = fmt.Sprintf("v%d", len(number))
		}
		return number[v]
	}
	find := r.Find.Ordered(shape)
	// The search expression determines the numbers; the replacement is then sorted by them.
	text := find.Shape(name)
	rep := r.Replace.Ordered(func(n *pattern.Node) string { return n.Shape(name) })
	text += " => " + rep.Shape(name)
	if r.Where != nil {
		text += " where " + r.Where.Shape(name)
	}
	return text
}

// Reachable rejects rules with a part that never occurs in a shader when they are tried: its operands are all constant,
// so that it has been folded, or another rule of the set has always rewritten it. The engine visits operands first. It also
// rejects predicates that contradict the search expression.
func (t *Table) Reachable() {
	all := newIndex(t.Rarity)
	t.preempted = nil
	for _, r := range t.Rules {
		all.add(r)
	}
	for _, r := range t.Rules {
		t.contradiction(r)
		r.Find.Walk(func(n *pattern.Node) {
			if n.Kind != pattern.Op {
				return
			}
			if n.Code.Meaning != nil && !slices.ContainsFunc(n.Args, func(a *pattern.Node) bool { return !r.constant(a) }) {
				t.Errs.Addf(r.Pos, r.Full(), "can never match: the operands of %s are constant, so it has always been folded", n)
				return
			}
			if n == r.Find {
				return
			}
			for _, e := range all.like(r.Set, n) {
				if e != r && r.Cond.implies(e.Cond) && t.firesOn(e, n, r) {
					t.preempt(e, r, "can never match: %s always rewrites "+strings.ReplaceAll(n.String(), "%", "%%")+" first", "")
					return
				}
			}
		})
	}
	t.Record().Report(&t.Errs, t.preempted)
}

// constant reports whether a leaf of the search expression is constant.
func (r *Rule) constant(n *pattern.Node) bool {
	return n.Kind == pattern.Lit || n.Kind == pattern.Var && r.Typing.Var(n.Name).Const
}

// contradiction rejects predicates of variables that cannot hold where the rule matches.
func (t *Table) contradiction(r *Rule) {
	for _, v := range r.Typing.Vars {
		for _, name := range v.Preds {
			switch p := t.Preds.ByName(name); {
			case p.Go == "UsedOnce" && v.Uses > 1:
				t.Errs.Addf(r.Pos, r.Full(), "can never match: %s is used %d times in find, but :%s requires a single use", v.Name, v.Uses,
					name)
			case p.Go == "NotConst" && v.Const:
				t.Errs.Addf(r.Pos, r.Full(), "can never match: #%s is constant, but :%s requires that it is not", v.Name, name)
			}
		}
	}
}
