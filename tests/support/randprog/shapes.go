// SPDX-License-Identifier: MIT

package randprog

// shape generates one of the forms that passes over tables, copies and neighboring accesses look for.
func (g *gen) shape() []*Stmt {
	g.written += 3
	g.spent += 6 * g.trips
	switch g.r.IntN(8) {
	case 0, 1:
		return g.tables()
	case 2, 3:
		return g.copies()
	case 4:
		return g.guards()
	case 5:
		return g.smallArray()
	case 6:
		return g.filled()
	}
	return g.neighbours()
}

// shapeTypes adds a struct with arrays, which buffers can hold.
func (g *gen) shapeTypes() {
	fields := []*Type{g.listOf(8)}
	for range g.r.IntN(3) {
		if g.chance(2) {
			fields = append(fields, g.listOf(6))
		} else {
			fields = append(fields, g.storedSimple())
		}
	}
	g.structs = append(g.structs, structType(len(g.structs), fields))
	g.p.Structs = g.structs
}

// shapeMemory declares buffers whose parts are arrays, and buffers of small integers.
func (g *gen) shapeMemory(add func(*Var) *Var) {
	l := g.layout(Std140)
	fields := []*Type{g.structs[len(g.structs)-1], g.listOf(12), g.listOf(5)}
	block := &Type{Shape: IsStruct, Fields: fields, Key: g.name("Block")}
	data := g.data(block, l)
	for len(data)%16 != 0 {
		data = append(data, 0)
	}
	add(&Var{Name: g.name("uniform"), T: block, Class: Uniform, Layout: l, Data: data, Uniform: true})
	if g.Small == 0 {
		return
	}
	small := func() *Type { return scalarType(Scalar{Int + Kind(g.r.IntN(2)), 8 << g.weighted(3, 1)}) }
	in := ArrayType(small(), 16+g.r.IntN(32))
	add(&Var{Name: g.name("in"), T: in, Class: Buffer, Data: g.data(in, Std430), Uniform: true})
	own := 2 + g.r.IntN(7)
	out := ArrayType(small(), own*g.p.Invocations())
	add(&Var{Name: g.name("own"), T: out, Class: Buffer, Own: own, Written: true, Data: g.data(out, Std430)})
}

// storedSimple draws a scalar, a vector or a matrix that buffers can hold.
func (g *gen) storedSimple() *Type { return storable(g.simple()) }

// listOf draws an array of at most a given number of elements, which buffers can hold.
func (g *gen) listOf(most int) *Type {
	elem := g.storedSimple()
	if elem.numbers() > 4 {
		most = 4
	}
	return ArrayType(elem, 2+g.r.IntN(most-1))
}

// tableType draws the type of a table.
func (g *gen) tableType() *Type {
	elem := g.simple()
	switch {
	case g.chance(5):
		elem = ArrayType(elem, 2+g.r.IntN(3))
	case g.chance(6):
		elem = Pick(g.r, g.structs)
	}
	n := 2 + g.r.IntN(5)
	if g.chance(3) {
		n = 8 + g.r.IntN(33)
	}
	return ArrayType(elem, max(2, min(n, 120/elem.numbers())))
}

func variable(v *Var) *Expr { return &Expr{Op: OpVar, T: v.T, Var: v} }

func element(e *Expr, i *Expr) *Expr { return &Expr{Op: OpIndex, T: e.T.Part(0), Args: []*Expr{e, i}} }

func field(e *Expr, i int) *Expr {
	return &Expr{Op: OpField, T: e.T.Fields[i], Args: []*Expr{e}, N: []int{i}}
}

func number(i int) *Expr { return One(scalarType(U32), uint64(i)) }

func set(to, value *Expr) *Stmt { return &Stmt{Kind: Assign, LHS: to, RHS: value, Keep: true} }

