// SPDX-License-Identifier: MIT

package rules

import (
	"fmt"
	"slices"

	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/table"
)

// The measure by which rewriting terminates.
//
// A rule is smaller if its replacement weighs less than its search expression and uses no variable more often. Weights
// come from the [weight] rows and are summed over the tree; constants, and instructions on constants, weigh nothing.
// Then every rewrite makes the tree lighter, whatever the variables are bound to.
//
// A rule lowers if it expresses its root in other opcodes, each of which is below the root in an order that all
// lowering rules share and that must not have cycles. An opcode at different sizes counts as different opcodes. Such a
// rule may grow and copy (it decreases in the recursive path order).
//
// A rule that does neither explains in its row why it terminates. As the two orders differ, none of this proves that
// all rules together terminate: package rewriting searches for rules that undo each other.

// weightRow is the weight of instructions.
type weightRow struct {
	Doc    string   `toml:"doc" doc:"The common property of the opcodes." required:"true"`
	Ops    []string `toml:"ops" doc:"Their opcodes." items:"^[a-z][a-z0-9_]*$" required:"true"`
	Weight int      `toml:"weight" doc:"The weight of each." minimum:"1" required:"true"`
}

// otherWeight is the weight of opcodes without a row.
const otherWeight = 4

// loadWeights reads the [weight] rows.
func (t *Table) loadWeights(set *table.Set) error {
	rows, err := table.Rows[weightRow](set, "weight")
	if err != nil {
		return err
	}
	t.weights = map[string]int{}
	for _, r := range rows {
		if r.Val.Weight == otherWeight {
			t.Errs.Addf(r.At("weight"), r.Full, "weight: %d is the weight of opcodes without a row", otherWeight)
		}
		for _, o := range r.Val.Ops {
			switch {
			case t.Ops.ByName(o) == nil:
				t.Errs.Unknown(r.At("ops"), r.Full, "opcode", o, t.Ops.Names())
			case t.weights[o] != 0:
				t.Errs.Addf(r.At("ops"), r.Full, "ops: %s already has a weight", o)
			}
			t.weights[o] = r.Val.Weight
		}
	}
	return nil
}

// Weight returns the weight of an opcode.
func (t *Table) Weight(op string) int {
	if w := t.weights[op]; w != 0 {
		return w
	}
	return otherWeight
}

// burden is the weight of an expression, and how often each variable occurs in it.
// Constants do not count as variables.
type burden struct {
	weight int
	vars   map[string]int
}

func (t *Table) weigh(r *Rule, n *pattern.Node) burden {
	w := burden{vars: map[string]int{}}
	if r.foldable(n) {
		return w
	}
	if n.Kind == pattern.Var {
		w.vars[n.Name] = 1
		return w
	}
	args := make([]burden, len(n.Args))
	for i, a := range n.Args {
		args[i] = t.weigh(r, a)
	}
	if n.Code.Has("selection") && r.foldable(n.Args[0]) {
		// The constant condition selects one of the others: take the maximum weight, and the most uses of each variable.
		for _, a := range args[1:] {
			w.weight = max(w.weight, a.weight)
			for v, k := range a.vars {
				w.vars[v] = max(w.vars[v], k)
			}
		}
		return w
	}
	w.weight = t.Weight(n.Name)
	for _, a := range args {
		w.weight += a.weight
		for v, k := range a.vars {
			w.vars[v] += k
		}
	}
	return w
}

// foldable reports whether a node is a constant, or an instruction on nothing but constants.
func (r *Rule) foldable(n *pattern.Node) bool {
	if n.Kind != pattern.Op {
		return r.constant(n)
	}
	return !slices.ContainsFunc(n.Args, func(a *pattern.Node) bool { return !r.foldable(a) })
}

// smaller reports whether the replacement weighs less and copies nothing.
func (t *Table) smaller(r *Rule) bool {
	f, p := t.weigh(r, r.Find), t.weigh(r, r.Replace)
	for v, n := range p.vars {
		if n > f.vars[v] {
			return false
		}
	}
	return p.weight < f.weight
}

// rank returns 0 for rules that make their expression smaller, and 1 for others.
func (t *Table) rank(r *Rule) int {
	if t.smaller(r) {
		return 0
	}
	return 1
}

// below is an entry in the order of opcodes: a rule expresses the opcode what in terms of lower.
type below struct {
	what, lower string
	rule        *Rule
}

// lowers returns the entries that put opcodes below the rule's root; ok is false if one is
// the root itself.
func (t *Table) lowers(r *Rule) (out []below, ok bool) {
	ok = true
	for _, sizes := range r.Typing.Assignments(MaxAssignments) {
		if !t.possible(r, sizes) {
			continue
		}
		at := func(n *pattern.Node) string {
			if n.Exec < 0 {
				return n.Name
			}
			return fmt.Sprintf("%s@%d", n.Name, sizes[r.Typing.Root(n.Exec)])
		}
		root := at(r.Find)
		r.Replace.Walk(func(n *pattern.Node) {
			if n.Kind != pattern.Op || r.foldable(n) {
				return
			}
			e := below{root, at(n), r}
			ok = ok && e.what != e.lower
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		})
	}
	return out, ok
}

// possible reports whether the value predicates of variables have a meaning at the sizes.
func (t *Table) possible(r *Rule, sizes map[int]int) bool {
	for _, v := range r.Typing.Vars {
		for _, name := range v.Preds {
			if p := t.Preds.ByName(name); p.Kind == predicate.Value && p.Meaning[sizes[r.Typing.Root(v.Class)]] == nil {
				return false
			}
		}
	}
	return true
}

