// SPDX-License-Identifier: MIT

package pattern

import (
	"fmt"
	"math"
	"slices"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
)

// Typing holds the bit sizes of a pattern and, if it has one, of its
// replacement. Every value belongs to a class of values of the same size;
// classes were merged where an opcode requires operands of equal size.
type Typing struct {
	parent []int
	sets   []Sizes
	why    []*Node // the node that last restricted the set
	fixed  int     // classes below this one came from the search expression
	found  []int   // parent with the merges of the search expression alone
	Vars   []*VarInfo
	byName map[string]*VarInfo
	root   int // components that the root of the search expression always has, or 0
}

// VarInfo describes a variable.
type VarInfo struct {
	Name  string
	First *Node // its first occurrence in the search expression
	Class int
	Base  eval.Base // float if any use takes it as a float
	Comps int       // 0 means as many components as the root
	Const bool
	Preds []string
	Uses  int    // occurrences in the search expression
	May   string // the variable whose possible set bits this is, or "" for others
	Whole bool   // used with a swizzle: the variable is the value read, not the operand
	sized bool   // Comps is known
}

// Var returns a variable, or nil.
func (t *Typing) Var(name string) *VarInfo { return t.byName[name] }

// Set returns the sizes of a class.
func (t *Typing) Set(class int) Sizes { return t.sets[t.find(class)] }

// Root returns the number of the representative of a class and all merged with it.
func (t *Typing) Root(class int) int { return t.find(class) }

// Found is like Root, with only the merges of the search expression: sizes in such a class are equal wherever the opcodes
// and variables match, because the operands of an instruction have the same size and a variable is one value. Classes
// that only the replacement or a condition merges are equal only if every class is checked.
func (t *Typing) Found(class int) int {
	for t.found[class] != class {
		class = t.found[class]
	}
	return class
}

func (t *Typing) find(c int) int {
	for t.parent[c] != c {
		c = t.parent[c]
	}
	return c
}

func (t *Typing) class(set Sizes, n *Node) int {
	c := len(t.parent)
	t.parent = append(t.parent, c)
	t.sets = append(t.sets, set)
	t.why = append(t.why, n)
	return c
}

// restrict restricts a class to set.
func (t *Typing) restrict(c int, set Sizes, n *Node, what string) error {
	c = t.find(c)
	now := t.sets[c] & set
	if now == 0 {
		return errAt(n, "%s has %s bits, but %s are required here", what, t.sets[c], set)
	}
	if c < t.fixed && now != t.sets[c] {
		return errAt(n, "%s must have %s bits here, but what find matches may have %s; write the sizes in find, such as a@%s", what, now,
			t.sets[c], now)
	}
	if now != t.sets[c] {
		t.sets[c], t.why[c] = now, n
	}
	return nil
}

func (t *Typing) union(a, b int, n *Node, what string) error {
	a, b = t.find(a), t.find(b)
	if a == b {
		return nil
	}
	if a > b {
		a, b = b, a
	}
	if b < t.fixed && (t.sets[a] != t.sets[b] || t.sets[a].One() == 0) {
		return errAt(n, "%s requires two sizes to be equal that may differ in the matches of find (%s and %s)", what, t.sets[a], t.sets[b])
	}
	if err := t.restrict(a, t.sets[b], n, what); err != nil {
		return err
	}
	t.parent[b] = a
	return nil
}

// Infer infers the sizes of a search expression and of its replacement (nil if none). The replacement may not narrow the
// sizes that the search expression allows.
func Infer(find, replace *Node) (*Typing, error) { return InferFree(find, replace) }