// below returns an index from 0 to n-1: a number of the invocation or of the workgroup, or the counter of a loop.
func (g *gen) below(n int) *Expr {
	u := scalarType(U32)
	var e *Expr
	switch g.weighted(4, 3, 2, 1) {
	case 0:
		e = g.varying(u)
	case 1:
		e = g.uniformExpr(u, 1)
	case 2:
		e = g.counter(u)
	default:
		return number(g.r.IntN(n))
	}
	e = &Expr{Op: OpModulo, T: u, Args: []*Expr{e}, N: []int{n}}
	if g.chance(3) {
		e = &Expr{Op: OpConvert, T: scalarType(I32), Args: []*Expr{e}}
	}
	return e
}

// part returns a number, a vector or a matrix that is a part of a value. If the value is an array, the part is in one
// of its first n elements.
func (g *gen) part(e *Expr, n int) *Expr {
	for !e.T.Simple() {
		if e.T.Shape == IsStruct {
			e = field(e, g.r.IntN(len(e.T.Fields)))
		} else {
			e = element(e, g.below(n))
		}
		n = e.T.parts()
	}
	if e.T.Shape == IsVector && g.chance(4) {
		e = element(e, g.below(e.T.Rows))
	}
	return e
}

// reads declares variables with parts of a value.
func (g *gen) reads(e *Expr, n int) []*Stmt {
	var out []*Stmt
	for range 1 + g.r.IntN(3) {
		out = append(out, g.declare(g.part(e, n))...)
	}
	return out
}

// repeated makes a loop of the statements that f generates, whose variables go into the checksum, or runs them once.
func (g *gen) repeated(f func() []*Stmt) []*Stmt {
	if g.trips > 30 || !g.chance(3) {
		return f()
	}
	scope := len(g.scope)
	s, done := g.loopOf(For+StmtKind(g.weighted(3, 1, 1)), false)
	s.Body = f()
	for _, v := range g.scope[scope:] {
		if v.Class == Local {
			g.leaves(variable(v), func(e *Expr) { s.Body = append(s.Body, g.add(e)) }, 2)
		}
	}
	done()
	g.recent = nil
	return []*Stmt{s}
}

// fill sets the first len(values) elements of the array v to values, in random order, each as a whole or component by
// component.
func (g *gen) fill(v *Var, values []*Expr) []*Stmt {
	var out []*Stmt
	for _, i := range g.r.Perm(len(values)) {
		to, value := element(variable(v), number(i)), values[i]
		if value.Op != OpConst || value.T.Shape != IsVector || !g.chance(2) {
			out = append(out, set(to, value))
			continue
		}
		for k := range value.Bits {
			t := value.T.Part(0)
			x := &Expr{Op: OpSwizzle, T: t, Args: []*Expr{to}, N: []int{k}}
			out = append(out, set(x, &Expr{Op: OpConst, T: t, Bits: value.Bits[k : k+1]}))
		}
	}
	return out
}

// constants returns n constants of a type.
func (g *gen) constants(t *Type, n int) []*Expr {
	var out []*Expr
	for range n {
		out = append(out, g.constant(t))
	}
	return out
}

// tables declares constant tables, sets them again in part or not, and reads them.
func (g *gen) tables() []*Stmt {
	t := g.tableType()
	n := t.Len
	partial := g.chance(2)
	if partial && g.chance(2) {
		n = 1 + g.r.IntN(n)
	}
	values := g.constants(t.Elem, n)
	var list []*Var
	var out []*Stmt
	for range 1 + g.weighted(3, 1) { // equal ones, mostly
		v := &Var{Name: g.name("table"), T: t, Class: Local}
		list = append(list, v)
		decl := &Stmt{Kind: Decl, Var: v}
		out = append(out, decl)
		if partial {
			out = append(out, g.conditional(v, values)...)
		} else {
			decl.RHS = &Expr{Op: OpConstruct, T: t, Args: values}
		}
		if g.chance(5) {
			out = append(out, set(element(variable(v), number(g.r.IntN(n))), g.constant(t.Elem)))
		}
	}
	return append(out, g.repeated(func() []*Stmt {
		var body []*Stmt
		if g.chance(4) {
			body = append(body, g.again(list[0], values)...)
		}
		for _, v := range list {
			body = append(body, g.reads(variable(v), n)...)
		}
		if g.chance(4) {
			body = append(body, g.again(list[len(list)-1], values)...)
		}
		return body
	})...)
}

