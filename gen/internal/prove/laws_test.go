// SPDX-License-Identifier: MIT

package prove

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/tests/suite/fold"
)

// lawOps are the operations that lawText defines: the operation that each represents, and the uninterpreted functions.
var lawOps = []struct {
	op, opcode string
	args       int
}{{"mul", "fmul", 2}, {"div", "fdiv", 2}, {"add", "fadd", 2}, {"sub", "fsub", 2}, {"sqrt", "fsqrt", 1}, {"fma", "ffma", 3}}

// sexpr is an atom or a list.
type sexpr struct {
	atom string
	list []sexpr
}

func parseSexprs(t *testing.T, text string) []sexpr {
	t.Helper()
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	stack := [][]sexpr{nil}
	for _, w := range words {
		switch w {
		case "(":
			stack = append(stack, nil)
		case ")":
			top := len(stack) - 1
			stack[top-1] = append(stack[top-1], sexpr{list: stack[top]})
			stack = stack[:top]
		default:
			stack[len(stack)-1] = append(stack[len(stack)-1], sexpr{atom: w})
		}
		if len(stack) == 0 {
			t.Fatal("parentheses do not match")
		}
	}
	return stack[0]
}

// lawMachine evaluates lawText on floats of a few bits, encoded as in IEEE 754-2008
// section 3.4. Arithmetic is the exact one of tests/suite/fold.
type lawMachine struct {
	bits, frac int
	defs       map[string]sexpr
	memo       map[string]uint64
}

func (m *lawMachine) inf() uint64         { return 1<<(m.bits-1) - 1<<m.frac }
func (m *lawMachine) abs(x uint64) uint64 { return x &^ (1 << (m.bits - 1)) }
func (m *lawMachine) nan(x uint64) bool   { return m.abs(x) > m.inf() }
func (m *lawMachine) neg(x uint64) uint64 { return x ^ 1<<(m.bits-1) }