// InferFree is like Infer, but the replacement may also contain free variables, which find does not bind: their values
// must not matter.
func InferFree(find, replace *Node, free ...*Node) (*Typing, error) {
	t := &Typing{byName: map[string]*VarInfo{}}
	if find.Code != nil {
		t.root = find.Code.Out.Comps
	}
	if err := t.node(find, false); err != nil {
		return nil, err
	}
	if err := t.literals(find); err != nil {
		return nil, err
	}
	for _, v := range free {
		if err := t.node(v, false); err != nil {
			return nil, err
		}
	}
	t.found = slices.Clone(t.parent)
	if replace == nil {
		return t, nil
	}
	t.fixed = len(t.parent)
	if err := t.node(replace, true); err != nil {
		return nil, err
	}
	if err := t.union(find.Class, replace.Class, replace, "the replacement"); err != nil {
		return nil, err
	}
	if err := t.literals(replace); err != nil {
		return nil, err
	}
	var err error
	replace.Walk(func(n *Node) {
		c := t.find(n.Class)
		if err == nil && c >= t.fixed && t.sets[c].One() == 0 {
			err = errAt(n, "the size of %s is ambiguous: nothing in find determines it; write %s@N", n, n.Name)
		}
		if n.Kind == Op && err == nil && n.Exec >= 0 {
			if c := t.find(n.Exec); c >= t.fixed && t.sets[c].One() == 0 {
				err = errAt(n, "the size of %s is ambiguous: nothing in find determines it", n)
			}
		}
	})
	return t, err
}

// Assume infers the sizes of a condition on the variables of find, constant or not. It
// must follow Infer and may not narrow anything.
func (t *Typing) Assume(cond *Node) error {
	t.fixed = len(t.parent)
	if err := t.node(cond, true); err != nil {
		return err
	}
	if err := t.restrict(cond.Class, SizeSet(1), cond, "the condition"); err != nil {
		return err
	}
	return t.literals(cond)
}

// Condition infers the sizes of an expression over the constants of find, whose
// result is a bool. It must follow Infer and may not narrow anything.
func (t *Typing) Condition(cond *Node) error {
	if err := t.may(cond); err != nil {
		return err
	}
	t.fixed = len(t.parent)
	if err := t.node(cond, true); err != nil {
		return err
	}
	if err := t.restrict(cond.Class, SizeSet(1), cond, "the condition"); err != nil {
		return err
	}
	if err := t.literals(cond); err != nil {
		return err
	}
	var err error
	vars := 0
	cond.Walk(func(n *Node) {
		if err != nil {
			return
		}
		switch n.Kind {
		case Var:
			vars++
			switch v := t.byName[n.Name]; {
			case v.Whole:
				err = errAt(n, "%s has a swizzle in find", n.Name)
			case !v.Const:
				err = errAt(n, "%s is not constant; ?%s is its possible set bits", n.Name, n.Name)
			case v.Comps != 0:
				err = errAt(n, "%s does not have as many components as the result", n.Name)
			}
		case Op:
			if n.Code.Out.Comps != 0 {
				err = errAt(n, "%s does not work component by component", n.Name)
			}
			if n.Exec >= 0 {
				if c := t.find(n.Exec); c >= t.fixed && t.sets[c].One() == 0 {
					err = errAt(n, "the size of %s is ambiguous: nothing in find determines it", n)
				}
			}
		}
	})
	if err == nil && vars == 0 {
		err = errAt(cond, "a condition can only use constants of find")
	}
	return err
}

// may adds a variable for the possible set bits of each variable that a condition
// asks for.
func (t *Typing) may(cond *Node) error {
	var err error
	cond.Walk(func(n *Node) {
		if err != nil || n.Kind != Var || n.May == "" || t.byName[n.Name] != nil {
			return
		}
		of := t.byName[n.May]
		if of == nil {
			err = errAt(n, "%s is not bound in find", n.May)
			return
		}
		v := &VarInfo{Name: n.Name, First: n, Class: of.Class, Base: of.Base, Const: true, Whole: of.Whole, May: n.May}
		t.byName[n.Name] = v
		t.Vars = append(t.Vars, v)
	})
	return err
}

