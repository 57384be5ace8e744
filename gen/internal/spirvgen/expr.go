// SPDX-License-Identifier: MIT

package spirvgen

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// Kinds of nodes, as in generated/spirvtab.
const (
	nodeArg = iota
	nodeOp
	nodeConst
)

// The ways in which a node selects its opcode.
const (
	pickFixed = iota
	pickBits  // op*: by the bits of the result
	pickComps // op#: by the components of the first source
)

// node is one step of a program. Its sources are earlier nodes.
type node struct {
	kind, pick int
	op         int // opcode, or row of families
	src        []int
	arg        int
	swizzle    string
	bits       int  // arg: convert to this size; const: its size; 0 means as a
	signed     bool // arg: a signed integer, which saturates
	imm        int  // row of constants
}

func (n node) key() string { return fmt.Sprintf("%+v", n) }

// constant is a literal at each size.
type constant struct {
	f16 uint16
	f32 uint32
	f64 uint64
}

// program is an expression as a list of nodes; the last is the result.
type program struct {
	args  int
	nodes []node
}

// compiler compiles the expressions of all rows to programs that share opcode
// families and constants.
type compiler struct {
	t         *tables
	programs  []program
	families  [][4]int // opcode + 1, or 0 if none
	familyOf  map[string]int
	constants []constant
	constOf   map[constant]int
	index     map[string]int // program by its text
	said      map[string]bool
}

// expr is one expression being compiled.
type expr struct {
	c     *compiler
	pos   diag.Pos
	row   string
	nodes []node
	seen  map[string]int
	depth int
	work  int // expressions parsed so far
}

// maxWork limits the expansion of a row by functions that call one another.
const maxWork = 4096

// bad is an error, in the row or in a function that it calls.
type bad struct {
	pos      diag.Pos
	row, msg string
}

// compile returns the number of the program for an expression over args
// operands, counted from 1.
func (c *compiler) compile(pos diag.Pos, row, text string, args int) (num int) {
	e := &expr{c: c, pos: pos, row: row, seen: map[string]int{}}
	defer func() {
		if r := recover(); r != nil {
			b, ok := r.(bad)
			if !ok {
				panic(r)
			}
			if said := b.row + b.msg; !c.said[said] { // once for a function, not for each call
				c.said[said] = true
				c.t.errs.Addf(b.pos, b.row, "%s", b.msg)
			}
			num = 0
		}
	}()
	params := make([]int, args)
	names := map[string]int{}
	if !strings.ContainsAny(text, "( \n") { // the name of an opcode alone
		op := text
		text = "(" + op
		for i := range args {
			text += " " + string(rune('a'+i))
		}
		text += ")"
	}
	for i := range params {
		params[i] = e.add(node{kind: nodeArg, arg: i})
		names[string(rune('a'+i))] = params[i]
	}
	e.body(text, names)
	if len(e.nodes) > 64 {
		e.fail("the expression has %d steps, more than 64", len(e.nodes))
	}
	key := fmt.Sprint(args, e.nodes)
	if n, ok := c.index[key]; ok {
		return n
	}
	c.programs = append(c.programs, program{args, e.nodes})
	c.index[key] = len(c.programs)
	return len(c.programs)
}

func (e *expr) fail(format string, args ...any) {
	panic(bad{e.pos, e.row, fmt.Sprintf(format, args...)})
}

// add appends a node, or returns an existing equal one.
func (e *expr) add(n node) int {
	k := n.key()
	if i, ok := e.seen[k]; ok {
		return i
	}
	e.nodes = append(e.nodes, n)
	e.seen[k] = len(e.nodes) - 1
	return len(e.nodes) - 1
}

// body compiles lines "name = expression" and a last expression.
func (e *expr) body(text string, names map[string]int) int {
	if e.depth++; e.depth > 8 {
		e.fail("functions call one another more than 8 deep")
	}
	defer func() { e.depth-- }()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		name, rest, isLet := strings.Cut(l, " = ")
		if !isLet {
			rest = l
		}
		p := &parser{e: e, text: rest, names: names}
		v := p.expr()
		if p.space(); p.text != "" {
			e.fail("%q: text after the expression: %q", l, p.text)
		}
		if i == len(lines)-1 {
			if isLet {
				e.fail("the last line must be the result, without a name")
			}
			return v
		}
		if !isLet {
			e.fail("%q: only the last line has no name", l)
		}
		names[name] = v
	}
	e.fail("empty expression")
	return 0
}

type parser struct {
	e     *expr
	text  string
	names map[string]int
}

func (p *parser) space() { p.text = strings.TrimLeft(p.text, " ") }

func (p *parser) word() string {
	p.space()
	n := strings.IndexAny(p.text, " ()")
	if n < 0 {
		n = len(p.text)
	}
	w := p.text[:n]
	p.text = p.text[n:]
	return w
}

func (p *parser) expr() int {
	if p.e.work++; p.e.work > maxWork {
		p.e.fail("the expression and the functions that it calls have more than %d parts", maxWork)
	}
	p.space()
	if !strings.HasPrefix(p.text, "(") {
		return p.atom(p.word())
	}
	p.text = p.text[1:]
	head := p.word()
	callee := ""
	if head == "call" {
		callee = p.word()
	}
	var src []int
	for p.space(); ; p.space() {
		if p.text == "" {
			p.e.fail("missing )")
		}
		if p.text[0] == ')' {
			p.text = p.text[1:]
			break
		}
		src = append(src, p.expr())
	}
	if callee != "" {
		return p.call(callee, src)
	}
	n := node{kind: nodeOp, src: src}
	var want int
	n.pick, n.op, want = p.e.opcode(head)
	if want != len(src) {
		p.e.fail("%s has %d sources, not %d", head, want, len(src))
	}
	return p.e.add(n)
}

