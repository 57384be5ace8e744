// SPDX-License-Identifier: MIT

package randprog

import "slices"

// block generates statements in a new scope. The final values of its variables go into the checksum.
func (g *gen) block(n int) []*Stmt {
	scope := len(g.scope)
	defer func() { g.scope = slices.Clip(g.scope[:scope]) }()
	g.depth++
	defer func() { g.depth-- }()
	body := g.list(n)
	g.recent = nil // it has variables of the block
	if last := len(body) - 1; last >= 0 && body[last].Kind >= Break && body[last].Kind <= Return {
		return body
	}
	for _, v := range g.scope[scope:] {
		if v.Class == Local && !g.chance(3) {
			g.leaves(&Expr{Op: OpVar, T: v.T, Var: v}, func(e *Expr) { body = append(body, g.add(e)) }, 2)
		}
	}
	return body
}

// add returns a statement that puts a number into the checksum.
func (g *gen) add(e *Expr) *Stmt {
	u := scalarType(U32)
	if e.T.Base.Kind == Float {
		e = apply("mul", e.T, e, One(e.T, e.T.Base.BitsOf(4)))
		e = &Expr{Op: OpConvert, T: scalarType(I32), Args: []*Expr{e}}
	}
	if e.T.Base != U32 {
		e = &Expr{Op: OpConvert, T: u, Args: []*Expr{e}}
	}
	sum := &Expr{Op: OpVar, T: u, Var: g.sum}
	return &Stmt{Kind: Assign, LHS: sum, RHS: apply("add", u, apply("mul", u, sum, One(u, 33)), e)}
}

func (g *gen) list(n int) []*Stmt {
	var out []*Stmt
	for range n {
		if g.spent > g.limit || g.written > g.most {
			if len(out) == 0 {
				g.spent += g.trips
				return g.assign()
			}
			break
		}
		out = append(out, g.stmt()...)
		if last := len(out) - 1; last >= 0 && out[last].Kind >= Break && out[last].Kind <= Return {
			break
		}
	}
	return out
}

// nested makes the statements of a body. If uniform is set, all invocations that reach it run it, and shared memory
// has the same state at its end as at its start.
func (g *gen) nested(n int, uniform bool) []*Stmt {
	was, reading := g.uniform, g.reading
	g.uniform = was && uniform
	if g.uniform {
		g.settled = append(g.settled, reading)
	}
	body := g.block(n)
	if g.uniform {
		g.settled = g.settled[:len(g.settled)-1]
		body = append(body, g.settle(reading)...)
	}
	g.uniform = was
	return body
}

// settle returns the barrier that brings shared memory into a state, or nothing if it is in that state.
func (g *gen) settle(reading bool) []*Stmt {
	if g.reading == reading {
		return nil
	}
	g.reading = reading
	return []*Stmt{{Kind: Barrier}}
}

func (g *gen) stmt() []*Stmt {
	g.spent += g.trips
	g.written++
	g.recent = g.recent[:0]
	deep := len(g.targets)
	flow := 1
	if deep > 3 || g.trips > 60 {
		flow = 0
	}
	barrier := 0
	if g.isMain && g.uniform && !g.exits && len(g.p.Shared) > 0 {
		barrier = g.Barrier
	}
	declare, assign := g.Decl, g.Assign
	if g.depth > 0 {
		declare /= 3
	}
	if g.Shapes > 0 && g.chance(g.Shapes) {
		return g.shape()
	}
	if flow > 0 && g.chance(12) {
		return g.carried()
	}
	if flow > 0 && g.chance(60/max(g.Sub, 1)) {
		return g.waterfall()
	}
	switch g.weighted(declare, assign, flow*g.If, flow*g.Switch, flow*g.Loop, g.Leave, g.Call, g.Sub, g.Store, g.Atomic, barrier, g.Block) {
	case 0:
		return g.declare(nil)
	case 2:
		return g.ifs()
	case 3:
		return g.switches()
	case 4:
		return g.loop()
	case 5:
		if out := g.leave(); out != nil {
			return out
		}
	case 6:
		if out := g.effect(g.call); out != nil {
			return out
		}
	case 7:
		if g.Sub > 0 {
			if out := g.effect(g.subgroupOp); out != nil {
				return out
			}
		}
	case 8:
		if out := g.store(); out != nil {
			return out
		}
	case 9:
		if g.chance(2) {
			if e := g.atomic(true); e != nil {
				return g.result(e)
			}
		}
		if e := g.atomic(false); e != nil {
			return []*Stmt{{Kind: Do, RHS: e}}
		}
	case 10:
		g.reading = !g.reading
		return []*Stmt{{Kind: Barrier}}
	case 11:
		return []*Stmt{{Kind: Block, Body: g.nested(1+g.r.IntN(3), true)}}
	}
	return g.assign()
}

