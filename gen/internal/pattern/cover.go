// SPDX-License-Identifier: MIT

package pattern

import (
	"math"
	"slices"
	"strconv"
)

// Covers reports whether everything that the special pattern matches is also matched by
// the general one. Predicates in ignore restrict nothing.
func Covers(general *Node, gt *Typing, special *Node, st *Typing, ignore map[string]bool) bool {
	c := &cover{gt: gt, st: st, ignore: ignore}
	return c.node(general, special, func() bool { return true })
}

type cover struct {
	gt, st *Typing
	ignore map[string]bool
	bind   map[string]*Node
}

// node tries all ways to map g onto s and calls then for each, until one
// succeeds.
func (c *cover) node(g, s *Node, then func() bool) bool {
	if !c.preds(g, s) {
		return false
	}
	switch g.Kind {
	case Var:
		return c.variable(g, s, then)
	case Lit:
		return s.Kind == Lit && g.literalKey() == s.literalKey() && then()
	}
	if s.Kind != Op || g.Name != s.Name || len(g.Args) != len(s.Args) {
		return false
	}
	if g.Exec >= 0 && c.st.Set(s.Exec)&^c.gt.Set(g.Exec) != 0 {
		return false
	}
	if c.args(g.Args, s.Args, then) {
		return true
	}
	if !g.Commutes() {
		return false
	}
	swapped := slices.Clone(s.Args)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	return c.args(g.Args, swapped, then)
}

func (c *cover) args(g, s []*Node, then func() bool) bool {
	if len(g) == 0 {
		return then()
	}
	return c.node(g[0], s[0], func() bool { return c.args(g[1:], s[1:], then) })
}

func (c *cover) variable(g, s *Node, then func() bool) bool {
	if c.st.Set(s.Class)&^c.gt.Set(g.Class) != 0 {
		return false
	}
	if g.Const && !(s.Kind == Lit || s.Kind == Var && c.st.Var(s.Name).Const) {
		return false
	}
	if g.Swz != "" && g.Swz != s.Swz {
		return false
	}
	if old := c.bind[g.Name]; old != nil {
		return old.plain() == s.plain() && then()
	}
	if c.bind == nil {
		c.bind = map[string]*Node{}
	}
	c.bind[g.Name] = s
	if then() {
		return true
	}
	delete(c.bind, g.Name)
	return false
}

func (c *cover) preds(g, s *Node) bool {
	for _, p := range g.Preds {
		if !c.ignore[p] && !slices.Contains(s.Preds, p) {
			return false
		}
	}
	return true
}

// plain returns the text of a node without the parts that only restrict it.
func (n *Node) plain() string {
	if n.Kind != Op {
		return n.Name + "." + n.Swz
	}
	s := "(" + n.Name
	for _, a := range n.Args {
		s += " " + a.plain()
	}
	return s + ")"
}

// literalKey distinguishes literals by the values that they match, not by their spelling.
func (n *Node) literalKey() string {
	if n.LitKind == LitFloat {
		return "f" + strconv.FormatUint(math.Float64bits(n.Float), 16)
	}
	v := n.Int
	if n.Neg {
		v = -v
	}
	return "i" + strconv.FormatUint(v, 16)
}
