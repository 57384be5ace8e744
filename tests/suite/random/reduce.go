// SPDX-License-Identifier: MIT

package random

import (
	"slices"

	"jacquard.example/tests/support/randprog"
)

// Reduce makes a program smaller as long as it fails: statements are removed, bodies
// replace the statements that contain them, expressions become constants or their own
// operands, loops and workgroups shrink. It changes the program in place, and tries
// only a limited number of times.
func Reduce(p *randprog.Program, most int, fails func() bool) {
	r := &reducer{p: p, fails: fails, left: most}
	for r.changed = true; r.changed && r.left > 0; {
		r.changed = false
		r.sizes()
		r.statements()
		r.unwrap()
		r.functions()
		r.loops()
		r.expressions()
		r.declarations()
	}
}

type reducer struct {
	p       *randprog.Program
	fails   func() bool
	left    int
	changed bool
}

// try makes a change if the program still fails with it.
func (r *reducer) try(do, undo func()) bool {
	if r.left <= 0 {
		return false
	}
	do()
	if r.p.Valid() {
		r.left--
		if r.fails() {
			r.changed = true
			return true
		}
	}
	undo()
	return false
}

// set tries another value of a variable.
func set[T any](r *reducer, to *T, value T) bool {
	was := *to
	return r.try(func() { *to = value }, func() { *to = was })
}

// lists calls f with every list of statements, inner ones last.
func (r *reducer) lists(f func(*[]*randprog.Stmt)) {
	var down func(list *[]*randprog.Stmt)
	down = func(list *[]*randprog.Stmt) {
		f(list)
		for _, s := range *list {
			s.Bodies(down)
		}
	}
	for _, fn := range slices.Backward(r.p.Functions()) {
		down(&fn.Body)
	}
}

// statements removes statements, at first many at a time.
func (r *reducer) statements() {
	r.lists(func(list *[]*randprog.Stmt) {
		for size := len(*list); size > 0; size /= 2 {
			for at := len(*list) - size; at >= 0; {
				at = min(at, len(*list)-size)
				if at < 0 {
					break
				}
				part := (*list)[at : at+size]
				if !slices.ContainsFunc(part, r.needed) {
					set(r, list, slices.Concat((*list)[:at], (*list)[at+size:]))
				}
				at -= size
			}
		}
	})
}

// needed reports whether a program without the statement may be undefined.
func (r *reducer) needed(s *randprog.Stmt) bool {
	found := s.Keep
	randprog.WalkStmts([]*randprog.Stmt{s}, func(s *randprog.Stmt) { found = found || s.Kind == randprog.Barrier && len(r.p.Shared) > 0 })
	return found
}

// unwrap replaces statements with their bodies.
func (r *reducer) unwrap() {
	r.lists(func(list *[]*randprog.Stmt) {
		for i := 0; i < len(*list); i++ {
			s := (*list)[i]
			var bodies [][]*randprog.Stmt
			s.Bodies(func(b *[]*randprog.Stmt) {
				if n := len(*b); n > 0 {
					if s.Kind == randprog.Switch && (*b)[n-1].Kind == randprog.Break {
						bodies = append(bodies, (*b)[:n-1])
						return
					}
					bodies = append(bodies, *b)
				}
			})
			for _, b := range bodies {
				if set(r, list, slices.Concat((*list)[:i], b, (*list)[i+1:])) {
					break
				}
			}
			if s.Kind == randprog.Switch {
				for k := len(s.Cases) - 1; k >= 0; k-- {
					set(r, &s.Cases, slices.Delete(slices.Clone(s.Cases), k, k+1))
				}
				for _, c := range s.Cases {
					for k := len(c.Labels) - 1; k >= 0; k-- {
						set(r, &c.Labels, slices.Delete(slices.Clone(c.Labels), k, k+1))
					}
				}
			}
		}
	})
}

func (r *reducer) loops() {
	r.lists(func(list *[]*randprog.Stmt) {
		for _, s := range *list {
			if s.Kind < randprog.For || s.Kind > randprog.Forever {
				continue
			}
			for s.Trips > 1 && (set(r, &s.Trips, 1) || set(r, &s.Trips, s.Trips/2) || set(r, &s.Trips, s.Trips-1)) {
			}
		}
	})
}