// declare makes a local variable with a given value, or, if e is nil, with a random one.
func (g *gen) declare(e *Expr) []*Stmt {
	if e == nil {
		e = g.expr(g.typ(), 1+g.r.IntN(g.Depth))
	}
	v := &Var{Name: g.name("v"), T: e.T, Class: Local}
	g.scope = append(g.scope, v)
	return []*Stmt{{Kind: Decl, Var: v, RHS: e}}
}

func (g *gen) assign() []*Stmt {
	var to *Expr
	if g.chance(4) {
		to = g.swizzled()
	}
	for range 4 {
		if to == nil {
			to = g.place(g.typ(), true)
		}
	}
	if to == nil {
		return g.declare(nil)
	}
	value := g.expr(to.T, 1+g.r.IntN(g.Depth))
	if aSum(to.T) && g.chance(3) { // from what it was
		value = apply(Pick(g.r, []string{"add", "sub", "add"}), to.T, to, value)
		if g.chance(3) {
			value.Args[1] = g.constant(to.T)
		}
	}
	return []*Stmt{{Kind: Assign, LHS: to, RHS: value}}
}

// store returns a store to memory that the invocation owns, or nil if there is none.
func (g *gen) store() []*Stmt {
	scope := g.scope
	var buffers []*Var
	for _, v := range scope {
		if _, own := g.access(v, true); own {
			buffers = append(buffers, v)
		}
	}
	if len(buffers) == 0 {
		return nil
	}
	v := Pick(g.r, buffers)
	e := g.own(v, g.index(v.Own))
	g.touch(v)
	for e.T.Shape != IsScalar && g.chance(2) {
		e = g.descend(e, e.T.Part(g.r.IntN(e.T.parts())), true)
	}
	return []*Stmt{{Kind: Assign, LHS: e, RHS: g.expr(e.T, 1+g.r.IntN(g.Depth))}}
}

// effect generates a call or another expression with effects, by make. Its result goes to a new variable, to an old
// one, or nowhere. effect returns nil if there is no such expression.
func (g *gen) effect(make func(*Type) *Expr) []*Stmt {
	if g.chance(2) || g.depth > 0 && g.chance(2) {
		if to := g.outArg(g.typ(), nil); to != nil {
			if e := make(to.T); e != nil && !writes(e, to.Root()) {
				return []*Stmt{{Kind: Assign, LHS: to, RHS: e}}
			}
		}
	}
	for range 6 {
		if e := make(g.simple()); e != nil {
			return g.declare(e)
		}
	}
	e := g.call(nil)
	if e == nil {
		return nil
	}
	return g.result(e)
}

// writes reports whether a call writes to the variable.
func writes(e *Expr, v *Var) bool {
	if e.Op != OpCall {
		return false
	}
	for i, p := range e.Func.Params {
		if p.Dir >= Out && e.Args[i].Root() == v {
			return true
		}
	}
	return false
}

// result generates a statement that evaluates an expression and keeps or drops its value.
func (g *gen) result(e *Expr) []*Stmt {
	if e.T == nil || g.chance(3) {
		return []*Stmt{{Kind: Do, RHS: e}}
	}
	return g.declare(e)
}

