// SPDX-License-Identifier: MIT

package randprog

import (
	"math"
	"math/bits"
)

// Floats are kept where arithmetic is exact, so that neither fusing nor another
// order of additions changes a result: each value is at most 2^m, and a multiple
// of 2^-k, with m+k no more than the bits of a mantissa. Variables hold floats
// of a class that leaves room for a few operations; if an expression would exceed
// it, its operands are cut.
type bound struct{ m, k int }

func (b bound) within(c bound) bool { return b.m <= c.m && b.k <= c.k }

// classOf bounds the values of variables of a type.
func classOf(s Scalar) bound {
	switch s.Bits {
	case 16:
		return bound{3, 2}
	case 32:
		return bound{8, 4}
	}
	return bound{12, 8}
}

// exact reports whether all values within a bound are normal floats of the type or zero, and so are their products
// with the powers of two that are used for cutting.
func (b bound) exact(s Scalar) bool {
	switch s.Bits {
	case 16:
		return b.m+b.k <= 11 && b.k <= 12
	case 32:
		return b.m+b.k <= 24
	}
	return b.m+b.k <= 53
}

func bSame(_ *Expr, a []bound) bound { return a[0] }
func bUnit(*Expr, []bound) bound     { return bound{} }

func bMost(_ *Expr, a []bound) bound {
	return bound{max(a[0].m, a[1].m, a[len(a)-1].m), max(a[0].k, a[1].k, a[len(a)-1].k)}
}

func bWhole(_ *Expr, a []bound) bound { return bound{max(a[0].m, 0), 0} }

func bSum(_ *Expr, a []bound) bound { return bound{max(a[0].m, a[1].m) + 1, max(a[0].k, a[1].k)} }

func bProduct(_ *Expr, a []bound) bound { return bound{a[0].m + a[1].m, a[0].k + a[1].k} }

func bFMA(_ *Expr, a []bound) bound {
	return bound{max(a[0].m+a[1].m, a[2].m) + 1, max(a[0].k+a[1].k, a[2].k)}
}

// bDot bounds sums of up to four products.
func bDot(_ *Expr, a []bound) bound { return bound{a[0].m + a[1].m + 2, a[0].k + a[1].k} }

// fixed returns the expression with operations added that keep its floats exact and its indices inside of arrays, and
// the bound of its floats.
func fixed(e *Expr) (*Expr, bound) {
	out := *e
	out.Args = make([]*Expr, len(e.Args))
	bs := make([]bound, len(e.Args))
	for i, a := range e.Args {
		out.Args[i], bs[i] = fixed(a)
	}
	switch e.Op {
	case OpConst:
		return &out, constBound(e)
	case OpIndex:
		out.Args[1] = Inside(out.Args[1], e.Args[0].T.parts())
		fallthrough
	case OpVar, OpField, OpSwizzle:
		return &out, loaded(e, bs)
	case OpOwn:
		out.Args[0] = Inside(out.Args[0], e.Var.Own)
		if e.Var.Arrayed {
			out.Args[1] = Inside(out.Args[1], e.Var.T.Len)
		}
		return &out, loaded(e, bs)
	case OpAccu:
		out.Args[0] = Inside(out.Args[0], e.Var.T.Len/AccuKinds)
		return &out, loaded(e, bs)
	case OpConvert:
		return fixedConversion(&out, bs[0])
	case OpCall, OpAtomic:
		for i, a := range out.Args {
			if i < len(e.Args) && !(e.Op == OpCall && e.Func.Params[i].Dir >= Out) && !(e.Op == OpAtomic && i == 0) {
				out.Args[i] = toClass(a, bs[i])
			}
		}
		return &out, loaded(e, nil)
	case OpConstruct:
		if !e.T.Simple() {
			for i, a := range out.Args {
				out.Args[i] = toClass(a, bs[i])
			}
			return &out, bound{}
		}
		b := bound{}
		for _, x := range bs {
			b = bound{max(b.m, x.m), max(b.k, x.k)}
		}
		return &out, b
	case OpSelect:
		if !e.T.Simple() || e.T.Base.Kind != Float {
			return &out, bound{}
		}
		return &out, bMost(nil, bs[1:])
	}
	return fixedOp(&out, bs)
}