// filled declares a table that a loop fills with values of its counter, and reads it. Sometimes a later loop changes
// elements to the same values or to others.
func (g *gen) filled() []*Stmt {
	t := scalarType(g.scalar())
	v := &Var{Name: g.name("table"), T: ArrayType(t, 4+g.r.IntN(60)), Class: Local}
	out := []*Stmt{{Kind: Decl, Var: v}, g.fillingLoop(v, v.T.Len)}
	if g.chance(3) {
		out = append(out, g.fillingLoop(v, 1+g.r.IntN(v.T.Len)))
	}
	return append(out, g.repeated(func() []*Stmt { return g.reads(variable(v), v.T.Len) })...)
}

// fillingLoop sets the first n elements of an array to values of a counter.
func (g *gen) fillingLoop(v *Var, n int) *Stmt {
	k := &Var{Name: g.name("k"), T: scalarType(Pick(g.r, []Scalar{I32, U32})), Class: Counter, Ranged: true, Hi: int64(n - 1)}
	value := variable(k)
	if g.chance(2) {
		value = apply(Pick(g.r, []string{"mul", "xor", "and", "add"}), k.T, value, One(k.T, uint64(1+g.r.IntN(7))))
	}
	if v.T.Elem.Base != k.T.Base {
		value = &Expr{Op: OpConvert, T: v.T.Elem, Args: []*Expr{value}}
	}
	return &Stmt{Kind: For, Var: k, Trips: n, Step: 1, RHS: One(k.T, uint64(n)), Keep: true,
		Body: []*Stmt{set(element(variable(v), variable(k)), value)}}
}

// conditional fills a table, in both arms of an if or without one.
func (g *gen) conditional(v *Var, values []*Expr) []*Stmt {
	if !g.chance(3) {
		return g.fill(v, values)
	}
	other := values
	if g.chance(3) {
		other = g.constants(values[0].T, len(values))
	}
	s := &Stmt{Kind: If, RHS: g.condition(g.chance(2)), Body: g.fill(v, values), Else: g.fill(v, other), Keep: true}
	return []*Stmt{s}
}

// again sets elements of a table to the values that they have, or sometimes to others, under a condition or not.
func (g *gen) again(v *Var, values []*Expr) []*Stmt {
	if g.chance(4) {
		values = g.constants(values[0].T, len(values))
	}
	body := g.fill(v, values[:1+g.r.IntN(len(values))])
	if g.chance(2) {
		return []*Stmt{{Kind: If, RHS: g.condition(g.chance(2)), Body: body}}
	}
	return body
}

// composite returns a path to an array or a struct in a buffer, or nil if there is none. Half of the paths have only
// constant indices.
func (g *gen) composite() *Expr {
	var found []*Expr
	known := g.chance(2)
	for _, v := range g.scope {
		whole, own := g.access(v, false)
		switch {
		case v.Arrayed || v.Class != Uniform && v.Class != Push && v.Class != Buffer:
		case own && !known:
			found = append(found, g.own(v, g.below(v.Own)))
		case whole && v.Class == Buffer:
			i := number(g.r.IntN(v.T.Len))
			if !known {
				i = g.below(v.T.Len)
			}
			found = append(found, element(variable(v), i))
			if v.T.numbers() < 40 {
				found = append(found, variable(v))
			}
		case whole:
			for i := range v.T.Fields {
				found = append(found, field(variable(v), i), field(variable(v), i))
			}
		}
	}
	for range min(12, len(found)) {
		if e := Pick(g.r, found); e.T.Shape == IsArray || e.T.Shape == IsStruct {
			return e
		}
	}
	return nil
}

