// SPDX-License-Identifier: MIT

package mirtext

import (
	"strings"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/text/lex"
	"jacquard.example/generated/isa"
)

// inst parses an instruction, which starts at t.
func (p *parser) inst(t lex.Token) {
	f := p.u.Func
	var in mir.Inst
	p.prefix(&in)
	p.mnemonic(&in)
	p.modifiers(&in)
	p.operands(&in)
	if in.Op == mir.OpMessage {
		p.sources(&in)
	}
	attributes(p, &in, mir.Attrs)
	in.SideEff = in.ImpliesEffect()
	base := p.braces(&in)
	in.Loc = uint32(len(p.u.Places))
	p.u.Places = append(p.u.Places, mir.Place{Line: uint32(t.Line), Col: uint32(t.Col)})
	i := f.Append(len(f.Blocks)-1, in)
	if base {
		if f.ScratchBase != 0 {
			p.Fail(t, "there is a %s already", mir.ScratchBaseName)
		}
		f.ScratchBase = i
	}
}

// prefix parses (W) and the predicate.
func (p *parser) prefix(in *mir.Inst) {
	if p.IsPunct("(") && p.Ahead().Text == "W" {
		p.Next()
		p.Next()
		p.Expect(")")
		in.NoMask = true
	}
	if !p.Accept("(") {
		return
	}
	in.PredInv = p.Accept("~")
	t := p.Word("a flag register")
	in.Pred = isa.PredNormal
	name := t.Text
	end := len("f0.0")
	if strings.HasPrefix(name, "v") {
		end = max(strings.IndexByte(name, '.'), 0)
	}
	if end > 0 && len(name) > end && name[end] == '.' {
		pred, ok := mir.PredByName(name[end+1:])
		if !ok {
			p.Fail(t, "there is no predicate %q", name[end+1:])
		}
		in.Pred, name = pred, name[:end]
	}
	in.Flag = p.flag(t, name)
	p.Expect(")")
}

// flag returns a physical or virtual flag register.
func (p *parser) flag(t lex.Token, name string) mir.Flag {
	for x := range mir.Flag(mir.NumFlags) {
		if x.String() == name {
			return x
		}
	}
	if strings.HasPrefix(name, "v") {
		r := p.Ref(lex.Token{Kind: lex.Word, Text: name, Line: t.Line, Col: t.Col}, "v", "a register", maxRegs)
		if r > 0 {
			return mir.FlagOf(mir.Reg(r))
		}
	}
	p.Fail(t, "there is no flag register %q", name)
	return 0
}

// mnemonic parses the opcode, its function and the lanes.
func (p *parser) mnemonic(in *mir.Inst) {
	t := p.Word("an instruction")
	name, function, dot := strings.Cut(t.Text, ".")
	op, ok := mir.OpByName(name)
	if !ok {
		p.Fail(t, "there is no instruction %q", name)
	}
	in.Op = op
	switch fn := mir.FunctionOf(op); {
	case fn == nil && dot:
		p.Fail(t, "%s has no functions", name)
	case fn != nil:
		v, ok := fn.ByName(function)
		if !ok {
			p.Fail(t, "%s has no function %q", name, function)
		}
		fn.Set(in, v)
	}
	p.Expect("(")
	in.Exec = p.U8("a number of lanes")
	if p.Accept("|") {
		t := p.Word("the first lane")
		in.Chan = uint8(p.Number(t, strings.TrimPrefix(t.Text, "M"), 5))
	}
	p.Expect(")")
}

// modifiers parses (cond)flag and (sat).
func (p *parser) modifiers(in *mir.Inst) {
	for p.IsPunct("(") && p.Ahead().Text != "abs" {
		p.Next()
		t := p.Word("a condition, or 'sat'")
		p.Expect(")")
		if t.Text == "sat" && !in.Sat {
			in.Sat = true
			continue
		}
		cond, ok := mir.CModByName(t.Text)
		if !ok || in.CMod != 0 || in.Sat {
			p.Fail(t, "there is no condition %q here", t.Text)
		}
		in.CMod = cond
		reg := p.Word("a flag register")
		flag := p.flag(reg, reg.Text)
		if in.Pred != 0 && flag != in.Flag {
			p.Fail(reg, "the predicate uses another flag register")
		}
		in.Flag = flag
	}
}

// operands parses the operands up to the attributes.
func (p *parser) operands(in *mir.Inst) {
	ops := [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]}
	first := 0
	if !mir.HasDst(in.Op) {
		first = 1
	}
	for _, o := range ops[first:] {
		if in.Op == mir.OpMessage && o != &in.Dst {
			return // messages have named sources
		}
		switch t := p.Peek(); {
		case t.Kind == lex.Word && p.Ahead().Text == "=", t.Kind != lex.Word && !p.IsPunct("-") && !p.IsPunct("("):
			return
		}
		p.operand(o, o == &in.Dst)
	}
}

// sources parses the named sources of a logical message.
func (p *parser) sources(in *mir.Inst) {
	for p.Peek().Kind == lex.Word && p.Ahead().Kind == lex.Punct && p.Ahead().Text == "=" {
		s, ok := mir.SourceByName(p.Peek().Text)
		if !ok {
			return
		}
		t := p.Next()
		o := &in.Src[s.Place()]
		if !in.Msg.Name.Info().Has(s) || o.File != mir.None {
			p.Fail(t, "%s takes no %s here", in.Msg.Name, s)
		}
		p.Expect("=")
		p.operand(o, false)
	}
}

