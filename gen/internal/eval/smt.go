// SPDX-License-Identifier: MIT

package eval

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// NoFormula is the error that a meaning cannot be written as a formula.
type NoFormula struct {
	What string // the operation without a formula
}

func (e *NoFormula) Error() string { return "no formula for " + e.What }

// SMT writes the meaning as SMT-LIB 2 terms over bit vectors and floats
// (QF_BVFP), one for each component of the result. args[s][c] is the term for
// component c of source s; its sort is [Type.SMTSort] of the source's type. The
// float mode is the default one. Conversions of a float to its bits use z3's
// fp.to_ieee_bv, with the canonical NaN for every NaN. The error is a
// *NoFormula.
func (f *Func) SMT(args [][]string) (terms []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			nf, ok := r.(*NoFormula)
			if !ok {
				panic(r)
			}
			terms, err = nil, nf
		}
	}()
	s := &smtWriter{args: args}
	for _, n := range f.results {
		terms = append(terms, f.bound(s, s.term(n)))
	}
	return terms, nil
}

// bound wraps a term in the bindings of the named parts.
func (f *Func) bound(s *smtWriter, t string) string {
	for i := len(f.lets) - 1; i >= 0; i-- {
		t = fmt.Sprintf("(let ((let.%d %s)) %s)", i, s.term(f.lets[i].val), t)
	}
	return t
}

// SMTSteps is like SMT, but passes every intermediate float of the meaning to step, which returns the term to use for it.
// A meaning with named parts has no steps.
func (f *Func) SMTSteps(args [][]string, step func(text string, t Type) string) (terms []string, err error) {
	if len(f.lets) > 0 {
		return nil, &NoFormula{"the steps of named parts"}
	}
	if _, err := f.SMT(args); err != nil {
		return nil, err
	}
	s := &smtWriter{args: args, step: step}
	for _, n := range f.results {
		terms = append(terms, s.term(n))
	}
	return terms, nil
}

// SMTSort returns the sort of terms of a type: Bool, a bit vector or a float.
func (t Type) SMTSort() string {
	switch t.Base {
	case Bool:
		return "Bool"
	case Float:
		e, s := t.fields()
		return fmt.Sprintf("(_ FloatingPoint %d %d)", e, s)
	}
	return fmt.Sprintf("(_ BitVec %d)", t.Bits)
}

// fields returns the bits of the exponent and of the significand, including the hidden one.
func (t Type) fields() (exp, sig int) {
	switch t.Bits {
	case 16:
		return 5, 11
	case 32:
		return 8, 24
	}
	return 11, 53
}

// SMTConst returns the term of a value of a type.
func SMTConst(x uint64, t Type) string {
	switch t.Base {
	case Bool:
		return strconv.FormatBool(x != 0)
	case Float:
		e, s := t.fields()
		if f := toF64(x, t.Bits); f != f {
			return fmt.Sprintf("(_ NaN %d %d)", e, s)
		}
		b := fmt.Sprintf("%0*b", t.Bits, x)
		return fmt.Sprintf("(fp #b%s #b%s #b%s)", b[:1], b[1:1+e], b[1+e:])
	}
	return fmt.Sprintf("(_ bv%d %d)", x, t.Bits)
}

// SMTCast converts a term of one type's sort to the sort of another type of the same width, keeping the bits.
func SMTCast(term string, from, to Type) string {
	switch {
	case from.SMTSort() == to.SMTSort():
		return term
	case to.Base == Float:
		e, s := to.fields()
		return fmt.Sprintf("((_ to_fp %d %d) %s)", e, s, term)
	case from.Base == Float:
		return fmt.Sprintf("(let ((x! %s)) (ite (fp.isNaN x!) %s (fp.to_ieee_bv x!)))", term,
			SMTConst(canonicalNaN(from.Bits), Type{Uint, from.Bits}))
	case to.Base == Bool:
		return fmt.Sprintf("(= %s (_ bv1 1))", term)
	}
	return fmt.Sprintf("(ite %s (_ bv1 1) (_ bv0 1))", term) // a bool as a bit
}