// condition returns a condition, the same for all invocations if requested.
func (g *gen) condition(uniform bool) *Expr {
	if uniform {
		return g.uniformExpr(scalarType(Boolean), 2)
	}
	if !g.chance(3) {
		return g.divergent()
	}
	return g.expr(scalarType(Boolean), 1+g.r.IntN(3))
}

func (g *gen) ifs() []*Stmt {
	uniform := g.uniform && g.chance(2)
	s := &Stmt{Kind: If, RHS: g.condition(uniform)}
	var before []*Stmt
	if g.Sub > 0 && !uniform && g.chance(4) { // a condition that is uniform in the subgroup
		if e := g.subgroupOp(scalarType(Boolean)); e != nil {
			before = g.declare(e)
			s.RHS = &Expr{Op: OpVar, T: e.T, Var: before[0].Var}
		}
	}
	s.Body = g.nested(1+g.r.IntN(4), uniform)
	if g.chance(2) {
		s.Else = g.nested(1+g.r.IntN(3), uniform)
	}
	return append(before, s)
}

func (g *gen) switches() []*Stmt {
	uniform := g.uniform && g.chance(3)
	t := scalarType(Pick(g.r, []Scalar{I32, U32}))
	s := &Stmt{Kind: Switch}
	if uniform {
		s.RHS = g.uniformExpr(t, 2)
	} else {
		s.RHS = g.expr(t, 2)
		if g.chance(2) {
			s.RHS = g.small(t, 7)
		}
	}
	n := 2 + g.r.IntN(4)
	if !g.chance(4) { // a small number
		s.RHS = &Expr{Op: opByName["and"], T: t, Args: []*Expr{s.RHS, One(t, 7)}}
	}
	labels := g.r.Perm(8)
	def := g.r.IntN(2 * n)
	g.targets = append(g.targets, target{uniform: uniform, reading: g.reading})
	for i := range n {
		c := &Case{Default: i == def}
		for range g.weighted(1, 8, 3) {
			if len(labels) > 0 {
				c.Labels = append(c.Labels, uint32(labels[0]))
				labels = labels[1:]
			}
		}
		if len(c.Labels) == 0 && !c.Default {
			continue
		}
		c.Body = g.nested(g.r.IntN(4), uniform)
		if last := len(c.Body) - 1; !g.chance(3) && (last < 0 || c.Body[last].Kind < Break || c.Body[last].Kind > Return) {
			c.Body = append(c.Body, &Stmt{Kind: Break})
		}
		s.Cases = append(s.Cases, c)
	}
	g.targets = g.targets[:len(g.targets)-1]
	if len(s.Cases) == 0 {
		return g.assign()
	}
	return []*Stmt{s}
}

func (g *gen) loop() []*Stmt {
	uniform := g.uniform && g.chance(2)
	kind := For + StmtKind(g.weighted(5, 2, 2, 2))
	if uniform {
		kind = For
	}
	reading := g.reading
	s, done := g.loopOf(kind, uniform)
	if uniform {
		g.together++
	}
	s.Body = g.block(2 + g.r.IntN(4))
	if uniform {
		s.Body = append(s.Body, g.settle(reading)...)
		g.together--
	}
	done()
	return []*Stmt{s}
}

