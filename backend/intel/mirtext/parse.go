// SPDX-License-Identifier: MIT

package mirtext

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/core/text/lex"
	"jacquard.example/generated/isa"
)

// Limits of the declarations in a text, far above the needs of any shader.
const (
	maxRegs     = 1 << 20
	maxBlocks   = 1 << 20
	maxBindings = maxBuffers
)

// Error is a mistake in the text.
type Error = lex.Error

var syntax = lex.NewSyntax(".", "()|~<>+-:;,={}@$")

// Is reports whether a text claims to be machine IR.
func Is(src []byte) bool { return lex.Begins(src, "mir") }

// Parse parses a unit and checks it, also with check unless that is nil, so that passes can work on it. If
// check returns an error about an instruction (*mir.Error) or about the rest of the unit (*mir.UnitError),
// Parse adds the position in the text. Errors are *Error.
func Parse(src []byte, check func(*mir.Unit) error) (u *mir.Unit, err error) {
	p := &parser{u: &mir.Unit{Func: mir.New(0, &mir.RegFile{})}}
	defer p.Catch(&err)
	p.Cursor = lex.NewCursor(src, syntax)
	p.unit()
	p.check(Check(p.u))
	p.u.Func.BuildCFG()
	if check != nil {
		p.check(check(p.u))
	}
	return p.u, nil
}

type parser struct {
	lex.Cursor
	u *mir.Unit
	// platform is the target's, once its line is read.
	platform isa.Platform
	lines    [maxHeaderLines]lex.Token // by header field: start of its line
	start    lex.Token                 // start of the text

	scratch   uint32 // value in the text, and its position
	scratchAt lex.Token
	ranges    []lex.Token // starts of the lines of ranges
}

func (p *parser) unit() {
	for p.Peek().Kind == lex.Newline {
		p.Next()
	}
	if p.start = p.Next(); p.start.Kind != lex.Word || p.start.Text != "mir" {
		p.Fail(p.start, "machine IR starts with the word 'mir', found %s", p.start)
	}
	if v := p.U32("a version"); v != Version {
		p.Fail(p.Prev(), "version %d is unknown; this is version %d", v, Version)
	}
	p.u.Stage = p.Word("a stage").Text
	p.u.Entry = p.Str("the name of the entry point")
	p.Newline()
	for !p.IsWord("function") {
		p.declaration()
	}
	p.checkScratch()
	p.checkSizes()
	p.Next()
	p.u.Func.Name = p.Str("the function's name")
	p.Newline()
	p.code()
	p.u.Func.ResolveSingle()
}

func (p *parser) declaration() {
	t := p.Word("a declaration, or 'function'")
	switch t.Text {
	case "binding":
		p.u.Bindings = append(p.u.Bindings, p.binding(t, len(p.u.Bindings)))
	case "sampler":
		p.u.Samplers = append(p.u.Samplers, p.binding(t, len(p.u.Samplers)))
	case "input":
		p.u.Inputs = append(p.u.Inputs, p.slot(t, len(p.u.Inputs)))
	case "output":
		p.u.Outputs = append(p.u.Outputs, p.slot(t, len(p.u.Outputs)))
	case "range":
		p.u.Ranges = append(p.u.Ranges, p.pushed(t, len(p.u.Ranges)))
	case "reg":
		p.reg()
	default:
		p.headerLine(t)
	}
	p.Newline()
}

func (p *parser) headerLine(t lex.Token) {
	for k := range headerFields {
		if headerFields[k].name != t.Text {
			continue
		}
		if p.lines[k].Line != 0 {
			p.Fail(t, "duplicate line %s", t.Text)
		}
		p.lines[k] = t
		headerFields[k].read(p)
		return
	}
	p.Fail(t, "unknown declaration %s", t)
}

// named parses name=number.
func (p *parser) named(name string, limit uint32) uint32 {
	if w := p.Word(name); w.Text != name {
		p.Fail(w, "expected %s, found %s", name, w)
	}
	p.Expect("=")
	return p.Most(limit, "a number")
}

// namedWord reads name=word.
func (p *parser) namedWord(name string) string {
	if w := p.Word(name); w.Text != name {
		p.Fail(w, "expected %s, found %s", name, w)
	}
	p.Expect("=")
	return p.Word("a word").Text
}

// binding parses a run of descriptors; n bindings precede it.
func (p *parser) binding(t lex.Token, n int) mir.Binding {
	if n == maxBindings {
		p.Fail(t, "more than %d bindings", maxBindings)
	}
	b := mir.Binding{Index: p.Most(maxBuffers, "an entry of the binding table")}
	b.Count = p.named("count", maxBuffers)
	b.Set = p.named("set", 1<<32-1)
	b.Binding = p.named("binding", 1<<32-1)
	b.Mode = p.Word("a kind of memory").Text
	if p.IsWord("access") {
		p.Next()
		p.Expect("=")
		t := p.Word("an access")
		if b.Access = t.Text; b.Access != mir.ReadOnly && b.Access != mir.WriteOnly {
			p.Fail(t, "access is %s or %s, found %s", mir.ReadOnly, mir.WriteOnly, t)
		}
	}
	if p.IsWord("shape") {
		b.Shape, b.Format = p.namedWord("shape"), p.namedWord("format")
		if b.Unformatted = p.IsWord("unformatted"); b.Unformatted {
			p.Next()
		}
	}
	return b
}

// pushed parses a range of a uniform buffer; n ranges precede it.
func (p *parser) pushed(t lex.Token, n int) (r mir.Range) {
	if n == maxRanges {
		p.Fail(t, "more than %d ranges", maxRanges)
	}
	r.Entry = p.Most(maxBuffers-1, "an entry of the binding table")
	r.Start = p.named("start", math.MaxUint16)
	r.Bytes = p.named("bytes", mir.MaxFileBytes)
	p.ranges = append(p.ranges, t)
	return r
}