// expressions replaces expressions with constants, or with one of their subexpressions.
func (r *reducer) expressions() {
	var slots []**randprog.Expr
	r.p.Stmts(func(s *randprog.Stmt) {
		s.Exprs(func(e **randprog.Expr) {
			if e != &s.LHS {
				slots = append(slots, e)
			} else {
				slots = append(slots, argsOf(*e)...)
			}
		})
	})
	for len(slots) > 0 {
		slot := slots[0]
		slots = slots[1:]
		e := *slot
		if e.Op == randprog.OpConst {
			continue
		}
		if r.replace(slot) {
			slots = append(slots, slot)
			continue
		}
		slots = append(slots, argsOf(e)...)
	}
}

// argsOf returns the places of operands that may be any expression.
func argsOf(e *randprog.Expr) (out []**randprog.Expr) {
	for i, a := range e.Args {
		path := i == 0 && (e.Op == randprog.OpField || e.Op == randprog.OpIndex || e.Op == randprog.OpSwizzle) && e.Root() != nil ||
			e.Op == randprog.OpAtomic && i == 0 || e.Op == randprog.OpCall && e.Func.Params[i].Dir >= randprog.Out
		if path {
			out = append(out, argsOf(a)...)
		} else {
			out = append(out, &e.Args[i])
		}
	}
	return out
}

func (r *reducer) replace(slot **randprog.Expr) bool {
	e := *slot
	if e.T == nil {
		return false
	}
	if e.T.Simple() {
		if set(r, slot, randprog.One(e.T, 0)) {
			return true
		}
		v := uint64(1)
		if e.T.Base.Kind == randprog.Float {
			v = e.T.Base.BitsOf(1)
		}
		if set(r, slot, randprog.One(e.T, v)) {
			return true
		}
	}
	var inner []*randprog.Expr
	for _, a := range e.Args {
		a.Walk(func(x *randprog.Expr) {
			if x.T.Same(e.T) && x.Op != randprog.OpAccu && x.Op != randprog.OpCall && x.Op != randprog.OpAtomic && !x.Op.Subgroup {
				inner = append(inner, x)
			}
		})
	}
	for _, x := range inner {
		if set(r, slot, x) {
			return true
		}
	}
	return false
}

// functions removes parameters that a function does not use.
func (r *reducer) functions() {
	for _, f := range r.p.Funcs {
		for i := len(f.Params) - 1; i >= 0; i-- {
			was := f.Params
			args := map[*randprog.Expr][]*randprog.Expr{}
			r.p.Exprs(func(e *randprog.Expr) {
				if e.Func == f {
					args[e] = e.Args
				}
			})
			r.try(func() {
				f.Params = slices.Delete(slices.Clone(was), i, i+1)
				for e, a := range args {
					e.Args = slices.Delete(slices.Clone(a), i, i+1)
				}
			}, func() {
				f.Params = was
				for e, a := range args {
					e.Args = a
				}
			})
		}
	}
}

// declarations removes unused declarations.
func (r *reducer) declarations() {
	vars, funcs := r.p.Uses()
	p := r.p
	for i := len(p.Funcs) - 1; i >= 0; i-- {
		if funcs[p.Funcs[i]] == 0 {
			set(r, &p.Funcs, slices.Delete(slices.Clone(p.Funcs), i, i+1))
		}
	}
	for _, list := range []*[]*randprog.Var{&p.Globals, &p.Shared, &p.Buffers, &p.Specs} {
		for i := len(*list) - 1; i >= 0; i-- {
			if vars[(*list)[i]] == 0 {
				set(r, list, slices.Delete(slices.Clone(*list), i, i+1))
			}
		}
	}
	used := map[string]bool{}
	note := func(t *randprog.Type) {
		if t != nil {
			t.Each(func(u *randprog.Type) { used[u.Key] = true })
		}
	}
	for _, list := range [][]*randprog.Var{p.Globals, p.Shared, p.Buffers, p.Specs} {
		for _, v := range list {
			note(v.T)
		}
	}
	for _, f := range p.Functions() {
		note(f.Result)
		for _, v := range f.Params {
			note(v.T)
		}
	}
	p.Exprs(func(e *randprog.Expr) { note(e.T) })
	for i := len(p.Structs) - 1; i >= 0; i-- {
		if !used[p.Structs[i].Key] {
			set(r, &p.Structs, slices.Delete(slices.Clone(p.Structs), i, i+1))
		}
	}
	// Initial values that are left out are zeros.
	for _, v := range p.Buffers {
		if slices.ContainsFunc(v.Data, func(b byte) bool { return b != 0 }) {
			set(r, &v.Data, make([]byte, len(v.Data)))
		}
	}
}