// loopOf makes a loop without a body; statements made until done is called are inside it.
func (g *gen) loopOf(kind StmtKind, uniform bool) (s *Stmt, done func()) {
	s = &Stmt{Kind: kind, Trips: 1 + g.r.IntN(6), Step: 1}
	t := scalarType(Pick(g.r, []Scalar{I32, I32, U32}))
	scope := len(g.scope)
	if kind == For {
		s.From = g.r.IntN(3) * g.r.IntN(3)
		s.Step = 1 + g.r.IntN(3)*g.r.IntN(2)
		top := s.From + s.Step*s.Trips // the counter stays below
		s.RHS = One(t, uint64(top))
		switch {
		case g.chance(2):
		case uniform:
			s.RHS = g.uniformExpr(t, 1)
		default:
			s.RHS = g.small(t, 7)
		}
		s.Var = &Var{Name: g.name("k"), T: t, Class: Counter, Ranged: true, Lo: int64(s.From), Hi: int64(top - 1), Uniform: uniform}
		g.scope = append(g.scope, s.Var)
	} else {
		s.RHS = g.condition(false)
		s.Var = &Var{Name: g.name("k"), T: t, Class: Counter, Ranged: true, Hi: int64(s.Trips - 1)}
		if kind != DoWhile { // whose condition does not see the counter
			g.scope = append(g.scope, s.Var)
			s.RHS = g.condition(false)
			s.Var.Hi++
		}
	}
	was, trips := g.uniform, g.trips
	g.targets = append(g.targets, target{loop: true, uniform: uniform, reading: g.reading})
	g.uniform, g.trips = uniform, g.trips*s.Trips
	return s, func() {
		g.targets = g.targets[:len(g.targets)-1]
		g.uniform, g.trips = was, trips
		g.scope = slices.Clip(g.scope[:scope])
	}
}

// reaches reports whether a jump may leave the constructs around it up to a target. A jump must not let some
// invocations skip a barrier, and shared memory must be in the same state at the jump and at the target.
func (g *gen) reaches(i int) bool {
	if g.uniform {
		return g.targets[i].reading == g.reading
	}
	for _, t := range g.targets[i:] {
		if t.uniform {
			return false
		}
	}
	return true
}

// mayReturn reports whether main can return here because no barrier follows.
func (g *gen) mayReturn() bool {
	if !g.isMain {
		return true
	}
	for _, r := range g.settled {
		if r != g.reading {
			return false
		}
	}
	return g.together == 0
}

// carried makes a loop that sets an outer variable, often to a value that is the same for all invocations that are
// still in the loop. They leave it one after another.
func (g *gen) carried() []*Stmt {
	t := scalarType(g.scalar())
	if g.chance(4) {
		t = vectorType(t.Base, 2+g.r.IntN(3))
	}
	v := &Var{Name: g.name("v"), T: t, Class: Local}
	out := []*Stmt{{Kind: Decl, Var: v, RHS: g.constant(t)}}
	s, done := g.loopOf(For+StmtKind(g.weighted(2, 1, 2, 1)), false)
	to := &Expr{Op: OpVar, T: t, Var: v}
	set := &Stmt{Kind: Assign, LHS: to}
	switch {
	case g.Sub > 0 && !g.chance(3):
		set.RHS = g.subgroupOp(t)
	case g.chance(2):
		set.RHS = g.uniformExpr(t, 2)
	case aNumber(t) && g.chance(2):
		set.RHS = apply("add", t, to, One(t, map[bool]uint64{true: t.Base.BitsOf(1), false: 1}[t.Base.Kind == Float]))
	}
	if set.RHS == nil {
		set.RHS = g.expr(t, 2)
	}
	jump := &Stmt{Kind: If, RHS: g.divergent(), Body: []*Stmt{{Kind: Break + StmtKind(g.weighted(3, 1))}}}
	switch g.r.IntN(3) {
	case 0:
		s.Body = []*Stmt{set, jump}
	case 1:
		s.Body = []*Stmt{jump, set}
	default:
		jump.Body = []*Stmt{set, jump.Body[0]}
		s.Body = []*Stmt{jump}
	}
	if g.chance(2) {
		s.Body = append(s.Body, g.block(1+g.r.IntN(2))...)
	}
	done()
	g.scope = append(g.scope, v)
	return append(out, s)
}

