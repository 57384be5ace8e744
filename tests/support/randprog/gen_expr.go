// SPDX-License-Identifier: MIT

package randprog

import (
	"slices"
)

// constant returns a constant of any type.
func (g *gen) constant(t *Type) *Expr {
	if !t.Simple() {
		e := &Expr{Op: OpConstruct, T: t}
		for i := range t.parts() {
			e.Args = append(e.Args, g.constant(t.Part(i)))
		}
		return e
	}
	e := &Expr{Op: OpConst, T: t}
	for range t.comps() {
		e.Bits = append(e.Bits, g.value(t.Base))
	}
	if g.chance(3) {
		for i := range e.Bits {
			e.Bits[i] = e.Bits[0]
		}
	}
	return e
}

// One returns a constant with the same number in all components.
func One(t *Type, v uint64) *Expr {
	e := &Expr{Op: OpConst, T: t}
	for range t.comps() {
		e.Bits = append(e.Bits, v)
	}
	return e
}

// leaf returns a constant, a readable variable, or a conversion of one.
func (g *gen) leaf(t *Type) *Expr {
	if !g.chance(6) {
		if t.Shape == IsScalar && t.Base.Integer() && !g.only && g.chance(6) {
			return g.varying(t)
		}
		if e := g.place(t, false); e != nil {
			return e
		}
	}
	for t.Simple() && t.Shape != IsMatrix && !g.chance(3) {
		// Convert from another type, since no variable of this one is in scope.
		if from := t.With(g.scalar()); !from.Same(t) {
			if e := g.place(from, false); e != nil {
				return &Expr{Op: OpConvert, T: t, Args: []*Expr{e}}
			}
		}
	}
	return g.constant(t)
}

