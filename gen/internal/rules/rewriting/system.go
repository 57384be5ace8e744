// SPDX-License-Identifier: MIT

package rewriting

import (
	"slices"
	"strings"

	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
)

// system is a rule set under one setting of the options. It rewrites terms
// in the engine's order: operands first, by the first rule of the table that
// matches.
type system struct {
	w       *world
	rules   termIndex
	listed  map[*term][]*rules.Rule // rules, by the term that they may match
	quiet   map[*term]bool          // no rule matches, whatever is above
	readers map[*term][]*term
	root    *term
}

// system returns a system with the rules of a set that the options on enable and that allowed accepts.
func (w *world) system(set int, on map[string]bool, allowed func(*rules.Rule) bool) *system {
	s := &system{w: w, rules: termIndex{}, listed: map[*term][]*rules.Rule{}, quiet: map[*term]bool{}}
	for _, r := range w.t.Rules {
		if r.Set == set && r.Cond.Holds(on) && allowed(r) {
			s.rules.add(w.t.Rarity, r)
		}
	}
	return s
}

// normalize rewrites x until no rule matches. It returns the result and the rules that fired, and
// false if it gave up after limit rewrites.
func (s *system) normalize(x *term, limit int) (*term, []*rules.Rule, bool) {
	var fired []*rules.Rule
	for range limit {
		y, r := s.step(x)
		if r == nil {
			return x, fired, true
		}
		fired = append(fired, r)
		x = y
	}
	return x, fired, false
}

// step rewrites the first place where a rule matches. It returns the new root and the rule, or root and nil if none matches.
func (s *system) step(root *term) (*term, *rules.Rule) {
	s.root, s.readers = root, nil
	seen := map[*term]bool{}
	var visit func(x *term) (*term, *term, *rules.Rule)
	visit = func(x *term) (*term, *term, *rules.Rule) {
		if x.op == nil || seen[x] {
			return nil, nil, nil
		}
		seen[x] = true
		for _, a := range x.args {
			if old, new, r := visit(a); r != nil {
				return old, new, r
			}
		}
		if s.quiet[x] {
			return nil, nil, nil
		}
		around := false // whether the users of a term affect matching
		for _, r := range s.matching(x) {
			new, looked := s.apply(r, x)
			if new != nil {
				return x, new, r
			}
			around = around || looked
		}
		if !around {
			s.quiet[x] = true
		}
		return nil, nil, nil
	}
	old, new, r := visit(root)
	if r == nil {
		return root, nil
	}
	return s.w.replace(root, old, new), r
}

func (s *system) matching(x *term) []*rules.Rule {
	list, known := s.listed[x]
	if !known {
		list = s.rules.matching(x)
		s.listed[x] = list
	}
	return list
}

// replace replaces old with new everywhere in root.
func (w *world) replace(root, old, new *term) *term {
	memo := map[*term]*term{old: new}
	var walk func(x *term) *term
	walk = func(x *term) *term {
		if y := memo[x]; y != nil {
			return y
		}
		y := x
		if x.op != nil {
			args := make([]*term, len(x.args))
			for i, a := range x.args {
				args[i] = walk(a)
			}
			if !slices.Equal(args, x.args) {
				y = w.make(x.op, x.exec, args)
			}
		}
		memo[x] = y
		return y
	}
	return walk(root)
}

// apply returns the result of a rule on a term, or nil if it does not match. looked
// reports that the users of the term or of its parts were examined.
func (s *system) apply(r *rules.Rule, x *term) (out *term, looked bool) {
	m := &termMatch{s: s, r: r, bind: map[string]*term{}, size: map[int]int{}}
	if !m.node(r.Find, x, m.condition) {
		return nil, m.looked
	}
	return s.w.build(r.Replace,
		func(class int) int { return m.sizeOf(class) },
		func(n *pattern.Node) *term {
			if y := m.bind[n.Name+"."+n.Swz]; y != nil {
				return y
			}
			y := m.bind[n.Name+"."]
			if y == nil { // other components of a bound variable
				return s.w.leaf(n.Name+"."+n.Swz, m.sizeOf(n.Class))
			}
			return y
		}, s.w.make), m.looked
}

