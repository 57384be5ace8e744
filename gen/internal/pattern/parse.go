// SPDX-License-Identifier: MIT

package pattern

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/opcodes"
)

// Lookup resolves a name after an opening parenthesis.
type Lookup interface {
	// Opcode returns the ALU opcode of that name, or nil.
	Opcode(name string) *opcodes.Op
	// Intrinsic returns the number of operands of the intrinsic of that name;
	// ok is false if there is none or intrinsics are not allowed here.
	Intrinsic(name string) (operands int, ok bool)
	// Names yields the known names, for messages.
	Names() iter.Seq[string]
}

// Opcodes is a Lookup without intrinsics.
type Opcodes struct{ *opcodes.Table }

// Opcode returns an opcode by name.
func (o Opcodes) Opcode(name string) *opcodes.Op { return o.ByName(name) }

// Intrinsic returns false: there are no intrinsics.
func (o Opcodes) Intrinsic(string) (int, bool) { return 0, false }

// Limits on the size of an expression. A matcher tries both orders of each commutative
// instruction, so the cost is exponential in the number of such instructions.
const (
	MaxDepth    = 24 // nesting of instructions
	MaxOps      = 64 // instructions
	MaxCommutes = 8  // commutative instructions of a pattern to match
)

// Parse parses one expression.
func Parse(text string, look Lookup) (*Node, error) {
	p := &reader{text: text, look: look}
	n, err := p.expr()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.text) {
		return nil, p.errorf("unexpected %q after the expression", p.text[p.pos:])
	}
	return n, nil
}

type reader struct {
	text  string
	pos   int
	depth int
	ops   int
	look  Lookup
}

func (p *reader) errorf(format string, args ...any) error {
	return &Error{p.pos + 1, fmt.Sprintf(format, args...)}
}

func (p *reader) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// word reads everything up to a separator.
func (p *reader) word() string {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\r()", p.text[p.pos]) < 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

func (p *reader) expr() (*Node, error) {
	p.space()
	if p.pos == len(p.text) {
		return nil, p.errorf("an expression is missing")
	}
	at := p.pos
	if p.text[p.pos] == ')' {
		return nil, p.errorf("unexpected )")
	}
	if p.text[p.pos] != '(' {
		n, err := p.leaf(p.word(), at)
		return n, err
	}
	if p.depth++; p.depth > MaxDepth {
		return nil, p.errorf("instructions nested more than %d deep", MaxDepth)
	}
	defer func() { p.depth-- }()
	if p.ops++; p.ops > MaxOps {
		return nil, p.errorf("more than %d instructions", MaxOps)
	}
	p.pos++
	p.space()
	opAt := p.pos
	n := &Node{Kind: Op, Col: at + 1}
	rest, err := p.suffixes(n, p.word(), opAt)
	if err != nil {
		return nil, err
	}
	n.Name = rest
	if n.Name == "" {
		return nil, &Error{opAt + 1, "the name of an opcode is missing after ("}
	}
	for {
		p.space()
		if p.pos == len(p.text) {
			return nil, &Error{at + 1, "( without )"}
		}
		if p.text[p.pos] == ')' {
			p.pos++
			break
		}
		a, err := p.expr()
		if err != nil {
			return nil, err
		}
		a.Parent = n
		n.Args = append(n.Args, a)
	}
	if o := p.look.Opcode(n.Name); o != nil {
		n.Code = o
		if len(n.Args) != len(o.Srcs) {
			return nil, &Error{opAt + 1, fmt.Sprintf("%s takes %s, not %d", n.Name, count(len(o.Srcs), "operand"), len(n.Args))}
		}
		return n, nil
	}
	if want, ok := p.look.Intrinsic(n.Name); ok {
		if len(n.Args) != 0 && len(n.Args) != want {
			return nil, &Error{opAt + 1, fmt.Sprintf("%s takes %s, not %d", n.Name, count(want, "operand"), len(n.Args))}
		}
		return n, nil
	}
	return nil, &Error{opAt + 1, diag.Unknown("opcode", n.Name, p.look.Names())}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// suffixes removes @sizes and :predicates from a word.
func (p *reader) suffixes(n *Node, w string, at int) (string, error) {
	if i := strings.IndexByte(w, ':'); i >= 0 {
		for _, pred := range strings.Split(w[i+1:], ":") {
			if !identifier.MatchString(pred) {
				return "", &Error{at + i + 1, fmt.Sprintf("%q cannot name a predicate", pred)}
			}
			n.Preds = append(n.Preds, pred)
		}
		w = w[:i]
	}
	if i := strings.IndexByte(w, '@'); i >= 0 {
		for _, t := range strings.Split(w[i+1:], "|") {
			v, err := strconv.Atoi(t)
			if err != nil || SizeSet(v) == 0 {
				return "", &Error{at + i + 1, fmt.Sprintf("%q is not a bit size; sizes are 1, 8, 16, 32 and 64", t)}
			}
			n.Sizes |= SizeSet(v)
		}
		w = w[:i]
	}
	return w, nil
}

var (
	identifier = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	swizzle    = regexp.MustCompile(`^[xyzw]{1,4}$`)
	intLit     = regexp.MustCompile(`^-?(0x[0-9a-fA-F]+|[0-9]+)$`)
	floatLit   = regexp.MustCompile(`^-?([0-9]+\.[0-9]+(e[+-]?[0-9]+)?|0x[0-9a-fA-F.]+p[+-]?[0-9]+)$`)
)

func (p *reader) leaf(w string, at int) (*Node, error) {
	n := &Node{Col: at + 1}
	// A swizzle is at the very end, after predicates.
	text := w
	if i := strings.LastIndexByte(text, '.'); i > 0 && swizzle.MatchString(text[i+1:]) {
		n.Swz = text[i+1:]
		text = text[:i]
	}
	text, err := p.suffixes(n, text, at)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(text, "#") {
		n.Const = true
		text = text[1:]
	}
	if strings.HasPrefix(text, "?") {
		n.May = text[1:]
	}
	n.Name = text
	if n.literal(text) {
		if n.Const || n.Swz != "" || len(n.Preds) > 0 {
			return nil, errAt(n, "a literal takes no #, predicate or swizzle")
		}
		return n, nil
	}
	if !identifier.MatchString(text) && !(n.May != "" && !n.Const && identifier.MatchString(n.May)) {
		return nil, errAt(n, "%q is neither a variable nor a number", w)
	}
	n.Kind = Var
	return n, nil
}

func (n *Node) literal(t string) bool {
	switch t {
	case "true", "false":
		n.Kind, n.LitKind = Lit, LitBool
		if t == "true" {
			n.Int = 1
		}
		return true
	case "inf", "-inf", "nan":
		n.Kind, n.LitKind = Lit, LitFloat
		n.Float = map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN()}[t]
		return true
	}
	switch {
	case intLit.MatchString(t):
		v, err := strconv.ParseUint(strings.TrimPrefix(t, "-"), 0, 64)
		if err != nil {
			return false
		}
		n.Kind, n.LitKind = Lit, LitInt
		n.Int, n.Neg = v, t[0] == '-'
		return true
	case floatLit.MatchString(t):
		v, err := strconv.ParseFloat(t, 64)
		if err != nil {
			return false
		}
		n.Kind, n.LitKind, n.Float = Lit, LitFloat, v
		return true
	}
	return false
}