func (t *Typing) node(n *Node, replace bool) error {
	switch n.Kind {
	case Lit:
		n.Class = t.class(AnySize, n)
		if n.Sizes != 0 {
			return t.restrict(n.Class, n.Sizes, n, n.Name)
		}
		return nil
	case Var:
		return t.variable(n, replace)
	}
	for _, a := range n.Args {
		if err := t.node(a, replace); err != nil {
			return err
		}
	}
	n.Exec = -1
	if n.Code == nil {
		n.Class = t.class(AnySize, n)
		if n.Sizes != 0 {
			return t.restrict(n.Class, n.Sizes, n, n.Name)
		}
		return nil
	}
	o := n.Code
	if o.Unsized() {
		n.Exec = t.class(SizeSet(o.Sizes...), n)
		if n.Sizes != 0 {
			if err := t.restrict(n.Exec, n.Sizes, n, o.Name); err != nil {
				return err
			}
		}
	} else if n.Sizes != 0 {
		return errAt(n, "every operand of %s has a width already; it takes no @", o.Name)
	}
	for i, a := range n.Args {
		src := o.Srcs[i]
		if err := t.operand(n, a, src); err != nil {
			return err
		}
	}
	if o.Out.Bits != 0 {
		n.Class = t.class(SizeSet(o.Out.Bits), n)
	} else {
		n.Class = n.Exec
	}
	n.Base = o.Out.Base
	return nil
}

func (t *Typing) operand(n, a *Node, src opcodes.Operand) error {
	what := "operand " + src.Name + " of " + n.Code.Name
	a.Base = mergeBase(a, src.Base)
	if a.Kind == Var {
		v := t.byName[a.Name]
		if v.Base == eval.NoBase || v.Base == eval.Bits || src.Base == eval.Float {
			v.Base = src.Base
		}
		if comps := t.comps(n, src); !v.sized {
			v.Comps, v.sized = comps, true
		} else if v.Comps != comps && a.Swz == "" && !v.Whole {
			return errAt(a, "%s is read %s here and %s elsewhere", a.Name, reading(comps), reading(v.Comps))
		}
	}
	if src.Bits != 0 {
		return t.restrict(a.Class, SizeSet(src.Bits), a, what)
	}
	return t.union(n.Exec, a.Class, a, what)
}

// reading describes how an operand with this many components is read.
func reading(comps int) string {
	if comps == 0 {
		return "component by component"
	}
	return fmt.Sprintf("as a vector of %d", comps)
}

// comps returns the number of components of an operand; 0 means as many as the root, whose
// opcode does not determine it.
func (t *Typing) comps(n *Node, src opcodes.Operand) int {
	if src.Comps != 0 {
		return src.Comps
	}
	for p := n; p.Parent != nil; p = p.Parent {
		for i, a := range p.Parent.Args {
			if a == p && p.Parent.Code != nil && p.Parent.Code.Srcs[i].Comps != 0 {
				return p.Parent.Code.Srcs[i].Comps
			}
		}
	}
	return t.root
}

func mergeBase(a *Node, b eval.Base) eval.Base {
	if b == eval.Bits && a.Kind == Lit && a.LitKind == LitFloat {
		return eval.Float
	}
	if a.Kind == Op {
		return a.Base
	}
	return b
}

