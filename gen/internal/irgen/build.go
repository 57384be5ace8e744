// SPDX-License-Identifier: MIT

package irgen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
)

// srcNames are the parameters of ALU constructors.
var srcNames = []string{"x", "y", "z", "w"}

// GenerateBuild writes generated/build: a typed constructor for every ALU
// opcode, intrinsic, and kind of instruction without a constructor in core/ir.
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
			errs.Addf(pos, full, "its constructor %s has the same name as the constructor of the row at %s", name, p)
		}
		seen[name] = pos
	}
	f := emit.NewFile("build", `Package build has a constructor for every ALU opcode and intrinsic: a [Builder] is
at a place of a shader, and b.IAdd(x, y) or b.LoadSSBO(…) puts an instruction there
and returns its value. Sizes follow from the operands where they can, and are
parameters elsewhere; indices are parameters in the order of the row. Constructors do
not fold, merge or check: passes and the validator do.`)
	f.Type("Builder inserts instructions at its cursor.", "Builder", "struct{ ir.Builder }")
	f.Func("", "b2u(x bool) uint32", emit.If("x", emit.Return("1")), emit.Return("0"))
	f.Returns("New returns a builder without a cursor.", "New(s *ir.Shader) *Builder", "&Builder{ir.NewBuilder(s)}")
	for _, o := range ops.Ops {
		claim(o.GoName, "op."+o.Name, o.Pos)
		sources, types := "src...", "src ...ir.Src"
		if n := len(o.Srcs); n <= len(srcNames) {
			sources = strings.Join(srcNames[:n], ", ")
			types = sources + " ir.Src"
		}
		f.Returns(o.GoName+": "+o.Doc, "(b *Builder) "+o.GoName+"("+types+") ir.Src", "b.ALU(op."+o.GoName+", "+sources+")")
	}
	for _, in := range t.Intrinsics {
		claim(irtab.Camel(in.Row.Name), in.Row.Full, in.Row.Pos)
		buildIntrinsic(f, in)
	}
	for _, k := range t.Kinds {
		if k.Row.Val.Builder == "core" {
			continue
		}
		name := irtab.Camel(k.Row.Name)
		if k.SubEnum == nil {
			claim(name, k.Row.Full, k.Row.Pos)
			buildKind(f, k, name, k.Row.Val.Doc, "0", k.Src, k.Fields, &errs)
			continue
		}
		for _, v := range k.Variants {
			claim(name+irtab.Camel(v.Value), k.Row.Full, k.Row.Pos)
			buildKind(f, k, name+irtab.Camel(v.Value), v.Doc, "uint16(kind."+k.SubEnum.Val.Const(v.Value)+")", v.Src, v.Fields, &errs)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	files := append(append([]string{}, t.Files...), ops.Files...)
	return c.Out.Code("build/build.go", files, f)
}

// goType returns the type of a constructor's parameter for a field.
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

// constructor is a method of the builder under construction.
type constructor struct {
	params []string
	body   []jen.Code
}

// add adds a statement.
func (c *constructor) add(format string, args ...any) {
	c.body = append(c.body, emit.Go(fmt.Sprintf(format, args...)))
}

// write writes a constructor, which returns the given value if the instruction has a
// result.
func (c *constructor) write(f *emit.File, name, doc string, result bool, value string) {
	typ := "ir.Src"
	if !result {
		typ, value = "ir.Value", "v"
	}
	f.Func(name+": "+doc, "(b *Builder) "+name+"("+strings.Join(c.params, ", ")+") "+typ, append(c.body, emit.Return(value))...)
}

func buildIntrinsic(f *emit.File, in *irtab.Intrinsic) {
	d := &in.Row.Val
	result := d.Dest != nil
	valueSrc := "" // a source with the instruction's component count
	var sizes, srcs []string
	for _, s := range d.Src {
		p := param(s.Name)
		if *s.Comps == 0 {
			valueSrc = p
		}
		srcs = append(srcs, p)
	}
	if d.Target != "" {
		srcs = append(srcs, "target")
	}
	comps, bits := "1", "0"
	switch {
	case valueSrc != "":
		comps = valueSrc + ".N"
	case result && *d.Dest == 0:
		sizes, comps = append(sizes, "comps"), "comps"
	}
	switch {
	case result && len(d.Bits) == 1:
		bits = strconv.Itoa(d.Bits[0])
	case result:
		sizes, bits = append(sizes, "bits"), "bits"
	}
	var c constructor
	for _, list := range []struct {
		names []string
		typ   string
	}{{sizes, "uint8"}, {srcs, "ir.Src"}} {
		if len(list.names) > 0 {
			c.params = append(c.params, strings.Join(list.names, ", ")+" "+list.typ)
		}
	}
	name := irtab.Camel(in.Row.Name)
	c.add("v := b.Intrinsic(%s)", strings.Join(append([]string{"intrinsic." + name, comps, bits}, srcs...), ", "))
	for i, x := range in.Indices {
		p := param(x.Row.Name)
		c.params = append(c.params, p+" "+goType(x.Field))
		c.add("b.S.Words(v)[%d] = %s", i, word(x.Field, p))
	}
	c.write(f, name, d.Doc, result, "b.S.All(v)")
}

func buildKind(f *emit.File, k *irtab.Kind, name, doc, sub string, src []string, fields []irtab.Field, errs *diag.List) {
	var c constructor
	result := k.Row.Val.Result != "never"
	if result {
		c.params = append(c.params, "comps, bits uint8")
	}
	for _, s := range src {
		c.params = append(c.params, param(s)+" ir.Src")
	}
	words, list := 0, ""
	for _, x := range fields {
		if x.Class == irtab.Data {
			errs.Addf(k.Row.At("fields"), k.Row.Full, "a field of type data needs a constructor in core/ir (builder = \"core\")")
		}
		c.params = append(c.params, param(x.Name)+" "+goType(x))
		words += x.Class.Words()
		if x.Class.Words() == 0 {
			list = "+len(" + param(x.Name) + ")"
		}
	}
	more := ""
	if k.Variadic {
		c.params = append(c.params, "more ...ir.Src")
		more = "+len(more)"
	}
	c.add("s := b.S")
	c.add("v := s.New(kind.%s, %s, %d%s, %d%s)", irtab.Camel(k.Row.Name), sub, len(src), more, words, list)
	c.add("in := s.At(v)")
	c.add("in.Loc = b.Loc")
	if result {
		c.add("in.Bits, in.Comps = bits, comps")
	}
	for i, s := range src {
		c.add("s.SetSrc(v, %d, %s)", i, param(s))
	}
	if k.Variadic {
		c.body = append(c.body, emit.For("i := range more", emit.Go(fmt.Sprintf("s.SetSrc(v, %d+i, more[i])", len(src)))))
	}
	at := 0
	for _, x := range fields {
		p := param(x.Name)
		switch {
		case x.Class.Words() == 0:
			c.body = append(c.body, emit.For("i := range "+p, emit.Go(fmt.Sprintf("s.Words(v)[%d+i] = uint32(%s[i])", at, p))))
		case x.Class == irtab.U64:
			c.add("s.Words(v)[%d] = uint32(%s)", at, p)
			c.add("s.Words(v)[%d] = uint32(%s>>32)", at+1, p)
		default:
			c.add("s.Words(v)[%d] = %s", at, word(x, p))
		}
		at += x.Class.Words()
	}
	c.add("b.Insert(v)")
	c.write(f, name, doc, result, "s.All(v)")
}
