// SPDX-License-Identifier: MIT

package text

import (
	"encoding/hex"
	"math"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/text/lex"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
)

// Limits on declarations in a file, far above the needs of a shader.
const (
	maxNumber = 1 << 24 // values, blocks, variables
	maxNest   = 256     // nested ifs and loops, nested types
)

// Parse parses a shader. It checks only the syntax; package validate checks the
// meaning. Errors are *Error.
func Parse(src []byte) (s *ir.Shader, err error) {
	p := &parser{s: ir.New(), values: map[uint32]ir.Value{}, blocks: map[uint32]ir.Node{}, vars: map[uint32]ir.Var{},
		fns: map[uint32]ir.Func{}}
	p.b = ir.NewBuilder(p.s)
	defer p.Catch(&err)
	p.Cursor = lex.NewCursor(src, syntax)
	p.shader()
	return p.s, nil
}

// Error is a syntax error.
type Error = lex.Error

var syntax = lex.NewSyntax(".|%@-?", "(){}[],=:!")

type parser struct {
	lex.Cursor
	s      *ir.Shader
	b      ir.Builder
	values map[uint32]ir.Value
	blocks map[uint32]ir.Node
	vars   map[uint32]ir.Var
	fns    map[uint32]ir.Func
	types  []ir.Type // structs by number - 1
	depth  int
	// references to later definitions
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
	tok  lex.Token
}

type pendingOwner struct {
	v   ir.Var
	num uint32
	tok lex.Token
}

type srcRef struct {
	num   uint32
	comps []uint8 // nil means all components
	none  bool
	tok   lex.Token
}

func (p *parser) enum(e *kind.Enum, t lex.Token) uint32 {
	if t.Kind != lex.Word {
		p.Fail(t, "expected a value of %s, found %s", e.Name, t)
	}
	if e.Mask {
		if t.Text == "none" {
			return 0
		}
		m := uint32(0)
		for _, n := range strings.Split(t.Text, "|") {
			v, ok := e.Value(n)
			if !ok {
				p.Fail(t, "%s has no value %q", e.Name, n)
			}
			m |= 1 << v
		}
		return m
	}
	v, ok := e.Value(t.Text)
	if !ok {
		p.Fail(t, "%s has no value %q", e.Name, t.Text)
	}
	return v
}

func (p *parser) shader() {
	for p.Peek().Kind == lex.Newline {
		p.Next()
	}
	if t := p.Next(); t.Kind != lex.Word || t.Text != "shader" {
		p.Fail(t, "expected a shader, which starts with the word 'shader', found %s", t)
	}
	p.s.Info.Stage = kind.Stage(p.enum(&kind.EnumStage, p.Next()))
	p.s.Info.Entry = p.s.Strs.Intern(p.Str("the name of the entry point"))
	p.Newline()
	for {
		t := p.Next()
		switch {
		case t.Kind == lex.EOF:
			p.resolve()
			return
		case t.Kind == lex.Newline:
		case t.Kind != lex.Word:
			p.Fail(t, "expected a declaration, found %s", t)
		case t.Text == "struct":
			p.structDecl()
		case t.Text == "var":
			p.varDecl()
		case t.Text == "fn":
			p.function()
		case t.Text == "reg":
			p.regDecl()
		case t.Text == "binding":
			p.bindingLine()
		case t.Text == "workgroup_size":
			for i := range 3 {
				p.s.Info.WorkgroupSize[i] = p.Positive(math.MaxUint32, "a size")
			}
			p.Newline()
		case t.Text == "const_data":
			h := p.Word("hexadecimal bytes")
			d, err := hex.DecodeString(h.Text)
			if err != nil {
				p.Fail(h, "constant data is not hexadecimal")
			}
			p.s.Info.ConstData = d
			p.Newline()
		default:
			p.infoLine(t)
		}
	}
}

func (p *parser) infoLine(t lex.Token) {
	if t.Text == "modes" {
		p.s.Info.Modes = kind.StageMode(p.enum(&kind.EnumStageMode, p.Next()))
		p.Newline()
		return
	}
	for _, c := range infoNumbers {
		if c.name == t.Text {
			*c.at(&p.s.Info) = p.U32("a number")
			p.Newline()
			return
		}
	}
	for _, c := range infoControls {
		if c.name == t.Text {
			w := p.Word("a number")
			*c.at(&p.s.Info) = uint8(p.Number(w, w.Text, 8))
			p.Newline()
			return
		}
	}
	p.Fail(t, "unknown declaration %s", t)
}

// size reads a size, BITSxCOMPS. Without xCOMPS, comps is 1; without BITS, bits is 0.
func (p *parser) size(t lex.Token, text string) (bits, comps uint8) {
	a, b, ok := strings.Cut(text, "x")
	if !ok {
		b = "1"
	}
	if a != "" {
		n := p.Number(t, a, 8)
		switch n {
		case 1, 8, 16, 32, 64:
		default:
			p.Fail(t, "%d is not a bit size", n)
		}
		bits = uint8(n)
	}
	n := p.Number(t, b, 8)
	if n < 1 || n > 16 {
		p.Fail(t, "%d components; must be 1 to 16", n)
	}
	return bits, uint8(n)
}