type smtWriter struct {
	args [][]string
	real *realWriter // nil means floats are floats
	step func(text string, t Type) string
}

// smtForm is the form of an operation, by the base of its first operand.
// In the text $1, $2, $3 are the operands and $w the width; an operand that
// occurs twice is bound by let when the form starts with "let ".
type smtForm struct{ integer, signed, float string }

var smtForms = map[prim]smtForm{
	pAdd:      {"(bvadd $1 $2)", "", "(fp.add RNE $1 $2)"},
	pSub:      {"(bvsub $1 $2)", "", "(fp.sub RNE $1 $2)"},
	pMul:      {"(bvmul $1 $2)", "", "(fp.mul RNE $1 $2)"},
	pDiv:      {"(bvudiv $1 $2)", "(bvsdiv $1 $2)", "(fp.div RNE $1 $2)"},
	pRem:      {"(bvurem $1 $2)", "(bvsrem $1 $2)", ""},
	pFloorMod: {"", "(bvsmod $1 $2)", ""},
	pAnd:      {"(bvand $1 $2)", "", ""},
	pOr:       {"(bvor $1 $2)", "", ""},
	pXor:      {"(bvxor $1 $2)", "", ""},
	pAndNot:   {"(bvand $1 (bvnot $2))", "", ""},
	pNot:      {"(bvnot $1)", "", ""},
	pNeg:      {"(bvneg $1)", "", "(fp.neg $1)"},
	pLt:       {"(bvult $1 $2)", "(bvslt $1 $2)", "(fp.lt $1 $2)"},
	pLe:       {"(bvule $1 $2)", "(bvsle $1 $2)", "(fp.leq $1 $2)"},
	pGt:       {"(bvugt $1 $2)", "(bvsgt $1 $2)", "(fp.gt $1 $2)"},
	pGe:       {"(bvuge $1 $2)", "(bvsge $1 $2)", "(fp.geq $1 $2)"},
	pEq:       {"(= $1 $2)", "", "(fp.eq $1 $2)"},
	pNe:       {"(not (= $1 $2))", "", "(not (fp.eq $1 $2))"},
	pMin: {"let (ite (bvult $1 $2) $1 $2)", "let (ite (bvslt $1 $2) $1 $2)",
		"let (ite (or (fp.isNaN $2) (fp.lt $1 $2)) $1 (ite (or (fp.isNaN $1) (fp.lt $2 $1)) $2 (ite (fp.isNegative $1) $1 $2)))"},
	pMax: {"let (ite (bvugt $1 $2) $1 $2)", "let (ite (bvsgt $1 $2) $1 $2)",
		"let (ite (or (fp.isNaN $2) (fp.gt $1 $2)) $1 (ite (or (fp.isNaN $1) (fp.gt $2 $1)) $2 (ite (fp.isNegative $1) $2 $1)))"},
	pAbs:      {"", "", "(fp.abs $1)"},
	pSqrt:     {"", "", "(fp.sqrt RNE $1)"},
	pFma:      {"", "", "(fp.fma RNE $1 $2 $3)"},
	pFloor:    {"", "", "(fp.roundToIntegral RTN $1)"},
	pCeil:     {"", "", "(fp.roundToIntegral RTP $1)"},
	pTrunc:    {"", "", "(fp.roundToIntegral RTZ $1)"},
	pRint:     {"", "", "(fp.roundToIntegral RNE $1)"},
	pIsNaN:    {"", "", "(fp.isNaN $1)"},
	pIsNormal: {"", "", "(fp.isNormal $1)"},
	pMulHigh: {"((_ extract $2w-1 $w) (bvmul ((_ zero_extend $w) $1) ((_ zero_extend $w) $2)))",
		"((_ extract $2w-1 $w) (bvmul ((_ sign_extend $w) $1) ((_ sign_extend $w) $2)))", ""},
}

