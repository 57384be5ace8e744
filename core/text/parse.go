package text

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Limits on what a file may declare, far above what a shader needs.
const (
	maxNumber = 1 << 24 // values, blocks, variables
	maxNest   = 256     // nested ifs and loops, nested types
)

// Parse reads a shader. It checks the form of the text; ir validation checks
// what it says. Errors are *Error.
func Parse(src []byte) (s *ir.Shader, err error) {
	p := &parser{lex: lexer{src: src, line: 1, ended: true}, s: ir.New(), b: ir.Builder{}, values: map[uint32]ir.Value{}, blocks: map[uint32]ir.Node{}, vars: map[uint32]ir.Var{}, fns: map[uint32]ir.Func{}}
	p.b = ir.NewBuilder(p.s)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if reason := work.Reason(r); reason != nil {
				e, ok = &Error{p.peek().line, p.peek().col, reason.Error()}, true
			}
			if !ok {
				panic(r)
			}
			s, err = nil, e
		}
	}()
	p.cur, p.ahead = p.lex.next(), p.lex.next()
	p.shader()
	return p.s, nil
}

type parser struct {
	lex    lexer
	prev   token
	cur    token
	ahead  token
	s      *ir.Shader
	b      ir.Builder
	values map[uint32]ir.Value
	blocks map[uint32]ir.Node
	vars   map[uint32]ir.Var
	fns    map[uint32]ir.Func
	types  []ir.Type // structs by number - 1
	depth  int
	// what names something that stands further down
	srcs  []pendingSrc
	preds []pendingWord
	calls []pendingWord
	owner []pendingOwner
}

type pendingSrc struct {
	user ir.Value
	cond ir.Node
	i    int
	ref  srcRef
}

type pendingWord struct {
	user ir.Value
	word int
	num  uint32
	tok  token
}

type pendingOwner struct {
	v   ir.Var
	num uint32
	tok token
}

type srcRef struct {
	num   uint32
	comps []uint8 // nil: whole
	none  bool
	tok   token
}

func (p *parser) fail(t token, format string, args ...any) {
	panic(&Error{t.line, t.col, fmt.Sprintf(format, args...)})
}

func (p *parser) peek() token { return p.cur }

func (p *parser) next() token {
	p.prev, p.cur, p.ahead = p.cur, p.ahead, p.lex.next()
	return p.prev
}

func (p *parser) isPunct(c string) bool { t := p.peek(); return t.kind == tokPunct && t.text == c }

func (p *parser) isWord(w string) bool { t := p.peek(); return t.kind == tokWord && t.text == w }

func (p *parser) expect(c string) {
	if t := p.next(); t.kind != tokPunct || t.text != c {
		p.fail(t, "expected '%s', found %s", c, t)
	}
}

func (p *parser) accept(c string) bool {
	if p.isPunct(c) {
		p.next()
		return true
	}
	return false
}

func (p *parser) word(what string) token {
	t := p.next()
	if t.kind != tokWord {
		p.fail(t, "expected %s, found %s", what, t)
	}
	return t
}

func (p *parser) str(what string) string {
	t := p.next()
	if t.kind != tokString {
		p.fail(t, "expected %s in quotes, found %s", what, t)
	}
	return t.text
}

func (p *parser) newline() {
	if t := p.next(); t.kind != tokNewline && t.kind != tokEOF {
		p.fail(t, "expected the end of the line, found %s", t)
	}
}

func (p *parser) number(t token, text string, bits int) uint64 {
	n, err := strconv.ParseUint(text, 0, bits)
	if err != nil {
		p.fail(t, "%q is no number of at most %d bits", text, bits)
	}
	return n
}

func (p *parser) u32(what string) uint32 {
	t := p.word(what)
	return uint32(p.number(t, t.text, 32))
}

// most reads a number of at most limit: beyond it stands for none, or is lost.
func (p *parser) most(limit uint32, what string) uint32 {
	n := p.u32(what)
	if n > limit {
		p.fail(p.prev, "%d is too large; at most %d is possible", n, limit)
	}
	return n
}

func (p *parser) u8(what string) uint8 {
	t := p.word(what)
	return uint8(p.number(t, t.text, 8))
}