func (p *parser) function() {
	t := p.Word("a function's number")
	n := p.Ref(t, "", "a function", maxNumber)
	if _, dup := p.fns[n]; dup {
		p.Fail(t, "function %d is declared twice", n)
	}
	name := p.Str("the function's name")
	p.Expect("(")
	var params []ir.Param
	for !p.Accept(")") {
		if len(params) > 0 {
			p.Expect(",")
		}
		w := p.Word("a parameter's size")
		bits, comps := p.size(w, w.Text)
		params = append(params, ir.Param{Comps: comps, Bits: bits})
	}
	f := p.s.NewFunc(name, params...)
	p.fns[n] = f
	if p.IsWord("entry") {
		p.Next()
		p.s.Func(f).Entry = true
	}
	p.Expect("{")
	p.Newline()
	p.list(p.s.FirstBlock(f))
	p.Newline()
}

// list parses nodes up to the closing brace; first is the empty block that the list
// already has.
func (p *parser) list(first ir.Node) {
	if p.depth++; p.depth > maxNest {
		p.Fail(p.Peek(), "ifs and loops are nested too deeply")
	}
	defer func() { p.depth-- }()
	cur := first
	named := false // the current block has been named
	for {
		t := p.Next()
		switch {
		case t.Kind == lex.Punct && t.Text == "}":
			if !named {
				p.Fail(t, "a list of nodes must end with a block")
			}
			return
		case t.Kind == lex.Word && (t.Text == "if" || t.Text == "loop"):
			if !named {
				p.Fail(t, "%s must be preceded by a block", pick(t.Text == "if", "an if", "a loop"))
			}
			cur = p.node(t, cur)
			named = false
		case t.Kind == lex.Word && p.IsPunct(":"):
			if named {
				p.Fail(t, "between two blocks there must be an if or a loop")
			}
			n := p.Ref(t, "b", "a block", maxNumber)
			if _, dup := p.blocks[n]; dup {
				p.Fail(t, "block b%d occurs twice", n)
			}
			p.Expect(":")
			p.Newline()
			p.blocks[n] = cur
			named = true
			p.b.AtEnd(cur)
		case t.Kind == lex.Word:
			if !named {
				p.Fail(t, "expected a block's name, found %s", t)
			}
			if p.s.Jump(cur) != 0 {
				p.Fail(t, "an instruction follows the jump that ends the block")
			}
			p.instr(t)
		default:
			p.Fail(t, "expected an instruction, found %s", t)
		}
	}
}

func (p *parser) node(t lex.Token, cur ir.Node) ir.Node {
	hints := func(n ir.Node) {
		var h ir.LoopHints
		for !p.IsPunct("{") {
			w := p.Word("'{'")
			ok := t.Text == "loop" && p.trips(n, w)
			for i, name := range hintNames {
				if w.Text == name {
					h, ok = h|1<<i, true
				}
			}
			if !ok {
				p.Fail(w, "expected '{', found %s", w)
			}
		}
		p.s.Node(n).Hints = h
		p.Expect("{")
		p.Newline()
	}
	var n ir.Node
	if t.Text == "loop" {
		n = p.s.InsertLoop(cur)
		hints(n)
		p.list(p.s.Body(n))
	} else {
		n = p.s.InsertIf(cur, ir.Src{})
		ref := p.srcRef()
		p.srcs = append(p.srcs, pendingSrc{cond: n, ref: ref})
		hints(n)
		p.list(p.s.Then(n))
		if w := p.Next(); w.Text != "else" {
			p.Fail(w, "expected 'else', found %s", w)
		}
		p.Expect("{")
		p.Newline()
		p.list(p.s.Else(n))
	}
	p.Newline()
	return p.s.NextNode(n)
}

// trips parses the trip count of a loop whose first word is w. It reports whether w begins a trip count.
func (p *parser) trips(loop ir.Node, w lex.Token) bool {
	count, ok := tripWords[w.Text]
	if !ok {
		return false
	}
	p.Expect("=")
	at := p.Peek()
	n := p.U32("a number of iterations")
	if n == 0 || n > trips.Max || p.s.Node(loop).Trips != trips.Unknown {
		p.Fail(at, "a loop has one number of iterations, from 1 to %d", trips.Max)
	}
	p.s.Node(loop).Trips = count(int(n))
	return true
}

var tripWords = map[string]func(int) trips.Count{"trips": trips.Exactly, "max_trips": trips.AtMost}

// resolve resolves forward references.
func (p *parser) resolve() {
	s := p.s
	for _, o := range p.owner {
		f, ok := p.fns[o.num]
		if !ok {
			p.Fail(o.tok, "there is no function %d", o.num)
		}
		s.Var(o.v).Func = f
	}
	for _, c := range p.calls {
		f, ok := p.fns[c.num]
		if !ok {
			p.Fail(c.tok, "there is no function fn%d", c.num)
		}
		s.Words(c.user)[c.word] = uint32(f)
	}
	for _, c := range p.preds {
		b, ok := p.blocks[c.num]
		if !ok {
			p.Fail(c.tok, "there is no block b%d", c.num)
		}
		s.Words(c.user)[c.word] = uint32(b)
	}
	for _, x := range p.srcs {
		if x.ref.none {
			continue
		}
		v, ok := p.values[x.ref.num]
		if !ok {
			p.Fail(x.ref.tok, "value %%%d is not defined", x.ref.num)
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