func (t *Typing) variable(n *Node, replace bool) error {
	v := t.byName[n.Name]
	if n.May != "" && v == nil {
		return errAt(n, "%s is only allowed in conditions", n.Name)
	}
	if replace {
		if v == nil {
			return errAt(n, "%s is not bound in find", n.Name)
		}
		if n.Const || len(n.Preds) > 0 {
			return errAt(n, "a variable of the replacement takes no # and no predicate")
		}
		if n.Sizes != 0 {
			if err := t.restrict(v.Class, n.Sizes, n, n.Name); err != nil {
				return err
			}
		}
		n.Class = v.Class
		return nil
	}
	if v == nil {
		v = &VarInfo{Name: n.Name, First: n, Class: t.class(AnySize, n)}
		t.byName[n.Name] = v
		t.Vars = append(t.Vars, v)
	}
	v.Uses++
	v.Const = v.Const || n.Const
	if n.Swz != "" {
		if v.Uses > 1 && !v.Whole {
			return errAt(n, "%s is used with and without a swizzle", n.Name)
		}
		v.Whole = true
	} else if v.Whole {
		return errAt(n, "%s is used with and without a swizzle", n.Name)
	}
	v.Preds = append(v.Preds, n.Preds...)
	n.Class = v.Class
	if n.Sizes != 0 {
		return t.restrict(v.Class, n.Sizes, n, n.Name)
	}
	return nil
}

// literals checks that every literal fits all possible sizes of its operand.
func (t *Typing) literals(root *Node) error {
	var err error
	root.Walk(func(n *Node) {
		if n.Kind != Lit || err != nil {
			return
		}
		if n.LitKind == LitFloat && n.Parent != nil && n.Base != eval.Float && n.Base != eval.Bits {
			err = errAt(n, "a float literal where %s takes type %s", n.Parent.Name, n.Base)
			return
		}
		if n.LitKind == LitInt && n.Base == eval.Float {
			err = errAt(n, "an integer literal where %s takes a float; write %s.0", n.Parent.Name, n.Name)
			return
		}
		switch n.LitKind {
		case LitBool:
			err = t.restrict(n.Class, SizeSet(1), n, n.Name)
		case LitFloat:
			err = t.restrict(n.Class, SizeSet(16, 32, 64), n, n.Name)
		}
		if err != nil {
			return
		}
		for _, size := range t.Set(n.Class).List() {
			if _, ok := n.Bits(size); !ok {
				err = errAt(n, "%s does not fit %d bits, which %s can have; restrict the size, such as (%s@32 …)", n.Name, size, place(n),
					opName(n))
				return
			}
			if n.LitKind == LitFloat && !n.representable(size) {
				err = errAt(n, "%s is beyond the range of a %d-bit float; restrict the size", n.Name, size)
				return
			}
		}
	})
	return err
}

// representable reports whether a float literal neither overflows nor becomes
// zero at a size.
func (n *Node) representable(size int) bool {
	if math.IsInf(n.Float, 0) || math.IsNaN(n.Float) || n.Float == 0 {
		return true
	}
	b, _ := n.Bits(size)
	switch size {
	case 16:
		return b&0x7fff != 0x7c00 && b&0x7fff != 0
	case 32:
		return b&0x7fffffff != 0x7f800000 && b&0x7fffffff != 0
	}
	return true
}

func place(n *Node) string {
	if n.Parent == nil {
		return "the result"
	}
	return "this operand of " + n.Parent.Name
}

func opName(n *Node) string {
	if n.Parent == nil {
		return "op"
	}
	return n.Parent.Name
}

// Assignments returns the ways to assign allowed sizes to all classes, at most limit of them. An assignment maps the number
// of a class (Root) to its size.
func (t *Typing) Assignments(limit int) []map[int]int {
	out := []map[int]int{{}}
	for c := range t.parent {
		if t.parent[c] != c {
			continue
		}
		var next []map[int]int
		for _, m := range out {
			for _, size := range t.sets[c].List() {
				if len(next) == limit {
					break
				}
				x := map[int]int{c: size}
				for k, v := range m {
					x[k] = v
				}
				next = append(next, x)
			}
		}
		out = next
	}
	return out
}

// Describe formats an assignment for a message: "a@8, b@32".
func (t *Typing) Describe(sizes map[int]int) string {
	s := ""
	for i, v := range t.Vars {
		if v.May != "" {
			break // they come last
		}
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%s@%d", v.Name, sizes[t.find(v.Class)])
	}
	return s
}
