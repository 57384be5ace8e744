// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/target"
)

// closed rejects rules that make an operation that a target cannot select. A target takes an operation with any
// operands if a selection row matches it, if a rule of the same or a later set rewrites it to operations that are
// taken, or if a lowering replaces it with operations that are taken. Rows and rules with conditions on operands do not
// count.
//
// closed records the operations that rules make on each machine, for a test that compiles them.
func (t *tables) closed(tab *rules.Table, machines []target.Machine) error {
	var errs diag.List
	steps := stepsOf(tab)
	gaps := map[diag.Pos]*gap{}
	left := map[*lowering]*gap{}
	for _, m := range machines {
		x := t.machine(m, steps)
		x.leaves(left)
		made := map[form]bool{}
		for _, s := range x.steps {
			if x.unreached(s) {
				continue
			}
			x.check(s, gaps)
			for _, m := range s.makes {
				if !x.once(s, m.form) {
					made[m.form] = true
				}
			}
		}
		t.made = append(t.made, madeOn{m.Name, made})
	}
	for _, l := range t.lowerings {
		if g := left[l]; g != nil {
			errs.Addf(l.At("leaves"), l.Full, "leaves: %s", g.text())
		}
	}
	for _, r := range tab.Rules {
		if g := gaps[r.Pos]; g != nil && g.rule == r {
			g.report(&errs)
		}
	}
	return errs.Err()
}

// maxSizes limits the assignments of sizes at which a rule is examined.
const maxSizes = 1024

// step is a rule at one assignment of sizes, with the operations that it finds, root first, and the operations that it makes.
type step struct {
	*rules.Rule
	finds, makes []made
	open         bool // it fires whatever the operands of the operations are
}

type made struct {
	form
	node *pattern.Node
}

func stepsOf(tab *rules.Table) (out []*step) {
	for _, r := range tab.Rules {
		for _, sizes := range r.Typing.Assignments(maxSizes) {
			at := func(n *pattern.Node) made {
				f := form{op: n.Code}
				if n.Exec >= 0 {
					f.size = sizes[r.Typing.Root(n.Exec)]
				}
				return made{f, n}
			}
			s := &step{Rule: r, open: open(r)}
			r.Find.Walk(func(n *pattern.Node) {
				if n.Kind == pattern.Op {
					s.finds = append(s.finds, at(n))
				}
			})
			r.Replace.Walk(func(n *pattern.Node) {
				if n.Kind == pattern.Op && !r.Folds(n) {
					s.makes = append(s.makes, at(n))
				}
			})
			out = append(out, s)
		}
	}
	return out
}

// open reports whether a rule matches the operations of its pattern with any operands.
func open(r *rules.Rule) bool {
	if r.Where != nil || len(r.GivesUp) > 0 && r.AllowedBy == "" {
		return false
	}
	seen := map[string]bool{}
	open := true
	r.Find.Walk(func(n *pattern.Node) {
		switch {
		case n.Kind == pattern.Lit, n.Const, len(n.Preds) > 0:
			open = false
		case n.Kind == pattern.Var:
			open = open && !seen[n.Name+"."+n.Swz]
			seen[n.Name+"."+n.Swz] = true
		}
	})
	return open
}

// madeOn holds the operations that rules make on a target.
type madeOn struct {
	target string
	forms  map[form]bool
}

// machine is a target with the operations that it takes, by the set of the rules that make them.
type machine struct {
	*tables
	target.Machine
	steps   []*step // the rules that apply to the target
	taken   [rules.NumSets]map[form]bool
	refuses map[form]bool // results of refused
}

func (t *tables) machine(m target.Machine, steps []*step) *machine {
	x := &machine{tables: t, Machine: m, refuses: map[form]bool{}}
	var last *rules.Rule
	on := false
	for _, s := range steps {
		if s.Rule != last {
			last, on = s.Rule, s.On(m.Rewrite)
		}
		if on {
			x.steps = append(x.steps, s)
		}
	}
	late := map[form]bool{}
	for _, c := range t.selected {
		if c.On(m.Has) {
			for _, o := range t.ops.Ops {
				for _, f := range formsOf(o) {
					if s := c.Any[o.Name]; s != 0 && (f.size == 0 || s.Has(f.size)) && !x.refused(f) {
						late[f] = true
					}
				}
			}
		}
	}
	x.grow(late, rules.Late)
	main := maps.Clone(late)
	x.taken = [rules.NumSets]map[form]bool{rules.Main: main, rules.BeforeFFMA: late, rules.Late: late}
	for before := -1; before != len(main); {
		before = len(main)
		for _, l := range t.lowerings {
			lost := func(f form) bool { return !main[f] && !x.same(l, f) }
			if x.does(l) && !l.Val.Once && !slices.ContainsFunc(l.leaves, lost) {
				for _, f := range l.takes {
					main[f] = true
				}
			}
		}
		x.grow(main, rules.Main)
	}
	return x
}

func formsOf(o *opcodes.Op) (out []form) {
	for _, n := range o.Sizes {
		out = append(out, form{o, n})
	}
	if !o.Unsized() {
		out = append(out, form{o, 0})
	}
	return out
}