// primName names an operation in errors.
func primName(p prim) string {
	for _, name := range slices.Sorted(maps.Keys(funcs)) {
		if funcs[name].prim == p {
			return name
		}
	}
	return "this operation"
}

func (s *smtWriter) term(n *node) string {
	t := s.form(n)
	if s.step != nil && n.typ.Base == Float && n.prim > pLet {
		t = s.step(t, n.typ)
	}
	return t
}

func (s *smtWriter) form(n *node) string {
	if s.real != nil {
		if t, ok := s.realTerm(n); ok {
			return t
		}
	}
	switch n.prim {
	case pConst:
		return SMTConst(n.bits, n.typ)
	case pLet:
		return fmt.Sprintf("let.%d", n.src)
	case pSrc:
		return s.args[n.src][max(n.comp, 0)]
	}
	a := make([]string, len(n.args))
	for i, x := range n.args {
		a[i] = s.term(x)
	}
	t := n.args[0].typ
	switch n.prim {
	case pSel:
		return fmt.Sprintf("(ite %s %s %s)", a[0], a[1], a[2])
	case pConv, pConvRTNE, pConvRTZ, pConvRTP, pConvRTN:
		return smtConv(n, t, a[0])
	case pCast:
		return SMTCast(a[0], t, n.typ)
	case pShl, pShr:
		return smtShift(n, a[0], a[1])
	case pAddSat, pSubSat:
		return smtSaturate(n, a[0], a[1])
	case pPopCount, pCLZ, pCTZ, pReverse:
		return smtBits(n, a[0])
	}
	if t.Base == Bool {
		if op := map[prim]string{pAnd: "and", pOr: "or", pNot: "not"}[n.prim]; op != "" {
			return "(" + op + " " + strings.Join(a, " ") + ")"
		}
	}
	form := smtForms[n.prim]
	text := form.integer
	switch {
	case t.Base == Float:
		text = form.float
	case t.Base == Int && form.signed != "":
		text = form.signed
	}
	if text == "" {
		panic(&NoFormula{primName(n.prim)})
	}
	return fill(text, a, t.Bits)
}

// fill substitutes operands and widths in a form.
func fill(text string, a []string, w int) string {
	body, bind := strings.CutPrefix(text, "let ")
	if bind {
		var b strings.Builder
		names := []string{"x!", "y!", "z!"}
		for i, t := range a {
			fmt.Fprintf(&b, "(%s %s)", names[i], t)
		}
		return fmt.Sprintf("(let (%s) %s)", b.String(), fill(body, names[:len(a)], w))
	}
	pairs := []string{"$2w-1", strconv.Itoa(2*w - 1), "$w-1", strconv.Itoa(w - 1), "$w", strconv.Itoa(w)}
	for i, t := range a {
		pairs = append(pairs, "$"+strconv.Itoa(i+1), t)
	}
	return strings.NewReplacer(pairs...).Replace(body)
}

// smtShift converts the amount to the value's width; amounts of the width and more become one
// that shifts everything out.
func smtShift(n *node, x, y string) string {
	w, wy := n.typ.Bits, n.args[1].typ.Bits
	switch {
	case wy < w:
		y = fmt.Sprintf("((_ zero_extend %d) %s)", w-wy, y)
	case wy > w:
		y = fmt.Sprintf("(let ((y! %s)) (ite (bvuge y! (_ bv%d %d)) (_ bv%d %d) ((_ extract %d 0) y!)))", y, w, wy, w, w, w-1)
	}
	op := "bvshl"
	if n.prim == pShr {
		op = "bvlshr"
		if n.typ.Base == Int {
			op = "bvashr"
		}
	}
	return fmt.Sprintf("(%s %s %s)", op, x, y)
}

