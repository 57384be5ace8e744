// SPDX-License-Identifier: MIT

package text

import (
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/text/lex"
	"jacquard.example/generated/kind"
)

func (p *parser) bindingLine() {
	b := ir.Binding{Set: p.U32("a set"), Binding: p.U32("a binding")}
	b.Mode = kind.Mode(p.enum(&kind.EnumMode, p.Next()))
	number := func(name string) uint32 {
		if w := p.Word(name); w.Text != name {
			p.Fail(w, "expected %s, found %s", name, w)
		}
		p.Expect("=")
		return p.U32("a number")
	}
	b.Count, b.Index = number("count"), number("index")
	if w := p.Word("access"); w.Text != "access" {
		p.Fail(w, "expected access, found %s", w)
	}
	p.Expect("=")
	b.Access = kind.Access(p.enum(&kind.EnumAccess, p.Next()))
	if p.IsWord("sampler") {
		b.Sampler = number("sampler")
	}
	if p.IsWord("type") {
		p.Next()
		p.Expect("=")
		b.Type = p.typ()
	}
	if b.Unformatted = p.IsWord("unformatted"); b.Unformatted {
		p.Next()
	}
	p.Newline()
	p.s.Info.Bindings = append(p.s.Info.Bindings, b)
}

func (p *parser) regDecl() {
	t := p.Word("a number")
	n := p.Number(t, t.Text, 32)
	w := p.Word("a size")
	bits, comps := p.size(w, w.Text)
	r := p.s.Regs.New(comps, bits)
	if uint64(r) != n {
		p.Fail(t, "registers are declared in order; this is number %d", r)
	}
	if p.IsWord("divergent") {
		p.Next()
		p.s.Regs.At(r).Divergent = true
	}
	p.Newline()
}

func (p *parser) structDecl() {
	t := p.Word("a struct's number")
	n := p.Ref(t, "S", "a struct", maxNumber)
	if int(n) != len(p.types)+1 {
		p.Fail(t, "structs are declared in order; this is S%d", len(p.types)+1)
	}
	info := ir.TypeInfo{Name: p.s.Strs.Intern(p.Str("the struct's name"))}
	for !p.IsPunct("{") {
		w := p.Word("'{'")
		switch w.Text {
		case "block":
			info.Block = true
		case "size":
			p.Expect("=")
			info.Size = p.U32("a size")
		default:
			p.Fail(w, "unknown property %s of a struct", w)
		}
	}
	p.Expect("{")
	p.Newline()
	var members []ir.Member
	for !p.Accept("}") {
		m := ir.Member{Type: p.typ(), Offset: ir.NoOffset}
		m.Name = p.s.Strs.Intern(p.Str("the member's name"))
		for p.Peek().Kind == lex.Word {
			w := p.Next()
			if w.Text == "row_major" {
				m.RowMajor = true
				continue
			}
			p.Expect("=")
			switch w.Text {
			case "offset":
				m.Offset = p.Most(ir.NoOffset-1, "bytes")
			case "stride":
				m.Stride = p.U32("bytes")
			case "access":
				m.Access = kind.Access(p.enum(&kind.EnumAccess, p.Next()))
			case "builtin":
				m.Builtin = p.Most(1<<32-2, "a builtin") + 1
			case "location":
				m.Location = p.Most(1<<32-2, "a location") + 1
			case "component":
				m.Comp = p.U8("a component")
			case "qualifier":
				m.Qual = kind.Qualifier(p.enum(&kind.EnumQualifier, p.Next()))
			default:
				p.Fail(w, "unknown property %s of a member", w)
			}
		}
		members = append(members, m)
		p.Newline()
	}
	p.Newline()
	p.types = append(p.types, p.s.Types.Struct(info, members))
}

func (p *parser) typ() ir.Type {
	if p.depth++; p.depth > maxNest {
		p.Fail(p.Peek(), "types are nested too deeply")
	}
	defer func() { p.depth-- }()
	tt := &p.s.Types
	if p.Accept("[") {
		n := p.U32("a length")
		if w := p.Word("'x'"); w.Text != "x" {
			p.Fail(w, "expected 'x', found %s", w)
		}
		elem := p.typ()
		p.Expect(",")
		stride := p.U32("a stride")
		p.Expect("]")
		return tt.Array(elem, n, stride)
	}
	t := p.Word("a type")
	switch t.Text {
	case "void":
		return 0
	case "sampler":
		return tt.Intern(ir.TypeInfo{Kind: ir.TypeSampler})
	case "matrix":
		p.Expect("(")
		x := ir.TypeInfo{Kind: ir.TypeMatrix, Elem: p.typ()}
		p.Expect(",")
		x.Len = p.U32("a number of columns")
		p.Expect(",")
		x.Stride = p.U32("a stride")
		p.Expect(",")
		switch w := p.Word("row or column"); w.Text {
		case "row":
			x.RowMajor = true
		case "column":
		default:
			p.Fail(w, "expected row or column, found %s", w)
		}
		p.Expect(")")
		return tt.Intern(x)
	case "pointer":
		p.Expect("(")
		x := ir.TypeInfo{Kind: ir.TypePointer, Elem: p.typ()}
		p.Expect(",")
		x.Modes = kind.Mode(p.enum(&kind.EnumMode, p.Next()))
		p.Expect(",")
		x.Bits = p.U8("a size")
		p.Expect(")")
		return tt.Intern(x)
	case "image", "sampled_image":
		return p.imageType(t.Text == "image")
	}
	if strings.HasPrefix(t.Text, "S") {
		n := p.Ref(t, "S", "a struct", maxNumber)
		if n == 0 || int(n) > len(p.types) {
			p.Fail(t, "struct S%d is not declared above", n)
		}
		return p.types[n-1]
	}
	return p.scalarType(t)
}

