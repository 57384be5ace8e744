// SPDX-License-Identifier: MIT

package eval

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// RealApp is the application of a function without a formula to a real number: exp2, log2, sqrt, narrow16 or narrow32,
// written (real.exp2 x).
type RealApp struct{ Fn, Arg string }

// Reals is a function as SMT terms over the real numbers.
type Reals struct {
	Terms []string  // the components of the result; a float is a Real
	Conds []string  // conditions under which the result is a number
	Apps  []RealApp // functions that the terms apply
}

// SMTReal writes the meaning with floats as real numbers: nothing is rounded,
// and there is no NaN, no infinity and no signed zero. Integers and bools
// are as in [Func.SMT]. Operations on a float's bits have no formula.
func (f *Func) SMTReal(args [][]string) (out Reals, err error) {
	defer func() {
		if r := recover(); r != nil {
			nf, ok := r.(*NoFormula)
			if !ok {
				panic(r)
			}
			err = nf
		}
	}()
	w := &realWriter{f: f}
	s := &smtWriter{args: args, real: w}
	for _, n := range f.results {
		w.out.Terms = append(w.out.Terms, s.term(n))
	}
	return w.out, nil
}

type realWriter struct {
	f   *Func
	out Reals
}

// realForms are the operations on floats over the reals.
var realForms = map[prim]string{
	pAdd: "(+ $1 $2)", pSub: "(- $1 $2)", pMul: "(* $1 $2)", pDiv: "(/ $1 $2)", pNeg: "(- $1)",
	pLt: "(< $1 $2)", pLe: "(<= $1 $2)", pGt: "(> $1 $2)", pGe: "(>= $1 $2)", pEq: "(= $1 $2)", pNe: "(not (= $1 $2))",
	pMin: "(ite (<= $1 $2) $1 $2)", pMax: "(ite (>= $1 $2) $1 $2)", pAbs: "(ite (>= $1 0.0) $1 (- $1))",
	pFma: "(+ (* $1 $2) $3)", pIsNaN: "false",
	pFloor: "(to_real (to_int $1))", pCeil: "(- (to_real (to_int (- $1))))",
	pTrunc: "(ite (>= $1 0.0) (to_real (to_int $1)) (- (to_real (to_int (- $1)))))",
	pSqrt:  "(real.sqrt $1)", pExp2: "(real.exp2 $1)", pLog2: "(real.log2 $1)",
	pPow: "(real.exp2 (* $2 (real.log2 $1)))",
}

// realTerm writes a node that involves floats, or a name of a part, which
// is expanded so that conditions can refer to it.
func (s *smtWriter) realTerm(n *node) (string, bool) {
	w := s.real
	switch n.prim {
	case pLet:
		return s.term(w.f.lets[n.src].val), true
	case pConst:
		if n.typ.Base == Float {
			t, ok := SMTRealConst(n.bits, n.typ.Bits)
			if !ok {
				panic(&NoFormula{"a number that is not finite"})
			}
			return t, true
		}
		return "", false
	case pSel:
		// the case that yields NaN is excluded
		if x := n.args[1]; x.prim == pConst && x.typ.Base == Float && x.bits == canonicalNaN(x.typ.Bits) {
			w.out.Conds = append(w.out.Conds, "(not "+s.term(n.args[0])+")")
			return s.term(n.args[2]), true
		}
		return "", false
	case pSrc:
		return "", false
	}
	t := n.args[0].typ
	if t.Base != Float && n.typ.Base != Float {
		return "", false
	}
	a := make([]string, len(n.args))
	for i, x := range n.args {
		a[i] = s.term(x)
	}
	form := realForms[n.prim]
	switch {
	case n.prim == pConv && t.Base == Float && n.typ.Base == Float:
		if n.typ.Bits >= t.Bits {
			return a[0], true
		}
		// Rounding to fewer digits is an uninterpreted function.
		fn := fmt.Sprintf("narrow%d", n.typ.Bits)
		w.out.Apps = append(w.out.Apps, RealApp{fn, a[0]})
		return "(real." + fn + " " + a[0] + ")", true
	case form == "" || t.Base != Float:
		panic(&NoFormula{primName(n.prim) + " over the reals"})
	}
	need := func(format string, x string) { w.out.Conds = append(w.out.Conds, fmt.Sprintf(format, x)) }
	apply := func(fn, x string) { w.out.Apps = append(w.out.Apps, RealApp{fn, x}) }
	switch n.prim {
	case pDiv:
		need("(not (= %s 0.0))", a[1])
	case pSqrt:
		need("(>= %s 0.0)", a[0])
		apply("sqrt", a[0])
	case pExp2:
		apply("exp2", a[0])
	case pLog2:
		need("(> %s 0.0)", a[0])
		apply("log2", a[0])
	case pPow:
		need("(> %s 0.0)", a[0])
		apply("log2", a[0])
		apply("exp2", fmt.Sprintf("(* %s (real.log2 %s))", a[1], a[0]))
	}
	pairs := make([]string, 0, 6)
	for i, x := range a {
		pairs = append(pairs, fmt.Sprintf("$%d", i+1), x)
	}
	return strings.NewReplacer(pairs...).Replace(form), true
}

// SMTRealConst returns a float as a real number; ok is false if it is not finite.
func SMTRealConst(x uint64, bits int) (text string, ok bool) {
	v := toF64(x, bits)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "", false
	}
	r := new(big.Rat).SetFloat64(math.Abs(v))
	text = fmt.Sprintf("(/ %s.0 %s.0)", r.Num(), r.Denom())
	if r.IsInt() {
		text = r.Num().String() + ".0"
	}
	if v < 0 {
		text = "(- " + text + ")"
	}
	return text, true
}