// condition reports whether the constants satisfy where. Every bit of a value that
// is not constant may be one.
func (m *termMatch) condition() bool {
	if m.r.Where == nil {
		return true
	}
	t := m.s.w.build(m.r.Where,
		func(class int) int { return m.sizeOf(class) },
		func(n *pattern.Node) *term {
			x := m.bind[strings.TrimPrefix(n.Name, "?")+"."]
			if n.May != "" && !x.isConst() {
				return m.s.w.constant(^uint64(0)>>(64-x.size), x.size, n.Base)
			}
			return x
		}, m.s.w.make)
	return t.isConst() && t.bits != 0
}

type termMatch struct {
	s      *system
	r      *rules.Rule
	bind   map[string]*term
	size   map[int]int
	looked bool
}

func (m *termMatch) sizeOf(class int) int {
	root := m.r.Typing.Root(class)
	if n := m.size[root]; n != 0 {
		return n
	}
	return m.r.Typing.Set(root).One()
}

// sized records the size of a class and calls then.
func (m *termMatch) sized(class, size int, then func() bool) bool {
	root := m.r.Typing.Root(class)
	if old := m.size[root]; old != 0 {
		return old == size && then()
	}
	if !m.r.Typing.Set(root).Has(size) {
		return false
	}
	m.size[root] = size
	if then() {
		return true
	}
	delete(m.size, root)
	return false
}

func (m *termMatch) node(n *pattern.Node, x *term, then func() bool) bool {
	switch n.Kind {
	case pattern.Lit:
		if !x.isConst() {
			return false
		}
		return m.sized(n.Class, x.size, func() bool {
			bits, ok := n.Bits(x.size)
			return ok && bits == x.bits && then()
		})
	case pattern.Var:
		return m.sized(n.Class, x.size, func() bool { return m.variable(n, x, then) })
	}
	if x.op != n.Code || !m.preds(n, x) {
		return false
	}
	args := func() bool {
		return m.args(n.Args, x.args, then) ||
			n.Commutes() && x.args[0] != x.args[1] && m.args(n.Args, swapped(x.args), then)
	}
	if n.Exec < 0 {
		return args()
	}
	return m.sized(n.Exec, x.exec, args)
}

func swapped(args []*term) []*term {
	out := slices.Clone(args)
	out[0], out[1] = out[1], out[0]
	return out
}

func (m *termMatch) args(n []*pattern.Node, x []*term, then func() bool) bool {
	if len(n) == 0 {
		return then()
	}
	return m.node(n[0], x[0], func() bool { return m.args(n[1:], x[1:], then) })
}

func (m *termMatch) variable(n *pattern.Node, x *term, then func() bool) bool {
	key := n.Name + "." + n.Swz
	if old := m.bind[key]; old != nil {
		return old == x && then()
	}
	if m.r.Typing.Var(n.Name).Const && !x.isConst() || !m.preds(n, x) {
		return false
	}
	m.bind[key] = x
	if then() {
		return true
	}
	delete(m.bind, key)
	return false
}

// preds tests the predicates of a node. Predicates that a term cannot decide, such as which bits its users read, are
// assumed to hold.
func (m *termMatch) preds(n *pattern.Node, x *term) bool {
	for _, name := range n.Preds {
		p := m.s.w.t.Preds.ByName(name)
		switch {
		case p.Kind == predicate.Value:
			if !x.isConst() || !p.Holds(x.size, x.bits) {
				return false
			}
		case p.Go == "NotConst":
			if x.isConst() {
				return false
			}
		case p.Go == "UsedOnce":
			m.looked = true
			if len(m.s.users(x)) > 1 {
				return false
			}
		case p.Go == "OnlyUsedByFAdd":
			m.looked = true
			if !m.s.onlyAdded(x) {
				return false
			}
		}
	}
	return true
}

// users returns the users of a term in the root, one for each use.
func (s *system) users(x *term) []*term {
	if s.readers == nil {
		s.readers = map[*term][]*term{}
		seen := map[*term]bool{}
		var walk func(x *term)
		walk = func(x *term) {
			if seen[x] {
				return
			}
			seen[x] = true
			for _, a := range x.args {
				s.readers[a] = append(s.readers[a], x)
				walk(a)
			}
		}
		walk(s.root)
	}
	return s.readers[x]
}

func (s *system) onlyAdded(x *term) bool {
	for _, u := range s.users(x) {
		if u.op.Name != "fadd" && (u.op.Name != "fneg" || !s.onlyAdded(u)) {
			return false
		}
	}
	return x != s.root
}