func (p *parser) imageType(storage bool) ir.Type {
	x := ir.TypeInfo{Kind: ir.TypeSampledImage}
	if storage {
		x.Kind = ir.TypeImage
	}
	p.Expect("(")
	x.Elem = p.typ()
	p.Expect(",")
	x.Dim = kind.ImageDim(p.enum(&kind.EnumImageDim, p.Next()))
	p.Expect(",")
	x.Format = kind.Format(p.enum(&kind.EnumFormat, p.Next()))
	for p.Accept(",") {
		w := p.Word("a property of an image")
		switch w.Text {
		case "array":
			x.Arrayed = true
		case "ms":
			x.Multisampled = true
		case "shadow":
			x.Shadow = true
		case "storage":
			x.Storage = true
		default:
			p.Fail(w, "unknown property %s of an image", w)
		}
	}
	p.Expect(")")
	return p.s.Types.Intern(x)
}

func (p *parser) scalarType(t lex.Token) ir.Type {
	base, n, vec := strings.Cut(t.Text, "x")
	var h ir.Type
	if base == "" {
		p.Fail(t, "unknown type %s", t)
	}
	if base == "bool" {
		h = p.s.Types.Scalar(ir.TypeBool, 1)
	} else {
		k, ok := map[byte]ir.TypeKind{'i': ir.TypeInt, 'u': ir.TypeUint, 'f': ir.TypeFloat}[base[0]]
		if !ok {
			p.Fail(t, "unknown type %s", t)
		}
		bits, _ := p.size(t, base[1:])
		if bits < 8 {
			p.Fail(t, "unknown type %s", t)
		}
		h = p.s.Types.Scalar(k, bits)
	}
	if !vec {
		return h
	}
	c := p.Number(t, n, 8)
	if c < 2 || c > 16 {
		p.Fail(t, "a vector has 2 to 16 components, not %d", c)
	}
	return p.s.Types.Vector(h, uint32(c))
}

func (p *parser) varDecl() {
	t := p.Word("a variable's number")
	n := p.Ref(t, "@", "a variable", maxNumber)
	if _, dup := p.vars[n]; dup || n == 0 {
		p.Fail(t, "variable @%d is declared twice or is 0", n)
	}
	x := ir.VarInfo{Location: -1, Name: p.s.Strs.Intern(p.Str("the variable's name"))}
	x.Mode = kind.Mode(p.enum(&kind.EnumMode, p.Next()))
	x.Type = p.typ()
	var owner *pendingOwner
	for p.Peek().Kind == lex.Word {
		w := p.Next()
		if w.Text == "zero" {
			x.ZeroInit = true
			continue
		}
		p.Expect("=")
		num := func() uint32 { return p.U32("a number") }
		switch w.Text {
		case "fn":
			owner = &pendingOwner{num: num(), tok: w}
		case "builtin":
			x.Builtin = p.Most(1<<32-2, "a builtin") + 1
		case "location":
			x.Location = int32(p.Most(1<<31-1, "a location"))
		case "component":
			x.Comp = p.U8("a component")
		case "index":
			x.Index = p.U8("an index")
		case "qualifier":
			x.Qual = kind.Qualifier(p.enum(&kind.EnumQualifier, p.Next()))
		case "access":
			x.Access = kind.Access(p.enum(&kind.EnumAccess, p.Next()))
		default:
			found := false
			for _, c := range varNumbers {
				if c.name == w.Text {
					*c.at(&x) = num()
					found = true
				}
			}
			if !found {
				p.Fail(w, "unknown property %s of a variable", w)
			}
		}
	}
	p.Newline()
	p.vars[n] = p.s.NewVar(x)
	if owner != nil {
		owner.v = p.vars[n]
		p.owner = append(p.owner, *owner)
	}
}
