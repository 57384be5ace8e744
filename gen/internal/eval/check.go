// SPDX-License-Identifier: MIT

package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// Compile checks a meaning at one execution size. Errors are of type *Error.
func Compile(text string, params []Param, out Param, size int) (fn *Func, err error) {
	c := &checker{
		fn:    &Func{Size: size, Params: params, Out: out},
		fset:  token.NewFileSet(),
		index: map[string]int{},
		used:  make([]bool, len(params)),

		constants: map[ast.Expr]constant.Value{},
		placed:    map[ast.Expr]bool{},
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			fn, err = nil, e
		}
	}()
	c.body(text)
	return c.fn, nil
}

// checker assigns types to one meaning. It stops at the first error by
// panicking with an *Error, which Compile returns.
type checker struct {
	fn      *Func
	fset    *token.FileSet
	index   map[string]int // running indices of sum, all, any
	used    []bool         // sources
	letUsed []bool

	constants map[ast.Expr]constant.Value // for the current running indices
	placed    map[ast.Expr]bool
}

const head = "package p\nfunc _() {\n"

func (c *checker) failf(at ast.Node, format string, args ...any) {
	line, col := 0, 0
	if at != nil {
		p := c.fset.Position(at.Pos())
		line, col = max(0, p.Line-1-strings.Count(head, "\n")), p.Column
	}
	panic(&Error{Line: line, Col: col, Msg: fmt.Sprintf(format, args...)})
}

func (c *checker) body(text string) {
	file, err := parser.ParseFile(c.fset, "", head+text+"\n}\n", parser.SkipObjectResolution)
	if err != nil {
		msg := err.Error()
		line := 0
		var l, col int
		if n, _ := fmt.Sscanf(msg, "%d:%d:", &l, &col); n == 2 {
			line = max(0, l-1-strings.Count(head, "\n"))
			msg = strings.TrimSpace(strings.SplitN(msg, ":", 3)[2])
		}
		panic(&Error{Line: line, Col: min(col, len(strings.Split(text, "\n")[min(line, strings.Count(text, "\n"))])), Msg: msg})
	}
	if len(file.Decls) != 1 {
		panic(&Error{Msg: "unbalanced braces"})
	}
	for _, p := range c.fn.Params {
		if of := c.componentName(p.Name); of != "" {
			panic(&Error{Msg: fmt.Sprintf("source %s looks like a component of %s; choose another name", p.Name, of)})
		}
	}
	stmts := file.Decls[0].(*ast.FuncDecl).Body.List
	if len(stmts) == 0 {
		panic(&Error{Msg: "empty"})
	}
	for _, s := range stmts[:len(stmts)-1] {
		c.let(s)
	}
	last, ok := stmts[len(stmts)-1].(*ast.ExprStmt)
	if !ok {
		c.failf(stmts[len(stmts)-1], "the last line must be an expression")
	}
	c.result(last.X)
	for i, p := range c.fn.Params {
		if !c.used[i] {
			c.failf(last, "source %s is not used", p.Name)
		}
	}
	for i, l := range c.fn.lets {
		if !c.letUsed[i] {
			c.failf(last, "%s is not used", l.name)
		}
	}
}

func (c *checker) let(s ast.Stmt) {
	as, ok := s.(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		c.failf(s, "lines before the last have the form name := expression")
	}
	id, ok := as.Lhs[0].(*ast.Ident)
	if !ok {
		c.failf(s, "lines before the last have the form name := expression")
	}
	if why := CheckName(id.Name); why != "" {
		c.failf(id, "%q %s", id.Name, why)
	}
	if c.param(id.Name) >= 0 || c.letNumber(id.Name) >= 0 {
		c.failf(id, "%s is already defined", id.Name)
	}
	if p := c.componentName(id.Name); p != "" {
		c.failf(id, "%s looks like a component of %s; choose another name", id.Name, p)
	}
	n := c.check(as.Rhs[0], Type{})
	c.fn.lets = append(c.fn.lets, let{id.Name, n})
	c.letUsed = append(c.letUsed, false)
}

// componentName returns the vector whose component a name looks like: a for a0. Emitted code names components like
// this.
func (c *checker) componentName(name string) string {
	for _, p := range c.fn.Params {
		rest, ok := strings.CutPrefix(name, p.Name)
		if ok && p.Comps != 0 && rest != "" && strings.Trim(rest, "0123456789") == "" {
			return p.Name
		}
	}
	return ""
}

