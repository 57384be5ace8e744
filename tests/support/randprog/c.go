// SPDX-License-Identifier: MIT

package randprog

import (
	"fmt"
	"strings"
)

// C returns a program as a C program, in which all invocations of a workgroup run each statement together, under a
// mask of the active ones, so that barriers are no-ops and subgroups are parts of the mask. The C program reads the
// buffers from standard input. For each subgroup width in its arguments, it writes to standard output the buffers
// that the program writes.
func C(p *Program) string {
	w := &cWriter{p: p, types: map[string]bool{}}
	for _, t := range p.Structs {
		w.declare(t)
	}
	var body strings.Builder
	out := &w.b
	w.b = strings.Builder{}
	w.globals()
	for _, f := range p.Functions() {
		w.function(f)
	}
	body.WriteString(out.String())
	return cHead + w.head.String() + body.String() + w.entry()
}

type cWriter struct {
	p      *Program
	head   strings.Builder // types
	b      strings.Builder
	indent int
	types  map[string]bool
	temps  int
	mask   string // the variable with the mask of active invocations
	jumps  []cTarget
	fn     *Func
}

// cTarget is the target of break and continue, as names of masks.
type cTarget struct{ brk, cont string }

// declare returns the name of the C type for a type, and writes its definition if there is none yet.
func (w *cWriter) declare(t *Type) string {
	if t.Shape == IsScalar {
		return t.Key
	}
	if !w.types[t.Key] {
		w.types[t.Key] = true
		text := ""
		switch t.Shape {
		case IsVector, IsMatrix:
			text = fmt.Sprintf("%s c[%d];", t.Base.c(), t.comps())
		case IsArray:
			text = fmt.Sprintf("%s e[%d];", w.declare(t.Elem), t.Len)
		case IsStruct:
			for i, f := range t.Fields {
				text += fmt.Sprintf("%s f%d; ", w.declare(f), i)
			}
		}
		fmt.Fprintf(&w.head, "typedef struct { %s } %s;\n", text, t.Key)
	}
	return t.Key
}

func (w *cWriter) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("\t", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *cWriter) temp() string {
	w.temps++
	return fmt.Sprint("t", w.temps)
}

func (w *cWriter) globals() {
	p := w.p
	w.line("#define N %d", p.Lanes())
	w.line("#define LX %d", p.Local[0])
	w.line("#define LY %d", p.Local[1])
	w.line("#define GX %d", p.Groups[0])
	w.line("#define GY %d", p.Groups[1])
	w.line("#define GZ %d", p.Groups[2])
	for _, v := range p.Buffers {
		w.line("static u8 *%s;", v.Name)
	}
	for _, v := range p.Specs {
		var bits uint64
		for i, b := range v.Data {
			bits |= uint64(b) << (8 * i)
		}
		w.line("static const %s %s = %s;", v.T.Key, v.Name, v.T.Base.clit(bits))
	}
	for _, v := range p.Shared {
		w.line("static %s %s;", w.declare(v.T), v.Name)
	}
	for _, v := range p.Globals {
		w.line("static %s %s[N];", w.declare(v.T), v.Name)
	}
}

func (w *cWriter) signature(f *Func) string {
	params := []string{"M m0"}
	if f.Result != nil {
		params = append(params, w.declare(f.Result)+" *result")
	}
	for _, v := range f.Params {
		params = append(params, w.declare(v.T)+" *"+v.Name)
	}
	return fmt.Sprintf("static void %s_(%s)", f.Name, strings.Join(params, ", "))
}

func (w *cWriter) function(f *Func) {
	w.fn = f
	w.line("%s {", w.signature(f))
	w.indent++
	w.mask = "m0"
	if f == w.p.Main {
		for _, v := range w.p.Shared {
			if v.Zero {
				w.line("memset(&%s, 0, sizeof %[1]s);", v.Name)
			}
		}
		for _, v := range w.p.Globals {
			w.forLanes(func() { w.set(v.Name+"[l]", v.T, Stored(v.Init)) })
		}
	}
	w.list(f.Body)
	w.indent--
	w.line("}")
}

// forLanes writes a loop over the active invocations.
func (w *cWriter) forLanes(f func()) {
	w.line("EACH(%s) {", w.mask)
	w.indent++
	f()
	w.indent--
	w.line("}")
}

