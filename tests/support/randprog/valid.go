// SPDX-License-Identifier: MIT

package randprog

import "slices"

// Valid reports whether the program is still valid after the reducer has changed it: variables and functions are used
// after their declarations, jumps have a target, functions end with a result, cases have labels, and a buffer is
// written.
func (p *Program) Valid() bool {
	v := &checker{ok: true}
	v.known = append(v.known, p.Globals...)
	v.known = append(v.known, p.Shared...)
	v.known = append(v.known, p.Buffers...)
	v.known = append(v.known, p.Specs...)
	var before []*Func
	for _, f := range p.Functions() {
		v.funcs = before
		n := len(v.known)
		v.known = append(v.known, f.Params...)
		v.list(f.Body, false, false)
		v.known = v.known[:n]
		if last := len(f.Body) - 1; f.Result != nil && (last < 0 || f.Body[last].Kind != Return) {
			return false
		}
		before = append(before, f)
	}
	written := false
	for _, b := range p.Buffers {
		written = written || b.Written
	}
	return v.ok && written
}

type checker struct {
	known []*Var
	funcs []*Func
	ok    bool
}

func (v *checker) list(list []*Stmt, loop, breakable bool) {
	n := len(v.known)
	for _, s := range list {
		v.stmt(s, loop, breakable)
	}
	v.known = v.known[:n]
}

func (v *checker) expr(e *Expr) {
	e.Walk(func(e *Expr) {
		switch {
		case e.Var != nil && e.Var.Class != Builtin && !slices.Contains(v.known, e.Var):
			v.ok = false
		case e.Func != nil && !slices.Contains(v.funcs, e.Func):
			v.ok = false
		}
	})
}

func (v *checker) stmt(s *Stmt, loop, breakable bool) {
	n := len(v.known)
	if s.Kind == For || s.Kind == While || s.Kind == Forever { // whose conditions see the counter
		v.known = append(v.known, s.Var)
	}
	s.Exprs(func(e **Expr) { v.expr(*e) })
	switch s.Kind {
	case Decl:
		v.known = append(v.known, s.Var)
		return
	case For, While, DoWhile, Forever:
		v.list(s.Body, true, true)
	case If, Block:
		v.list(s.Body, loop, breakable)
		v.list(s.Else, loop, breakable)
	case Switch:
		v.ok = v.ok && len(s.Cases) > 0
		for _, c := range s.Cases {
			v.ok = v.ok && (c.Default || len(c.Labels) > 0)
			v.list(c.Body, loop, true)
		}
	case Break:
		v.ok = v.ok && breakable
	case Continue:
		v.ok = v.ok && loop
	}
	v.known = v.known[:n]
}
