// SPDX-License-Identifier: MIT

package rewriting

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
)

// term is an expression in which every value has a fixed size. How rules interact is tested on terms. Equal terms of a
// world are the same term.
type term struct {
	op   *opcodes.Op // nil for a leaf
	exec int         // size of the unsized operands, or 0 if there are none
	args []*term
	name string // name of a leaf that is not constant
	bits uint64 // value of a constant
	size int
	base eval.Base // base in which a constant is written
	id   int
}

func (x *term) isConst() bool { return x.op == nil && x.name == "" }

type termKey struct {
	op   *opcodes.Op
	exec int
	args [opcodes.MaxSrc]int
	name string
	bits uint64
	size int
}

// world creates terms.
type world struct {
	t     *rules.Table
	terms map[termKey]*term
}

func newWorld(t *rules.Table) *world { return &world{t: t, terms: map[termKey]*term{}} }

func (w *world) intern(x term) *term {
	k := termKey{op: x.op, exec: x.exec, name: x.name, bits: x.bits, size: x.size}
	for i, a := range x.args {
		k.args[i] = a.id
	}
	if old := w.terms[k]; old != nil {
		return old
	}
	x.id = len(w.terms) + 1
	w.terms[k] = &x
	return &x
}

func (w *world) leaf(name string, size int) *term { return w.intern(term{name: name, size: size}) }

func (w *world) constant(bits uint64, size int, base eval.Base) *term {
	return w.intern(term{bits: bits, size: size, base: base})
}

// node returns an instruction as written in a pattern.
func (w *world) node(o *opcodes.Op, exec int, args []*term) *term {
	size := o.Out.Bits
	if size == 0 {
		size = exec
	}
	return w.intern(term{op: o, exec: exec, args: args, size: size})
}

// make returns an instruction, or its value if the operands are constant.
func (w *world) make(o *opcodes.Op, exec int, args []*term) *term {
	fixed := o.Out.Comps != 0
	vals := make([][]uint64, len(args))
	for i, a := range args {
		if !a.isConst() {
			return w.node(o, exec, args)
		}
		vals[i] = []uint64{a.bits}
		fixed = fixed || o.Srcs[i].Comps > 1
	}
	if !fixed {
		if v, err := o.Run(exec, vals); err == nil {
			size := o.Out.Bits
			if size == 0 {
				size = exec
			}
			return w.constant(v[0], size, o.Out.Base)
		}
	}
	return w.node(o, exec, args)
}

// folds reports whether a part of a term has only constant operands, so that it
// is folded before rules are tried.
func (w *world) folds(x *term) bool {
	if x.op == nil {
		return false
	}
	return w.make(x.op, x.exec, x.args) != x || slices.ContainsFunc(x.args, w.folds)
}

// build returns a pattern's term at the sizes of its rule's classes; leaf returns
// the terms of variables, op the terms of instructions.
func (w *world) build(n *pattern.Node, size func(class int) int, leaf func(*pattern.Node) *term,
	op func(*opcodes.Op, int, []*term) *term) *term {
	switch n.Kind {
	case pattern.Var:
		return leaf(n)
	case pattern.Lit:
		s := size(n.Class)
		bits, _ := n.Bits(s)
		base := eval.Int
		if n.LitKind == pattern.LitFloat {
			base = eval.Float
		}
		return w.constant(bits, s, base)
	}
	args := make([]*term, len(n.Args))
	for i, a := range n.Args {
		args[i] = w.build(a, size, leaf, op)
	}
	exec := 0
	if n.Exec >= 0 {
		exec = size(n.Exec)
	}
	return op(n.Code, exec, args)
}

// String returns the term in the syntax of patterns.
func (x *term) String() string {
	var b strings.Builder
	x.write(&b)
	return b.String()
}

func (x *term) write(b *strings.Builder) {
	switch {
	case x.isConst() && (x.base == eval.Float || x.size == 1):
		b.WriteString(opcodes.FormatValue(x.bits, eval.Type{Base: x.base, Bits: x.size}))
	case x.isConst():
		fmt.Fprintf(b, "%#x", x.bits)
	case x.op == nil:
		b.WriteString(x.name)
	default:
		b.WriteString("(" + x.op.Name)
		if x.exec != 0 {
			fmt.Fprintf(b, "@%d", x.exec)
		}
		for _, a := range x.args {
			b.WriteByte(' ')
			a.write(b)
		}
		b.WriteByte(')')
	}
}

// cost returns the weight of a term, counting equal parts once.
func cost(t *rules.Table, x *term) int {
	seen := map[*term]bool{}
	sum := 0
	var walk func(x *term)
	walk = func(x *term) {
		if x.op == nil || seen[x] {
			return
		}
		seen[x] = true
		sum += t.Weight(x.op.Name)
		for _, a := range x.args {
			walk(a)
		}
	}
	walk(x)
	return sum
}