// fixedOp cuts the operands of an operation, so that its result is exact, and returns the bound of the result.
func fixedOp(e *Expr, bs []bound) (*Expr, bound) {
	if e.Op.Limit != nil {
		for i, a := range e.Args {
			if IsFloat(a.T) && !bs[i].within(*e.Op.Limit) {
				e.Args[i], bs[i] = cut(a, bs[i], *e.Op.Limit)
			}
		}
	}
	if e.Op.Float == nil || !IsFloat(e.T) {
		return e, bound{}
	}
	b := e.Op.Float(e, bs)
	for t := 6; !b.exact(e.T.Base); t-- {
		if t < 0 {
			panic("no operands keep " + e.Op.Name + " exact")
		}
		for i, a := range e.Args {
			if IsFloat(a.T) {
				e.Args[i], bs[i] = cut(a, bs[i], bound{min(t, bs[i].m), min(t, bs[i].k)})
			}
		}
		b = e.Op.Float(e, bs)
	}
	return e, b
}

// IsFloat reports whether a type is a float, or a vector or matrix of floats.
func IsFloat(t *Type) bool { return t != nil && t.Simple() && t.Base.Kind == Float }

// loaded returns the bound of a variable's value or of a function's result.
func loaded(e *Expr, bs []bound) bound {
	if !IsFloat(e.T) {
		return bound{}
	}
	if r := e.Root(); r == nil && len(bs) > 0 { // a part of a value
		return bs[0]
	}
	return classOf(e.T.Base)
}

func constBound(e *Expr) bound {
	b := bound{}
	if !IsFloat(e.T) {
		return b
	}
	for _, v := range e.Bits {
		f := math.Abs(e.T.Base.Float(v))
		for f > math.Ldexp(1, b.m) {
			b.m++
		}
		for s := math.Ldexp(f, b.k); s != math.Trunc(s); s = math.Ldexp(f, b.k) {
			b.k++
		}
	}
	return b
}

// cut returns an expression with the values of a float, cut to a bound, and the bound of the result.
func cut(e *Expr, has, want bound) (*Expr, bound) {
	if has.within(want) {
		return e, has
	}
	if e.Op == OpNorm { // one cut suffices
		e = e.Args[0]
	}
	return &Expr{Op: OpNorm, T: e.T, Args: []*Expr{e}, N: []int{want.m, want.k}}, bound{min(has.m, want.m), min(has.k, want.k)}
}

// toClass cuts an expression to the bound of variables.
func toClass(e *Expr, b bound) *Expr {
	if !IsFloat(e.T) {
		return e
	}
	e, _ = cut(e, b, classOf(e.T.Base))
	return e
}

// Stored returns the expression that is stored to a variable in place of e, with its floats cut to the bound of
// variables.
func Stored(e *Expr) *Expr { return toClass(fixed(e)) }

// Condition returns the expression that is used in place of e where it is not stored.
func Condition(e *Expr) *Expr {
	e, _ = fixed(e)
	return e
}

