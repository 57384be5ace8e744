// SPDX-License-Identifier: MIT

package text

import (
	"strconv"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/text/lex"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

type listEntry struct {
	num  uint32
	enum *kind.Enum
	tok  lex.Token
}

func (p *parser) srcRef() srcRef {
	t := p.Word("a value")
	if t.Text == "none" {
		return srcRef{none: true, tok: t}
	}
	base, swz, has := strings.Cut(t.Text, ".")
	t2 := t
	t2.Text = base
	r := srcRef{num: p.Ref(t2, "%", "a value", maxNumber), tok: t}
	if !has {
		return r
	}
	r.comps = []uint8{}
	for i := range len(swz) {
		c := strings.IndexByte("xyzw", swz[i])
		if c < 0 {
			p.Fail(t, "bad swizzle %q", swz)
		}
		r.comps = append(r.comps, uint8(c))
	}
	if swz == "" {
		p.Expect("[")
		for !p.Accept("]") {
			n := p.U32("a component")
			if n > 15 {
				p.Fail(t, "there is no component %d; the last is 15", n)
			}
			r.comps = append(r.comps, uint8(n))
		}
	}
	if len(r.comps) == 0 || len(r.comps) > 16 {
		p.Fail(t, "a swizzle has 1 to 16 components")
	}
	return r
}

// opcode returns the kind and opcode of an instruction's name.
func opcode(name string) (kind.Kind, uint16, bool) {
	if o, ok := op.ByName(name); ok {
		return kind.ALU, uint16(o), true
	}
	if id, ok := intrinsic.ByName(name); ok {
		return kind.Intrinsic, uint16(id), true
	}
	for k := kind.Invalid + 1; k < kind.Count; k++ {
		info := &kind.Infos[k]
		switch info.Sub {
		case kind.SubNone:
			if info.Name == name {
				return k, 0, true
			}
		case kind.SubEnum:
			if rest, ok := strings.CutPrefix(name, info.Name+"_"); ok {
				if v, ok := info.SubEnum.Value(rest); ok {
					return k, uint16(v), true
				}
			}
		}
	}
	return 0, 0, false
}

func (p *parser) instr(t lex.Token) {
	result := int64(-1)
	def := t
	if strings.HasPrefix(t.Text, "%") {
		n := p.Ref(t, "%", "a value", maxNumber)
		if _, dup := p.values[n]; dup {
			p.Fail(t, "value %%%d is defined twice", n)
		}
		result = int64(n)
		p.Expect("=")
		t = p.Word("an instruction")
	}
	name, size, sized := strings.Cut(t.Text, ".")
	k, sub, ok := opcode(name)
	if !ok {
		p.Fail(t, "unknown instruction %q", name)
	}
	var bits, comps uint8
	if sized {
		bits, comps = p.size(t, size)
	}
	if (bits != 0) != (result >= 0) {
		p.Fail(def, "%s: an instruction with a size has a result, and one without has none", name)
	}
	sh := kind.Infos[k].ShapeOf(sub)
	refs, list := p.sources(sh)
	p.checkCount(t, k, sub, sh, len(refs), len(list))
	words := p.fields(k, sub, sh, bits, comps, t)
	words = append(words, make([]uint32, len(list))...)
	v := p.s.New(k, sub, len(refs), len(words))
	in := p.s.At(v)
	in.Bits, in.Comps = bits, comps
	copy(p.s.Words(v), words)
	start := len(words) - len(list)
	for i, l := range list {
		if l.tok.Kind == lex.Word && l.enum == nil {
			p.preds = append(p.preds, pendingWord{v, start + i, l.num, l.tok})
		} else {
			p.s.Words(v)[start+i] = l.num
		}
	}
	p.calleeOf(v, sh)
	p.b.Insert(v)
	p.tail(v)
	for i, r := range refs {
		p.srcs = append(p.srcs, pendingSrc{user: v, i: i, ref: r})
	}
	if result >= 0 {
		p.values[uint32(result)] = v
	}
}

// checkCount rejects a wrong number of sources, so that every parsed instruction can be printed.
func (p *parser) checkCount(t lex.Token, k kind.Kind, sub uint16, sh *kind.Shape, n, listed int) {
	want, more := len(sh.Src), sh.Variadic
	switch k {
	case kind.ALU:
		want = int(op.Op(sub).Info().NumSrc)
	case kind.Intrinsic:
		want = intrinsic.ID(sub).Info().NumOperands()
	}
	if n < want || n > want && !more {
		p.Fail(t, "%s has %d sources, not %d", t.Text, want, n)
	}
	for _, f := range sh.Fields {
		if (f.Class == kind.ClassBlocks || f.Class == kind.ClassEnums) && listed != n {
			p.Fail(t, "every source of %s must be preceded by its %s", t.Text, pick(f.Class == kind.ClassBlocks, "block", "kind"))
		}
	}
}

// calleeOf records fields that refer to functions, which may be defined later.
func (p *parser) calleeOf(v ir.Value, sh *kind.Shape) {
	at := 0
	for _, f := range sh.Fields {
		if f.Class == kind.ClassFunc {
			p.calls = append(p.calls, pendingWord{v, at, p.s.Words(v)[at], p.Prev()})
		}
		at += f.Class.Words()
	}
}

// sources parses the sources and, if the kind has one, the list that accompanies them.
func (p *parser) sources(sh *kind.Shape) (refs []srcRef, list []listEntry) {
	for p.Peek().Kind == lex.Word && (strings.HasPrefix(p.Peek().Text, "%") || p.Peek().Text == "none" || p.listed()) {
		if p.listed() {
			t := p.Next()
			e := listEntry{tok: t}
			for _, f := range sh.Fields {
				if f.Class == kind.ClassEnums {
					e.enum, e.num = f.Enum, p.enum(f.Enum, t)
				}
			}
			if e.enum == nil {
				e.num = p.Ref(t, "b", "a block", maxNumber)
			}
			p.Expect(":")
			list = append(list, e)
		}
		if refs = append(refs, p.srcRef()); len(refs) > 1<<15 {
			p.Fail(p.Peek(), "too many sources")
		}
		if !p.Accept(",") {
			break
		}
	}
	if len(list) > 0 && len(list) != len(refs) {
		p.Fail(p.Peek(), "either all sources have names or none has")
	}
	return refs, list
}

func (p *parser) listed() bool {
	t := p.Peek()
	return t.Kind == lex.Word && p.Ahead().Kind == lex.Punct && p.Ahead().Text == ":"
}

// fields parses the name=value pairs of the kind or intrinsic.
func (p *parser) fields(k kind.Kind, sub uint16, sh *kind.Shape, bits, comps uint8, t lex.Token) []uint32 {
	var fs []kind.Field
	var words []uint32
	if k == kind.Intrinsic {
		id := intrinsic.ID(sub).Info()
		for i := range int(id.NumIx) {
			fs = append(fs, indexField(id.Ix[i]))
			words = append(words, intrinsic.Indices[id.Ix[i]].Default)
		}
	} else {
		for _, f := range sh.Fields {
			n := f.Class.Words()
			if f.Class == kind.ClassData {
				n = int(comps)
				if bits == 64 {
					n *= 2
				}
			} else if n == 0 {
				continue
			}
			fs = append(fs, f)
			words = append(words, make([]uint32, n)...)
		}
	}
	for p.Peek().Kind == lex.Word && p.Ahead().Text == "=" && p.Peek().Text != "float" {
		w := p.Next()
		p.Expect("=")
		at, found := 0, false
		for _, f := range fs {
			n := f.Class.Words()
			if n == 0 {
				n = len(words) - at
			}
			if f.Name == w.Text {
				p.value(f, words[at:at+n])
				found = true
				break
			}
			at += n
		}
		if !found {
			p.Fail(w, "%s has no field %q", t.Text, w.Text)
		}
	}
	return words
}

func (p *parser) value(f kind.Field, out []uint32) {
	switch f.Class {
	case kind.ClassType:
		out[0] = uint32(p.typ())
		return
	case kind.ClassData:
		p.Expect("(")
		for i := range out {
			if i > 0 {
				p.Expect(",")
			}
			out[i] = p.U32("a word")
		}
		p.Expect(")")
		return
	}
	t := p.Next()
	switch f.Class {
	case kind.ClassEnum, kind.ClassMask:
		out[0] = p.enum(f.Enum, t)
	case kind.ClassBool:
		if t.Text != "true" && t.Text != "false" {
			p.Fail(t, "expected true or false, found %s", t)
		}
		if t.Text == "true" {
			out[0] = 1
		}
	case kind.ClassVar:
		n := p.Ref(t, "@", "a variable", maxNumber)
		v, ok := p.vars[n]
		if !ok {
			p.Fail(t, "variable @%d is not declared", n)
		}
		out[0] = uint32(v)
	case kind.ClassFunc:
		out[0] = p.Ref(t, "fn", "a function", maxNumber)
	case kind.ClassI32:
		n, err := strconv.ParseInt(t.Text, 0, 32)
		if err != nil {
			p.Fail(t, "%s is not a signed 32-bit number", t)
		}
		out[0] = uint32(n)
	case kind.ClassU64:
		n := p.Number(t, t.Text, 64)
		out[0], out[1] = uint32(n), uint32(n>>32)
	default:
		out[0] = uint32(p.Number(t, t.Text, 32))
	}
}

// tail parses the optional end of an instruction: its float mask and location.
func (p *parser) tail(v ir.Value) {
	if p.IsWord("float") {
		p.Next()
		p.Expect("=")
		p.s.At(v).Float = uint16(p.enum(&kind.EnumFloatMask, p.Next()))
	}
	if p.Accept("!") {
		file := p.Str("a file name")
		p.Expect(":")
		line := p.U32("a line")
		p.Expect(":")
		p.s.At(v).Loc = p.s.Locs.New(ir.Location{File: p.s.Strs.Intern(file), Line: line, Column: p.U32("a column")})
	}
	p.Newline()
}

func (p *parser) swizzle(v ir.Value, ref srcRef) ir.Src {
	z := ir.Identity
	last := uint8(0)
	for i := range 8 {
		if i < len(ref.comps) {
			last = ref.comps[i]
		}
		z = z.With(i, last)
	}
	for i, c := range ref.comps {
		if c >= p.s.At(v).Comps {
			p.Fail(ref.tok, "there is no component %d; the value has %d", c, p.s.At(v).Comps)
		}
		if z.Comp(i) != c {
			p.Fail(ref.tok, "more than 8 components must be read in order or all the same")
		}
	}
	if len(ref.comps) > 8 && z.Comp(8) != ref.comps[8] {
		z = ir.Identity
	}
	return ir.Src{Val: v, Swz: z, N: uint8(len(ref.comps))}
}