func (p *parser) call(name string, src []int) int {
	f := p.e.c.t.functions[name]
	if f == nil {
		p.e.fail("%s", diag.Unknown("function", name, maps.Keys(p.e.c.t.functions)))
	}
	if f.Val.Args != len(src) {
		p.e.fail("%s has %d arguments, not %d", name, f.Val.Args, len(src))
	}
	names := map[string]int{}
	for i, s := range src {
		names[string(rune('a'+i))] = s
	}
	pos, row := p.e.pos, p.e.row
	p.e.pos, p.e.row = f.At("to"), f.Full
	n := p.e.body(f.Val.To, names)
	p.e.pos, p.e.row = pos, row
	return n
}

// atom parses a name, an operand with a size or a swizzle, or a literal.
func (p *parser) atom(w string) int {
	if v, ok := p.names[w]; ok {
		return v
	}
	if name, size, ok := strings.Cut(w, "@"); ok {
		v, known := p.names[name]
		digits, signed := strings.CutPrefix(size, "s")
		bits, err := strconv.Atoi(digits)
		if known && err == nil && p.e.nodes[v].kind == nodeArg {
			return p.e.add(node{kind: nodeArg, arg: p.e.nodes[v].arg, bits: bits, signed: signed})
		}
	}
	if name, swz, ok := strings.Cut(w, "."); ok && name != "" && strings.Trim(swz, "xyzw") == "" {
		if v, known := p.names[name]; known && p.e.nodes[v].kind == nodeArg {
			return p.e.add(node{kind: nodeArg, arg: p.e.nodes[v].arg, swizzle: swz})
		}
	}
	f, err := strconv.ParseFloat(w, 64)
	if err != nil || !strings.Contains(w, ".") && w != "inf" {
		p.e.fail("%q is not an operand, name or float literal", w)
	}
	return p.e.add(node{kind: nodeConst, imm: p.e.c.constant(f)})
}

func (c *compiler) constant(f float64) int {
	k := constant{float16(f), math.Float32bits(float32(f)), math.Float64bits(f)}
	if i, ok := c.constOf[k]; ok {
		return i
	}
	c.constants = append(c.constants, k)
	c.constOf[k] = len(c.constants) - 1
	return len(c.constants) - 1
}

// opcode resolves an ALU opcode, or a family of them: name* by bits, name# by
// components.
func (e *expr) opcode(name string) (pick, op, sources int) {
	t := e.c.t
	suffix := [4]string{"8", "16", "32", "64"}
	switch {
	case strings.HasSuffix(name, "*"):
		pick = pickBits
	case strings.HasSuffix(name, "#"):
		pick = pickComps
		suffix = [4]string{"", "2", "3", "4"}
	default:
		o := t.alu.ByName(name)
		if o == nil {
			e.fail("%s", diag.Unknown("opcode", name, t.alu.Names()))
		}
		return pickFixed, t.aluNum[name], len(o.Srcs)
	}
	base := name[:len(name)-1]
	var fam [4]int
	for i, s := range suffix {
		full := base + s
		if pick == pickComps && i == 0 {
			full = scalarForm[base]
		}
		if o := t.alu.ByName(full); o != nil {
			fam[i] = t.aluNum[full] + 1
			sources = len(o.Srcs)
		}
	}
	if sources == 0 {
		e.fail("%s", diag.Unknown("family of opcodes", name, t.alu.Names()))
	}
	if i, ok := e.c.familyOf[name]; ok {
		return pick, i, sources
	}
	e.c.families = append(e.c.families, fam)
	e.c.familyOf[name] = len(e.c.families) - 1
	return pick, len(e.c.families) - 1, sources
}

// scalarForm maps an operation over components to that for a single one.
var scalarForm = map[string]string{"fdot": "fmul", "ball": "mov", "bany": "mov"}

// float16 rounds to the nearest half-precision float, ties to even.
func float16(f float64) uint16 {
	sign := uint16(math.Float64bits(f) >> 48 & 0x8000)
	f = math.Abs(f)
	switch {
	case math.IsNaN(f):
		return sign | 0x7e00
	case f >= 65520:
		return sign | 0x7c00
	case f < 0x1p-14:
		return sign | uint16(math.RoundToEven(f*0x1p24))
	}
	frac, exp := math.Frexp(f) // f = frac * 2^exp, frac in [0.5, 1)
	m := uint16(math.RoundToEven(frac * 2048))
	return sign | (uint16(exp+13)<<10 + m)
}

// programs compiles a row's parts and returns their numbers as Go text.
func (t *tables) programs(c *compiler, pos diag.Pos, row string, parts []string, args int) string {
	if len(parts) > 2 {
		t.errs.Addf(pos, row, "parts: at most two")
		return ""
	}
	var nums []string
	for _, p := range parts {
		nums = append(nums, strconv.Itoa(c.compile(pos, row, p, args)))
	}
	return strings.Join(nums, ", ")
}
