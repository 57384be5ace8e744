// SPDX-License-Identifier: MIT

package prove

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
)

// mutant is a rule with one thing changed, as text.
type mutant struct {
	of                   *rules.Rule
	kind                 string // opcode, constant, operand or predicate
	find, replace, where string
}

func (m *mutant) String() string {
	s := fmt.Sprintf("%s, %s: %s => %s", m.of.Name, m.kind, m.find, m.replace)
	if m.where != "" {
		s += " where " + m.where
	}
	return s
}

// toml returns a table in which the mutant replaces its rule.
func (m *mutant) toml() string {
	r := m.of
	s := fmt.Sprintf("[rule.m]\nfind = '%s'\nreplace = '%s'\n", m.find, m.replace)
	for _, x := range []struct{ key, val string }{{"where", m.where}, {"when", r.WhenRow}, {"ends", r.Ends}, {"allowed_by", r.AllowedBy}} {
		if x.val != "" {
			s += fmt.Sprintf("%s = %q\n", x.key, x.val)
		}
	}
	if len(r.GivesUp) > 0 {
		s += fmt.Sprintf("gives_up = [%q]\n", strings.Join(r.GivesUp, `", "`))
		s = strings.ReplaceAll(s, `\"`, `"`)
	}
	return s
}

// mutate changes one opcode, constant, operand or predicate; it returns nil if the kind
// drawn does not occur in the rule. A derivative, which is not a function of its
// operand, never replaces another opcode.
func mutate(rng *rand.Rand, tab *rules.Table, ops *opcodes.Table, r *rules.Rule) *mutant {
	m := &mutant{of: r, kind: []string{"opcode", "constant", "operand", "predicate"}[rng.IntN(4)]}
	sides := []*pattern.Node{copied(r.Find), copied(r.Replace)}
	if r.Where != nil {
		sides = append(sides, copied(r.Where))
	}
	var places []func()
	for k, side := range sides {
		side.Walk(func(n *pattern.Node) {
			switch {
			case m.kind == "opcode" && n.Kind == pattern.Op:
				for _, o := range ops.Ops {
					if o != n.Code && alike(o, n.Code) && !o.Has("derivative") {
						places = append(places, func() { n.Name = o.Name })
					}
				}
			case m.kind == "constant" && n.Kind == pattern.Lit:
				places = append(places, func() { n.Name = otherLiteral(rng, n) })
			case m.kind == "operand" && n.Kind == pattern.Op && len(n.Args) > 1:
				for i := range n.Args {
					for j := range i {
						if !(n.Code.Has("commutative") && i < 2) && n.Args[i].String() != n.Args[j].String() {
							places = append(places, func() { n.Args[i], n.Args[j] = n.Args[j], n.Args[i] })
						}
					}
				}
			case m.kind == "operand" && n.Kind == pattern.Var && k == 1:
				for _, v := range r.Typing.Vars {
					if v.Name != n.Name && v.May == "" {
						places = append(places, func() { n.Name = v.Name })
					}
				}
			case m.kind == "predicate" && len(n.Preds) > 0:
				for i, name := range n.Preds {
					p := tab.Preds.ByName(name)
					if p.Kind == predicate.Heuristic {
						continue
					}
					places = append(places, func() { n.Preds = slices.Delete(n.Preds, i, i+1) })
					for _, q := range tab.Preds.Rows {
						if q.Kind == p.Kind && q.Name != name {
							places = append(places, func() { n.Preds[i] = q.Name })
						}
					}
				}
			}
		})
	}
	if len(places) == 0 {
		return nil
	}
	places[rng.IntN(len(places))]()
	m.find, m.replace = sides[0].String(), sides[1].String()
	if len(sides) > 2 {
		m.where = sides[2].String()
	}
	return m
}

// copied returns a copy of a pattern that may be modified.
func copied(n *pattern.Node) *pattern.Node {
	c := *n
	c.Preds = slices.Clone(n.Preds)
	c.Args = nil
	for _, a := range n.Args {
		x := copied(a)
		x.Parent = &c
		c.Args = append(c.Args, x)
	}
	return &c
}

// alike reports whether two opcodes take and return values of the same shapes,
// ignoring signedness.
func alike(a, b *opcodes.Op) bool {
	base := func(b eval.Base) eval.Base {
		if b == eval.Uint || b == eval.Bits {
			return eval.Int
		}
		return b
	}
	same := func(x, y opcodes.Operand) bool {
		return base(x.Base) == base(y.Base) && x.Bits == y.Bits && x.Comps == y.Comps
	}
	if len(a.Srcs) != len(b.Srcs) || !same(a.Out, b.Out) || a.Unsized() != b.Unsized() {
		return false
	}
	for i := range a.Srcs {
		if !same(a.Srcs[i], b.Srcs[i]) {
			return false
		}
	}
	return true
}

func otherLiteral(rng *rand.Rand, n *pattern.Node) string {
	switch n.LitKind {
	case pattern.LitBool:
		return strconv.FormatBool(n.Int == 0)
	case pattern.LitFloat:
		f := n.Float
		list := []float64{-f, f * 2, f + 1, f / 2, 0, 1}
		for {
			if x := list[rng.IntN(len(list))]; x != f || x == 0 && rng.IntN(2) == 0 {
				s := strconv.FormatFloat(x, 'f', -1, 64)
				if x == 0 && f == 0 { // the other zero
					s = map[bool]string{true: "0.0", false: "-0.0"}[strings.HasPrefix(n.Name, "-")]
				}
				if strings.ContainsAny(s, ".In") {
					return strings.ToLower(strings.TrimPrefix(s, "+"))
				}
				return s + ".0"
			}
		}
	}
	v := int64(n.Int)
	if n.Neg {
		v = -v
	}
	list := []int64{v + 1, v - 1, -v, v ^ 1<<rng.IntN(5), v * 2, 0}
	for {
		if x := list[rng.IntN(len(list))]; x != v {
			return strconv.FormatInt(x, 10)
		}
	}
}