// varying returns an integer that differs between most invocations, or a constant if no variable does.
func (g *gen) varying(t *Type) *Expr {
	var found []*Var
	for _, v := range g.scope {
		switch {
		case v.Class == Builtin && !v.Uniform && v.T.Shape == IsScalar,
			v.Class == Local && v.T.Shape == IsScalar && v.T.Base.Integer(),
			v.Class == Buffer && v.Own > 0 && v.elem().Shape == IsScalar && v.elem().Base.Integer():
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return g.constant(t)
	}
	v := Pick(g.r, found)
	e := &Expr{Op: OpVar, T: v.T, Var: v}
	if v.Own > 0 {
		e = g.own(v, One(scalarType(U32), uint64(g.r.IntN(v.Own))))
	}
	if !e.T.Same(t) {
		e = &Expr{Op: OpConvert, T: t, Args: []*Expr{e}}
	}
	return e
}

// apply returns an application of the operation with a name.
func apply(name string, t *Type, args ...*Expr) *Expr {
	return &Expr{Op: opByName[name], T: t, Args: args}
}

// small returns an integer from 0 to a mask that varies between the invocations.
func (g *gen) small(t *Type, mask uint64) *Expr {
	e := g.varying(t)
	if g.chance(3) {
		e = apply(Pick(g.r, []string{"add", "xor", "mul"}), t, e, g.counter(t))
	}
	if g.chance(3) {
		e = apply("shr", t, e, g.counter(t))
	}
	return apply("and", t, e, One(t, mask))
}

// counter returns the counter of a loop, or a small constant.
func (g *gen) counter(t *Type) *Expr {
	for _, v := range slices.Backward(g.scope) {
		if v.Class == Counter && !g.chance(3) {
			e := &Expr{Op: OpVar, T: v.T, Var: v}
			if !v.T.Same(t) {
				e = &Expr{Op: OpConvert, T: t, Args: []*Expr{e}}
			}
			return e
		}
	}
	return One(t, uint64(g.r.IntN(8)))
}

// divergent returns a condition that usually holds in some invocations only, and in loops not always in the same
// ones.
func (g *gen) divergent() *Expr {
	t := scalarType(Pick(g.r, []Scalar{I32, U32}))
	if g.Small > 2 && g.chance(4) {
		t = scalarType(Scalar{Int + Kind(g.r.IntN(2)), 8 << g.r.IntN(2)})
	}
	relation := Pick(g.r, []string{"lt", "le", "gt", "ge", "eq", "ne"})
	b := scalarType(Boolean)
	switch g.r.IntN(4) {
	case 0:
		return apply(relation, b, g.small(t, 1), One(t, 0))
	case 1:
		return apply(relation, b, g.small(t, 7), g.counter(t))
	case 2:
		return apply(relation, b, g.varying(t), g.small(t, 3))
	}
	return apply(Pick(g.r, []string{"logical_and", "logical_or", "logical_xor"}), b, apply(relation, b, g.small(t, 3), g.counter(t)), g.expr(b, 1))
}

// expr returns an expression of a type.
func (g *gen) expr(t *Type, depth int) *Expr {
	if depth <= 0 || g.chance(5) {
		return g.leaf(t)
	}
	if len(g.recent) > 0 && g.chance(12) { // the operands that the statement has already
		if e := Pick(g.r, g.recent); e.T.Same(t) && !g.only {
			return e
		}
	}
	e := g.operation(t, depth)
	if !g.only && g.indices == 0 {
		g.recent = append(g.recent, e)
	}
	return e
}

// operation returns an expression that is usually not a leaf.
func (g *gen) operation(t *Type, depth int) *Expr {
	if !t.Simple() {
		switch g.r.IntN(4) {
		case 0:
			return g.construct(t, depth)
		case 1:
			return &Expr{Op: OpSelect, T: t, Args: []*Expr{g.expr(scalarType(Boolean), depth-1), g.expr(t, depth-1), g.expr(t, depth-1)}}
		}
		if e := g.place(t, false); e != nil {
			return e
		}
		return g.construct(t, depth)
	}
	switch n := g.r.IntN(20); {
	case n < 3 && t.Shape != IsMatrix: // a conversion from another scalar, or from another size
		from := t.With(g.scalar())
		if !from.Same(t) {
			return &Expr{Op: OpConvert, T: t, Args: []*Expr{g.expr(from, depth-1)}}
		}
	case n < 5:
		x := g.expr(t, depth-1)
		y := g.alike(x)
		cond := g.expr(scalarType(Boolean), depth-1)
		if !g.only && g.chance(3) {
			cond = g.divergent()
		}
		return &Expr{Op: OpSelect, T: t, Args: []*Expr{cond, x, y}}
	case n < 7 && t.Shape != IsScalar:
		return g.construct(t, depth)
	case n < 8 && t.Shape != IsMatrix: // components of a larger one
		from := vectorType(t.Base, 2+g.r.IntN(3))
		e := &Expr{Op: OpSwizzle, T: t, Args: []*Expr{g.expr(from, depth-1)}}
		for range t.Rows {
			e.N = append(e.N, g.r.IntN(from.Rows))
		}
		return e
	}
	for range 24 {
		o := Pick(g.r, ops)
		if g.Wild > 0 && g.chance(12) {
			o = Pick(g.r, wildOps)
		}
		args := o.Args(g, t)
		if args == nil {
			continue
		}
		e := &Expr{Op: o, T: t}
		for i, a := range args {
			if i == 1 && a.Same(args[0]) && g.chance(6) {
				e.Args = append(e.Args, g.alike(e.Args[0]))
				continue
			}
			if i == 1 && (o.C == "" || len(o.Name) > 3) && g.chance(3) || i == 1 && g.chance(5) {
				e.Args = append(e.Args, g.constant(a)) // divisions and shifts by constants
				continue
			}
			d := depth - 1
			if a.comps() > 4 {
				d--
			}
			e.Args = append(e.Args, g.expr(a, d))
		}
		return e
	}
	return g.leaf(t)
}

// alike returns an expression of the same form on other operands, of other types
// where a conversion comes first; rules look for such pairs.
func (g *gen) alike(e *Expr) *Expr {
	if g.chance(3) {
		return g.expr(e.T, 1)
	}
	switch {
	case e.Op == OpConvert && e.T.Shape != IsMatrix:
		from := e.T.With(g.scalar())
		if from.Same(e.T) {
			from = e.Args[0].T
		}
		return &Expr{Op: OpConvert, T: e.T, Args: []*Expr{g.leaf(from)}}
	case len(e.Args) == 0 || e.Root() != nil || e.Op == OpConstruct:
		return g.leaf(e.T)
	}
	out := *e
	out.Args = nil
	for _, a := range e.Args {
		switch g.r.IntN(3) {
		case 0:
			out.Args = append(out.Args, a)
		default:
			out.Args = append(out.Args, g.leaf(a.T))
		}
	}
	return &out
}

func (g *gen) construct(t *Type, depth int) *Expr {
	e := &Expr{Op: OpConstruct, T: t}
	switch {
	case t.Shape == IsVector && g.chance(3): // one number for all components
		e.Args = []*Expr{g.expr(scalarType(t.Base), depth-1)}
	case t.Shape == IsMatrix && t.Base == f32 && g.chance(4): // on the diagonal; glslang has no 16-bit zeros
		e.Args = []*Expr{g.expr(scalarType(t.Base), depth-1)}
	case t.Shape == IsVector: // vectors and scalars, as many as it takes
		for n := t.Rows; n > 0; {
			k := 1 + g.r.IntN(min(n, t.Rows-1))
			e.Args = append(e.Args, g.expr(vectorType(t.Base, k), depth-1))
			n -= k
		}
	default:
		for i := range t.parts() {
			e.Args = append(e.Args, g.expr(t.Part(i), depth-2))
		}
	}
	return e
}

// touch records that the function accesses shared memory if v is shared.
func (g *gen) touch(v *Var) {
	if v.Class == Shared {
		g.touches[g.fn] = true
	}
}

// own returns an element that the invocation owns.
func (g *gen) own(v *Var, i *Expr) *Expr {
	e := &Expr{Op: OpOwn, T: v.elem(), Var: v, Args: []*Expr{i}}
	if v.Arrayed {
		e.Args = append(e.Args, g.index(v.T.Len))
	}
	return e
}

// access reports whether a variable can be read here as a whole or by any index, and whether each invocation can read
// its own slice; or written, if write is set.
func (g *gen) access(v *Var, write bool) (whole, own bool) {
	if g.only && !v.Uniform {
		return false, false
	}
	switch v.Class {
	case Local, Private:
		return true, false
	case Param:
		return !write || v.Dir != Const, false
	case Counter, Builtin, Spec, Uniform, Push:
		return !write, false
	case Buffer:
		if v.Accu {
			return false, false
		}
		return v.Own == 0 && !write, v.Own > 0
	case Shared:
		if !g.isMain { // functions use their invocation's own elements, since they are called between the right barriers
			return false, !v.Accu
		}
		if g.reading {
			return !write, false
		}
		return false, !v.Accu
	}
	return false, false
}

// place returns a path to a value of a type to read or to write, or nil if there is none.
func (g *gen) place(t *Type, write bool) *Expr {
	var found []*Var
	for _, v := range g.scope {
		whole, own := g.access(v, write)
		if v.Arrayed && v.Own == 0 {
			whole = whole && v.T.Elem.contains(t)
		}
		if whole && v.T.contains(t) || own && v.elem().contains(t) {
			found = append(found, v)
			if v.Class == Local || v.Class == Param {
				found = append(found, v, v, v, v)
			}
			if v.Class == Counter {
				found = append(found, v, v, v, v)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	v := Pick(g.r, found)
	if n := len(found); g.chance(3) {
		v = found[n-1-g.r.IntN(min(n, 6))] // one of the last ones
	}
	e := &Expr{Op: OpVar, T: v.T, Var: v}
	if whole, _ := g.access(v, write); !whole {
		e = g.own(v, g.index(v.Own))
		g.touch(v)
	} else if v.Arrayed {
		e = &Expr{Op: OpIndex, T: v.T.Elem, Args: []*Expr{e, g.index(v.T.Len)}}
	}
	return g.descend(e, t, write)
}

// descend continues with a part of a type.
func (g *gen) descend(e *Expr, t *Type, write bool) *Expr {
	for !e.T.Same(t) {
		switch e.T.Shape {
		case IsStruct:
			var fits []int
			for i, f := range e.T.Fields {
				if f.contains(t) {
					fits = append(fits, i)
				}
			}
			i := Pick(g.r, fits)
			e = &Expr{Op: OpField, T: e.T.Fields[i], Args: []*Expr{e}, N: []int{i}}
		case IsVector:
			if g.chance(2) {
				e = &Expr{Op: OpSwizzle, T: e.T.Part(0), Args: []*Expr{e}, N: []int{g.r.IntN(e.T.Rows)}}
				continue
			}
			fallthrough
		default:
			e = &Expr{Op: OpIndex, T: e.T.Part(0), Args: []*Expr{e, g.index(e.T.parts())}}
		}
	}
	return e
}

// index returns an expression for an index of a list of n; fixed keeps it inside.
func (g *gen) index(n int) *Expr {
	s := Pick(g.r, []Scalar{I32, U32})
	g.indices++
	defer func() { g.indices-- }()
	if g.chance(3) || g.indices > 2 {
		return One(scalarType(s), uint64(g.r.IntN(n)))
	}
	if g.chance(2) {
		var counters []*Var
		for _, v := range g.scope {
			if v.Class == Counter && (!g.only || v.Uniform) {
				counters = append(counters, v)
			}
		}
		if len(counters) > 0 {
			v := Pick(g.r, counters)
			return &Expr{Op: OpVar, T: v.T, Var: v}
		}
	}
	return g.expr(scalarType(s), g.r.IntN(2))
}

// swizzled returns one or several components of a vector that can be written, or nil if there are none.
func (g *gen) swizzled() *Expr {
	t := vectorType(g.scalar(), 2+g.r.IntN(3))
	e := g.place(t, true)
	if e == nil {
		return nil
	}
	n := 1 + g.r.IntN(t.Rows)
	return &Expr{Op: OpSwizzle, T: vectorType(t.Base, n), Args: []*Expr{e}, N: g.r.Perm(t.Rows)[:n]}
}

// uniformExpr returns an expression that is the same in all invocations of a
// workgroup.
func (g *gen) uniformExpr(t *Type, depth int) *Expr {
	was := g.only
	g.only = true
	defer func() { g.only = was }()
	return g.expr(t, depth)
}

// subgroupOp returns an operation over the subgroup, or nil if there is none of the
// type.
func (g *gen) subgroupOp(t *Type) *Expr {
	for range 40 {
		o := Pick(g.r, subOps)
		if o.Ext == "clustered" && g.p.Seed%16 != 2 { // lavapipe has none
			continue
		}
		args := o.Args(g, t)
		if args == nil {
			continue
		}
		e := &Expr{Op: o, T: t}
		for _, a := range args {
			e.Args = append(e.Args, g.expr(a, g.r.IntN(3)))
		}
		return e
	}
	return nil
}

// atomic returns an atomic operation on an element that the invocation owns, if own is set, or on an accumulator,
// where the returned value depends on the order. It returns nil if there is no such variable.
func (g *gen) atomic(own bool) *Expr {
	var found []*Var
	for _, v := range g.scope {
		shared := v.Class == Shared
		if v.Class != Buffer && !shared {
			continue
		}
		t := v.elem()
		dword := t.Shape == IsScalar && t.Base.Integer() && t.Base.Bits == 32
		wanted := v.Accu && !own || own && v.Own > 0 && !v.Accu
		if (!shared || !g.isMain || !g.reading) && dword && wanted {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return nil
	}
	v := Pick(g.r, found)
	g.touch(v)
	e := &Expr{Op: OpAtomic, T: v.elem()}
	if own {
		e.N = []int{g.r.IntN(len(Atomics))}
		e.Args = []*Expr{g.own(v, g.index(v.Own))}
	} else {
		e.N = []int{g.r.IntN(AccuKinds)}
		e.Args = []*Expr{{Op: OpAccu, T: v.T.Elem, Var: v, N: e.N, Args: []*Expr{g.index(v.T.Len / AccuKinds)}}}
	}
	for range Atomics[e.N[0]].values {
		e.Args = append(e.Args, g.expr(e.T, 2))
	}
	return e
}

// Atomics are the atomic operations; the first AccuKinds are for accumulators.
var Atomics = []struct {
	Glsl, c string
	values  int
}{
	{"atomicAdd", "old + x", 1},
	{"atomicMin", "x < old ? x : old", 1},
	{"atomicMax", "x > old ? x : old", 1},
	{"atomicAnd", "old & x", 1},
	{"atomicOr", "old | x", 1},
	{"atomicXor", "old ^ x", 1},
	{"atomicExchange", "x", 1},
	{"atomicCompSwap", "old == x ? y : old", 2},
}

// call returns a call of a function that returns type t, or of any function if t is nil; it returns nil if there is
// none.
func (g *gen) call(t *Type) *Expr {
	var found []*Func
	for f, cost := range g.cost {
		if g.touches[f] && g.isMain && g.reading {
			continue
		}
		if (t == nil || f.Result.Same(t)) && g.trips*cost < 400 && g.spent+g.trips*cost < g.limit {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b *Func) int { return len(a.Name)*1000 - len(b.Name)*1000 + compare(a.Name, b.Name) })
	f := Pick(g.r, found)
	e := &Expr{Op: OpCall, T: f.Result, Func: f}
	var taken []*Var
	for _, p := range f.Params {
		if p.Dir < Out {
			e.Args = append(e.Args, g.expr(p.T, 2))
			continue
		}
		a := g.outArg(p.T, taken)
		if a == nil {
			return nil
		}
		taken = append(taken, a.Root())
		e.Args = append(e.Args, a)
	}
	g.spent += g.trips * g.cost[f]
	if g.touches[f] {
		g.touches[g.fn] = true
	}
	return e
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// outArg returns a place that a call writes: a part of a local variable that no other argument is a part of, or nil
// if there is none. Its indices do not change, so it does not matter when they are evaluated.
func (g *gen) outArg(t *Type, taken []*Var) *Expr {
	scope, was := g.scope, g.only
	defer func() { g.scope, g.only = scope, was }()
	var locals, fixed []*Var
	for _, v := range scope {
		switch {
		case (v.Class == Local || v.Class == Param && v.Dir != Const || g.Wild > 0 && v.Own > 0) && !slices.Contains(taken, v):
			locals = append(locals, v)
		case v.Class == Counter || v.Class == Builtin || v.Class == Spec:
			fixed = append(fixed, v)
		}
	}
	g.scope = locals
	e := g.place(t, true)
	if e == nil {
		return nil
	}
	g.scope = fixed
	p := e
	for ; p.Op == OpIndex || p.Op == OpField || p.Op == OpSwizzle; p = p.Args[0] {
		if p.Op == OpIndex {
			p.Args[1] = g.index(p.Args[0].T.parts())
		}
	}
	if p.Op == OpOwn {
		*p = *g.own(p.Var, g.index(p.Var.Own))
	}
	return e
}
