// SPDX-License-Identifier: MIT

package irgen

import (
	"fmt"
	"strconv"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// kinds writes the kinds of instructions.
func kinds(t *irtab.Tables) *emit.File {
	f := emit.NewFile("kind", `Package kind lists the kinds of instructions, their fields beside the operands, and
the enumerations that their fields and indices use, such as [Mode] and [Format], with
their names. Printing, parsing, copying, comparing and validating instructions
use these tables at run time. The rows are in defs/ir; generated/docs/kinds.md
shows them. It depends on nothing.`)
	list := []emit.Name{{Name: "Invalid"}}
	for _, k := range t.Kinds {
		list = append(list, emit.Name{Name: irtab.Camel(k.Row.Name), Doc: k.Row.Val.Doc})
	}
	list = append(list, emit.Name{Name: "Count", Above: "Count is one more than the last kind."})
	f.Enum("Kind is a kind of instruction.", "Kind", "uint8", "", list)
	kindTypes(f)
	f.Func("", "(k Kind) String() string",
		emit.If("k < Count", emit.Return("Infos[k].Name")),
		emit.Return(`"?"`))
	f.Func("ByName finds a kind by its name.", "ByName(name string) (Kind, bool)",
		emit.For("k := Invalid + 1; k < Count; k++", emit.If("Infos[k].Name == name", emit.Return("k, true"))),
		emit.Return("Invalid, false"))
	var rows emit.Rows
	rows.F("Invalid: {Name: \"invalid\"},\n")
	for _, k := range t.Kinds {
		kindRow(&rows, k)
	}
	f.Table("Infos describes the kinds.", "Infos", "[Count]Info", &rows)
	var places []emit.Name
	for _, k := range t.Kinds {
		name := "Field" + irtab.Camel(k.Row.Name)
		places = append(places, positions(name, k.Fields, 0)...)
		for _, v := range k.Variants {
			places = append(places, positions(name+irtab.Camel(v.Value), v.Fields, len(k.Fields))...)
		}
	}
	f.Consts("Positions of the fields among the words of an instruction.", places)
	return f
}

// kindTypes writes the types that describe kinds.
func kindTypes(f *emit.File) {
	var classes []emit.Name
	for c := irtab.U32; c <= irtab.Data; c++ {
		classes = append(classes, emit.Name{Name: className(c)})
	}
	f.Enum("FieldClass is the interpretation of a field's words.", "FieldClass", "uint8", "The classes of fields.", classes)
	f.Func("Words returns the number of words of a field; 0 when it depends on the\n"+
		"instruction: one per source (blocks, enums), or one per component and two at\n64 bits (data).",
		"(c FieldClass) Words() int",
		emit.Switch("c",
			emit.Case("ClassU64", emit.Return("2")),
			emit.Case("ClassBlocks, ClassEnums, ClassData", emit.Return("0"))),
		emit.Return("1"))
	f.Struct("Field is a field of an instruction: words after the common record.", "Field", `
		Name string
		Class FieldClass
		Enum *Enum // for enumerations and masks`)
	f.Struct("Shape is the contents of an instruction of a kind (and, where the kind has variants,\nof one opcode).", "Shape", `
		Src []string // names of the fixed sources
		Variadic bool // any number of sources follow them
		Fields []Field`)
	f.Enum("Sub is the meaning of the opcode field of a kind.", "Sub", "uint8", "The meanings of the opcode field.",
		[]emit.Name{{Name: "SubNone"}, {Name: "SubOp"}, {Name: "SubIntrinsic"}, {Name: "SubEnum"}})
	f.Enum("Result describes whether instructions of a kind have a result.", "Result", "uint8",
		"Whether instructions of a kind have a result.",
		[]emit.Name{{Name: "ResultNever"}, {Name: "ResultAlways"}, {Name: "ResultBySub"}})
	f.Struct("Info describes a kind.", "Info", `
		Name string
		Sub Sub
		SubEnum *Enum
		Result Result
		SameSize bool // sources have the size of the result
		Shape Shape // if independent of the opcode
		Variants []Shape // by opcode, if it depends on it`)
	f.Func("ShapeOf returns the shape of an instruction with this opcode; nil if there is\nno such opcode.",
		"(i *Info) ShapeOf(sub uint16) *Shape",
		emit.If("i.Variants == nil", emit.Return("&i.Shape")),
		emit.If("int(sub) >= len(i.Variants)", emit.Return("nil")),
		emit.Return("&i.Variants[sub]"))
}

// subs are the constants for the meaning of a kind's opcode field, by the word in the tables;
// any other word is an enumeration.
var subs = map[string]string{"": "SubNone", "op": "SubOp", "intrinsic": "SubIntrinsic"}

// results are the constants for the presence of a result, by the word in the tables.
var results = map[string]string{"always": "ResultAlways", "never": "ResultNever", "by_sub": "ResultBySub"}

func kindRow(r *emit.Rows, k *irtab.Kind) {
	v := &k.Row.Val
	sub, enum := subs[v.Sub], "nil"
	if k.SubEnum != nil {
		sub, enum = "SubEnum", "&Enum"+k.SubEnum.Val.GoName
	}
	r.F("%s: {Name: %q, Sub: %s, SubEnum: %s, Result: %s, SameSize: %v,\nShape: Shape%s,\n", irtab.Camel(k.Row.Name), k.Row.Name, sub, enum,
		results[v.Result], v.ValueSrc == "same", shapeRow(k.Src, k.Variadic, k.Fields))
	if k.Variants != nil {
		r.F("Variants: []Shape{\n")
		for _, x := range k.Variants {
			r.F("%s, // %s\n", shapeRow(x.Src, k.Variadic, x.Fields), x.Value)
		}
		r.F("},\n")
	}
	r.F("},\n")
}

func shapeRow(src []string, variadic bool, fields []irtab.Field) string {
	names := "nil"
	if len(src) > 0 {
		names = fmt.Sprintf("%#v", src)
	}
	out := fmt.Sprintf("{%s, %v, []Field{", names, variadic)
	for _, f := range fields {
		enum := "nil"
		if f.Enum != nil {
			enum = "&Enum" + f.Enum.Val.GoName
		}
		out += fmt.Sprintf("{%q, %s, %s}, ", f.Name, className(f.Class), enum)
	}
	return out + "}}"
}

func className(c irtab.FieldClass) string { return "Class" + irtab.Camel(c.String()) }

// positions returns constants for the positions of fields, except the first ones.
func positions(prefix string, fields []irtab.Field, without int) (out []emit.Name) {
	at := 0
	for i, f := range fields {
		if i >= without {
			out = append(out, emit.Name{Name: prefix + irtab.Camel(f.Name), Is: "= " + strconv.Itoa(at)})
		}
		at += f.Class.Words()
	}
	return out
}
