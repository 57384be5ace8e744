// SPDX-License-Identifier: MIT

package eval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/core/num"
	"jacquard.example/gen/internal/emit"
)

// Body is the body of a function that computes a meaning, with parameters
//
//	src *[4][16]uint64, dst *[16]uint64, comps int, mode num.Mode
//
// A meaning per component runs over comps components.
type Body struct {
	Code        []jen.Code
	Comps, Mode bool // it reads comps, mode
}

// String returns the code.
func (b *Body) String() string { return jen.Add(emit.Lines(b.Code)).GoString() }

// Go returns the body that computes the meaning. Floats are rounded to nearest
// even, or, when some operation rounds and the mode asks for it, toward zero
// by a second form of the same expression. truth is the function that converts a bool
// to a number.
func (f *Func) Go(truth string) *Body {
	g := &goWriter{f: f, truth: truth}
	var code []jen.Code
	if m := f.rtzModes(); m != "" {
		g.slow = true
		code = append(code, g.when("mode&"+m+" != 0"))
		g.slow = false
	}
	return &Body{append(code, g.body()...), f.Out.Comps == 0, g.mode}
}

type goWriter struct {
	f     *Func
	truth string
	slow  bool // rounding operations respect the mode
	mode  bool // some operation does
}

// when returns code that, if a condition holds, computes the meaning and returns.
func (g *goWriter) when(condition string) jen.Code {
	g.mode = true
	return emit.If(condition, append(g.body(), emit.Return(""))...)
}

// set returns an assignment to a place, with := or =.
func (g *goWriter) set(place, how, value string) jen.Code {
	g.mode = g.mode || strings.Contains(value, "mode)")
	return emit.Go(place + " " + how + " " + value)
}

func (g *goWriter) body() (out []jen.Code) {
	perComp := g.f.Out.Comps == 0
	if perComp {
		for i, p := range g.f.Params {
			out = append(out, g.set(p.Name, ":=", load(p.Type, fmt.Sprintf("src[%d][k&15]", i))))
		}
	} else {
		// Every component that is read gets a name, so that none is unpacked
		// twice.
		for _, s := range g.f.componentsUsed() {
			p := g.f.Params[s.src]
			out = append(out, g.set(fmt.Sprint(p.Name, s.comp), ":=", load(p.Type, fmt.Sprintf("src[%d][%d]", s.src, s.comp))))
		}
	}
	for _, l := range g.f.lets {
		out = append(out, g.set(l.name, ":=", strip(g.expr(l.val))))
	}
	for i, n := range g.f.results {
		at := strconv.Itoa(i)
		if perComp {
			at = "k&15"
		}
		out = append(out, g.set("dst["+at+"]", "=", g.store(n.typ, strip(g.expr(n)))))
	}
	if perComp {
		return []jen.Code{emit.For("k := range comps", out...)}
	}
	return out
}

// strip removes redundant outer parentheses.
func strip(s string) string {
	if !strings.HasPrefix(s, "(") {
		return s
	}
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 && i < len(s)-1 {
				return s
			}
		}
	}
	return s[1 : len(s)-1]
}

// carrier returns the Go type that holds a value.
func carrier(t Type) string {
	switch {
	case t.Base == Bool:
		return "bool"
	case t.Base == Float && t.Bits == 16:
		return "float32"
	case t.Base == Float || t.Base == Int || t.Base == Uint:
		return t.String()
	case t.Bits == 1:
		return "uint8"
	}
	return fmt.Sprintf("uint%d", t.Bits)
}

func load(t Type, x string) string {
	switch {
	case t.Base == Bool:
		return x + "&1 != 0"
	case t.Base == Float:
		return fmt.Sprintf("num.Load%d(%s, mode)", t.Bits, x)
	case t.Bits == 1:
		return fmt.Sprintf("uint8(%s & 1)", x)
	case t.Base == Bits && t.Bits == 64 || t == Type{Uint, 64}:
		return x
	}
	return fmt.Sprintf("%s(%s)", carrier(t), x)
}

