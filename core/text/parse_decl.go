package text

import (
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

func (p *parser) bindingLine() {
	b := ir.Binding{Set: p.u32("a set"), Binding: p.u32("a binding")}
	b.Mode = kind.Mode(p.enum(&kind.EnumMode, p.next()))
	number := func(name string) uint32 {
		if w := p.word(name); w.text != name {
			p.fail(w, "expected %s, found %s", name, w)
		}
		p.expect("=")
		return p.u32("a number")
	}
	b.Count, b.Index = number("count"), number("index")
	if w := p.word("access"); w.text != "access" {
		p.fail(w, "expected access, found %s", w)
	}
	p.expect("=")
	b.Access = kind.Access(p.enum(&kind.EnumAccess, p.next()))
	p.newline()
	p.s.Info.Bindings = append(p.s.Info.Bindings, b)
}

func (p *parser) regDecl() {
	t := p.word("a number")
	n := p.number(t, t.text, 32)
	w := p.word("a size")
	bits, comps := p.size(w, w.text)
	r := p.s.NewReg(comps, bits)
	if uint64(r) != n {
		p.fail(t, "registers are declared in order; this is number %d", r)
	}
	if p.isWord("divergent") {
		p.next()
		p.s.Reg(r).Divergent = true
	}
	p.newline()
}

func (p *parser) structDecl() {
	t := p.word("a struct's number")
	n := p.ref(t, "S", "a struct")
	if int(n) != len(p.types)+1 {
		p.fail(t, "structs are declared in order; this is S%d", len(p.types)+1)
	}
	info := ir.TypeInfo{Name: p.s.Intern(p.str("the struct's name"))}
	for !p.isPunct("{") {
		w := p.word("'{'")
		switch w.text {
		case "block":
			info.Block = true
		case "size":
			p.expect("=")
			info.Size = p.u32("a size")
		default:
			p.fail(w, "unknown property %s of a struct", w)
		}
	}
	p.expect("{")
	p.newline()
	var members []ir.Member
	for !p.accept("}") {
		m := ir.Member{Type: p.typ(), Offset: ir.NoOffset}
		m.Name = p.s.Intern(p.str("the member's name"))
		for p.peek().kind == tokWord {
			w := p.next()
			if w.text == "row_major" {
				m.RowMajor = true
				continue
			}
			p.expect("=")
			switch w.text {
			case "offset":
				m.Offset = p.most(ir.NoOffset-1, "bytes")
			case "stride":
				m.Stride = p.u32("bytes")
			case "access":
				m.Access = kind.Access(p.enum(&kind.EnumAccess, p.next()))
			case "builtin":
				m.Builtin = p.most(1<<32-2, "a builtin") + 1
			case "location":
				m.Location = p.most(1<<32-2, "a location") + 1
			case "component":
				m.Comp = p.u8("a component")
			case "qualifier":
				m.Qual = kind.Qualifier(p.enum(&kind.EnumQualifier, p.next()))
			default:
				p.fail(w, "unknown property %s of a member", w)
			}
		}
		members = append(members, m)
		p.newline()
	}
	p.newline()
	p.types = append(p.types, p.s.Types.Struct(info, members))
}

func (p *parser) typ() ir.Type {
	if p.depth++; p.depth > maxNest {
		p.fail(p.peek(), "types are nested too deeply")
	}
	defer func() { p.depth-- }()
	tt := &p.s.Types
	if p.accept("[") {
		n := p.u32("a length")
		if w := p.word("'x'"); w.text != "x" {
			p.fail(w, "expected 'x', found %s", w)
		}
		elem := p.typ()
		p.expect(",")
		stride := p.u32("a stride")
		p.expect("]")
		return tt.Array(elem, n, stride)
	}
	t := p.word("a type")
	switch t.text {
	case "void":
		return 0
	case "sampler":
		return tt.Intern(ir.TypeInfo{Kind: ir.TypeSampler})
	case "matrix":
		p.expect("(")
		x := ir.TypeInfo{Kind: ir.TypeMatrix, Elem: p.typ()}
		p.expect(",")
		x.Len = p.u32("a number of columns")
		p.expect(",")
		x.Stride = p.u32("a stride")
		p.expect(",")
		switch w := p.word("row or column"); w.text {
		case "row":
			x.RowMajor = true
		case "column":
		default:
			p.fail(w, "expected row or column, found %s", w)
		}
		p.expect(")")
		return tt.Intern(x)
	case "pointer":
		p.expect("(")
		x := ir.TypeInfo{Kind: ir.TypePointer, Elem: p.typ()}
		p.expect(",")
		x.Modes = kind.Mode(p.enum(&kind.EnumMode, p.next()))
		p.expect(",")
		x.Bits = p.u8("a size")
		p.expect(")")
		return tt.Intern(x)
	case "image", "sampled_image":
		return p.imageType(t.text == "image")
	}
	if strings.HasPrefix(t.text, "S") {
		n := p.ref(t, "S", "a struct")
		if n == 0 || int(n) > len(p.types) {
			p.fail(t, "struct S%d is not declared above", n)
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
	p.expect("(")
	x.Elem = p.typ()
	p.expect(",")
	x.Dim = kind.ImageDim(p.enum(&kind.EnumImageDim, p.next()))
	p.expect(",")
	x.Format = kind.Format(p.enum(&kind.EnumFormat, p.next()))
	for p.accept(",") {
		w := p.word("a property of an image")
		switch w.text {
		case "array":
			x.Arrayed = true
		case "ms":
			x.Multisampled = true
		case "shadow":
			x.Shadow = true
		case "storage":
			x.Storage = true
		default:
			p.fail(w, "unknown property %s of an image", w)
		}
	}
	p.expect(")")
	return p.s.Types.Intern(x)
}

func (p *parser) scalarType(t token) ir.Type {
	base, n, vec := strings.Cut(t.text, "x")
	var h ir.Type
	if base == "" {
		p.fail(t, "unknown type %s", t)
	}
	if base == "bool" {
		h = p.s.Types.Scalar(ir.TypeBool, 1)
	} else {
		k, ok := map[byte]ir.TypeKind{'i': ir.TypeInt, 'u': ir.TypeUint, 'f': ir.TypeFloat}[base[0]]
		if !ok {
			p.fail(t, "unknown type %s", t)
		}
		bits, _ := p.size(t, base[1:])
		if bits < 8 {
			p.fail(t, "unknown type %s", t)
		}
		h = p.s.Types.Scalar(k, bits)
	}
	if !vec {
		return h
	}
	c := p.number(t, n, 8)
	if c < 2 || c > 16 {
		p.fail(t, "a vector has 2 to 16 components, not %d", c)
	}
	return p.s.Types.Vector(h, uint32(c))
}

func (p *parser) varDecl() {
	t := p.word("a variable's number")
	n := p.ref(t, "@", "a variable")
	if _, dup := p.vars[n]; dup || n == 0 {
		p.fail(t, "variable @%d is declared twice or is 0", n)
	}
	x := ir.VarInfo{Location: -1, Name: p.s.Intern(p.str("the variable's name"))}
	x.Mode = kind.Mode(p.enum(&kind.EnumMode, p.next()))
	x.Type = p.typ()
	var owner *pendingOwner
	for p.peek().kind == tokWord {
		w := p.next()
		if w.text == "zero" {
			x.ZeroInit = true
			continue
		}
		p.expect("=")
		num := func() uint32 { return p.u32("a number") }
		switch w.text {
		case "fn":
			owner = &pendingOwner{num: num(), tok: w}
		case "builtin":
			x.Builtin = p.most(1<<32-2, "a builtin") + 1
		case "location":
			x.Location = int32(p.most(1<<31-1, "a location"))
		case "component":
			x.Comp = p.u8("a component")
		case "index":
			x.Index = p.u8("an index")
		case "qualifier":
			x.Qual = kind.Qualifier(p.enum(&kind.EnumQualifier, p.next()))
		case "access":
			x.Access = kind.Access(p.enum(&kind.EnumAccess, p.next()))
		default:
			found := false
			for _, c := range varNumbers {
				if c.name == w.text {
					*c.at(&x) = num()
					found = true
				}
			}
			if !found {
				p.fail(w, "unknown property %s of a variable", w)
			}
		}
	}
	p.newline()
	p.vars[n] = p.s.NewVar(x)
	if owner != nil {
		owner.v = p.vars[n]
		p.owner = append(p.owner, *owner)
	}
}