func (w *cWriter) list(list []*Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// block writes statements that run under a mask; it removes from the mask the invocations that do not reach the end.
func (w *cWriter) block(list []*Stmt, mask string) {
	was := w.mask
	w.mask = mask
	w.line("{")
	w.indent++
	w.list(list)
	w.indent--
	w.line("}")
	w.mask = was
}

// decide writes a mask of the active invocations for which a condition holds.
func (w *cWriter) decide(mask string, cond func() string) {
	w.line("M %s = 0;", mask)
	w.forLanes(func() {
		w.line("if (%s) %s |= 1ull << l;", cond(), mask)
	})
}

func (w *cWriter) scalar(e *Expr) string { return w.expr(e)[0] }

func (w *cWriter) stmt(s *Stmt) {
	switch s.Kind {
	case Decl:
		w.line("%s %s[N];", w.declare(s.Var.T), s.Var.Name)
		if s.RHS != nil {
			w.assign(&Expr{Op: OpVar, T: s.Var.T, Var: s.Var}, s.RHS)
		}
	case Assign:
		w.assign(Condition(s.LHS), s.RHS)
	case Do:
		w.assign(nil, s.RHS)
	case If:
		yes, no := w.temp(), w.temp()
		w.decide(yes, func() string { return w.scalar(Condition(s.RHS)) })
		w.line("M %s = %s & ~%s;", no, w.mask, yes)
		w.block(s.Body, yes)
		w.block(s.Else, no)
		w.line("%s = %s | %s;", w.mask, yes, no)
	case Switch:
		w.switches(s)
	case For, While, DoWhile, Forever:
		w.line("{")
		w.indent++
		w.loop(s)
		w.indent--
		w.line("}")
	case Break:
		w.line("%s |= %s; %s = 0;", w.jumps[len(w.jumps)-1].brk, w.mask, w.mask)
	case Continue:
		for i := len(w.jumps) - 1; ; i-- {
			if w.jumps[i].cont != "" {
				w.line("%s |= %s; %s = 0;", w.jumps[i].cont, w.mask, w.mask)
				break
			}
		}
	case Return:
		if s.RHS != nil {
			w.forLanes(func() { w.set("result[l]", s.RHS.T, Stored(s.RHS)) })
		}
		w.line("%s = 0;", w.mask)
	case Barrier:
	case Block:
		w.line("{")
		w.indent++
		w.list(s.Body)
		w.indent--
		w.line("}")
	}
}

func (w *cWriter) switches(s *Stmt) {
	on, brk, now := w.temp(), w.temp(), w.temp()
	w.line("i64 %s[N]; M %s = 0, %s = 0;", on, brk, now)
	w.forLanes(func() { w.line("%s[l] = %s;", on, w.scalar(Condition(s.RHS))) })
	masks := make([]string, len(s.Cases))
	rest := w.temp()
	w.line("M %s = %s;", rest, w.mask)
	for i, c := range s.Cases {
		masks[i] = w.temp()
		text := "0"
		for _, l := range c.Labels {
			text += fmt.Sprintf(" || %s[l] == %d", on, l)
		}
		w.decide(masks[i], func() string { return text })
		w.line("%s &= ~%s;", rest, masks[i])
	}
	w.jumps = append(w.jumps, cTarget{brk: brk})
	for i, c := range s.Cases {
		if c.Default {
			w.line("%s |= %s; %s = 0;", masks[i], rest, rest)
		}
		w.line("%s |= %s;", now, masks[i])
		w.block(c.Body, now)
	}
	w.jumps = w.jumps[:len(w.jumps)-1]
	w.line("%s = %s | %s | %s;", w.mask, now, brk, rest)
}

func (w *cWriter) loop(s *Stmt) {
	live, brk := w.temp(), w.temp()
	body, cont := w.temp(), w.temp()
	i := s.Var.Name
	w.line("%s %s[N];", s.Var.T.Key, i)
	w.forLanes(func() { w.line("%s[l] = %d;", i, s.From) })
	w.line("M %s = %s, %s = 0;", live, w.mask, brk)
	w.line("while (%s) {", live)
	w.indent++
	was := w.mask
	test := func() {
		w.mask = live
		ok := w.temp()
		w.decide(ok, func() string {
			if s.Kind == For {
				return fmt.Sprintf("%s[l] < %s", i, w.scalar(s.Bound()))
			}
			return fmt.Sprintf("%s[l] < %d && %s", i, s.Trips, w.scalar(Condition(s.RHS)))
		})
		w.line("%s |= %s & ~%s; %s = %s;", brk, live, ok, live, ok)
	}
	if s.Kind != DoWhile {
		test()
		w.line("if (!%s) break;", live)
	}
	step := func() {
		w.mask = live
		w.forLanes(func() { w.line("%s[l] += %d;", i, max(s.Step, 1)) })
	}
	if s.Kind == Forever {
		step()
	}
	w.line("M %s = %s, %s = 0;", body, live, cont)
	w.jumps = append(w.jumps, cTarget{brk, cont})
	w.block(s.Body, body)
	w.jumps = w.jumps[:len(w.jumps)-1]
	w.line("%s = %s | %s;", live, body, cont)
	if s.Kind != Forever {
		step()
	}
	if s.Kind == DoWhile {
		test()
	}
	w.mask = was
	w.indent--
	w.line("}")
	w.line("%s = %s;", w.mask, brk)
}

// assign writes an assignment; without a destination the value is dropped.
func (w *cWriter) assign(to *Expr, from *Expr) {
	from = Stored(from)
	switch {
	case from.Op == OpCall:
		w.call(to, from)
	case from.Op.Subgroup:
		w.subgroup(to, from)
	case from.Op == OpNorm && from.Args[0].Op.Subgroup:
		w.line("{")
		v := &Var{Name: w.temp(), T: from.T, Class: Local}
		w.line("%s %s[N];", w.declare(v.T), v.Name)
		e := &Expr{Op: OpVar, T: v.T, Var: v}
		w.subgroup(e, from.Args[0])
		w.forLanes(func() { w.store(to, &Expr{Op: OpNorm, T: from.T, N: from.N, Args: []*Expr{e}}) })
		w.line("}")
	default:
		w.forLanes(func() { w.store(to, from) })
	}
}

// store sets a place, inside a loop over the invocations. If to is nil, the value is only computed.
func (w *cWriter) store(to, from *Expr) {
	if to == nil {
		w.expr(from)
		return
	}
	if to.Op == OpSwizzle && len(to.N) > 1 {
		values := w.expr(from)
		base := w.place(to.Args[0])
		for i, n := range to.N {
			w.line("%s = %s;", base.comp(n), w.saved(to.T.Base, values[i]))
		}
		return
	}
	w.setPlace(w.place(to), from)
}

// place is the place of a value: a C lvalue, or bytes of a buffer.
type place struct {
	text   string // the lvalue, or the address
	t      *Type
	layout *Layout // layout of a buffer
	gap    int     // the distance of a vector's components, if they are not adjacent
}

// steps returns the distances of columns and rows in a buffer.
func (p place) steps() (col, row int) {
	if p.gap != 0 {
		return 0, p.gap
	}
	return p.layout.steps(p.t)
}

// distance returns the distance of the parts of a vector, a matrix or an array in a buffer, and of the components of a
// part.
func (p place) distance() (parts, gap int) {
	if p.t.Shape == IsArray {
		return p.layout.Stride(p.t), 0
	}
	col, row := p.steps()
	if p.t.Shape == IsVector {
		return row, 0
	}
	return col, row
}

// comp returns the lvalue of a component of a vector or a matrix, or of a scalar.
func (p place) comp(i int) string {
	if p.layout == nil {
		if p.t.Shape == IsScalar {
			return p.text
		}
		return fmt.Sprintf("%s.c[%d]", p.text, i)
	}
	col, row := p.steps()
	return fmt.Sprintf("*(%s *)(%s + %d)", p.t.Base.c(), p.text, i/p.t.Rows*col+i%p.t.Rows*row)
}

// at returns a part of a value, by a constant index.
func (p place) at(i int) place {
	part := p.t.Part(i)
	if p.layout != nil {
		if p.t.Shape == IsStruct {
			return place{text: fmt.Sprintf("%s + %d", p.text, p.layout.offset(p.t, i)), t: part, layout: p.layout}
		}
		d, gap := p.distance()
		return place{text: fmt.Sprintf("%s + %d", p.text, i*d), t: part, layout: p.layout, gap: gap}
	}
	switch p.t.Shape {
	case IsStruct:
		return place{text: fmt.Sprintf("%s.f%d", p.text, i), t: part}
	case IsArray:
		return place{text: fmt.Sprintf("%s.e[%d]", p.text, i), t: part}
	case IsVector:
		return place{text: fmt.Sprintf("%s.c[%d]", p.text, i), t: part}
	}
	return place{text: fmt.Sprintf("(*(%s *)&%s.c[%d])", part.Key, p.text, i*p.t.Rows), t: part}
}

// dynamic returns a part of a value, by a computed index.
func (w *cWriter) dynamic(p place, index string) place {
	part := p.t.Part(0)
	w.declare(part)
	if p.layout != nil {
		d, gap := p.distance()
		return place{text: fmt.Sprintf("%s + (u64)(%s) * %d", p.text, index, d), t: part, layout: p.layout, gap: gap}
	}
	switch p.t.Shape {
	case IsArray:
		return place{text: fmt.Sprintf("%s.e[%s]", p.text, index), t: part}
	case IsVector:
		return place{text: fmt.Sprintf("%s.c[%s]", p.text, index), t: part}
	}
	return place{text: fmt.Sprintf("(*(%s *)&%s.c[(%s) * %d])", part.Key, p.text, index, p.t.Rows), t: part}
}

func (w *cWriter) place(e *Expr) place {
	switch e.Op {
	case OpVar:
		return w.variable(e.Var)
	case OpOwn:
		v := w.variable(e.Var)
		if e.Var.Arrayed {
			v = w.dynamic(v, w.saved(U32, w.scalar(e.Args[1])))
		}
		first := "l"
		if e.Var.Class == Buffer {
			first = "(GID + l)"
		}
		return w.dynamic(v, fmt.Sprintf("%s * %d + %s", first, e.Var.Own, w.saved(U32, w.scalar(e.Args[0]))))
	case OpAccu:
		return w.dynamic(w.variable(e.Var), fmt.Sprintf("%s * %d + %d", w.saved(U32, w.scalar(e.Args[0])), AccuKinds, e.N[0]))
	case OpField:
		return w.place(e.Args[0]).at(e.N[0])
	case OpIndex:
		return w.dynamic(w.place(e.Args[0]), w.saved(U32, w.scalar(e.Args[1])))
	case OpSwizzle:
		p := w.place(e.Args[0])
		return p.at(e.N[0])
	}
	panic("no place: " + e.Op.Name)
}

func (w *cWriter) variable(v *Var) place {
	switch v.Class {
	case Buffer, Uniform, Push:
		return place{text: v.Name, t: v.T, layout: &v.Layout}
	case Shared:
		return place{text: v.Name, t: v.T}
	case Spec:
		return place{text: v.Name, t: v.T}
	}
	return place{text: v.Name + "[l]", t: v.T}
}

// setPlace sets a place to a value.
func (w *cWriter) setPlace(p place, e *Expr) {
	if p.layout == nil {
		w.set(p.text, p.t, e)
		return
	}
	v := w.aggregate(e)
	w.copyOut(p, place{text: v, t: e.T})
}

// set sets a C variable to a value.
func (w *cWriter) set(to string, t *Type, e *Expr) {
	if !t.Simple() {
		w.line("%s = %s;", to, w.aggregate(e))
		return
	}
	values := w.expr(e)
	p := place{text: to, t: t}
	for i, v := range values {
		values[i] = w.saved(t.Base, v)
	}
	for i, v := range values {
		w.line("%s = %s;", p.comp(i), v)
	}
}

// copyOut copies a value to a buffer, number by number.
func (w *cWriter) copyOut(to, from place) {
	if to.t.Simple() {
		for i := range to.t.comps() {
			w.line("%s = %s;", to.comp(i), from.comp(i))
		}
		return
	}
	for i := range to.t.parts() {
		w.copyOut(to.at(i), from.at(i))
	}
}

// saved puts a component into a constant and returns the name, unless the text is a name or a number already.
func (w *cWriter) saved(s Scalar, text string) string {
	if !strings.ContainsAny(text, " ([.*") {
		return text
	}
	t := w.temp()
	w.line("const %s %s = %s;", s.c(), t, text)
	return t
}

// aggregate returns the name of a C variable that holds a value of any type.
func (w *cWriter) aggregate(e *Expr) string {
	t := w.temp()
	w.line("%s %s;", w.declare(e.T), t)
	switch {
	case e.T.Simple():
		w.set(t, e.T, e)
	case e.Op == OpConstruct:
		p := place{text: t, t: e.T}
		for i, a := range e.Args {
			w.set(p.at(i).text, a.T, a)
		}
	case e.Op == OpSelect:
		cond := w.saved(Boolean, w.scalar(e.Args[0]))
		a, b := w.aggregate(e.Args[1]), w.aggregate(e.Args[2])
		w.line("%s = %s ? %s : %s;", t, cond, a, b)
	default:
		p := w.place(e)
		if p.layout == nil {
			w.line("%s = %s;", t, p.text)
		} else {
			w.copyOut(place{text: t, t: e.T}, p)
		}
	}
	return t
}

// expr returns the components of a value or, for an array or a struct, its numbers.
func (w *cWriter) expr(e *Expr) []string {
	if !e.T.Simple() {
		v := w.aggregate(e)
		return w.numbers(place{text: v, t: e.T})
	}
	switch e.Op {
	case OpConst:
		var out []string
		for _, v := range e.Bits {
			out = append(out, e.T.Base.clit(v))
		}
		return out
	case OpVar:
		if e.Var.Class == Builtin {
			if e.Var.Of != nil {
				return []string{fmt.Sprintf("%du", e.Var.Of.T.Len)}
			}
			if e.T.Shape == IsScalar {
				return []string{e.Var.C}
			}
			return []string{"(u32)(" + e.Var.C + ")", "(u32)((" + e.Var.C + ") >> 32)", "0", "0"}
		}
	case OpSwizzle:
		c := w.expr(e.Args[0])
		var out []string
		for _, n := range e.N {
			out = append(out, c[n])
		}
		return out
	case OpIndex:
		if e.Args[0].Root() == nil || e.Args[0].Root().Class == Builtin {
			// A part of a value without a place.
			v := w.aggregate(e.Args[0])
			return w.read(w.dynamic(place{text: v, t: e.Args[0].T}, w.saved(U32, w.scalar(e.Args[1]))))
		}
	case OpField:
		if e.Root() == nil {
			v := w.aggregate(e.Args[0])
			return w.read(place{text: v, t: e.Args[0].T}.at(e.N[0]))
		}
	}
	if e.Root() != nil {
		return w.read(w.place(e))
	}
	args := make([][]string, len(e.Args))
	if e.Op != OpAtomic && e.Op != OpCall {
		for i, a := range e.Args {
			for _, c := range w.expr(a) {
				s := a.T.Base
				if !a.T.Simple() {
					args[i] = append(args[i], c)
					continue
				}
				args[i] = append(args[i], w.saved(s, c))
			}
		}
	}
	switch e.Op {
	case OpConstruct:
		return w.construct(e, args)
	case OpConvert:
		return w.each(e, func(i int) string {
			if e.T.Base == Boolean {
				return fmt.Sprintf("(%s != 0)", args[0][i])
			}
			return fmt.Sprintf("(%s)%s", e.T.Base.c(), args[0][i])
		})
	case OpSelect:
		return w.each(e, func(i int) string { return fmt.Sprintf("(%s ? %s : %s)", args[0][0], args[1][i], args[2][i]) })
	case OpModulo:
		return []string{fmt.Sprintf("(%s %% %d)", args[0][0], e.N[0])}
	case OpShiftBy:
		return w.each(e, func(i int) string { return fmt.Sprintf("(%s)(%s >> %d)", e.T.Base.c(), args[0][i], e.N[0]) })
	case OpNorm:
		return w.each(e, func(i int) string {
			return fmt.Sprintf("(%s)norm(%s, %d, %d)", e.T.Base.c(), args[0][i], e.N[0], e.N[1])
		})
	case OpAtomic:
		return []string{w.atomic(e)}
	}
	if e.Op.Whole != nil {
		out := e.Op.Whole(w, e, args)
		for i := range out {
			out[i] = w.saved(e.T.Base, out[i])
		}
		return out
	}
	return w.each(e, func(i int) string { return cText(e, args, i) })
}

// read returns the components at a place.
func (w *cWriter) read(p place) []string {
	var out []string
	for i := range p.t.comps() {
		out = append(out, w.saved(p.t.Base, p.comp(i)))
	}
	return out
}

// numbers returns all the numbers of a value.
func (w *cWriter) numbers(p place) []string {
	if p.t.Simple() {
		return w.read(p)
	}
	var out []string
	for i := range p.t.parts() {
		out = append(out, w.numbers(p.at(i))...)
	}
	return out
}

func (w *cWriter) each(e *Expr, f func(i int) string) []string {
	var out []string
	for i := range e.T.comps() {
		out = append(out, w.saved(e.T.Base, f(i)))
	}
	return out
}

func (w *cWriter) construct(e *Expr, args [][]string) []string {
	n := e.T.comps()
	var out []string
	if len(args) == 1 && len(args[0]) == 1 {
		for i := range n {
			if e.T.Shape == IsMatrix && i/e.T.Rows != i%e.T.Rows {
				out = append(out, "0")
			} else {
				out = append(out, args[0][0])
			}
		}
		return out
	}
	for _, a := range args {
		out = append(out, a...)
	}
	return out
}

// equal returns a C expression that compares two values.
func (w *cWriter) equal(a, b []string) string {
	text := ""
	for i := range a {
		text += fmt.Sprintf(" & (%s == %s)", a[i], b[i])
	}
	return "(" + text[3:] + ")"
}

// cText returns the C text of one component of an operation.
func cText(e *Expr, args [][]string, i int) string {
	var pairs []string
	for k, a := range args {
		pairs = append(pairs, fmt.Sprint("$", k), a[min(i, len(a)-1)])
	}
	return strings.NewReplacer(LongestFirst(append(pairs, cNames(e)...))...).Replace(e.Op.C)
}

func cNames(e *Expr) []string {
	s := e.T.Base
	pairs := []string{"$c", s.c()}
	if len(e.Args) > 0 && e.Args[0].T.Simple() {
		a := e.Args[0].T.Base
		pairs = append(pairs, "$a", a.c(), "$u", a.unsigned().c(), "$B", fmt.Sprint(a.Bits-1))
		if s.Integer() {
			a = s
		}
		pairs = append(pairs, "$X", TopSigned(a), "$Y", Mantissa[a.Bits/16], "$Z", MantissaOne[a.Bits/16], "$p", Scalar{a.Kind, 64}.c())
	}
	return pairs
}

func (w *cWriter) atomic(e *Expr) string {
	p := w.place(e.Args[0])
	a := Atomics[e.N[0]]
	c := e.T.Base.c()
	var values []string
	for _, v := range e.Args[1:] {
		values = append(values, w.saved(e.T.Base, w.scalar(v)))
	}
	old := w.temp()
	w.line("const %s %s = %s;", c, old, p.comp(0))
	x, y := values[0], ""
	if a.values == 2 { // GLSL's order is compare, data
		x, y = values[0], values[1]
	}
	text := strings.NewReplacer("old", old, "x", x, "y", y).Replace(a.c)
	w.line("%s = %s;", p.comp(0), text)
	return old
}

func (w *cWriter) call(to, e *Expr) {
	w.line("{")
	w.indent++
	args := []string{w.mask}
	result := ""
	if e.T != nil {
		result = w.temp()
		w.line("%s %s[N];", w.declare(e.T), result)
		args = append(args, result)
	}
	names := make([]string, len(e.Args))
	for i, a := range e.Args {
		names[i] = w.temp()
		w.line("%s %s[N];", w.declare(a.T), names[i])
		if e.Func.Params[i].Dir != Out {
			w.forLanes(func() { w.set(names[i]+"[l]", a.T, a) })
		}
		args = append(args, names[i])
	}
	w.line("%s_(%s);", e.Func.Name, strings.Join(args, ", "))
	for i, a := range e.Args {
		if e.Func.Params[i].Dir >= Out {
			w.forLanes(func() { w.copyBack(a, names[i]) })
		}
	}
	if to != nil {
		w.forLanes(func() { w.copyBack(to, result) })
	}
	w.indent--
	w.line("}")
}

// copyBack stores the value of a C array that has an element for each invocation.
func (w *cWriter) copyBack(to *Expr, name string) {
	w.store(to, &Expr{Op: OpVar, T: to.T, Var: &Var{Name: name, T: to.T, Class: Local}})
}

// subgroup writes an operation over the subgroup: operands and result are arrays
// over the invocations, one for each component.
func (w *cWriter) subgroup(to, e *Expr) {
	w.line("{")
	w.indent++
	args := make([][]string, len(e.Args))
	for i, a := range e.Args {
		for range a.T.comps() {
			name := w.temp()
			w.line("%s %s[N];", a.T.Base.c(), name)
			args[i] = append(args[i], name)
		}
		w.forLanes(func() {
			for k, v := range w.expr(a) {
				w.line("%s[l] = %s;", args[i][k], v)
			}
		})
	}
	var results []string
	for range e.T.comps() {
		name := w.temp()
		w.line("%s %s[N];", e.T.Base.c(), name)
		results = append(results, name)
	}
	switch e.Op.Name {
	case "subgroup_ballot":
		w.line("SG_BALLOT(%s, %s, %s)", w.mask, strings.Join(results, ", "), args[0][0])
	case "subgroup_all_equal":
		w.line("EACH(%s) %s[l] = 1;", w.mask, results[0])
		for _, a := range args[0] {
			w.line("SG_EQUAL(%s, %s, %s)", w.mask, results[0], a)
		}
	default:
		for i, d := range results {
			pairs := []string{"$m", w.mask, "$d", d}
			if len(args) > 0 {
				pairs = append(pairs, "$L", args[0][0], "$H", args[0][min(1, len(args[0])-1)])
			}
			if e.Op.identity != nil {
				pairs = append(pairs, "$i", e.T.Base.clit(e.Op.identity(e.T.Base)))
			}
			for k, a := range args {
				pairs = append(pairs, fmt.Sprint("$", k), a[min(i, len(a)-1)])
			}
			w.line("%s", strings.NewReplacer(LongestFirst(append(pairs, cNames(e)...))...).Replace(e.Op.C))
		}
	}
	if to != nil {
		w.forLanes(func() {
			base := to
			comps := make([]int, e.T.comps())
			for i := range comps {
				comps[i] = i
			}
			if to.Op == OpSwizzle && len(to.N) > 1 {
				base, comps = to.Args[0], to.N
			}
			p := w.place(base)
			for i, n := range comps {
				w.line("%s = %s[l];", p.comp(n), results[i])
			}
		})
	}
	w.indent--
	w.line("}")
}

// entry writes the C program's main function.
func (w *cWriter) entry() string {
	w.b.Reset()
	w.line("int main(int argc, char **argv) {")
	w.indent = 1
	for i := range w.p.Buffers {
		w.line("static u8 *data%d; data%d = input(%d);", i, i, len(w.p.Buffers[i].Data))
	}
	w.line("for (int a = 1; a < argc; a++) {")
	w.indent++
	w.line("W = atoi(argv[a]);")
	for i, v := range w.p.Buffers {
		w.line("%s = copy(data%d, %d);", v.Name, i, len(v.Data))
	}
	w.line("for (wz = 0; wz < GZ; wz++) for (wy = 0; wy < GY; wy++) for (wx = 0; wx < GX; wx++) main_(N == 64 ? ~0ull : (1ull << N) - 1);")
	for _, v := range w.p.Buffers {
		if v.Written {
			w.line("fwrite(%s, 1, %d, stdout);", v.Name, len(v.Data))
		}
	}
	w.indent--
	w.line("}")
	w.line("return 0;")
	w.indent--
	w.line("}")
	return w.b.String()
}

// cHead is the start of every C program.
const cHead = `#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int8_t i8; typedef uint8_t u8; typedef int16_t i16; typedef uint16_t u16;
typedef int32_t i32; typedef uint32_t u32; typedef int64_t i64; typedef uint64_t u64;
typedef _Float16 f16; typedef float f32; typedef double f64; typedef uint8_t b8;
typedef uint64_t M;
static int W, wx, wy, wz;
#define EACH(q) for (int l = 0; l < N; l++) if ((q) >> l & 1)
#define GID (((wz * GY + wy) * GX + wx) * N)
#define ALL (W == 64 ? ~0ull : (1ull << W) - 1)
#define clamp_(x, a, b) ((x) < ((a) < (b) ? (a) : (b)) ? ((a) < (b) ? (a) : (b)) : (x) > ((a) > (b) ? (a) : (b)) ? ((a) > (b) ? (a) : (b)) : (x))
static inline double norm(double x, int m, int k) {
	x = ldexp(trunc(ldexp(x, k)), -k);
	double most = ldexp(1, m);
	return x < -most ? -most : x > most ? most : x;
}
static inline int findmsb_u32(u32 x) { return x ? 31 - __builtin_clz(x) : -1; }
static inline int findmsb_i32(i32 x) { return findmsb_u32(x < 0 ? ~x : x); }
static inline u32 reverse_(u32 x) { u32 r = 0; for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i); return r; }
static inline int least_(int a, int b) { return a < b ? a : b; }
static inline u32 extract_u32(u32 x, int at, int n) { return (u64)x >> at & ((1ull << n) - 1); }
static inline i32 extract_i32(i32 x, int at, int n) { return n ? (i32)((u32)x << (32 - at - n)) >> (32 - n) : 0; }
static inline u32 insert_(u32 x, u32 y, int at, int n) { u64 m = ((1ull << n) - 1) << at; return (x & ~m) | ((u64)y << at & m); }
static inline u32 bits_f32(f32 x) { u32 u; memcpy(&u, &x, 4); return u; }
static inline u16 bits_f16(f16 x) { u16 u; memcpy(&u, &x, 2); return u; }
static inline f32 float_f32(u32 u) { f32 x; memcpy(&x, &u, 4); return x; }
static inline f16 float_f16(u16 u) { f16 x; memcpy(&x, &u, 2); return x; }
static u8 *input(size_t n) { u8 *p = malloc(n + 1); if (fread(p, 1, n, stdin) != n) exit(3); return p; }
static u8 *copy(u8 *from, size_t n) { u8 *p = malloc(n + 1); memcpy(p, from, n); return p; }
#define SG(m) for (int s = 0; s < N; s += W) for (M all = ALL, g = m & all << s, once = 1; once && g; once = 0)
#define IN(q) for (int l = s; l < s + W && l < N; l++) if ((q) >> l & 1)
#define SG_ALL(m, d, x) SG(m) IN(g) d[l] = x;
#define SG_VOTE(m, d, a, x) SG(m) { int n = 0; IN(g) n += a[l]; IN(g) d[l] = x; }
#define SG_EQUAL(m, d, a) SG(m) { int e = 1; IN(g) e &= a[l] == a[__builtin_ctzll(g)]; IN(g) d[l] &= e; }
#define SG_BALLOT(m, d0, d1, d2, d3, a) SG(m) { M b = 0; IN(g) b |= (M)a[l] << (l - s); IN(g) { d0[l] = b; d1[l] = b >> 32; d2[l] = d3[l] = 0; } }
#define SG_BITS(m, d, lo, hi, x) SG(m) IN(g) { M b = lo[l] | (M)hi[l] << 32; d[l] = x; }
#define SG_READ(m, d, a, k, T, from) SG(m) IN(g) { u32 i = k[l]; (void)i; u32 f = from; d[l] = f < (u32)W && s + f < N && g >> (s + f) & 1 ? a[s + f] : a[l]; }
#define SG_REDUCE(m, d, a, T, E, id) SG(m) { T acc = id; int any = 0; IN(g) { T x = a[l]; acc = any ? (T)(E) : x; any = 1; } IN(g) d[l] = acc; }
#define SG_INCLUSIVEREDUCE(m, d, a, T, E, id) SG(m) { T acc = id; int any = 0; IN(g) { T x = a[l]; acc = any ? (T)(E) : x; any = 1; d[l] = acc; } }
#define SG_EXCLUSIVEREDUCE(m, d, a, T, E, id) SG(m) { T acc = id; IN(g) { T x = a[l]; d[l] = acc; acc = (T)(E); } }
#define SG_CLUSTEREDREDUCE(m, d, a, T, E, id) SG(m) for (M c = 15ull << s, o = 1; o && c; c <<= 4) { T acc = id; int any = 0; IN(g & c) { T x = a[l]; acc = any ? (T)(E) : x; any = 1; } IN(g & c) d[l] = acc; }
`