// copies copies an array or a struct of a buffer, whole or part by part, or passes it to a function, and reads parts of
// the copy at indices that are computed.
func (g *gen) copies() []*Stmt {
	from := g.composite()
	if from == nil {
		return g.tables()
	}
	if from.T.Shape == IsStruct && g.chance(3) {
		return g.passed(from)
	}
	v := &Var{Name: g.name("copy"), T: from.T, Class: Local}
	n := from.T.parts()
	decl := &Stmt{Kind: Decl, Var: v, RHS: from}
	out := []*Stmt{decl}
	byPart := func() []*Stmt { return nil }
	if g.chance(2) {
		decl.RHS = nil
		if from.T.Shape == IsArray {
			if g.chance(3) {
				n = 1 + g.r.IntN(n)
			}
			v.T = ArrayType(from.T.Elem, max(1, from.T.Len+g.r.IntN(5)-2))
			n = min(n, v.T.Len)
		}
		byPart = func() []*Stmt { return g.partByPart(v, from, n) }
	}
	return append(out, g.repeated(func() []*Stmt {
		body := byPart()
		if g.chance(6) {
			body = append(body, g.changed(from, n)...)
		}
		if g.chance(6) {
			body = append(body, g.changed(variable(v), n)...)
		}
		body = append(body, g.reads(variable(v), n)...)
		if g.chance(6) {
			body = append(body, g.changed(from, n)...)
		}
		return body
	})...)
}

// partByPart copies the first n parts of an object to a variable, one at a time. Sometimes the parts are rotated.
func (g *gen) partByPart(v *Var, from *Expr, n int) []*Stmt {
	var out []*Stmt
	shift := 0
	if g.chance(3) {
		shift = g.r.IntN(n + 1)
	}
	for _, i := range g.r.Perm(n) {
		if from.T.Shape == IsStruct {
			out = append(out, set(field(variable(v), i), field(from, i)))
		} else {
			out = append(out, set(element(variable(v), number(i)), element(from, number((i+shift)%n))))
		}
	}
	return out
}

// changed returns a write to a part of an object, or nil if the object is read-only.
func (g *gen) changed(e *Expr, n int) []*Stmt {
	root := e.Root()
	if _, own := g.access(root, true); root.Class != Local && !own {
		return nil
	}
	to := g.part(e, n)
	s := &Stmt{Kind: Assign, LHS: to, RHS: g.expr(to.T, 1)}
	if g.chance(2) {
		return []*Stmt{{Kind: If, RHS: g.condition(false), Body: []*Stmt{s}}}
	}
	return []*Stmt{s}
}

// passed passes a value to a function, which returns a part of it.
func (g *gen) passed(from *Expr) []*Stmt {
	f := &Func{Name: g.name("f")}
	whole := &Var{Name: g.name("p"), T: from.T, Class: Param}
	index := &Var{Name: g.name("p"), T: scalarType(U32), Class: Param}
	f.Params = []*Var{whole, index}
	e := variable(whole)
	for !e.T.Simple() {
		if e.T.Shape == IsStruct {
			e = field(e, g.r.IntN(len(e.T.Fields)))
		} else {
			e = element(e, &Expr{Op: OpModulo, T: index.T, Args: []*Expr{variable(index)}, N: []int{e.T.Len}})
		}
	}
	if g.chance(5) {
		f.Body = append(f.Body, set(e, g.constant(e.T)))
	}
	f.Result = e.T
	f.Body = append(f.Body, &Stmt{Kind: Return, RHS: e, Keep: true})
	g.p.Funcs = append(g.p.Funcs, f)
	var out []*Stmt
	for range 1 + g.r.IntN(2) {
		i := &Expr{Op: OpConvert, T: index.T, Args: []*Expr{g.below(64)}}
		out = append(out, g.declare(&Expr{Op: OpCall, T: f.Result, Func: f, Args: []*Expr{from, i}})...)
	}
	return out
}