// order holds the entries of the lowering rules so far, by opcode.
type order struct {
	entries map[string][]below
	steps   int // remaining for the search for cycles
}

// maxSteps limits the search for cycles in one set of rules.
const maxSteps = 1_000_000

// add adds a rule's entries and returns nil, unless an entry forms a cycle with earlier ones whose
// conditions can hold together. Then it adds nothing and returns the cycle, which begins with that entry.
func (o *order) add(list []below) []below {
	for _, e := range list {
		if path := o.cycle(e); path != nil {
			return path
		}
	}
	for _, e := range list {
		o.entries[e.what] = append(o.entries[e.what], e)
	}
	return nil
}

// cycle returns a cycle of entries that begins with e and whose conditions can hold together, or nil if it finds none.
func (o *order) cycle(e below) []below {
	if !o.reaches(e.lower, e.what) {
		return nil
	}
	return o.path(e.lower, e.what, []below{e})
}

// reaches reports whether entries lead from one end to the other, regardless of conditions. It counts its steps in o.steps.
func (o *order) reaches(from, to string) bool {
	seen := map[string]bool{from: true}
	for list := []string{from}; len(list) > 0; {
		x := list[len(list)-1]
		list = list[:len(list)-1]
		if x == to {
			return true
		}
		for _, e := range o.entries[x] {
			if o.steps--; !seen[e.lower] {
				seen[e.lower] = true
				list = append(list, e.lower)
			}
		}
	}
	return false
}

// path returns the path so, extended by entries that lead from from to to and whose conditions can hold together, or nil if it
// finds none before o.steps is used up.
func (o *order) path(from, to string, so []below) []below {
	if from == to {
		return so
	}
	for _, e := range o.entries[from] {
		if o.steps--; o.steps < 0 {
			return nil
		}
		if slices.ContainsFunc(so, func(x below) bool { return x.what == e.what }) {
			continue
		}
		next := append(slices.Clone(so), e)
		if !together(next) {
			continue
		}
		if p := o.path(e.lower, to, next); p != nil {
			return p
		}
	}
	return nil
}

// together reports whether the conditions of all entries can hold at once, as far as
// that can be decided.
func together(list []below) bool {
	var conds []*Condition
	for _, e := range list {
		if e.rule.Cond != nil && !slices.Contains(conds, e.rule.Cond) {
			conds = append(conds, e.rule.Cond)
		}
	}
	if len(named(conds)) > maxTried {
		return true
	}
	found := len(conds) == 0
	Choices(func(on map[string]bool) bool {
		found = !slices.ContainsFunc(conds, func(c *Condition) bool { return !c.Holds(on) })
		return !found
	}, conds...)
	return found
}

// Ends rejects rules that are not smaller, do not lower and do not explain why they
// terminate, lowering rules that express opcodes in terms of each other, and explanations of rules that are smaller.
func (t *Table) Ends() {
	orders := make([]*order, len(Sets))
	needless := map[string]*Rule{}
	for _, r := range t.Rules {
		if orders[r.Set] == nil {
			orders[r.Set] = &order{entries: map[string][]below{}, steps: maxSteps}
		}
		if orders[r.Set].steps < 0 {
			t.Errs.Addf(r.Pos, r.Full(),
				"the lowering rules up to here are too complex: whether they form a cycle is not decided within %d steps", maxSteps)
			return
		}
		row := r.Pos.String()
		small := t.smaller(r)
		list, lowers := t.lowers(r)
		switch {
		case small || lowers && r.Ends == "" && orders[r.Set].fits(list):
			if _, seen := needless[row]; !seen {
				needless[row] = r
			}
			if !small {
				orders[r.Set].add(list)
			}
			continue
		case r.Ends != "":
			needless[row] = nil
			continue
		case lowers:
			cycle := orders[r.Set].add(list)
			var parties []Party
			for _, e := range cycle {
				parties = append(parties, e.rule.Party())
			}
			newest := t.Record().Newest(parties)
			cycle = slices.Concat(cycle[newest:], cycle[:newest])
			text := ""
			for _, e := range cycle[1:] {
				text += fmt.Sprintf("; [rule.%s] at %s writes %s in terms of %s", e.rule.Name, e.rule.Pos, e.what, e.lower)
			}
			at := cycle[0]
			t.Errs.Addf(at.rule.Pos, at.rule.Full(), "forms a cycle: it writes %s in terms of %s%s; explain in ends why it terminates",
				at.what, at.lower, text)
		default:
			f, p := t.weigh(r, r.Find), t.weigh(r, r.Replace)
			why := fmt.Sprintf("weighs %d instead of %d", p.weight, f.weight)
			if p.weight < f.weight {
				why = "uses a variable more often"
			}
			t.Errs.Addf(r.Pos, r.Full(), "the replacement is not smaller (it %s) and contains %s; explain in ends why the rule terminates",
				why, r.Find.Name)
		}
		needless[row] = nil
	}
	for _, r := range t.Rules {
		if r.Ends != "" && needless[r.Pos.String()] == r {
			t.Errs.Addf(r.at("ends"), r.Full(), "ends: not needed: the replacement is smaller")
		}
	}
}

// fits reports whether no entry forms a cycle with earlier ones whose conditions can hold together.
func (o *order) fits(list []below) bool {
	return !slices.ContainsFunc(list, func(e below) bool { return o.cycle(e) != nil })
}