// checkSizes checks what depends on the size of the machine's registers, after the last line of the header.
func (p *parser) checkSizes() {
	if p.u.Target == "" {
		p.Fail(p.start, "machine IR needs a line target")
	}
	grf := p.u.Func.GRF
	for k, r := range p.u.Ranges {
		if grf.In(r.Start) != 0 || grf.In(r.Bytes) != 0 {
			p.Fail(p.ranges[k], "the start and the size of a range must be multiples of %d bytes", grf.Bytes())
		}
	}
}

// slot parses an input or output; n slots precede it.
func (p *parser) slot(t lex.Token, n int) mir.Slot {
	if n == 4*maxSlots {
		p.Fail(t, "more than %d inputs or outputs", 4*maxSlots)
	}
	x := mir.Slot{Index: p.Most(maxSlots-1, "a slot")}
	x.Mask = p.named("mask", 15)
	x.Name = p.Word("location, or the name of a builtin").Text
	if p.IsWord("number") {
		x.Number = p.named("number", math.MaxUint16)
	}
	if p.IsWord("flat") {
		p.Next()
		x.Flat = true
	}
	return x
}

// reg parses reg v1..v3 bytes=64 …: registers with equal attributes.
func (p *parser) reg() {
	f := p.u.Func
	t := p.Word("a register")
	first, last, several := strings.Cut(t.Text, "..")
	from := p.Ref(lex.Token{Kind: lex.Word, Text: first, Line: t.Line, Col: t.Col}, "v", "a register", maxRegs)
	to := from
	if several {
		to = p.Ref(lex.Token{Kind: lex.Word, Text: last, Line: t.Line, Col: t.Col}, "v", "a register", maxRegs)
	}
	if int(from) != len(f.Regs) || to < from {
		p.Fail(t, "registers are declared in order; the next one is v%d", len(f.Regs))
	}
	var info mir.RegInfo
	attributes(p, &info, mir.RegAttrs)
	for p.Peek().Kind == lex.Word {
		p.word(&info)
	}
	for r := from; r <= to; r++ {
		f.AddReg(info)
	}
}

// word parses a boolean attribute of a register.
func (p *parser) word(info *mir.RegInfo) {
	t := p.Next()
	for k := range mir.RegAttrs {
		if a := &mir.RegAttrs[k]; a.Form == mir.Word && a.Name == t.Text {
			a.Set(info, 1)
			return
		}
	}
	p.Fail(t, "a register has no %s", t)
}

// attributes parses any number of name=value.
func attributes[T any](p *parser, x *T, rows []mir.Attr[T]) {
	for p.Peek().Kind == lex.Word && p.Ahead().Kind == lex.Punct && p.Ahead().Text == "=" {
		t := p.Next()
		p.Expect("=")
		found := false
		for k := range rows {
			if a := &rows[k]; a.Form != mir.Word && a.Name == t.Text {
				a.Set(x, value(p, a))
				found = true
				break
			}
		}
		if !found {
			p.Fail(t, "there is no %s", t)
		}
	}
}

// value parses the value of an attribute.
func value[T any](p *parser, a *mir.Attr[T]) uint32 {
	if a.Form != mir.Choice {
		return p.Most(a.Max, "a number")
	}
	t := p.Word("a word")
	for v := uint32(0); v <= a.Max; v++ {
		if a.Words(v) == t.Text {
			return v
		}
	}
	p.Fail(t, "%s cannot be %s", a.Name, t)
	return 0
}

// code parses the blocks.
func (p *parser) code() {
	f := p.u.Func
	f.Blocks = f.Blocks[:0]
	p.u.Places = append(p.u.Places, mir.Place{}) // 0 means none
	for {
		switch t := p.Peek(); {
		case t.Kind == lex.EOF:
			if len(f.Blocks) == 0 {
				p.Fail(t, "expected a block (b0:), found %s", t)
			}
			return
		case t.Kind == lex.Newline:
			p.Next()
		case t.Kind == lex.Word && p.Ahead().Kind == lex.Punct && p.Ahead().Text == ":":
			if n := p.Ref(p.Next(), "b", "a block", maxBlocks); int(n) != len(f.Blocks) {
				p.Fail(t, "blocks are numbered in order; the next one is b%d", len(f.Blocks))
			}
			p.Expect(":")
			p.Newline()
			f.NewBlock()
		default:
			if len(f.Blocks) == 0 {
				p.Fail(t, "expected a block (b0:), found %s", t)
			}
			p.inst(t)
			p.Newline()
		}
	}
}

// check stops the parser if err is not nil, with the error at its position in the text.
func (p *parser) check(err error) {
	if err == nil {
		return
	}
	t, msg := p.start, err.Error()
	var inst *mir.Error
	var line *mir.UnitError
	switch {
	case errors.As(err, &inst) && inst.Inst != 0:
		at := p.u.Places[p.u.Func.At(inst.Inst).Loc]
		t.Line, t.Col, msg = int(at.Line), int(at.Col), inst.Msg
	case errors.As(err, &line):
		for k := range headerFields {
			if headerFields[k].name == line.Line && p.lines[k].Line != 0 {
				t = p.lines[k]
			}
		}
	}
	p.Fail(t, "%s", msg)
}

// Check checks a unit, except for the edges between its blocks.
func Check(u *mir.Unit) error {
	f := u.Func
	if err := validate.Code(f); err != nil {
		return err
	}
	last := f.Blocks[len(f.Blocks)-1].Last
	if last == 0 || !f.At(last).EOT {
		return fmt.Errorf("the code does not end with the end of the thread")
	}
	return nil
}