// fixedConversion cuts the operand of a conversion so that the result is exact and defined.
func fixedConversion(e *Expr, b bound) (*Expr, bound) {
	a := e.Args[0]
	to, from := e.T.Base, a.T.Base
	switch {
	case to.Kind == Float && from.Kind == Float:
		want := bound{b.m, b.k}
		if !want.exact(to) {
			want = classOf(to)
		}
		e.Args[0], b = cut(a, b, want)
		return e, b
	case to.Kind == Float && from.Kind == Bool:
		return e, bound{}
	case to.Kind == Float:
		room := 11
		switch to.Bits {
		case 32:
			room = 24
		case 64:
			room = 53
		}
		if lo, hi, ok := span(a); ok && -lo <= 1<<room && hi <= 1<<room {
			return e, bound{bits.Len64(uint64(max(-lo, hi))), 0}
		}
		if from.Bits <= room || from.Kind == Int && from.Bits-1 <= room {
			return e, bound{from.Bits, 0}
		}
		keep := min(room, 12) - 1
		// Keep the upper bits of the integer, or its lower ones.
		shift := &Expr{Op: OpShiftBy, T: a.T, Args: []*Expr{a}, N: []int{from.Bits - keep}}
		e.Args[0] = shift
		return e, bound{keep, 0}
	case from.Kind == Float && to.Kind == Int:
		e.Args[0], _ = cut(a, b, bound{to.Bits - 2, b.k})
	case from.Kind == Float && to.Kind == Uint:
		x, _ := cut(a, b, bound{to.Bits - 1, b.k})
		e.Args[0] = &Expr{Op: opAbs, T: a.T, Args: []*Expr{x}}
	}
	return e, bound{}
}

// Operations used only to keep values in bounds.
var (
	OpShiftBy = &Op{Name: "shift_by"} // right, by N[0]
	opAbs     = &Op{Name: "abs", GLSL: "abs($0)", C: "($c)($0 < 0 ? -$0 : $0)"}
	opToUint  = &Op{Name: "to_uint", GLSL: "uint($0)", C: "(u32)$0"}
)

// Inside returns an expression in place of e that is an index of a list of n.
func Inside(e *Expr, n int) *Expr {
	if lo, hi, ok := span(e); ok && lo >= 0 && hi < int64(n) {
		return e
	}
	if e.T.Base == I32 {
		e = &Expr{Op: opToUint, T: scalarType(U32), Args: []*Expr{e}}
	}
	return &Expr{Op: OpModulo, T: e.T, Args: []*Expr{e}, N: []int{n}}
}

// span returns the range of an integer scalar's values, and false if it is not known.
func span(e *Expr) (lo, hi int64, ok bool) {
	if e.T.Shape != IsScalar || !e.T.Base.Integer() {
		return 0, 0, false
	}
	fits := func(lo, hi int64, ok bool) (int64, int64, bool) {
		top := int64(1) << min(e.T.Base.Bits-1, 40)
		if e.T.Base.Kind == Uint {
			return lo, hi, ok && lo >= 0 && hi < 2*top
		}
		return lo, hi, ok && lo >= -top && hi < top
	}
	arg := func(i int) (int64, int64, bool) { return span(e.Args[i]) }
	switch {
	case e.Op == OpConst:
		v := int64(e.Bits[0])
		if e.T.Base.Kind == Int {
			v = e.T.Base.Signed(e.Bits[0])
		}
		return fits(v, v, v > -1<<40 && v < 1<<40)
	case e.Op == OpVar && e.Var.Ranged:
		return e.Var.Lo, e.Var.Hi, true
	case e.Op == OpModulo:
		return 0, int64(e.N[0] - 1), true
	case e.Op == OpConvert || e.Op == opToUint:
		return fits(arg(0))
	case e.Op.Name == "add" || e.Op.Name == "mul":
		l0, h0, ok0 := arg(0)
		l1, h1, ok1 := arg(1)
		if !ok0 || !ok1 || l0 < 0 || l1 < 0 || h0 > 1<<20 || h1 > 1<<20 {
			return 0, 0, false
		}
		if e.Op.Name == "add" {
			return fits(l0+l1, h0+h1, true)
		}
		return fits(l0*l1, h0*h1, true)
	case e.Op.Name == "and":
		for i := range 2 {
			if l, h, ok := arg(i); ok && l >= 0 {
				return 0, h, true
			}
		}
	case e.Op.Name == "min" && e.T.Base.Kind == Uint:
		for i := range 2 {
			if _, h, ok := arg(i); ok {
				return 0, h, true
			}
		}
	}
	return 0, 0, false
}