func (g *goWriter) store(t Type, x string) string {
	switch {
	case t.Base == Bool:
		return g.truth + "(" + x + ")"
	case t.Base == Float:
		if arg, ok := strings.CutPrefix(x, "num.Round16"); ok && strip(arg) != arg {
			x = strip(arg) // Store16 rounds the same way
		}
		return fmt.Sprintf("num.Store%d(%s, mode)", t.Bits, x)
	case t.Base == Int && t.Bits < 64:
		return fmt.Sprintf("uint64(uint%d(%s))", t.Bits, x)
	case t.Base != Int && t.Bits == 64:
		return x
	}
	return fmt.Sprintf("uint64(%s)", x)
}

var goInfix = map[prim]string{
	pAdd: "+", pSub: "-", pMul: "*", pAnd: "&", pOr: "|", pXor: "^", pAndNot: "&^", pShl: "<<", pShr: ">>",
	pLt: "<", pLe: "<=", pGt: ">", pGe: ">=", pEq: "==", pNe: "!=",
}

// goCalls are the operations that are a function of package num. A star stands for
// S or U, for signed and unsigned integers.
var goCalls = map[prim]string{
	pDiv: "num.Div*", pRem: "num.Rem*", pFloorMod: "num.Mod*", pMulHigh: "num.MulHigh*",
	pAddSat: "num.AddSat*", pSubSat: "num.SubSat*", pPopCount: "num.PopCount", pCLZ: "num.CLZ",
	pCTZ: "num.CTZ", pReverse: "num.Reverse",
}

// goFloatCalls are the functions on floats; a # stands for the width, and such functions also take the mode.
var goFloatCalls = map[prim]string{
	pSqrt: "num.Sqrt#", pFma: "num.Fma#", pLdexp: "num.Ldexp#",
	pAbs: "num.Abs", pFloor: "num.Floor", pCeil: "num.Ceil", pTrunc: "num.Trunc", pRint: "num.Rint",
	pMin: "num.Min", pMax: "num.Max", pFrexpSig: "num.FrexpSig", pFrexpExp: "num.FrexpExp",
}

// goWideCalls are computed in float64 and then rounded.
var goWideCalls = map[prim]string{pExp2: "num.Exp2", pLog2: "num.Log2", pSin: "num.Sin", pCos: "num.Cos", pPow: "num.Pow"}

func (g *goWriter) expr(n *node) string {
	switch n.prim {
	case pConst:
		return goConst(n)
	case pLet:
		return g.f.lets[n.src].name
	case pSrc:
		if n.comp < 0 {
			return g.f.Params[n.src].Name
		}
		return fmt.Sprintf("%s%d", g.f.Params[n.src].Name, n.comp)
	}
	a := make([]string, len(n.args))
	for i, x := range n.args {
		a[i] = g.expr(x)
	}
	t := n.args[0].typ
	switch n.prim {
	case pSel:
		return fmt.Sprintf("sel(%s, %s, %s)", strip(a[0]), strip(a[1]), strip(a[2]))
	case pConv, pConvRTNE, pConvRTZ, pConvRTP, pConvRTN:
		return g.conv(n, t, strip(a[0]))
	case pCast:
		return cast(n.typ, t, strip(a[0]))
	case pNeg:
		return "(-" + a[0] + ")"
	case pNot:
		switch {
		case t.Base == Bool:
			return "(!" + a[0] + ")"
		case t.Bits == 1:
			return "(" + a[0] + " ^ 1)"
		}
		return "(^" + a[0] + ")"
	}
	if t.Base == Float {
		return g.float(n, t, a)
	}
	if f, ok := goCalls[n.prim]; ok {
		return replace(f, t) + "(" + stripped(a) + ")"
	}
	if n.prim == pMin || n.prim == pMax {
		return map[prim]string{pMin: "min(", pMax: "max("}[n.prim] + stripped(a) + ")"
	}
	infix := goInfix[n.prim]
	if t.Base == Bool && n.prim != pEq && n.prim != pNe {
		infix = map[prim]string{pAnd: "&&", pOr: "||"}[n.prim]
	}
	return fmt.Sprintf("(%s %s %s)", a[0], infix, a[1])
}

func stripped(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strip(s)
	}
	return strings.Join(out, ", ")
}