// sizes shrinks the dispatch, the module's passes and the buffers that are read.
func (r *reducer) sizes() {
	p := r.p
	if p.Passes != nil {
		set(r, &p.Passes, nil)
		for i := len(p.Passes) - 1; i >= 0 && len(p.Passes) > 1; i-- {
			set(r, &p.Passes, slices.Delete(slices.Clone(p.Passes), i, i+1))
		}
	}
	for i := len(p.LeftOut) - 1; i >= 0; i-- {
		set(r, &p.LeftOut, slices.Delete(slices.Clone(p.LeftOut), i, i+1))
	}
	r.dispatch(p.Local, [3]int{1, 1, 1})
	for _, local := range [][3]int{{1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {8, 1, 1}, {16, 1, 1}, {p.Local[0], 1, 1}, {p.Lanes(), 1, 1}} {
		if local[0] < p.Lanes() && r.dispatch(local, p.Groups) {
			break
		}
	}
	for _, v := range p.Buffers {
		if v.Class == randprog.Buffer && v.Own == 0 && !v.Accu {
			for v.T.Len > 1 && (r.shrink(v, 1) || r.shrink(v, v.T.Len/2)) {
			}
		}
	}
}

// dispatch tries other sizes and numbers of workgroups.
func (r *reducer) dispatch(local, groups [3]int) bool {
	p := r.p
	if p.Local == local && p.Groups == groups {
		return false
	}
	wasLocal, wasGroups := p.Local, p.Groups
	type state struct {
		t    *randprog.Type
		data []byte
	}
	was := map[*randprog.Var]state{}
	for _, v := range append(slices.Clone(p.Buffers), p.Shared...) {
		was[v] = state{v.T, v.Data}
	}
	return r.try(func() {
		p.Local, p.Groups = local, groups
		for v := range was {
			switch {
			case v.Own > 0 && v.Class == randprog.Buffer:
				resize(v, v.Own*p.Invocations())
			case v.Class == randprog.Shared && !v.Accu:
				v.T = randprog.ArrayType(v.T.Elem, v.Own*p.Lanes())
			}
		}
		r.retype()
	}, func() {
		p.Local, p.Groups = wasLocal, wasGroups
		for v, s := range was {
			v.T, v.Data = s.t, s.data
		}
		r.retype()
	})
}

// resize changes how many elements an array has; of an array of blocks with
// elements of the invocations' own, how many each block has.
func resize(v *randprog.Var, n int) {
	if v.Arrayed && v.Own > 0 {
		var data []byte
		inner := randprog.ArrayType(v.T.Elem.Elem, n)
		for _, part := range v.Blocks(v.Data) {
			part = append(slices.Clone(part), make([]byte, v.Layout.Size(inner))...)
			data = append(data, part[:v.Layout.Size(inner)]...)
		}
		v.T, v.Data = randprog.ArrayType(inner, v.T.Len), data
		return
	}
	v.T = randprog.ArrayType(v.T.Elem, n)
	data := slices.Clone(v.Data)
	for len(data) < v.Layout.Size(v.T) {
		data = append(data, 0)
	}
	v.Data = data[:v.Layout.Size(v.T)]
}

func (r *reducer) shrink(v *randprog.Var, n int) bool {
	t, data := v.T, v.Data
	return r.try(func() { resize(v, n); r.retype() }, func() { v.T, v.Data = t, data; r.retype() })
}

// retype gives expressions the types that variables have.
func (r *reducer) retype() {
	r.p.Exprs(func(e *randprog.Expr) {
		if e.Op == randprog.OpVar && e.Var.T.Shape == randprog.IsArray {
			e.T = e.Var.T
		}
	})
}