// result checks the last expression against the type of the result.
func (c *checker) result(e ast.Expr) {
	out := c.fn.Out
	call, ok := e.(*ast.CallExpr)
	if ok && name(call.Fun) == "vec" {
		if out.Comps == 0 {
			c.failf(e, "vec used, but the result is per component")
		}
		if len(call.Args) != out.Comps {
			c.failf(e, "vec of %d components, but the result has %d", len(call.Args), out.Comps)
		}
		for _, a := range call.Args {
			c.fn.results = append(c.fn.results, c.check(a, out.Type))
		}
		return
	}
	if out.Comps > 1 {
		c.failf(e, "the result has %d components; build them with vec(…)", out.Comps)
	}
	c.fn.results = []*node{c.check(e, out.Type)}
}

func (c *checker) param(name string) int {
	return slices.IndexFunc(c.fn.Params, func(p Param) bool { return p.Name == name })
}

func (c *checker) letNumber(name string) int {
	return slices.IndexFunc(c.fn.lets, func(l let) bool { return l.name == name })
}

func name(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// check assigns a type to e; want is the type that its context requires, if known.
func (c *checker) check(e ast.Expr, want Type) *node {
	n := c.expr(e, want)
	if want != (Type{}) && n.typ != want {
		c.failf(e, "%s is %s; %s is required here", c.text(e), n.typ, want)
	}
	return n
}

// text formats an expression for an error.
func (c *checker) text(e ast.Expr) string {
	var b strings.Builder
	writeExpr(&b, e)
	return b.String()
}

func (c *checker) expr(e ast.Expr, want Type) *node {
	if v := c.constant(e); v != nil {
		return c.literal(e, v, want)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.expr(e.X, want)
	case *ast.Ident:
		return c.ident(e, want)
	case *ast.IndexExpr:
		return c.component(e, e.X, c.indexValue(e.Index))
	case *ast.SelectorExpr:
		i := strings.Index("xyzw", e.Sel.Name)
		if len(e.Sel.Name) != 1 || i < 0 {
			c.failf(e, "unknown component .%s", e.Sel.Name)
		}
		return c.component(e, e.X, i)
	case *ast.UnaryExpr:
		return c.unary(e, want)
	case *ast.BinaryExpr:
		return c.binary(e, want)
	case *ast.CallExpr:
		return c.call(e, want)
	}
	c.failf(e, "this form of expression is not supported here")
	return nil
}

func (c *checker) ident(e *ast.Ident, want Type) *node {
	switch e.Name {
	case "true":
		return &node{prim: pConst, typ: boolType, bits: 1}
	case "false":
		return &node{prim: pConst, typ: boolType}
	case "inf", "nan":
		if want.Base != Float {
			c.failf(e, "%s is only defined where a float type is expected", e.Name)
		}
		bits := canonicalNaN(want.Bits)
		if e.Name == "inf" {
			bits = infinity(want.Bits)
		}
		return &node{prim: pConst, typ: want, bits: bits}
	}
	if i := c.letNumber(e.Name); i >= 0 {
		c.letUsed[i] = true
		return &node{prim: pLet, typ: c.fn.lets[i].val.typ, src: i}
	}
	if i := c.param(e.Name); i >= 0 {
		if p := c.fn.Params[i]; p.Comps != 0 {
			c.failf(e, "%s is a vector of %d components; select one", e.Name, p.Comps)
		}
		c.used[i] = true
		return &node{prim: pSrc, typ: c.fn.Params[i].Type, src: i, comp: -1}
	}
	c.failf(e, "%s", diag.Unknown("name", e.Name, c.names()))
	return nil
}

func (c *checker) indexValue(e ast.Expr) int {
	v := c.constant(e)
	if v == nil || v.Kind() != constant.Int {
		c.failf(e, "a component index must be constant")
	}
	i, ok := constant.Int64Val(v)
	if !ok || i < 0 {
		c.failf(e, "a component index must be at least 0")
	}
	return int(min(i, 1000))
}

func (c *checker) component(at, x ast.Expr, i int) *node {
	s := c.param(name(x))
	if s < 0 {
		c.failf(at, "%s is not a source", c.text(x))
	}
	p := c.fn.Params[s]
	if p.Comps == 0 {
		c.failf(at, "%s is not a vector", p.Name)
	}
	if i >= p.Comps {
		c.failf(at, "%s has only %d components", p.Name, p.Comps)
	}
	c.used[s] = true
	return &node{prim: pSrc, typ: p.Type, src: s, comp: i}
}

func (c *checker) unary(e *ast.UnaryExpr, want Type) *node {
	x := c.check(e.X, want)
	switch {
	case e.Op == token.SUB && (x.typ.isInt() || x.typ.Base == Float):
		return &node{prim: pNeg, typ: x.typ, args: []*node{x}}
	case e.Op == token.XOR && (x.typ.isInt() || x.typ.Base == Bits):
		return &node{prim: pNot, typ: x.typ, args: []*node{x}}
	case e.Op == token.NOT && x.typ.Base == Bool:
		return &node{prim: pNot, typ: x.typ, args: []*node{x}}
	}
	c.failf(e, "%s is not defined for %s", e.Op, x.typ)
	return nil
}

// binaryOp is an infix operator: its operation and the types it is defined for.
type binaryOp struct {
	prim    prim
	bases   []Base
	compare bool
}

var binaryOps = map[token.Token]binaryOp{
	token.ADD:     {pAdd, numbers, false},
	token.SUB:     {pSub, numbers, false},
	token.MUL:     {pMul, numbers, false},
	token.QUO:     {pDiv, numbers, false},
	token.REM:     {pRem, ints, false},
	token.AND:     {pAnd, []Base{Int, Uint, Bits}, false},
	token.OR:      {pOr, []Base{Int, Uint, Bits}, false},
	token.XOR:     {pXor, []Base{Int, Uint, Bits}, false},
	token.AND_NOT: {pAndNot, []Base{Int, Uint, Bits}, false},
	token.SHL:     {pShl, ints, false},
	token.SHR:     {pShr, ints, false},
	token.LAND:    {pAnd, []Base{Bool}, false},
	token.LOR:     {pOr, []Base{Bool}, false},
	token.LSS:     {pLt, numbers, true},
	token.LEQ:     {pLe, numbers, true},
	token.GTR:     {pGt, numbers, true},
	token.GEQ:     {pGe, numbers, true},
	token.EQL:     {pEq, []Base{Int, Uint, Float, Bool, Bits}, true},
	token.NEQ:     {pNe, []Base{Int, Uint, Float, Bool, Bits}, true},
}

func (c *checker) binary(e *ast.BinaryExpr, want Type) *node {
	op, ok := binaryOps[e.Op]
	if !ok {
		c.failf(e, "operator %s is not supported here", e.Op)
	}
	if op.compare {
		want = Type{}
	}
	var x, y *node
	switch {
	case op.prim == pShl || op.prim == pShr:
		x = c.check(e.X, want)
		wantY := Type{}
		if c.untyped(e.Y) {
			wantY = Type{Uint, 32}
		}
		if y = c.check(e.Y, wantY); y.typ.Base != Uint {
			c.failf(e.Y, "%s is %s; a shift amount must be a uint", c.text(e.Y), y.typ)
		}
	default:
		args := c.sameType(e, []ast.Expr{e.X, e.Y}, want)
		x, y = args[0], args[1]
	}
	if !slices.Contains(op.bases, x.typ.Base) {
		c.failf(e, "%s is not defined for %s", e.Op, x.typ)
	}
	typ := x.typ
	if op.compare {
		typ = boolType
	}
	return &node{prim: op.prim, typ: typ, args: []*node{x, y}}
}

// sameType checks expressions that must have the same type; literals take the type of the others.
func (c *checker) sameType(at ast.Expr, list []ast.Expr, want Type) []*node {
	out := make([]*node, len(list))
	for i, e := range list {
		if !c.untyped(e) {
			out[i] = c.check(e, want)
			want = out[i].typ
		}
	}
	for i, e := range list {
		if out[i] == nil {
			out[i] = c.check(e, want)
			want = out[i].typ
		}
	}
	return out
}

func (c *checker) call(e *ast.CallExpr, want Type) *node {
	fn := name(e.Fun)
	if f := funcs[fn]; f != nil {
		return c.regular(e, fn, f, want)
	}
	if to, ok := typeNames[fn]; ok || fn == "int" || fn == "uint" {
		return c.conversion(e, fn, to)
	}
	if d, ok := directed[fn]; ok {
		c.nargs(e, fn, 1)
		x := c.check(e.Args[0], Type{})
		if !slices.Contains(numbers, x.typ.Base) {
			c.failf(e, "%s is not defined for %s", fn, x.typ)
		}
		return &node{prim: d.prim, typ: Type{Float, d.bits}, args: []*node{x}}
	}
	switch fn {
	case "sel":
		c.nargs(e, fn, 3)
		cond := c.check(e.Args[0], boolType)
		ab := c.sameType(e, e.Args[1:], want)
		return &node{prim: pSel, typ: ab[0].typ, args: []*node{cond, ab[0], ab[1]}}
	case "sum", "all", "any":
		return c.reduction(e, fn, want)
	case "asuint", "asint", "asfloat":
		c.nargs(e, fn, 1)
		to := Type{map[string]Base{"asuint": Uint, "asint": Int, "asfloat": Float}[fn], 0}
		x := c.check(e.Args[0], Type{})
		to.Bits = x.typ.Bits
		if (to.Base == Float) == (x.typ.Base == Float) || x.typ.Base == Bool || x.typ.Bits < 16 {
			c.failf(e, "%s is not defined for %s", fn, x.typ)
		}
		return &node{prim: pCast, typ: to, args: []*node{x}}
	case "vec":
		c.failf(e, "vec is only allowed as the outermost call")
	}
	c.failf(e, "%s", diag.Unknown("function", c.text(e.Fun), functions()))
	return nil
}

// functions yields the names of functions and of conversions.
func functions() iter.Seq[string] {
	return diag.Join(maps.Keys(funcs), maps.Keys(typeNames), maps.Keys(directed), maps.Keys(special))
}

// names yields the names that a meaning can use.
func (c *checker) names() iter.Seq[string] {
	out := []string{"bits"}
	for _, p := range c.fn.Params {
		out = append(out, p.Name)
	}
	for _, l := range c.fn.lets {
		out = append(out, l.name)
	}
	return slices.Values(out)
}

func (c *checker) nargs(e *ast.CallExpr, fn string, n int) {
	if len(e.Args) != n {
		c.failf(e, "%s takes %d arguments, not %d", fn, n, len(e.Args))
	}
}

func (c *checker) regular(e *ast.CallExpr, fn string, f *function, want Type) *node {
	n := f.nargs
	if f.extra != (Type{}) {
		n++
	}
	c.nargs(e, fn, n)
	if f.result != (Type{}) {
		want = Type{}
	}
	args := c.sameType(e, e.Args[:f.nargs], want)
	t := args[0].typ
	if !slices.Contains(f.bases, t.Base) {
		c.failf(e, "%s is not defined for %s", fn, t)
	}
	if f.extra != (Type{}) {
		args = append(args, c.check(e.Args[f.nargs], f.extra))
	}
	if f.result != (Type{}) {
		t = f.result
	}
	return &node{prim: f.prim, typ: t, args: args}
}

// conversion checks a type's name called as a function. int and uint keep the
// width.
func (c *checker) conversion(e *ast.CallExpr, fn string, to Type) *node {
	c.nargs(e, fn, 1)
	if to == (Type{}) {
		to.Base = BaseByName(fn)
		if c.untyped(e.Args[0]) {
			to.Bits = c.fn.Size
			return c.check(e.Args[0], to)
		}
		x := c.check(e.Args[0], Type{})
		to.Bits = x.typ.Bits
		if x.typ.Base == Bool || x.typ.Base == Float || to.Bits < 8 {
			c.failf(e, "%s is not defined for %s", fn, x.typ)
		}
		return &node{prim: pCast, typ: to, args: []*node{x}}
	}
	if c.untyped(e.Args[0]) {
		return c.check(e.Args[0], to)
	}
	x := c.check(e.Args[0], Type{})
	if !slices.Contains(numbers, x.typ.Base) {
		c.failf(e, "%s is not defined for %s", fn, x.typ)
	}
	return &node{prim: pConv, typ: to, args: []*node{x}}
}

// reduction expands sum, all and any over the components, first to last.
func (c *checker) reduction(e *ast.CallExpr, fn string, want Type) *node {
	c.nargs(e, fn, 2)
	i := name(e.Args[0])
	if i == "" || CheckName(i) != "" || c.param(i) >= 0 || c.letNumber(i) >= 0 {
		c.failf(e, "%s needs a new name for the component index", fn)
	}
	if _, nested := c.index[i]; nested {
		c.failf(e, "%s is already a component index", i)
	}
	comps := 0
	for _, p := range c.fn.Params {
		comps = max(comps, p.Comps)
	}
	if comps == 0 {
		c.failf(e, "%s, but no source is a vector", fn)
	}
	p, typ := pAdd, want
	if fn != "sum" {
		p, typ = map[string]prim{"all": pAnd, "any": pOr}[fn], boolType
	}
	var acc *node
	for k := range comps {
		c.index[i] = k
		clear(c.constants)
		x := c.check(e.Args[1], typ)
		if fn == "sum" && !slices.Contains(numbers, x.typ.Base) {
			c.failf(e, "sum is not defined for %s", x.typ)
		}
		if acc == nil {
			acc = x
		} else {
			acc = &node{prim: p, typ: x.typ, args: []*node{acc, x}}
		}
	}
	delete(c.index, i)
	clear(c.constants)
	return acc
}