// ref reads a number behind a prefix: %3, @3, b3, fn3, S3.
func (p *parser) ref(t token, prefix, what string) uint32 {
	rest, ok := strings.CutPrefix(t.text, prefix)
	if t.kind != tokWord || !ok {
		p.fail(t, "expected %s (%sN), found %s", what, prefix, t)
	}
	n := p.number(t, rest, 32)
	if n >= maxNumber {
		p.fail(t, "%s%d: the number is too large", prefix, n)
	}
	return uint32(n)
}

func (p *parser) enum(e *kind.Enum, t token) uint32 {
	if t.kind != tokWord {
		p.fail(t, "expected a value of %s, found %s", e.Name, t)
	}
	if e.Mask {
		if t.text == "none" {
			return 0
		}
		m := uint32(0)
		for _, n := range strings.Split(t.text, "|") {
			v, ok := e.Value(n)
			if !ok {
				p.fail(t, "%s has no value %q", e.Name, n)
			}
			m |= 1 << v
		}
		return m
	}
	v, ok := e.Value(t.text)
	if !ok {
		p.fail(t, "%s has no value %q", e.Name, t.text)
	}
	return v
}

func (p *parser) shader() {
	for p.peek().kind == tokNewline {
		p.next()
	}
	if t := p.next(); t.kind != tokWord || t.text != "shader" {
		p.fail(t, "a shader starts with the word 'shader', found %s", t)
	}
	p.s.Info.Stage = kind.Stage(p.enum(&kind.EnumStage, p.next()))
	p.s.Info.Entry = p.s.Intern(p.str("the name of the entry point"))
	p.newline()
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			p.resolve()
			return
		case t.kind == tokNewline:
		case t.kind != tokWord:
			p.fail(t, "expected a declaration, found %s", t)
		case t.text == "struct":
			p.structDecl()
		case t.text == "var":
			p.varDecl()
		case t.text == "fn":
			p.function()
		case t.text == "reg":
			p.regDecl()
		case t.text == "binding":
			p.bindingLine()
		case t.text == "workgroup_size":
			for i := range 3 {
				p.s.Info.WorkgroupSize[i] = p.u32("a size")
			}
			p.newline()
		case t.text == "const_data":
			h := p.word("hexadecimal bytes")
			d, err := hex.DecodeString(h.text)
			if err != nil {
				p.fail(h, "constant data is not hexadecimal")
			}
			p.s.Info.ConstData = d
			p.newline()
		default:
			p.infoLine(t)
		}
	}
}

func (p *parser) infoLine(t token) {
	if t.text == "modes" {
		p.s.Info.Modes = kind.StageMode(p.enum(&kind.EnumStageMode, p.next()))
		p.newline()
		return
	}
	for _, c := range infoNumbers {
		if c.name == t.text {
			*c.at(&p.s.Info) = p.u32("a number")
			p.newline()
			return
		}
	}
	for _, c := range infoControls {
		if c.name == t.text {
			w := p.word("a number")
			*c.at(&p.s.Info) = uint8(p.number(w, w.text, 8))
			p.newline()
			return
		}
	}
	p.fail(t, "unknown declaration %s", t)
}

// size reads BITSxCOMPS.
func (p *parser) size(t token, text string) (bits, comps uint8) {
	a, b, ok := strings.Cut(text, "x")
	if !ok {
		b = "1"
	}
	if a != "" {
		n := p.number(t, a, 8)
		switch n {
		case 1, 8, 16, 32, 64:
		default:
			p.fail(t, "%d is no bit size", n)
		}
		bits = uint8(n)
	}
	n := p.number(t, b, 8)
	if n < 1 || n > 16 {
		p.fail(t, "%d components; 1 to 16 are possible", n)
	}
	return bits, uint8(n)
}

func (p *parser) function() {
	t := p.word("a function's number")
	n := p.ref(t, "", "a function")
	if _, dup := p.fns[n]; dup {
		p.fail(t, "function %d is declared twice", n)
	}
	name := p.str("the function's name")
	p.expect("(")
	var params []ir.Param
	for !p.accept(")") {
		if len(params) > 0 {
			p.expect(",")
		}
		w := p.word("a parameter's size")
		bits, comps := p.size(w, w.text)
		params = append(params, ir.Param{Comps: comps, Bits: bits})
	}
	f := p.s.NewFunc(name, params...)
	p.fns[n] = f
	if p.isWord("entry") {
		p.next()
		p.s.SetEntry(f)
	}
	p.expect("{")
	p.newline()
	p.list(p.s.FirstBlock(f))
	p.newline()
}

