// SPDX-License-Identifier: MIT

package opcodes

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/eval"
)

// Generate loads the tables and writes the files.
func Generate(ctx *domain.Context) error {
	t, err := Load(ctx)
	if err != nil {
		return err
	}
	for _, part := range []func(*domain.Context, *Table) error{emitEnum, emitTable, emitFold, emitDoc, emitSchema} {
		if err := part(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

var baseNames = map[eval.Base]string{
	eval.Int: "Int", eval.Uint: "Uint", eval.Float: "Float", eval.Bool: "Bool", eval.Bits: "Bits",
}

// sizes are the execution sizes.
var sizes = []int{1, 8, 16, 32, 64}

// emitEnum writes the opcodes and the types that describe them.
func emitEnum(ctx *domain.Context, t *Table) error {
	f := emit.NewFile("op", `Package op names the ALU opcodes ([Op]) and describes in [Table] the operands and result
of each: the types and sizes of its operands, the number of their components, and
properties such as commutativity, which rules and passes may use. The results
of opcodes are computed in package fold, from the same rows (defs/opcodes);
generated/docs/opcodes.md shows both. It depends on nothing.`)
	f.Enum("Base is the kind of number an operand holds.", "Base", "uint8", "The base types. Bits is any value of a width, uninterpreted.",
		[]emit.Name{{Name: "NoBase"}, {Name: "Int"}, {Name: "Uint"}, {Name: "Float"}, {Name: "Bool"}, {Name: "Bits"}})
	f.List("", "baseNames", "[...]string", emit.Quoted("none", "int", "uint", "float", "bool", "bits"))
	f.Func("String returns the name a table uses.", "(b Base) String() string",
		emit.If("int(b) < len(baseNames)", emit.Return("baseNames[b]")),
		emit.Return(`"none"`))
	f.Struct("Operand is the type of a source or of the result.", "Operand", `
		Base Base
		Bits uint8 // 0 means the execution size, the same for all such operands
		Comps uint8 // 0 means per component; otherwise a vector of exactly this many`)
	f.Const("MaxSrc is the largest number of sources.", "MaxSrc", strconv.Itoa(MaxSrc))
	f.Struct("Info describes an opcode.", "Info", `
		Name string
		Doc string
		NumSrc uint8
		Src [MaxSrc]Operand
		Out Operand
		Sizes Sizes // execution sizes; 0 if every operand has its own width
		Props Props
		Kernel bool // occurs only in OpenCL kernels`)
	f.Returns("Has reports whether the opcode has all the properties.", "(i *Info) Has(p Props) bool", "i.Props&p == p")
	var widths []emit.Name
	var bySize []string
	for _, n := range sizes {
		widths = append(widths, emit.Name{Name: sizeName(n)})
		bySize = append(bySize, fmt.Sprintf("%d: %s", n, sizeName(n)))
	}
	widths[0].Is = "1 << iota"
	f.Enum("Sizes is a set of widths.", "Sizes", "uint8", "The widths.", widths)
	f.Var("sizeOf holds the sets of one width, by width.", "sizeOf", "[256]Sizes{"+strings.Join(bySize, ", ")+"}")
	f.Returns("SizeOf returns the set that holds only the width, or none.", "SizeOf(bits uint8) Sizes", "sizeOf[bits]")
	f.Func("String returns the opcode's name, such as \"iadd\".", "(o Op) String() string",
		emit.If("o < Count", emit.Return("Table[o].Name")),
		emit.Return(`"op?"`))
	f.Returns("Info returns the opcode's row. The opcode must be valid.", "(o Op) Info() *Info", "&Table[o]")
	f.Returns("Valid reports whether the opcode exists.", "(o Op) Valid() bool", "o < Count")
	f.Func("ByName finds an opcode.", "ByName(name string) (Op, bool)",
		emit.Search("len(sorted)", func(at string) string { return "Table[sorted[" + at + "]].Name" }, "name", "sorted[lo], true",
			"0, false")...)
	var words, ops []emit.Name
	for _, p := range props {
		words = append(words, emit.Name{Name: p.goName, Doc: p.doc})
	}
	words[0].Is = "1 << iota"
	f.Enum("Props are an opcode's properties.", "Props", "uint16", "The properties.", words)
	for _, o := range t.Ops {
		ops = append(ops, emit.Name{Name: o.GoName, Doc: o.Doc})
	}
	ops = append(ops, emit.Name{Name: "Count", Above: "Count is the number of opcodes."})
	f.Enum("Op is an ALU opcode. The numbers follow the tables and have no meaning outside a\nprocess: files contain names.", "Op",
		"uint16", "The opcodes.", ops)
	return ctx.Out.Code("op/op.go", t.Files, f)
}

func sizeName(bits int) string { return "Size" + strconv.Itoa(bits) }

// emitTable writes the rows of the opcodes.
func emitTable(ctx *domain.Context, t *Table) error {
	var rows, sorted emit.Rows
	for _, o := range t.Ops {
		tableRow(&rows, o)
	}
	names := append([]*Op(nil), t.Ops...)
	sort.Slice(names, func(i, j int) bool { return names[i].Name < names[j].Name })
	for i, o := range names {
		sorted.F("%s,", o.GoName)
		if i%8 == 7 {
			sorted.F("\n")
		}
	}
	f := emit.NewFile("op", "")
	f.Table("Table holds the row of every opcode.", "Table", "[Count]Info", &rows)
	f.Table("sorted holds the opcodes in the order of their names.", "sorted", "[Count]Op", &sorted)
	return ctx.Out.Code("op/table.go", t.Files, f)
}

func tableRow(r *emit.Rows, o *Op) {
	operand := func(o Operand) string {
		return fmt.Sprintf("{%s, %d, %d}", baseNames[o.Base], o.Bits, o.Comps)
	}
	var src, widths, words []string
	for _, s := range o.Srcs {
		src = append(src, operand(s))
	}
	r.F("%s: {Name: %q, Doc: %q, NumSrc: %d, Src: [MaxSrc]Operand{%s}, Out: Operand%s", o.GoName, o.Name, o.Doc, len(src),
		strings.Join(src, ", "), operand(o.Out))
	for _, n := range o.Sizes {
		widths = append(widths, sizeName(n))
	}
	for _, p := range props {
		if o.Has(p.name) {
			words = append(words, p.goName)
		}
	}
	r.Set("Sizes", widths)
	r.Set("Props", words)
	if o.Kernel != "" {
		r.F(", Kernel: true")
	}
	r.F("},\n")
}
