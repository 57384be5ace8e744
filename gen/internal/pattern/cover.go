package pattern

import (
	"math"
	"strconv"
)

// CoverOptions says which predicates play no part in a comparison.
type CoverOptions struct {
	Ignore map[string]bool // predicates that do not restrict what matches
	Narrow map[string]bool // predicates of the special pattern that its meaning allows to drop
}

// Covers says whether everything that the special pattern matches is matched by
// the general one too.
func Covers(general *Node, gt *Typing, special *Node, st *Typing, opt CoverOptions) bool {
	c := &cover{gt: gt, st: st, opt: opt, bind: map[string]*Node{}}
	return c.node(general, special)
}

type cover struct {
	gt, st *Typing
	opt    CoverOptions
	bind   map[string]*Node
}

func (c *cover) node(g, s *Node) bool {
	if !c.preds(g, s) {
		return false
	}
	switch g.Kind {
	case Var:
		if gs := c.gt.Set(g.Class); c.st.Set(s.Class)&^gs != 0 {
			return false
		}
		if g.Const && !(s.Kind == Lit || s.Kind == Var && (s.Const || c.st.Var(s.Name).Const)) {
			return false
		}
		if g.Swz != s.Swz && g.Swz != "" {
			return false
		}
		if old := c.bind[g.Name]; old != nil {
			return old.String() == s.String()
		}
		c.bind[g.Name] = s
		return true
	case Lit:
		return s.Kind == Lit && g.LitKind == s.LitKind && g.literalKey() == s.literalKey()
	}
	if s.Kind != Op || g.Name != s.Name || len(g.Args) != len(s.Args) {
		return false
	}
	if g.Exec >= 0 && c.st.Set(s.Exec)&^c.gt.Set(g.Exec) != 0 {
		return false
	}
	if c.args(g, s, false) {
		return true
	}
	return g.Commutes() && c.args(g, s, true)
}

func (c *cover) args(g, s *Node, swap bool) bool {
	saved := map[string]*Node{}
	for k, v := range c.bind {
		saved[k] = v
	}
	for i, a := range g.Args {
		j := i
		if swap && i < 2 {
			j = 1 - i
		}
		if !c.node(a, s.Args[j]) {
			c.bind = saved
			return false
		}
	}
	return true
}

func (c *cover) preds(g, s *Node) bool {
next:
	for _, p := range g.Preds {
		if c.opt.Ignore[p] {
			continue
		}
		for _, q := range s.Preds {
			if p == q {
				continue next
			}
		}
		return false
	}
	return true
}

// literalKey tells literals apart by what they match, not by how they are
// written.
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
