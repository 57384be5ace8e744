package irgen

import (
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
)

// srcNames are the parameters of ALU constructors.
var srcNames = []string{"x", "y", "z", "w"}

// GenerateBuild writes generated/build: a typed constructor for every ALU
// opcode, intrinsic, and kind of instruction that core/ir does not know.
func GenerateBuild(c *domain.Context) error {
	t, err := irtab.Load(c)
	if err != nil {
		return err
	}
	ops, err := opcodes.Load(c)
	if err != nil {
		return err
	}
	seen := map[string]diag.Pos{}
	var errs diag.List
	claim := func(name, full string, pos diag.Pos) {
		if p, dup := seen[name]; dup {
			errs.Addf(pos, full, "its constructor %s has the name of the one for the row at %s", name, p)
		}
		seen[name] = pos
	}
	var b buf
	b.f(`// Package build has a constructor for every ALU opcode and intrinsic:
// b.IAdd(x, y), b.LoadSSBO(…).
package build

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Builder inserts instructions at its cursor.
type Builder struct{ ir.Builder }

func b2u(x bool) uint32 {
	if x {
		return 1
	}
	return 0
}

// New returns a builder without a place.
func New(s *ir.Shader) *Builder { return &Builder{ir.NewBuilder(s)} }

`)
	for _, o := range ops.Ops {
		claim(o.GoName, "op."+o.Name, o.Pos)
		params := strings.Join(srcNames[:min(len(o.Srcs), 4)], ", ")
		if len(o.Srcs) > 4 {
			b.f("// %s: %s\nfunc (b *Builder) %s(src ...ir.Src) ir.Src { return b.ALU(op.%s, src...) }\n\n", o.GoName, o.Doc, o.GoName, o.GoName)
			continue
		}
		b.f("// %s: %s\nfunc (b *Builder) %s(%s ir.Src) ir.Src { return b.ALU(op.%s, %s) }\n\n", o.GoName, o.Doc, o.GoName, params, o.GoName, params)
	}
	for _, in := range t.Intrinsics {
		claim(irtab.Camel(in.Row.Name), in.Row.Full, in.Row.Pos)
		buildIntrinsic(&b, in)
	}
	for _, k := range t.Kinds {
		if k.Row.Val.Builder == "core" {
			continue
		}
		name := irtab.Camel(k.Row.Name)
		if k.SubEnum == nil {
			claim(name, k.Row.Full, k.Row.Pos)
			buildKind(&b, k, name, k.Row.Val.Doc, "0", k.Src, k.Fields, &errs)
			continue
		}
		for _, v := range k.Variants {
			claim(name+irtab.Camel(v.Value), k.Row.Full, k.Row.Pos)
			buildKind(&b, k, name+irtab.Camel(v.Value), v.Doc, "uint16(kind."+k.SubEnum.Val.Const(v.Value)+")", v.Src, v.Fields, &errs)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	files := append(append([]string{}, t.Files...), ops.Files...)
	return c.Out.Go("build/build.go", files, b.Bytes())
}

// goType is the type of a constructor's parameter for a field.
func goType(f irtab.Field) string {
	switch f.Class {
	case irtab.U32:
		return "uint32"
	case irtab.I32:
		return "int32"
	case irtab.U64:
		return "uint64"
	case irtab.Bool:
		return "bool"
	case irtab.Enum, irtab.Mask:
		return "kind." + f.Enum.Val.GoName
	case irtab.TypeRef:
		return "ir.Type"
	case irtab.VarRef:
		return "ir.Var"
	case irtab.FuncRef:
		return "ir.Func"
	case irtab.Blocks:
		return "[]ir.Node"
	case irtab.EnumList:
		return "[]kind." + f.Enum.Val.GoName
	}
	return "[]uint64"
}

func word(f irtab.Field, expr string) string {
	if f.Class == irtab.Bool {
		return "b2u(" + expr + ")"
	}
	return "uint32(" + expr + ")"
}

var keywords = map[string]bool{"range": true, "type": true, "var": true, "func": true, "b": true, "comps": true, "bits": true, "import": true, "case": true, "map": true}

func param(name string) string {
	c := irtab.Camel(name)
	c = strings.ToLower(c[:1]) + c[1:]
	if keywords[c] || strings.ToUpper(c) == c {
		c += "_"
	}
	return strings.ReplaceAll(c, "_", "Val")
}

func buildIntrinsic(b *buf, in *irtab.Intrinsic) {
	d := &in.Row.Val
	name := irtab.Camel(in.Row.Name)
	needComps := d.Dest != nil && *d.Dest == 0
	valueSrc := "" // a source with the instruction's component count
	var params, args []string
	for _, s := range d.Src {
		p := param(s.Name)
		if *s.Comps == 0 {
			valueSrc = p
		}
		params, args = append(params, p), append(args, p)
	}
	if d.Target != "" {
		params, args = append(params, "target"), append(args, "target")
	}
	var sig []string
	comps, bits := "1", "0"
	switch {
	case needComps && valueSrc == "":
		sig, comps = append(sig, "comps"), "comps"
	case valueSrc != "":
		comps = valueSrc + ".N"
	}
	if d.Dest != nil {
		if len(d.Bits) == 1 {
			bits = itoa(d.Bits[0])
		} else {
			sig, bits = append(sig, "bits"), "bits"
		}
	}
	decl := ""
	if len(sig) > 0 {
		decl = strings.Join(sig, ", ") + " uint8"
	}
	add := func(s string) {
		if decl != "" {
			decl += ", "
		}
		decl += s
	}
	if len(params) > 0 {
		add(strings.Join(params, ", ") + " ir.Src")
	}
	for _, ix := range in.Indices {
		add(param(ix.Row.Name) + " " + goType(ix.Field))
	}
	res := "ir.Value"
	if d.Dest != nil {
		res = "ir.Src"
	}
	b.f("// %s: %s\nfunc (b *Builder) %s(%s) %s {\n", name, d.Doc, name, decl, res)
	all := ""
	if len(args) > 0 {
		all = ", " + strings.Join(args, ", ")
	}
	b.f("\tv := b.Intrinsic(intrinsic.%s, %s, %s%s)\n", name, comps, bits, all)
	for i, ix := range in.Indices {
		b.f("\tb.S.SetWord(v, %d, %s)\n", i, word(ix.Field, param(ix.Row.Name)))
	}
	if d.Dest != nil {
		b.f("\treturn b.S.All(v)\n}\n\n")
	} else {
		b.f("\treturn v\n}\n\n")
	}
}

func buildKind(b *buf, k *irtab.Kind, name, doc, sub string, src []string, fields []irtab.Field, errs *diag.List) {
	var decl []string
	result := k.Row.Val.Result != "never"
	if result {
		decl = append(decl, "comps, bits uint8")
	}
	for _, s := range src {
		decl = append(decl, param(s)+" ir.Src")
	}
	words := 0
	list := ""
	for _, f := range fields {
		if f.Class == irtab.Data {
			errs.Addf(k.Row.At("fields"), k.Row.Full, "a field of type data needs a constructor in core/ir (builder = \"core\")")
		}
		decl = append(decl, param(f.Name)+" "+goType(f))
		words += f.Class.Words()
		if f.Class.Words() == 0 {
			list = param(f.Name)
		}
	}
	if k.Variadic {
		decl = append(decl, "more ...ir.Src")
	}
	res := "ir.Value"
	if result {
		res = "ir.Src"
	}
	b.f("// %s: %s\nfunc (b *Builder) %s(%s) %s {\n", name, doc, name, strings.Join(decl, ", "), res)
	nsrc, naux := itoa(len(src)), itoa(words)
	if k.Variadic {
		nsrc += "+len(more)"
	}
	if list != "" {
		naux += "+len(" + list + ")"
	}
	b.f("\ts := b.S\n\tv := s.New(kind.%s, %s, %s, %s)\n\tin := s.At(v)\n\tin.Loc = b.Loc\n", irtab.Camel(k.Row.Name), sub, nsrc, naux)
	if result {
		b.f("\tin.Comps, in.Bits = comps, bits\n")
	}
	for i, s := range src {
		b.f("\ts.SetSrc(v, %d, %s)\n", i, param(s))
	}
	if k.Variadic {
		b.f("\tfor i := range more {\n\t\ts.SetSrc(v, %d+i, more[i])\n\t}\n", len(src))
	}
	at := 0
	for _, f := range fields {
		p := param(f.Name)
		switch {
		case f.Class.Words() == 0:
			b.f("\tfor i := range %s {\n\t\ts.SetWord(v, %d+i, uint32(%s[i]))\n\t}\n", p, at, p)
		case f.Class == irtab.U64:
			b.f("\ts.SetWord(v, %d, uint32(%s))\n\ts.SetWord(v, %d, uint32(%s>>32))\n", at, p, at+1, p)
		default:
			b.f("\ts.SetWord(v, %d, %s)\n", at, word(f, p))
		}
		at += f.Class.Words()
	}
	b.f("\tb.Insert(v)\n")
	if result {
		b.f("\treturn s.All(v)\n}\n\n")
	} else {
		b.f("\treturn v\n}\n\n")
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
