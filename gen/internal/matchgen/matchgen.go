// SPDX-License-Identifier: MIT

package matchgen

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
)

// Matcher writes the code for one pattern. The code runs in a function that
// has the shader as s and the root instruction as v.
type Matcher struct {
	Typing *pattern.Typing
	// Fail is the code of a failed match outside all loops.
	Fail jen.Code
	// Check writes the checks of a node's predicates. expr is the Go name of
	// the operand (an ir.Src; a variable may be rebound by returning another
	// name). It may be nil.
	Check func(m *Matcher, n *pattern.Node, expr string) (string, error)

	Bound   map[string]string        // variable → Go expression of its ir.Src
	Values  map[*pattern.Node]string // matched instruction → its Go name
	Order   []*pattern.Node          // the matched instructions, root first
	Src     map[*pattern.Node]string // node below the root → Go name of the operand
	Shader  bool                     // the code uses the shader
	code    []jen.Code               // inside the loops
	loops   []loop
	next    int
	checked map[int]bool
}

// loop is a loop around the code.
type loop struct {
	clause string
	before []jen.Code
}

var namesShader = regexp.MustCompile(`\bs[.,]`)

func (m *Matcher) text(format string, args []any) string {
	text := fmt.Sprintf(format, args...)
	m.Shader = m.Shader || namesShader.MatchString(text)
	return text
}

// Add writes a simple statement.
func (m *Matcher) Add(format string, args ...any) {
	m.Stmt(emit.Go(m.text(format, args)))
}

// Stmt writes a statement.
func (m *Matcher) Stmt(c jen.Code) { m.code = append(m.code, c) }

// Failing writes "if cond { fail }".
func (m *Matcher) Failing(format string, args ...any) {
	m.Stmt(emit.If(m.text(format, args), m.fail()))
}

// Fresh returns a Go name that is not used yet.
func (m *Matcher) Fresh(prefix string) string {
	m.next++
	return fmt.Sprintf("%s%d", prefix, m.next)
}

func (m *Matcher) fail() jen.Code {
	if len(m.loops) > 0 {
		return emit.Go("continue")
	}
	return m.Fail
}

// loop starts a loop around the code that follows.
func (m *Matcher) loop(clause string) {
	m.loops = append(m.loops, loop{clause, m.code})
	m.code = nil
}

// Code ends the loops and returns the code. After loops the match fails.
func (m *Matcher) Code() []jen.Code {
	out := m.code
	for i := len(m.loops) - 1; i >= 0; i-- {
		l := &m.loops[i]
		out = append(l.before, emit.For(l.clause, out...))
	}
	if len(m.loops) > 0 {
		out = append(out, m.Fail)
	}
	return out
}

// Match writes the checks for a pattern whose root is the instruction v, which
// is known to have the right opcode.
func (m *Matcher) Match(find *pattern.Node) error {
	m.Bound = map[string]string{}
	m.Values = map[*pattern.Node]string{}
	m.Src = map[*pattern.Node]string{}
	m.checked = map[int]bool{}
	return m.op(find, "v", "")
}

// MatchUnder writes the checks for the only argument of a pseudo-instruction;
// src is its Go expression.
func (m *Matcher) MatchUnder(find *pattern.Node, src string) error {
	m.Bound = map[string]string{}
	m.Values = map[*pattern.Node]string{}
	m.Src = map[*pattern.Node]string{}
	m.checked = map[int]bool{}
	a := find.Args[0]
	x := m.Fresh("x")
	m.Src[a] = x
	m.Add("%s := %s", x, src)
	switch a.Kind {
	case pattern.Lit:
		m.literal(a, x)
		return nil
	case pattern.Var:
		return m.variable(a, x)
	}
	w := m.Fresh("w")
	m.Add("%s := pat.Def(s, %s, op.%s)", w, x, a.Code.GoName)
	m.Failing("%s == 0", w)
	return m.op(a, w, x)
}