// list reads nodes up to the closing brace; first is the empty block that the
// list already has.
func (p *parser) list(first ir.Node) {
	if p.depth++; p.depth > maxNest {
		p.fail(p.peek(), "ifs and loops are nested too deeply")
	}
	defer func() { p.depth-- }()
	cur := first
	named := false // the current block has been given its name
	for {
		t := p.next()
		switch {
		case t.kind == tokPunct && t.text == "}":
			if !named {
				p.fail(t, "a list of nodes ends with a block")
			}
			return
		case t.kind == tokWord && (t.text == "if" || t.text == "loop"):
			if !named {
				p.fail(t, "a block must stand before %s", pick(t.text == "if", "an if", "a loop"))
			}
			cur = p.node(t, cur)
			named = false
		case t.kind == tokWord && p.isPunct(":"):
			if named {
				p.fail(t, "between two blocks there must be an if or a loop")
			}
			n := p.ref(t, "b", "a block")
			if _, dup := p.blocks[n]; dup {
				p.fail(t, "block b%d occurs twice", n)
			}
			p.expect(":")
			p.newline()
			p.blocks[n] = cur
			named = true
			p.b.AtEnd(cur)
		case t.kind == tokWord:
			if !named {
				p.fail(t, "expected a block's name, found %s", t)
			}
			if p.s.Jump(cur) != 0 {
				p.fail(t, "an instruction behind the jump that ends the block")
			}
			p.instr(t)
		default:
			p.fail(t, "expected an instruction, found %s", t)
		}
	}
}

func (p *parser) node(t token, cur ir.Node) ir.Node {
	hints := func(n ir.Node) {
		var h ir.LoopHints
		for !p.isPunct("{") {
			w := p.word("'{'")
			ok := false
			for i, name := range hintNames {
				if w.text == name {
					h, ok = h|1<<i, true
				}
			}
			if !ok {
				p.fail(w, "expected '{', found %s", w)
			}
		}
		p.s.SetHints(n, h)
		p.expect("{")
		p.newline()
	}
	var n ir.Node
	if t.text == "loop" {
		n = p.s.InsertLoop(cur)
		hints(n)
		p.list(p.s.Body(n))
	} else {
		n = p.s.InsertIf(cur, ir.Src{})
		ref := p.srcRef()
		p.srcs = append(p.srcs, pendingSrc{cond: n, ref: ref})
		hints(n)
		p.list(p.s.Then(n))
		if w := p.next(); w.text != "else" {
			p.fail(w, "expected 'else', found %s", w)
		}
		p.expect("{")
		p.newline()
		p.list(p.s.Else(n))
	}
	p.newline()
	return p.s.NextNode(n)
}

// resolve fills in what stood before what it names.
func (p *parser) resolve() {
	s := p.s
	for _, o := range p.owner {
		f, ok := p.fns[o.num]
		if !ok {
			p.fail(o.tok, "there is no function %d", o.num)
		}
		s.Var(o.v).Func = f
	}
	for _, c := range p.calls {
		f, ok := p.fns[c.num]
		if !ok {
			p.fail(c.tok, "there is no function fn%d", c.num)
		}
		s.SetWord(c.user, c.word, uint32(f))
	}
	for _, c := range p.preds {
		b, ok := p.blocks[c.num]
		if !ok {
			p.fail(c.tok, "there is no block b%d", c.num)
		}
		s.SetWord(c.user, c.word, uint32(b))
	}
	for _, x := range p.srcs {
		if x.ref.none {
			continue
		}
		v, ok := p.values[x.ref.num]
		if !ok {
			p.fail(x.ref.tok, "value %%%d is not defined", x.ref.num)
		}
		r := s.All(v)
		if x.ref.comps != nil {
			r = p.swizzle(v, x.ref)
		}
		if x.cond != 0 {
			s.SetCond(x.cond, r)
		} else {
			s.SetSrc(x.user, x.i, r)
		}
	}
}