// operand parses an operand. dst is set for a destination.
func (p *parser) operand(o *mir.Operand, dst bool) {
	if p.IsWord("_") {
		p.Next()
		return
	}
	o.Neg = p.Accept("-")
	if p.Accept("(") {
		if t := p.Word("'abs'"); t.Text != "abs" {
			p.Fail(t, "expected 'abs', found %s", t)
		}
		p.Expect(")")
		o.Abs = true
	}
	t := p.Word("an operand")
	p.base(t, o)
	if o.File != mir.Imm {
		o.Stride = 1
		if p.Accept("+") {
			o.Off = p.Most(mir.MaxRegBytes, "a number of bytes")
		}
		if p.Accept("<") {
			p.region(o)
			p.elements(o, dst)
		}
	}
	if p.Accept(":") {
		t := p.Word("a type")
		typ, ok := mir.TypeByName(t.Text)
		if !ok {
			p.Fail(t, "there is no type %q", t.Text)
		}
		o.Type = typ
	}
}

// region parses a stride, or <v;w,h>, after its '<'.
func (p *parser) region(o *mir.Operand) {
	t := p.Peek()
	v := p.U8("a stride")
	if !p.Accept(";") {
		p.Expect(">")
		o.Stride = v
		return
	}
	w := p.U8("a width")
	p.Expect(",")
	h := p.U8("a stride")
	p.Expect(">")
	var ok bool
	if o.Stride, o.Rows, ok = mir.RegionOf(uint(v), uint(w), uint(h)); !ok {
		p.Fail(t, "no operand has the region <%d;%d,%d>", v, w, h)
	}
}

// elements parses the optional swizzle of a source or write mask of a destination, after its region.
func (p *parser) elements(o *mir.Operand, dst bool) {
	t := p.Peek()
	name, ok := strings.CutPrefix(t.Text, ".")
	if t.Kind != lex.Word || !ok {
		return
	}
	p.Next()
	if dst {
		if o.Mask, ok = fields.MaskByName(name); !ok {
			p.Fail(t, "a write mask has some of x, y, z, w in order, not %q", name)
		}
	} else if o.Swizzle, ok = fields.SwizzleByName(name); !ok {
		p.Fail(t, "a swizzle has four of x, y, z, w, not %q", name)
	}
}

// base reads the register or the immediate.
func (p *parser) base(t lex.Token, o *mir.Operand) {
	digits := len(t.Text) > 1 && t.Text[1] >= '0' && t.Text[1] <= '9'
	switch c := t.Text[0]; {
	case c == 'v' && digits:
		o.File, o.Num = mir.VReg, p.Ref(t, "v", "a register", maxRegs)
	case c == 'r' && digits:
		o.File, o.Num = mir.GRF, p.Ref(t, "r", "a register", mir.NumGRFs)
	case c >= '0' && c <= '9':
		bits := p.Number(t, t.Text, 64)
		o.File, o.Num, o.Off = mir.Imm, uint32(bits), uint32(bits>>32)
	default:
		n, ok := mir.ARFByName(t.Text)
		if !ok {
			p.Fail(t, "there is no register %q", t.Text)
		}
		o.File, o.Num = mir.ARF, uint32(n)
	}
}

// braces parses the words in braces. base reports whether they contain the mark of the scratch base.
func (p *parser) braces(in *mir.Inst) (base bool) {
	if !p.Accept("{") {
		return false
	}
	dist, token, use := 0, 0, fields.TokenNone
	pipe := fields.PipeOwn
	for {
		t := p.Next()
		if of, ok := fields.PipeByName(t.Text); ok && p.Peek().Text == "@" {
			pipe, t = of, p.Next()
		}
		switch {
		case t.Kind == lex.Punct && t.Text == "@":
			dist = int(p.Most(fields.MaxDist, "a distance"))
		case t.Kind == lex.Punct && t.Text == "$":
			w := p.Word("a token")
			var ok bool
			if token, use, ok = mir.ParseToken(w.Text); !ok {
				p.Fail(w, "there is no token %q", w.Text)
			}
		case t.Kind == lex.Word && t.Text == mir.ScratchBaseName:
			base = true
		case t.Kind == lex.Word:
			p.instWord(t, in)
		default:
			p.Fail(t, "expected a word, found %s", t)
		}
		if !p.Accept(",") {
			break
		}
	}
	swsb, msg := fields.MakeSWSB(p.platform.OutOfOrder(in.Op), pipe, dist, token, use)
	if msg != "" {
		p.Fail(p.Peek(), "%s", msg)
	}
	if int(in.Op) < len(isa.Ops) && !p.platform.Waits(in.Op, swsb) {
		p.Fail(p.Peek(), "the instruction cannot wait for %v; use a sync.nop", swsb)
	}
	in.SWSB = swsb
	p.Expect("}")
	return base
}

func (p *parser) instWord(t lex.Token, in *mir.Inst) {
	for k := range mir.Attrs {
		if a := &mir.Attrs[k]; a.Form == mir.Word && a.Name == t.Text {
			a.Set(in, 1)
			return
		}
	}
	p.Fail(t, "an instruction has no %s", t)
}