// arith returns the operation of an opcode; a single NaN represents all.
func (m *lawMachine) arith(opcode string, args ...uint64) uint64 {
	key := fmt.Sprint(opcode, args)
	if len(args) < 3 {
		if v, ok := m.memo[key]; ok {
			return v
		}
	}
	src := make([][]uint64, len(args))
	for i := range args {
		src[i] = args[i : i+1]
	}
	out, ok := fold.Define(opcode, m.bits, src)
	if !ok {
		panic(opcode)
	}
	if len(args) < 3 {
		m.memo[key] = out[0]
	}
	return out[0]
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (m *lawMachine) eval(e sexpr, env map[string]uint64) uint64 {
	if e.list == nil {
		switch e.atom {
		case "1!":
			return m.arith("fsat", m.inf())
		case "0!":
			return 0
		case "NaN!":
			return m.inf() | 1<<(m.frac-1)
		}
		v, ok := env[e.atom]
		if !ok {
			panic("unbound " + e.atom)
		}
		return v
	}
	name := e.list[0].atom
	switch name {
	case "let":
		inner := map[string]uint64{}
		for k, v := range env {
			inner[k] = v
		}
		for _, b := range e.list[1].list {
			inner[b.list[0].atom] = m.eval(b.list[1], env)
		}
		return m.eval(e.list[2], inner)
	case "ite":
		if m.eval(e.list[1], env) != 0 {
			return m.eval(e.list[2], env)
		}
		return m.eval(e.list[3], env)
	}
	var a []uint64
	for _, x := range e.list[1:] {
		a = append(a, m.eval(x, env))
	}
	// Magnitudes are ordered like their encodings.
	key := func(x uint64) int64 {
		if x>>(m.bits-1) != 0 {
			return -int64(m.abs(x))
		}
		return int64(x)
	}
	switch name {
	case "or":
		r := uint64(0)
		for _, x := range a {
			r |= x
		}
		return r
	case "and":
		return a[0] & a[1]
	case "xor":
		return a[0] ^ a[1]
	case "=":
		return truth(a[0] == a[1])
	case "fp.isNaN":
		return truth(m.nan(a[0]))
	case "fp.isInfinite":
		return truth(m.abs(a[0]) == m.inf())
	case "fp.isZero":
		return truth(m.abs(a[0]) == 0)
	case "fp.isNegative":
		return truth(!m.nan(a[0]) && a[0]>>(m.bits-1) != 0)
	case "fp.abs":
		if m.nan(a[0]) {
			return a[0]
		}
		return m.abs(a[0])
	case "fp.neg":
		if m.nan(a[0]) {
			return a[0]
		}
		return m.neg(a[0])
	case "fp.leq", "fp.geq":
		if m.nan(a[0]) || m.nan(a[1]) {
			return 0
		}
		return truth((name == "fp.leq") == (key(a[0]) < key(a[1])) || key(a[0]) == key(a[1]))
	case "s.fma.W": // the sign of a zero of ±(p q) + z
		p := a[0]
		if a[2] != 0 {
			p = m.neg(p)
		}
		return m.arith("ffma", p, a[1], a[3]) >> (m.bits - 1)
	}
	if d, ok := m.defs[name]; ok { // (define-fun name ((x F!) …) F! body)
		env := map[string]uint64{}
		for i, p := range d.list[2].list {
			env[p.list[0].atom] = a[i]
		}
		return m.eval(d.list[4], env)
	}
	for _, o := range lawOps {
		if name == "u."+o.op+".W" {
			return m.arith(o.opcode, a...)
		}
	}
	panic("no meaning for " + name)
}

func newLawMachine(t *testing.T, bits, frac int, text string) *lawMachine {
	m := &lawMachine{bits: bits, frac: frac, defs: map[string]sexpr{}, memo: map[string]uint64{}}
	for _, d := range parseSexprs(t, text) {
		if d.list[0].atom == "define-fun" {
			m.defs[d.list[1].atom] = d
		}
	}
	return m
}

// differs searches for operands on which a law differs from the operation.
func (m *lawMachine) differs(op, opcode string, args int) string {
	a := make([]uint64, args)
	canonical := m.inf() | 1<<(m.frac-1)
	for n := range uint64(1) << (m.bits * args) {
		nan := false
		for i := range a {
			a[i] = n >> (i * m.bits) & (1<<m.bits - 1)
			nan = nan || m.nan(a[i]) && a[i] != canonical
		}
		if nan {
			continue // one NaN represents all
		}
		env := map[string]uint64{}
		call := sexpr{list: []sexpr{{atom: "abs." + op + ".W"}}}
		for i, x := range a {
			name := string(rune('a' + i))
			env[name] = x
			call.list = append(call.list, sexpr{atom: name})
		}
		if got, want := m.eval(call, env), m.arith(opcode, a...); got != want {
			return fmt.Sprintf("%s%#x = %#x, by the law %#x", opcode, a, want, got)
		}
	}
	return ""
}

// TestAlgebraicLaws: the laws in lawText hold for the operations themselves,
// for all 8-bit floats with four exponent bits, and with three
// operands for all 5-bit floats with two exponent bits.
func TestAlgebraicLaws(t *testing.T) {
	for _, o := range lawOps {
		t.Run(o.op, func(t *testing.T) {
			m := newLawMachine(t, 8, 3, lawText)
			if o.args > 2 {
				m = newLawMachine(t, 5, 2, lawText)
			}
			if d := m.differs(o.op, o.opcode, o.args); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestWrongLaws: wrong laws are detected.
func TestWrongLaws(t *testing.T) {
	for _, w := range []struct{ op, right, wrong string }{
		{"add", "(ite (fp.isInfinite p) NaN! 0!)", "(ite (fp.isInfinite p) NaN! (fp.neg 0!))"},
		{"add", "(ite (fp.isInfinite p) NaN! 0!)", "0!"},
		{"add", "(zero.W (and (fp.isNegative x) (fp.isNegative y))) p)", "p p)"},
		{"mul", "(signed.W (xor ", "(signed.W (or "},
		{"div", "(= (fp.abs y) 1!)", "(= (fp.abs x) 1!)"},
		{"fma", "(ite (= z (fp.neg 0!)) m", "(ite (= z 0!) m"},
		{"fma", "(ite (= z 0!) (ite (fp.isZero m) zero m)", "(ite (= z 0!) m"},
		{"sqrt", "(ite (fp.isNaN x) NaN! (u.sqrt.W x))", "(u.sqrt.W (fp.abs x))"},
	} {
		text := strings.ReplaceAll(lawText, w.right, w.wrong)
		if text == lawText {
			t.Errorf("%s: %q does not occur", w.op, w.right)
			continue
		}
		for _, o := range lawOps {
			if o.op == w.op && newLawMachine(t, 5, 2, text).differs(o.op, o.opcode, o.args) == "" {
				t.Errorf("%s: %q for %q is not found out", w.op, w.wrong, w.right)
			}
		}
	}
}

// TestLawsHalf asks z3 the same at half precision. Multiplication, division and
// fusing take it too long; TestAlgebraicLaws checks them. A difference is a sum by its law.
func TestLawsHalf(t *testing.T) {
	z3 := solver(t)
	half := eval.Type{Base: eval.Float, Bits: 16}
	fill := strings.NewReplacer("F!", half.SMTSort(), ".W", ".16",
		"1!", eval.SMTConst(eval.FloatBits(1, 16), half), "0!", eval.SMTConst(0,
			half), "NaN!", eval.SMTConst(eval.FloatBits(math.NaN(), 16), half))
	for _, o := range lawOps {
		if o.op != "add" && o.op != "sqrt" {
			continue
		}
		var lines []string
		for _, l := range strings.Split(lawText, "\n") {
			for _, u := range lawOps { // the uninterpreted functions become what they represent
				params := []string{"a", "b", "c"}[:u.args]
				if strings.HasPrefix(l, "(declare-fun u."+u.op+".W ") {
					l = fmt.Sprintf("(define-fun u.%s.W ((%s F!)) F! (fp.%s RNE %s))", u.op, strings.Join(params, " F!) ("), u.op,
						strings.Join(params, " "))
				}
			}
			lines = append(lines, fill.Replace(l))
		}
		vars := []string{"x0", "x1", "x2"}[:o.args]
		for _, v := range vars {
			lines = append(lines, fmt.Sprintf("(declare-fun %s () %s)", v, half.SMTSort()))
		}
		args := strings.Join(vars, " ")
		lines = append(lines, fmt.Sprintf("(assert (not (= (abs.%s.16 %s) (fp.%s RNE %s))))", o.op, args, o.op, args))
		ans, err := z3.ask(t.Context(), lines, nil, 20_000_000)
		if err != nil || ans.verdict != "unsat" {
			t.Errorf("%s: %s %v", o.op, ans.verdict, err)
		}
	}
}