func replace(name string, t Type) string {
	sign := "U"
	if t.Base == Int {
		sign = "S"
	}
	return strings.Replace(strings.Replace(name, "*", sign, 1), "#", strconv.Itoa(t.Bits), 1)
}

func (g *goWriter) float(n *node, t Type, a []string) string {
	switch n.prim {
	case pAdd, pSub, pMul, pDiv:
		if g.slow {
			return fmt.Sprintf("num.%s%d(%s, mode)", map[prim]string{pAdd: "Add", pSub: "Sub", pMul: "Mul", pDiv: "Div"}[n.prim], t.Bits, stripped(a))
		}
		x := fmt.Sprintf("float32(%s %s %s)", a[0], map[prim]string{pAdd: "+", pSub: "-", pMul: "*", pDiv: "/"}[n.prim], a[1])
		switch t.Bits {
		case 16:
			return "num.Round16(" + x + ")"
		case 64:
			return strings.Replace(x, "float32", "float64", 1)
		}
		return x
	case pIsNaN:
		return fmt.Sprintf("(%s != %s)", a[0], a[0])
	case pIsNormal:
		return fmt.Sprintf("(num.Abs(%s) >= num.MinNormal%d && num.Abs(%s) <= math.MaxFloat%d)", strip(a[0]), t.Bits, strip(a[0]),
			max(t.Bits, 32))
	}
	if f, ok := goWideCalls[n.prim]; ok {
		for i := range a {
			if t.Bits < 64 {
				a[i] = "float64(" + strip(a[i]) + ")"
			}
		}
		x := f + "(" + stripped(a) + ")"
		switch t.Bits {
		case 16:
			return "num.Narrow16(" + x + ", 0)"
		case 32:
			return "float32(" + x + ")"
		}
		return x
	}
	if f, ok := goFloatCalls[n.prim]; ok {
		args := stripped(a)
		if strings.HasSuffix(f, "#") {
			args += ", mode"
		}
		return replace(f, t) + "(" + args + ")"
	}
	return fmt.Sprintf("(%s %s %s)", a[0], goInfix[n.prim], a[1])
}

func (g *goWriter) conv(n *node, from Type, x string) string {
	to := n.typ
	switch {
	case from.Base != Float && to.Base != Float:
		return fmt.Sprintf("%s(%s)", carrier(to), x)
	case from.Base == Float && to.Base != Float:
		if from.Bits < 64 {
			x = "float64(" + x + ")"
		}
		f := "ToUint"
		if to.Base == Int {
			f = "ToInt"
		}
		return fmt.Sprintf("%s(num.%s(%s, %d))", carrier(to), f, x, to.Bits)
	case from.Base != Float:
		f, wide := "FromUint", "uint64"
		if from.Base == Int {
			f, wide = "FromInt", "int64"
		}
		switch {
		case n.prim != pConv:
			return fmt.Sprintf("num.%sTo%d(%s(%s), %s)", f[len("From"):], to.Bits, wide, x, n.direction())
		case g.slow:
			return fmt.Sprintf("num.%s%d(%s(%s), mode)", f, to.Bits, wide, x)
		case to.Bits == 16:
			return fmt.Sprintf("num.Round16(float32(%s))", x)
		}
		return fmt.Sprintf("%s(%s)", to, x)
	}
	mode := "0"
	switch {
	case n.prim == pConvRTZ:
		mode = "num.RTZ16"
	case n.prim == pConv && g.slow:
		mode = "mode"
	}
	switch {
	case from.Bits == to.Bits:
		return x
	case to.Bits == 64:
		return "float64(" + x + ")"
	case from.Bits == 16:
		return x // carried in a float32 already
	case n.prim == pConvRTP || n.prim == pConvRTN || n.prim == pConvRTZ && to.Bits == 32:
		if from.Bits < 64 {
			x = "float64(" + x + ")"
		}
		return fmt.Sprintf("num.FloatTo%d(%s, %s)", to.Bits, x, n.direction())
	case to.Bits == 32 && mode == "0":
		return "float32(" + x + ")"
	case to.Bits == 32:
		return fmt.Sprintf("num.Narrow32(%s, %s)", x, mode)
	case from.Bits == 64:
		return fmt.Sprintf("num.Narrow16(%s, %s)", x, mode)
	case mode == "0":
		return "num.Round16(" + x + ")"
	}
	return fmt.Sprintf("num.Narrow16From32(%s, %s)", x, mode)
}

