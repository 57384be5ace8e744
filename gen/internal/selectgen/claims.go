// SPDX-License-Identifier: MIT

package selectgen

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// Claims returns the claims of the rows: the instructions of a row compute the operation that it finds, at every
// assignment of sizes and with every source modifier that it folds. Rows that call the back end, and intrinsics, which
// have no meaning, have no claims here.
func Claims(ctx *domain.Context) (*rules.Table, error) {
	l, err := load(ctx)
	if err != nil {
		return nil, err
	}
	return l.claims()
}

// needVectors is the number of vectors tried to determine the flags that a claim needs to give up.
const needVectors = 2000

// needed restricts each claim of a row to the flags that it needs to give up. A flag that no claim needs is an error.
func (l *loader) needed(r *row, claims []*rules.Rule) error {
	used := map[string]bool{}
	for _, x := range claims {
		holds := func(y *rules.Rule) bool {
			in := vectors.Instances(rules.Claims(l.ops, l.preds, []*rules.Rule{y}), y, 1)[0]
			_, wrong, err := in.SearchMore(needVectors)
			return wrong == nil && err == nil
		}
		for _, g := range r.givesUp {
			y := *x
			y.GivesUp = slices.DeleteFunc(slices.Clone(x.GivesUp), func(f string) bool { return f == g })
			if holds(&y) {
				x.GivesUp = y.GivesUp
			} else {
				used[g] = true
			}
		}
		if y := *x; x.Where != nil {
			if y.Where = nil; holds(&y) {
				x.Where = nil
			} else {
				used["undefined"] = true
			}
		}
	}
	for _, g := range r.givesUp {
		if !used[g] {
			return fmt.Errorf("gives_up: %s: no vector refutes the row without it", g)
		}
	}
	if r.undefined != nil && !used["undefined"] {
		return fmt.Errorf("undefined: no vector refutes the row without it")
	}
	return nil
}

// verify tests the claims of the rows on corner-case and random vectors. A row that fails
// on one is rejected, with the vector.
func (l *loader) verify() error {
	claims, err := l.claims()
	if err != nil {
		return err
	}
	return vectors.Verify(claims)
}

// maxSizes limits the assignments of sizes of a row.
const maxSizes = 12

func (l *loader) claims() (*rules.Table, error) {
	var list []*rules.Rule
	var errs diag.List
	for _, r := range l.rows {
		if !l.computes(r) {
			continue
		}
		all, err := l.claimsOf(r)
		if err != nil {
			errs.Addf(r.at("emit"), "select."+r.name, "emit: %v", err)
			continue
		}
		if err := l.needed(r, all); err != nil {
			errs.Addf(r.at("gives_up"), "select."+r.name, "%v", err)
			continue
		}
		list = append(list, all...)
	}
	return rules.Claims(l.ops, l.preds, list), errs.Err()
}

// computes reports whether a row emits machine instructions and its pattern has a meaning.
func (l *loader) computes(r *row) bool {
	known := len(r.emit) > 0 && (r.find.Code != nil || r.root == condRoot)
	r.find.Walk(func(n *pattern.Node) {
		if n.Code != nil && n.Code.Meaning == nil {
			known = false
		}
	})
	return known
}