// smtSaturate adds or subtracts with two extra bits and clamps.
func smtSaturate(n *node, x, y string) string {
	w := n.typ.Bits
	op := "bvadd"
	if n.prim == pSubSat {
		op = "bvsub"
	}
	ext, lo, hi := "zero_extend", "0", mask(w)
	wide := w + 2
	low := fmt.Sprintf("(_ bv%s %d)", lo, wide)
	if n.typ.Base == Int {
		ext, hi = "sign_extend", mask(w)>>1
		low = fmt.Sprintf("(bvneg (_ bv%d %d))", uint64(1)<<(w-1), wide)
	}
	high := fmt.Sprintf("(_ bv%d %d)", hi, wide)
	return fmt.Sprintf("(let ((s! (%s ((_ %s 2) %s) ((_ %s 2) %s)))) ((_ extract %d 0) (ite (bvslt s! %s) %s (ite (bvsgt s! %s) %s s!))))",
		op, ext, x, ext, y, w-1, low, low, high, high)
}

// smtBits expands functions of single bits.
func smtBits(n *node, x string) string {
	w := n.typ.Bits
	bit := func(i int) string { return fmt.Sprintf("((_ extract %d %d) x!)", i, i) }
	var t string
	switch n.prim {
	case pPopCount:
		t = "(bvadd"
		for i := range w {
			t += fmt.Sprintf(" ((_ zero_extend %d) %s)", w-1, bit(i))
		}
		t += ")"
	case pReverse:
		t = "(concat"
		for i := range w {
			t += " " + bit(i)
		}
		t += ")"
	case pCLZ, pCTZ:
		t = fmt.Sprintf("(_ bv%d %d)", w, w)
		for k := w - 1; k >= 0; k-- { // k bits are skipped; the innermost test is the last
			i := k
			if n.prim == pCLZ {
				i = w - 1 - k
			}
			t = fmt.Sprintf("(ite (= %s #b1) (_ bv%d %d) %s)", bit(i), k, w, t)
		}
	}
	return fmt.Sprintf("(let ((x! %s)) %s)", x, t)
}

func smtConv(n *node, from Type, x string) string {
	to := n.typ
	mode := "RNE"
	for _, d := range directions {
		if d.prim == n.prim {
			mode = d.smt
		}
	}
	switch {
	case to.Base == Float:
		if from == to {
			return x
		}
		e, s := to.fields()
		op := "to_fp"
		if from.Base == Uint {
			op = "to_fp_unsigned"
		}
		return fmt.Sprintf("((_ %s %d %d) %s %s)", op, e, s, mode, x)
	case from.Base == Float && to.Base == Int:
		limit := FloatBits(float64(uint64(1)<<(to.Bits-1)), from.Bits)
		return fmt.Sprintf("(let ((x! %s)) (ite (fp.isNaN x!) %s (ite (fp.geq x! %s) %s (ite (fp.leq x! (fp.neg %s)) %s ((_ "+
			"fp.to_sbv %d) RTZ x!)))))",
			x, SMTConst(0, to), SMTConst(limit, from), SMTConst(mask(to.Bits)>>1, to), SMTConst(limit, from), SMTConst(1<<(to.Bits-1),
				to), to.Bits)
	case from.Base == Float:
		limit := FloatBits(2*float64(uint64(1)<<(to.Bits-1)), from.Bits)
		return fmt.Sprintf("(let ((x! %s)) (ite (fp.gt x! %s) (ite (fp.geq x! %s) %s ((_ fp.to_ubv %d) RTZ x!)) %s))",
			x, SMTConst(0, from), SMTConst(limit, from), SMTConst(mask(to.Bits), to), to.Bits, SMTConst(0, to))
	case to.Bits < from.Bits:
		return fmt.Sprintf("((_ extract %d 0) %s)", to.Bits-1, x)
	case to.Bits == from.Bits:
		return x
	case from.Base == Int:
		return fmt.Sprintf("((_ sign_extend %d) %s)", to.Bits-from.Bits, x)
	}
	return fmt.Sprintf("((_ zero_extend %d) %s)", to.Bits-from.Bits, x)
}