// guards makes nested ifs, mostly on conditions that are the same in the workgroup, with small arms that load from
// tables and uniform buffers.
func (g *gen) guards() []*Stmt {
	t := scalarType(g.scalar())
	table := &Var{Name: g.name("table"), T: ArrayType(t, 2+g.r.IntN(20)), Class: Local}
	x := &Var{Name: g.name("v"), T: t, Class: Local}
	out := []*Stmt{{Kind: Decl, Var: table, RHS: g.constant(table.T)}, {Kind: Decl, Var: x, RHS: g.constant(t)}}
	load := func() *Stmt {
		e := element(variable(table), g.below(table.T.Len))
		if g.chance(2) {
			e = g.uniformLoad(t)
		}
		return &Stmt{Kind: Assign, LHS: variable(x), RHS: e}
	}
	var nest func(depth int) []*Stmt
	nest = func(depth int) []*Stmt {
		s := &Stmt{Kind: If, RHS: g.condition(!g.chance(4)), Body: []*Stmt{load()}}
		if depth > 1 {
			s.Body = append(s.Body, nest(depth-1)...)
		}
		if g.chance(2) {
			s.Else = []*Stmt{load()}
		}
		return []*Stmt{s}
	}
	out = append(out, nest(1+g.r.IntN(3))...)
	g.scope = append(g.scope, x)
	return out
}

// uniformLoad returns a value of a uniform block or of push constants, or another expression if there is none of the
// type.
func (g *gen) uniformLoad(t *Type) *Expr {
	scope := g.scope
	defer func() { g.scope = scope }()
	g.scope = nil
	for _, v := range scope {
		if v.Class == Uniform || v.Class == Push || v.Class == Counter || v.Class == Builtin {
			g.scope = append(g.scope, v)
		}
	}
	return g.leaf(t)
}

// smallArray declares a small array of any values, sets elements at computed indices and reads it.
func (g *gen) smallArray() []*Stmt {
	elem := scalarType(g.scalar())
	if g.chance(4) {
		elem = vectorType(elem.Base, 2+g.r.IntN(3))
	}
	t := ArrayType(elem, 2+g.r.IntN(7))
	out := g.declare(g.construct(t, 3))
	v := out[0].Var
	return append(out, g.repeated(func() []*Stmt {
		var body []*Stmt
		for range g.r.IntN(3) {
			body = append(body, &Stmt{Kind: Assign, LHS: element(variable(v), g.below(t.Len)), RHS: g.expr(elem, 1)})
		}
		return append(body, g.reads(variable(v), t.Len)...)
	})...)
}

// neighbours reads elements of a buffer that are next to each other, at an offset that often comes from a buffer, or
// reads and writes neighboring elements that the invocation owns.
func (g *gen) neighbours() []*Stmt {
	var found []*Var
	for _, v := range g.scope {
		whole, own := g.access(v, false)
		if v.Class == Buffer && !v.Arrayed && v.elem().Simple() && (whole && v.T.Len >= 4 || own && v.Own > 1) {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return g.smallArray()
	}
	v := Pick(g.r, found)
	if v.Own > 0 {
		return g.repeated(func() []*Stmt { return g.ownNeighbours(v) })
	}
	return g.repeated(func() []*Stmt {
		var out []*Stmt
		u := scalarType(U32)
		at := &Expr{Op: OpModulo, T: u, Args: []*Expr{g.leaf(u)}, N: []int{v.T.Len - 3}}
		if n := v.T.Len / 4; g.chance(2) {
			at = apply("mul", u, &Expr{Op: OpModulo, T: u, Args: at.Args, N: []int{n}}, number(4))
		}
		for _, k := range g.r.Perm(4)[:2+g.r.IntN(3)] {
			out = append(out, g.declare(element(variable(v), apply("add", u, at, number(k))))...)
		}
		return out
	})
}

// ownNeighbours reads and writes elements that the invocation owns, in any order.
func (g *gen) ownNeighbours(v *Var) []*Stmt {
	var out []*Stmt
	for _, k := range g.r.Perm(v.Own)[:1+g.r.IntN(v.Own)] {
		e := g.own(v, number(k))
		if g.chance(3) {
			out = append(out, g.declare(e)...)
		} else {
			out = append(out, &Stmt{Kind: Assign, LHS: e, RHS: g.expr(e.T, 1)})
		}
	}
	return out
}