// Bits returns a Go expression for the size of the values of a class: the size of a bound variable or of a matched
// instruction in it, or of the root if there is none.
func (m *Matcher) Bits(class int) string {
	root := m.Typing.Root(class)
	for _, n := range m.Order {
		if m.Values[n] == "v" && n.Code != nil && m.Typing.Root(n.Class) == root {
			return "s.At(v).Bits"
		}
	}
	for _, v := range m.Typing.Vars {
		if m.Typing.Root(v.Class) == root {
			return fmt.Sprintf("pat.Bits(s, %s)", m.Bound[v.Name])
		}
	}
	for _, n := range m.Order {
		if m.Typing.Root(n.Class) == root {
			return fmt.Sprintf("s.At(%s).Bits", m.Values[n])
		}
		// A literal operand has the size of its instruction's operands.
		if n.Exec >= 0 && m.Typing.Root(n.Exec) == root {
			for _, a := range n.Args {
				if m.Typing.Root(a.Class) == root {
					return fmt.Sprintf("pat.Bits(s, %s)", m.Src[a])
				}
			}
		}
	}
	return "s.At(v).Bits"
}

// op writes the remaining checks of an instruction whose opcode has been checked: its own predicates,
// and the checks of its operands. through is the operand by which it was reached, "" at the root.
func (m *Matcher) op(n *pattern.Node, val, through string) error {
	m.Values[n] = val
	m.Order = append(m.Order, n)
	if err := m.preds(n, through); err != nil {
		return err
	}
	if len(n.Args) == 0 {
		return nil
	}
	index := make([]string, len(n.Args))
	for i := range index {
		index[i] = fmt.Sprint(i)
	}
	if n.Commutes() && OrderMatters(m.Typing, n) {
		c := m.Fresh("c")
		m.loop(c + " := range 2")
		index[0], index[1] = c, "1-"+c
	}
	names := make([]string, len(n.Args))
	for i, a := range n.Args {
		names[i] = m.Fresh("x")
		m.Src[a] = names[i]
		if through == "" {
			m.Add("%s := s.Src(%s, %s)", names[i], val, index[i])
		} else {
			m.Add("%s := pat.Sub(s, %s, %s, %s)", names[i], through, val, index[i])
		}
	}
	if i := immediate(n); i >= 0 && index[0] != "0" {
		// Skip the first order if it would put the constant where an
		// immediate is not allowed.
		m.Failing("%s == 0 && pat.IsConst(s, %s) && !pat.IsConst(s, %s)", index[0], names[1-i], names[i])
	}
	if err := m.size(n, names); err != nil {
		return err
	}
	// The checks that reject fastest come first: constants and opcodes, then repeated
	// variables, then the nodes below.
	below := make([]string, len(n.Args))
	for i, a := range n.Args {
		switch {
		case a.Kind == pattern.Lit:
			m.literal(a, names[i])
		case a.Kind == pattern.Op:
			below[i] = m.Fresh("w")
			m.Add("%s := pat.Def(s, %s, op.%s)", below[i], names[i], a.Code.GoName)
			m.Failing("%s == 0", below[i])
		case a.Const:
			m.Failing("!pat.IsConst(s, %s)", names[i])
		}
	}
	for i, a := range n.Args {
		if a.Kind == pattern.Var {
			if err := m.variable(a, names[i]); err != nil {
				return err
			}
		}
	}
	for i, a := range n.Args {
		if a.Kind == pattern.Op {
			if err := m.op(a, below[i], names[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// immediate returns the index of the only one of two commuting operands that may be an immediate, or -1 if both or
// neither may.
func immediate(n *pattern.Node) int {
	if !n.Commutes() {
		return -1
	}
	x, y := slices.Contains(n.Args[0].Preds, "imm"), slices.Contains(n.Args[1].Preds, "imm")
	switch {
	case x && !y && !n.Args[0].Const:
		return 0
	case y && !x && !n.Args[1].Const:
		return 1
	}
	return -1
}

// OrderMatters reports whether trying both orders of a commutative instruction's
// operands can yield different matches: not when both are unconstrained variables
// that occur only here, or the same unconstrained variable.
func OrderMatters(t *pattern.Typing, n *pattern.Node) bool {
	for _, a := range n.Args[:2] {
		if a.Kind != pattern.Var || a.Const || a.Swz != "" || len(a.Preds) > 0 {
			return true
		}
		if t.Var(a.Name).Uses > 1 && n.Args[0].Name != n.Args[1].Name {
			return true
		}
	}
	return false
}

// size checks the execution size if the pattern allows fewer sizes than the
// opcode.
func (m *Matcher) size(n *pattern.Node, names []string) error {
	if n.Exec < 0 {
		return nil
	}
	root := m.Typing.Found(n.Exec)
	set := m.Typing.Set(n.Exec)
	if m.checked[root] || set == pattern.SizeSet(n.Code.Sizes...) {
		return nil
	}
	for i, o := range n.Code.Srcs {
		if o.Bits == 0 {
			m.checked[root] = true
			if one := set.One(); one != 0 {
				m.Failing("pat.Bits(s, %s) != %d", names[i], one)
			} else {
				m.Failing("!pat.SizeIn(pat.Bits(s, %s), %s)", names[i], GoSizes(set))
			}
			return nil
		}
	}
	return nil
}

// GoSizes returns a set of sizes as an expression of type op.Sizes.
func GoSizes(s pattern.Sizes) string {
	var parts []string
	for _, n := range s.List() {
		parts = append(parts, fmt.Sprintf("op.Size%d", n))
	}
	return strings.Join(parts, "|")
}

func (m *Matcher) literal(n *pattern.Node, x string) {
	if n.LitKind == pattern.LitFloat {
		h, f, d := FloatLit(n.Float)
		m.Failing("!pat.IsFloat(s, %s, %#x, %#x, %#x)", x, h, f, d)
		return
	}
	v := n.Int
	if n.Neg {
		v = -v
	}
	m.Failing("!pat.IsInt(s, %s, %#x)", x, v)
}

// FloatLit returns the bits of a float literal at 16, 32 and 64 bits.
func FloatLit(f float64) (h uint16, s uint32, d uint64) {
	n := pattern.Node{Kind: pattern.Lit, LitKind: pattern.LitFloat, Float: f}
	hb, _ := n.Bits(16)
	return uint16(hb), math.Float32bits(float32(f)), math.Float64bits(f)
}

func (m *Matcher) variable(n *pattern.Node, x string) error {
	if n.Swz != "" {
		m.Failing("!pat.Reads(%s, %#x)", x, Swizzle(n.Swz))
		w := m.Fresh("a")
		m.Add("%s := pat.Whole(s, %s)", w, x)
		x = w
	}
	if old, ok := m.Bound[n.Name]; ok {
		m.Failing("!pat.Same(%s, %s)", old, x)
	}
	if m.Check != nil && len(n.Preds) > 0 {
		y, err := m.Check(m, n, x)
		if err != nil {
			return err
		}
		x = y
	}
	if _, ok := m.Bound[n.Name]; !ok {
		m.Bound[n.Name] = x
	}
	return nil
}

func (m *Matcher) preds(n *pattern.Node, through string) error {
	if m.Check == nil || len(n.Preds) == 0 {
		return nil
	}
	_, err := m.Check(m, n, through)
	return err
}

// Swizzle returns a swizzle as encoded in the IR; its last component is repeated, so
// that one letter is a broadcast.
func Swizzle(names string) uint32 {
	var z uint32
	for i := range 8 {
		c := strings.IndexByte("xyzw", names[min(i, len(names)-1)])
		z |= uint32(c) << (4 * i)
	}
	return z
}

// IsFloatOp reports whether an opcode operates on floats, so that the float mask of its
// instruction matters.
func IsFloatOp(o *opcodes.Op) bool {
	if o == nil {
		return false
	}
	if o.Out.Base == eval.Float {
		return true
	}
	for _, s := range o.Srcs {
		if s.Base == eval.Float {
			return true
		}
	}
	return false
}