// waterfall makes a loop that in each iteration does the work of the invocations that have the same number as the
// first one.
func (g *gen) waterfall() []*Stmt {
	t := scalarType(Pick(g.r, []Scalar{I32, U32, {Uint, 16}}))
	x := &Var{Name: g.name("v"), T: t, Class: Local}
	k := &Var{Name: g.name("v"), T: t, Class: Local}
	out := []*Stmt{{Kind: Decl, Var: x, RHS: g.small(t, 7)}}
	g.scope = append(g.scope, x)
	s, done := g.loopOf(For, false)
	s.From, s.Step, s.Trips = 0, 1, 8
	s.RHS = One(s.Var.T, 8)
	s.Var.Lo, s.Var.Hi = 0, 7
	read := func(v *Var) *Expr { return &Expr{Op: OpVar, T: t, Var: v} }
	g.scope = append(g.scope, k)
	s.Body = []*Stmt{
		{Kind: Decl, Var: k, RHS: apply("subgroup_broadcast_first", t, read(x))},
		{Kind: If, RHS: apply("eq", scalarType(Boolean), read(k), read(x)), Body: append(g.block(1+g.r.IntN(2)), &Stmt{Kind: Break})},
	}
	done()
	return append(out, s)
}

// leave generates a jump out of a loop, a switch or the function, usually under a condition. It returns nil if no
// jump is allowed here.
func (g *gen) leave() []*Stmt {
	var kinds []StmtKind
	last := len(g.targets) - 1
	if last >= 0 && g.reaches(last) {
		kinds = append(kinds, Break, Break)
	}
	for i := last; i >= 0; i-- {
		if g.targets[i].loop {
			if g.reaches(i) {
				kinds = append(kinds, Continue, Continue)
			}
			break
		}
	}
	if g.mayReturn() && (len(kinds) > 0 || g.chance(2)) {
		kinds = append(kinds, Return)
	}
	if len(kinds) == 0 {
		return nil
	}
	s := &Stmt{Kind: Pick(g.r, kinds)}
	uniform := g.uniform
	if s.Kind == Return {
		uniform = false
		g.exits = g.exits || g.isMain
		if !g.isMain && g.fn.Result != nil {
			s.RHS = g.expr(g.fn.Result, 2)
		}
	}
	if g.chance(8) && len(g.targets) > 0 {
		return []*Stmt{s}
	}
	body := []*Stmt{s}
	if g.chance(4) {
		scope := len(g.scope)
		body = append(g.assign(), s)
		g.scope = slices.Clip(g.scope[:scope])
	}
	return []*Stmt{{Kind: If, RHS: g.condition(uniform), Body: body}}
}

// function generates a function that calls earlier ones.
func (g *gen) function(number int) {
	f := &Func{Name: g.name("f")}
	if !g.chance(4) {
		f.Result = g.typ()
	}
	scope := len(g.scope)
	g.fn, g.isMain, g.uniform = f, false, false
	g.spent, g.limit, g.trips = 0, 60, 1
	g.written, g.most, g.recent = 0, 10, nil
	for range 1 + g.r.IntN(4) {
		v := &Var{Name: g.name("p"), T: g.typ(), Class: Param, Dir: Dir(g.weighted(4, 1, 3, 3))}
		f.Params = append(f.Params, v)
		if v.Dir == Out { // set before anything reads it
			f.Body = append(f.Body, &Stmt{Kind: Assign, LHS: &Expr{Op: OpVar, T: v.T, Var: v}, RHS: g.expr(v.T, 2), Keep: true})
		}
		g.scope = append(g.scope, v)
	}
	f.Body = append(f.Body, g.list(3+g.r.IntN(8))...)
	if last := f.Body; f.Result != nil && (len(last) == 0 || last[len(last)-1].Kind != Return) {
		f.Body = append(f.Body, &Stmt{Kind: Return, RHS: g.expr(f.Result, 3), Keep: true})
	} else if f.Result != nil {
		last[len(last)-1].Keep = true
	}
	g.scope = slices.Clip(g.scope[:scope])
	g.cost[f] = g.spent + 2
	g.p.Funcs = append(g.p.Funcs, f)
}