// grow adds the operations that open rules of a set take, until none is left to add.
func (x *machine) grow(taken map[form]bool, set int) {
	takers := slices.DeleteFunc(slices.Clone(x.steps), func(s *step) bool {
		return s.Set != set || !s.open || len(s.finds) > 2 || len(s.finds) == 2 && !x.alone(s)
	})
	for before := -1; before != len(taken); {
		before = len(taken)
		for _, s := range takers {
			if taken[s.finds[0].form] {
				continue
			}
			if !slices.ContainsFunc(s.makes, func(m made) bool { return !taken[m.form] }) {
				taken[s.finds[0].form] = true
			}
		}
	}
}

// alone reports whether no operation except the inner one of a rule has results of its size after the rules have run.
// An operand of that size is then always such a result. Vectors do not count: their components are read directly.
func (x *machine) alone(s *step) bool {
	late, inner := x.taken[rules.Late], s.finds[1].form
	if !late[inner] {
		return false
	}
	rewritten := map[form]bool{}
	for _, r := range x.steps {
		if r.Set == rules.Main && len(r.finds) == 1 && r.open {
			rewritten[r.finds[0].form] = true
		}
	}
	for f := range late {
		if f != inner && f.out() == inner.out() && f.op.Out.Comps <= 1 && !rewritten[f] {
			return false
		}
	}
	return true
}

func (f form) out() int {
	if f.op.Out.Bits != 0 {
		return f.op.Out.Bits
	}
	return f.size
}

// does reports whether a lowering applies on the machine.
func (x *machine) does(l *lowering) bool {
	return l.Val.When == "" || slices.Contains(x.Rewrite, l.Val.When)
}

// refused reports whether a ban rejects shaders that contain an operation, before lowering.
func (x *machine) refused(f form) bool {
	known, ok := x.refuses[f]
	if !ok {
		known = x.banned(f)
		x.refuses[f] = known
	}
	return known
}

func (x *machine) banned(f form) bool {
	return slices.ContainsFunc(x.bans, func(b *ban) bool {
		if x.stages[b.from].Val.Selected || slices.Contains(x.Has, b.Val.Unless) || !slices.Contains(b.ops, f.op) {
			return false
		}
		return slices.ContainsFunc(append(slices.Clone(f.op.Srcs), f.op.Out), func(o opcodes.Operand) bool {
			n := o.Bits
			if n == 0 {
				n = f.size
			}
			return b.banned(o, pattern.SizeSet(n)) != 0
		})
	})
}

// unreached reports whether a rule cannot fire: an operation that it finds is refused, or rewritten by the main set
// before the rule's set runs.
func (x *machine) unreached(s *step) bool {
	return slices.ContainsFunc(s.finds, func(f made) bool {
		return x.refused(f.form) || s.Set != rules.Main && x.taken[rules.Main][f.form] && !x.taken[s.Set][f.form]
	})
}

// leaves records the operations that lowerings leave and the machine cannot select.
func (x *machine) leaves(gaps map[*lowering]*gap) {
	for _, l := range x.lowerings {
		if !x.does(l) {
			continue
		}
		for _, f := range l.leaves {
			if !x.taken[rules.Main][f] && !x.same(l, f) {
				if gaps[l] == nil {
					gaps[l] = &gap{op: f.op.Name}
				}
				gaps[l].add(f, x.Name)
			}
		}
	}
}

const nothing = "no selection row, later rule or lowering takes it"

// same reports whether a lowering takes an operation itself.
func (x *machine) same(l *lowering, f form) bool { return slices.Contains(l.takes, f) }

// check records the operations that a rule makes and the machine does not take.
func (x *machine) check(s *step, gaps map[diag.Pos]*gap) {
	for _, m := range s.makes {
		if x.taken[s.Set][m.form] || x.once(s, m.form) {
			continue
		}
		g := gaps[s.Pos]
		if g == nil {
			g = &gap{rule: s.Rule, node: m.node, op: m.op.Name}
			gaps[s.Pos] = g
		}
		g.add(m.form, x.Name)
	}
}

// once reports whether a lowering that runs before the last run of the rules takes both an operation and an operation
// that the rule finds.
func (x *machine) once(s *step, f form) bool {
	return slices.ContainsFunc(x.lowerings, func(l *lowering) bool {
		return s.Set == rules.Main && l.Val.Once && x.does(l) && slices.Contains(l.takes, f) &&
			slices.ContainsFunc(s.finds, func(m made) bool { return slices.Contains(l.takes, m.form) })
	})
}

// gap is the first operation that a rule makes or a lowering leaves and that targets cannot select, with the sizes and the targets.
type gap struct {
	rule    *rules.Rule
	node    *pattern.Node
	op      string
	sizes   []int
	targets []string
}

// add records the size and the target of a form, if it is of the gap's operation.
func (g *gap) add(f form, target string) {
	if f.op.Name != g.op {
		return
	}
	if f.size != 0 && !slices.Contains(g.sizes, f.size) {
		g.sizes = append(g.sizes, f.size)
	}
	if !slices.Contains(g.targets, target) {
		g.targets = append(g.targets, target)
	}
}

func (g *gap) report(errs *diag.List) {
	errs.Addf(g.rule.In("replace", g.node.Col), g.rule.Full(), "replace: makes %s", g.text())
}

func (g *gap) text() string {
	what := g.op
	if len(g.sizes) > 0 {
		slices.Sort(g.sizes)
		what += " at " + strings.ReplaceAll(strings.Trim(fmt.Sprint(g.sizes), "[]"), " ", ", ") + " bits"
	}
	return fmt.Sprintf("%s, which %s cannot select: %s", what, strings.Join(g.targets, ", "), nothing)
}