func (l *loader) claimsOf(r *row) ([]*rules.Rule, error) {
	var out []*rules.Rule
	all := r.typing.Assignments(maxSizes + 1)
	if len(all) > maxSizes {
		return nil, fmt.Errorf("the values of find have more than %d combinations of sizes, which cannot all be tested", maxSizes)
	}
	for _, sizes := range all {
		for _, mods := range variants(r) {
			c := &claim{loader: l, row: r, sizes: sizes, mods: mods, regs: map[string]*register{}, vars: map[string]*register{}}
			x, err := c.rule()
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// modifier is a source modifier that a row folds into an operand.
type modifier struct{ neg, abs, not bool }

// variants returns the modifiers to test: none, each alone on each variable that
// allows it, and as many as possible on all of them.
func variants(r *row) []map[string]modifier {
	out := []map[string]modifier{nil}
	most := map[string]modifier{}
	for _, v := range r.typing.Vars {
		for _, flag := range strings.Fields(modifiers(v.First)) {
			list := map[string][]modifier{
				"abs": {{abs: true}},
				"neg": {{neg: true}},
				"not": {{not: true}},
				"mod": {{neg: true}, {abs: true}, {neg: true, abs: true}},
			}[flag]
			for _, m := range list {
				out = append(out, map[string]modifier{v.Name: m})
				most[v.Name] = m
			}
		}
	}
	if len(most) > 1 {
		out = append(out, most)
	}
	return out
}

// claim builds one rule from a row.
type claim struct {
	*loader
	row   *row
	sizes map[int]int // by the root of a size class
	mods  map[string]modifier
	regs  map[string]*register // dst and the temporaries
	vars  map[string]*register
	flags [4]*pattern.Node
	free  []*pattern.Node // variables for bits that nothing has written
}

func (c *claim) size(class int) int { return c.sizes[c.row.typing.Root(class)] }

func (c *claim) rule() (*rules.Rule, error) {
	r := c.row
	root := r.find
	if r.root == condRoot {
		root = root.Args[0]
	}
	if root.Code != nil && root.Code.Out.Comps != 0 {
		return nil, fmt.Errorf("%s returns a vector; name a method with call", root.Name)
	}
	find, err := c.find(root)
	if err != nil {
		return nil, err
	}
	for _, in := range r.emit {
		if err := c.inst(in); err != nil {
			return nil, fmt.Errorf("%q: %w", in.text, err)
		}
	}
	var replace *pattern.Node
	switch size := c.size(root.Class); {
	case r.root == condRoot:
		// The root of a claim is an operation, even if find is a variable.
		if find, err = c.meanings.Apply("cond", "a", []eval.Type{boolType}, boolType, find); err == nil {
			replace, err = c.meanings.Apply("f0.0", "a", []eval.Type{boolType}, boolType, c.flag(0))
		}
	case size == 1:
		if find, err = c.lanes(find); err == nil {
			replace, err = c.register("dst", 32).read(c, 0, 32)
		}
	default:
		replace, err = c.register("dst", max(size, 32)).read(c, 0, size)
	}
	if err != nil {
		return nil, err
	}
	x := &rules.Rule{Name: r.name + c.suffix(), Pos: r.at("emit"), Family: "select", Find: find, Replace: replace, GivesUp: r.givesUp,
		AllowedBy: r.allowed}
	if x.Typing, err = pattern.InferFree(find, replace, c.free...); err != nil {
		return nil, err
	}
	if r.undefined != nil {
		n, err := c.find(r.undefined)
		if err != nil {
			return nil, err
		}
		if x.Where, err = c.meanings.Apply("not", "!a", []eval.Type{boolType}, boolType, n); err != nil {
			return nil, err
		}
		if err := x.Typing.Assume(x.Where); err != nil {
			return nil, err
		}
	}
	return x, nil
}

var boolType = eval.Type{Base: eval.Bool, Bits: 1}

func uintType(bits int) eval.Type { return eval.Type{Base: eval.Uint, Bits: bits} }

// suffix returns the part of the claim's name for the modifiers.
func (c *claim) suffix() string {
	s := ""
	for _, v := range c.row.typing.Vars {
		m, ok := c.mods[v.Name]
		if !ok {
			continue
		}
		x := v.Name
		if m.abs {
			x = "|" + x + "|"
		}
		switch {
		case m.neg:
			x = "-" + x
		case m.not:
			x = "~" + x
		}
		s += " " + x
	}
	return s
}

// find copies a pattern at the current sizes, without the flags that do not restrict its matches and with the
// operations that modify variables.
func (c *claim) find(n *pattern.Node) (*pattern.Node, error) {
	x := *n
	x.Parent, x.Args, x.Preds = nil, nil, nil
	for _, p := range n.Preds {
		if !isOperandWord(p) {
			x.Preds = append(x.Preds, p)
		}
	}
	switch {
	case n.Kind != pattern.Op:
		x.Sizes = pattern.SizeSet(c.size(n.Class))
	case n.Exec >= 0:
		x.Sizes = pattern.SizeSet(c.size(n.Exec))
	}
	for _, a := range n.Args {
		y, err := c.find(a)
		if err != nil {
			return nil, err
		}
		y.Parent = &x
		x.Args = append(x.Args, y)
	}
	if n.Kind != pattern.Var {
		return &x, nil
	}
	m, ok := c.mods[n.Name]
	if !ok {
		return &x, nil
	}
	out := &x
	float := isFloatVar(c.row.typing.Var(n.Name))
	for _, step := range []struct {
		on         bool
		name, text string
	}{{m.abs, "fabs", "iabs"}, {m.neg, "fneg", "ineg"}, {m.not, "", "inot"}} {
		if !step.on {
			continue
		}
		name := step.text
		if float {
			name = step.name
		}
		o := c.ops.ByName(name)
		if o == nil {
			return nil, fmt.Errorf("there is no opcode %s for the modifier of %s", name, n.Name)
		}
		y := &pattern.Node{Kind: pattern.Op, Name: name, Code: o, Args: []*pattern.Node{out}, Sizes: x.Sizes}
		out.Parent = y
		out = y
	}
	return out, nil
}

// lanes converts a bool to its representation in a register: 0 or all ones.
func (c *claim) lanes(n *pattern.Node) (*pattern.Node, error) {
	return c.meanings.Apply("lanes", "sel(a, 0xffffffff, 0)", []eval.Type{boolType}, uintType(32), n)
}

// unknown returns a variable for bits that nothing has written.
func (c *claim) unknown(bits int) *pattern.Node {
	v := &pattern.Node{Kind: pattern.Var, Name: fmt.Sprintf("unknown%d", len(c.free)), Sizes: pattern.SizeSet(bits)}
	c.free = append(c.free, v)
	x := *v
	x.Sizes = 0
	return &x
}

// flag returns the value of a flag.
func (c *claim) flag(n int) *pattern.Node {
	if c.flags[n] == nil {
		c.flags[n] = c.unknown(1)
	}
	return c.flags[n]
}