// main makes the entry point, which stores the values of its variables at the end.
func (g *gen) main() {
	f := &Func{Name: "main"}
	g.p.Main, g.fn = f, f
	g.isMain, g.uniform = true, true
	g.reading, g.exits = false, false
	g.spent, g.limit, g.trips = 0, 2000, 1
	g.written, g.most, g.recent = 0, 3*g.Size, nil
	for _, v := range g.p.Shared { // each invocation fills its own element
		if v.Zero {
			continue
		}
		for i := range v.Own {
			to := &Expr{Op: OpOwn, T: v.T.Elem, Var: v, Args: []*Expr{One(scalarType(U32), uint64(i))}}
			f.Body = append(f.Body, &Stmt{Kind: Assign, LHS: to, RHS: g.expr(v.T.Elem, 1), Keep: true})
		}
	}
	if len(g.p.Shared) > 0 {
		f.Body = append(f.Body, &Stmt{Kind: Barrier})
	}
	g.scope = append(g.scope, g.p.Shared...)
	scope := len(g.scope)
	g.depth = 0
	for range 1 + g.r.IntN(4) {
		f.Body = append(f.Body, g.declare(g.varying(scalarType(g.integer())))...)
	}
	f.Body = append(f.Body, g.list(g.Size/2+g.r.IntN(g.Size))...)
	if !g.exits {
		f.Body = append(f.Body, g.settle(true)...)
	}
	g.dump(g.scope[scope:])
}

// dump stores variables at the end.
func (g *gen) dump(vars []*Var) {
	outs := map[Scalar]*Var{}
	save := func(e *Expr) {
		if e.T.Base == Boolean {
			e = &Expr{Op: OpConvert, T: scalarType(U32), Args: []*Expr{e}}
		}
		v := outs[e.T.Base]
		if v == nil {
			v = &Var{Name: g.name("out"), Class: Buffer, Written: true, Binding: len(g.p.Buffers)}
			outs[e.T.Base] = v
			g.p.Buffers = append(g.p.Buffers, v)
		}
		i := One(scalarType(U32), uint64(v.Own))
		v.Own++
		v.T = ArrayType(e.T, v.Own*g.p.Invocations())
		to := &Expr{Op: OpOwn, T: e.T, Var: v, Args: []*Expr{i}}
		g.p.Main.Body = append(g.p.Main.Body, &Stmt{Kind: Assign, LHS: to, RHS: e})
	}
	vars = append(slices.Clone(vars), g.p.Globals...)
	for _, v := range g.p.Shared {
		if g.reading && !g.exits {
			i := &Expr{Op: OpVar, T: scalarType(U32), Var: g.lane()}
			save2 := &Expr{Op: OpIndex, T: v.T.Elem, Args: []*Expr{{Op: OpVar, T: v.T, Var: v}, i}}
			g.leaves(save2, save, 6)
		}
	}
	for _, v := range vars {
		if v.Class == Local || v.Class == Private {
			g.leaves(&Expr{Op: OpVar, T: v.T, Var: v}, save, 8)
		}
	}
	for _, v := range outs {
		v.Data = make([]byte, Std430.Size(v.T))
	}
}

func (g *gen) lane() *Var {
	for _, v := range g.scope {
		if v.Name == "lane" {
			return v
		}
	}
	panic("no lane")
}

// leaves calls f with the numbers of a value, with most of them at most.
func (g *gen) leaves(e *Expr, f func(*Expr), most int) {
	left := most
	var down func(e *Expr)
	down = func(e *Expr) {
		if left <= 0 {
			return
		}
		switch e.T.Shape {
		case IsScalar:
			left--
			f(e)
		case IsStruct:
			for i, t := range e.T.Fields {
				down(&Expr{Op: OpField, T: t, Args: []*Expr{e}, N: []int{i}})
			}
		case IsVector:
			for i := range e.T.Rows {
				down(&Expr{Op: OpSwizzle, T: e.T.Part(0), Args: []*Expr{e}, N: []int{i}})
			}
		default:
			for i := range e.T.parts() {
				down(&Expr{Op: OpIndex, T: e.T.Part(0), Args: []*Expr{e, One(scalarType(U32), uint64(i))}})
			}
		}
	}
	down(e)
}

var opByName = func() map[string]*Op {
	out := map[string]*Op{}
	for _, o := range slices.Concat(ops, subOps) {
		out[o.Name] = o
	}
	return out
}()