// direction returns the constant of package num for the rounding that a conversion specifies, or "" if it specifies
// none.
func (n *node) direction() string {
	for _, d := range directions {
		if d.prim == n.prim {
			return d.num
		}
	}
	return ""
}

func cast(to, from Type, x string) string {
	switch {
	case from.Base == Float:
		return fmt.Sprintf("%s(num.Store%d(%s, 0))", carrier(to), from.Bits, x)
	case to.Base == Float:
		return fmt.Sprintf("num.Load%d(uint64(%s), 0)", to.Bits, x)
	case carrier(to) == carrier(from):
		return x
	}
	return fmt.Sprintf("%s(%s)", carrier(to), x)
}

// goConst returns a constant of the carrier's type.
func goConst(n *node) string {
	t := n.typ
	switch t.Base {
	case Bool:
		return strconv.FormatBool(n.bits != 0)
	case Int:
		return fmt.Sprintf("%s(%d)", t, sext(n.bits, t.Bits))
	case Float:
		f := toF64(n.bits, t.Bits)
		switch {
		case f != f || math.IsInf(f, 0) || f == 0 && n.bits != 0:
			if t.Bits == 64 {
				return fmt.Sprintf("math.Float64frombits(%#x)", n.bits)
			}
			return fmt.Sprintf("math.Float32frombits(%#x)", num.Store32(float32(f), 0))
		case t.Bits == 64:
			return fmt.Sprintf("float64(%s)", strconv.FormatFloat(f, 'g', -1, 64))
		}
		return fmt.Sprintf("float32(%s)", strconv.FormatFloat(f, 'g', -1, 32))
	}
	return fmt.Sprintf("%s(%#x)", carrier(t), n.bits)
}

// rtzModes returns the mode bits that affect some operation of the meaning.
func (f *Func) rtzModes() string {
	var seen [65]bool
	f.walk(func(n *node) {
		t := n.typ
		if t.Base != Float {
			return
		}
		switch n.prim {
		case pAdd, pSub, pMul, pDiv:
			seen[t.Bits] = true
		case pConv:
			if from := n.args[0].typ; from.Base != Float || from.Bits > t.Bits {
				seen[t.Bits] = true
			}
		}
	})
	var out []string
	for _, w := range []int{16, 32, 64} {
		if seen[w] {
			out = append(out, fmt.Sprintf("num.RTZ%d", w))
		}
	}
	if len(out) > 1 {
		return "(" + strings.Join(out, "|") + ")"
	}
	return strings.Join(out, "")
}

// Rounds reports whether some operation of the meaning may yield a float other than the
// exact result.
func (f *Func) Rounds() bool {
	rounds := false
	f.walk(func(n *node) {
		if n.typ.Base != Float {
			return
		}
		switch n.prim {
		case pConst, pSrc, pLet, pSel, pNeg, pAbs, pMin, pMax, pFloor, pCeil, pTrunc, pRint, pFrexpSig, pCast:
		default:
			rounds = true
		}
	})
	return rounds
}

// walk visits every node.
func (f *Func) walk(visit func(*node)) {
	var rec func(*node)
	rec = func(n *node) {
		for _, a := range n.args {
			rec(a)
		}
		visit(n)
	}
	for _, l := range f.lets {
		rec(l.val)
	}
	for _, n := range f.results {
		rec(n)
	}
}

// componentsUsed returns the sources' components that are read, in order.
func (f *Func) componentsUsed() []node {
	var seen [16][16]bool
	f.walk(func(n *node) {
		if n.prim == pSrc && n.comp >= 0 {
			seen[n.src][n.comp] = true
		}
	})
	var out []node
	for s := range seen {
		for c := range seen[s] {
			if seen[s][c] {
				out = append(out, node{src: s, comp: c})
			}
		}
	}
	return out
}
