// SPDX-License-Identifier: MIT

package rewriting

import (
	"fmt"
	"slices"

	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// Overlap is an expression that two rules of a set match, where the earlier
// one wins although the later one leads to a lighter result.
type Overlap struct {
	Earlier, Later *rules.Rule
	On             string // the expression
	Worse, Better  string // its normal forms if the earlier, or the later rule matches
	WorseCost      int
	BetterCost     int
}

func (o *Overlap) String() string {
	return fmt.Sprintf("%s: [%s] rewrites %s to %s (cost %d), but the later [%s] at %s would yield %s (cost %d)",
		o.Earlier.Pos, o.Earlier.Full(), o.On, o.Worse, o.WorseCost, o.Later.Full(), o.Later.Pos, o.Better, o.BetterCost)
}

// Overlaps returns the overlaps of all rules, found by unifying the search expressions of
// two rules with the same root, at every size, under the fewest options with which both
// are enabled. Instructions may give up everything. pairs is the number of pairs of rules
// that have an expression in common.
func Overlaps(t *rules.Table) (out []*Overlap, pairs int) {
	w := newWorld(t)
	systems := map[string]*system{}
	byRoot := map[string][]*rules.Rule{}
	for _, later := range t.Rules {
		key := fmt.Sprint(later.Set, later.Find.Name)
		for _, earlier := range byRoot[key] {
			on := bothOn(earlier, later)
			if on == nil {
				continue
			}
			key := fmt.Sprint(later.Set, on)
			if systems[key] == nil {
				systems[key] = w.system(later.Set, on, func(*rules.Rule) bool { return true })
			}
			o, met := overlapOf(t, systems[key], earlier, later)
			if met {
				pairs++
			}
			if o != nil {
				out = append(out, o)
			}
		}
		byRoot[key] = append(byRoot[key], later)
	}
	return out, pairs
}

// bothOn returns a smallest set of options under which both rules are enabled, or nil.
func bothOn(a, b *rules.Rule) map[string]bool {
	var out map[string]bool
	rules.Choices(func(on map[string]bool) bool {
		if a.Cond.Holds(on) && b.Cond.Holds(on) {
			out = on
		}
		return out == nil
	}, a.Cond, b.Cond)
	return out
}

func overlapOf(t *rules.Table, s *system, earlier, later *rules.Rule) (out *Overlap, met bool) {
	for _, a := range vectors.Instances(t, earlier, rules.MaxAssignments) {
		for _, b := range vectors.Instances(t, later, rules.MaxAssignments) {
			u := &unifier{w: s.w, to: map[*term]*term{}, vars: map[*term]*unknown{}}
			x, y := u.open(a, "1"), u.open(b, "2")
			if x.exec != y.exec || x.size != y.size {
				continue
			}
			tries := 0
			u.unify(x, y, func() bool {
				tries++
				if z := u.close(x); z != nil {
					o, both := compare(t, s, earlier, later, z)
					met = met || both
					out = o
				}
				return out != nil || tries == 8
			})
			if out != nil {
				return out, met
			}
		}
	}
	return nil, met
}

// compare rewrites an expression by each of the two rules first, and returns an overlap if the later rule leads to a
// lighter result. both reports whether both rules match and the operands cannot be rewritten.
func compare(t *rules.Table, s *system, earlier, later *rules.Rule, x *term) (o *Overlap, both bool) {
	for _, a := range x.args {
		if y, _, ok := s.normalize(a, 1); !ok || y != a || s.w.folds(a) {
			return nil, false // never occurs there when the root is tried
		}
	}
	s.root, s.readers = x, nil
	a, _ := s.apply(earlier, x)
	b, _ := s.apply(later, x)
	if a == nil || b == nil {
		return nil, false
	}
	a, _, endsA := s.normalize(a, maxRewrites)
	b, _, endsB := s.normalize(b, maxRewrites)
	if !endsA || !endsB || a == b {
		return nil, true
	}
	if p, q := cost(t, a), cost(t, b); q < p {
		return &Overlap{earlier, later, x.String(), a.String(), b.String(), p, q}, true
	}
	return nil, true
}

// unifier finds expressions that two patterns at given sizes have in common.
type unifier struct {
	w    *world
	to   map[*term]*term    // variable → its term
	vars map[*term]*unknown // the requirements on a variable
}

// unknown holds the conditions of a rule on a variable.
type unknown struct {
	constant bool
	preds    []*predicate.Predicate
	in       *vectors.Instance
	v        *pattern.VarInfo
}

// open returns a rule's search expression. The suffix mark distinguishes its variables from the other rule's.
func (u *unifier) open(in *vectors.Instance, mark string) *term {
	return u.w.build(in.Rule.Find, in.Size, func(n *pattern.Node) *term {
		v := in.Rule.Typing.Var(n.Name)
		name := n.Name + mark
		if n.Swz != "" {
			name += "." + n.Swz
		}
		x := u.w.leaf(name, in.Size(n.Class))
		k := &unknown{constant: v.Const, in: in, v: v}
		for _, p := range v.Preds {
			k.preds = append(k.preds, u.w.t.Preds.ByName(p))
		}
		u.vars[x] = k
		return x
	}, u.w.node)
}

func (u *unifier) find(x *term) *term {
	for u.to[x] != nil {
		x = u.to[x]
	}
	return x
}

// unify calls then for every way to make the two equal, until then returns true. It reports whether then did.
func (u *unifier) unify(x, y *term, then func() bool) bool {
	x, y = u.find(x), u.find(y)
	switch {
	case x == y:
		return then()
	case u.vars[x] != nil:
		return u.bind(x, y, then)
	case u.vars[y] != nil:
		return u.bind(y, x, then)
	case x.op == nil || x.op != y.op || x.exec != y.exec:
		return false
	}
	if u.args(x.args, y.args, then) {
		return true
	}
	if !x.op.Has("commutative") || len(x.args) < 2 {
		return false
	}
	return u.args(x.args, swapped(y.args), then)
}

func (u *unifier) args(x, y []*term, then func() bool) bool {
	if len(x) == 0 {
		return then()
	}
	return u.unify(x[0], y[0], func() bool { return u.args(x[1:], y[1:], then) })
}

func (u *unifier) bind(v, x *term, then func() bool) bool {
	if v.size != x.size || u.vars[v].constant && x.op != nil || u.occurs(v, x) {
		return false
	}
	u.to[v] = x
	if then() {
		return true
	}
	delete(u.to, v)
	return false
}

func (u *unifier) occurs(v, x *term) bool {
	x = u.find(x)
	return x == v || slices.ContainsFunc(x.args, func(a *term) bool { return u.occurs(v, a) })
}

// close replaces variables with their terms, and variables that must be constant with a constant that satisfies all
// predicates. It returns nil if there is none.
func (u *unifier) close(x *term) *term {
	asks := map[*term][]*unknown{} // by the terms of variables
	for v, k := range u.vars {
		y := u.find(v)
		asks[y] = append(asks[y], k)
	}
	value := map[*term]*term{}
	var walk func(x *term) *term
	walk = func(x *term) *term {
		x = u.find(x)
		if y := value[x]; y != nil {
			return y
		}
		y := x
		switch {
		case x.op != nil:
			args := make([]*term, len(x.args))
			for i, a := range x.args {
				if args[i] = walk(a); args[i] == nil {
					return nil
				}
			}
			y = u.w.node(x.op, x.exec, args)
		case u.vars[x] != nil:
			y = u.choose(x, asks[x])
		}
		if y != nil {
			value[x] = y
		}
		return y
	}
	return walk(x)
}

// choose returns the value of a variable: the variable itself, or, if it must be constant, a constant that satisfies all
// predicates. It returns nil if there is none.
func (u *unifier) choose(x *term, asks []*unknown) *term {
	i := slices.IndexFunc(asks, func(k *unknown) bool { return k.constant })
	if i < 0 {
		return x
	}
	k := asks[i]
	good := func(bits uint64) bool {
		return !slices.ContainsFunc(asks, func(k *unknown) bool {
			return slices.ContainsFunc(k.preds, func(p *predicate.Predicate) bool {
				return p.Kind == predicate.Value && !p.Holds(x.size, bits)
			})
		})
	}
	all := slices.DeleteFunc(k.in.Candidates(k.v), func(bits uint64) bool { return !good(bits) })
	if len(all) == 0 {
		return nil
	}
	return u.w.constant(all[min(3, len(all)-1)], x.size, k.v.Base)
}
