// SPDX-License-Identifier: MIT

package emit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// File is a Go file under construction, declaration by declaration. Signatures,
// types and values are Go source text.
type File struct{ file *jen.File }

// NewFile starts a file of a package. One file of each package has a doc.
func NewFile(pkg, doc string) *File {
	f := jen.NewFile(pkg)
	f.NoFormat = true // Out does it
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		f.ImportName(packages[name], name)
	}
	if doc != "" {
		f.PackageComment(lines(doc))
	}
	return &File{f}
}

// String returns the file without the header, before formatting.
func (f *File) String() string { return f.file.GoString() }

// lines turns text into line comments.
func lines(text string) string { return "// " + strings.ReplaceAll(text, "\n", "\n// ") }

// Directive writes a comment for a tool about the next declaration.
func (f *File) Directive(text string) { f.file.Comment("//" + text) }

// remark returns a trailing comment, with the space before it.
func remark(doc string) string {
	if doc == "" {
		return ""
	}
	return " // " + strings.Join(strings.Split(strings.TrimSpace(doc), "\n"), " ")
}

// Comment writes a comment on the next declaration, if text is not empty.
func (f *File) Comment(text string) {
	if text != "" {
		f.file.Comment(lines(text))
	}
}

// Add writes a declaration; without arguments it only inserts a blank line.
func (f *File) Add(c ...jen.Code) {
	f.file.Add(c...)
	f.file.Line()
}

// Anon imports a package for its side effects.
func (f *File) Anon(path string) { f.file.Anon(path) }

// Type declares a type.
func (f *File) Type(doc, name, as string) {
	f.Comment(doc)
	f.Add(jen.Type().Id(name).Add(Go(as)))
}

// Var declares a variable with a value.
func (f *File) Var(doc, name, value string) {
	f.Comment(doc)
	f.Add(jen.Var().Id(name).Op("=").Add(Go(value)))
}

// Const declares a constant.
func (f *File) Const(doc, name, value string) {
	f.Comment(doc)
	f.Add(jen.Const().Id(name).Op("=").Add(Go(value)))
}

// A Name is a constant or a variable in a list. Is is its right-hand side, if it has one; a type
// may precede its equals sign. Doc is a trailing comment, Above precedes it on separate lines.
type Name struct{ Name, Is, Doc, Above string }

func (n *Name) code() jen.Code {
	text := n.Name + " " + n.Is + remark(n.Doc)
	if n.Above != "" {
		text = lines(n.Above) + "\n" + text
	}
	return Go(text)
}

// Consts declares constants together.
func (f *File) Consts(doc string, list []Name) {
	f.Comment(doc)
	f.Add(jen.Const().DefsFunc(func(g *jen.Group) {
		for i := range list {
			g.Add(list[i].code())
		}
	}))
}

// Vars declares variables together.
func (f *File) Vars(doc string, list []Name) {
	f.Comment(doc)
	f.Add(jen.Var().DefsFunc(func(g *jen.Group) {
		for i := range list {
			g.Add(list[i].code())
		}
	}))
}

// Enum declares a type with its values. Values count from 0 unless the first has an Is.
func (f *File) Enum(doc, typ, as, valuesDoc string, values []Name) {
	f.Type(doc, typ, as)
	f.Values(valuesDoc, typ, values)
}

// Values declares the values of a type. Values count from 0 unless the first has an Is.
func (f *File) Values(doc, typ string, values []Name) {
	if len(values) == 0 {
		return
	}
	list := append([]Name(nil), values...)
	if list[0].Is == "" {
		list[0].Is = "iota"
	}
	list[0].Is = typ + " = " + list[0].Is
	f.Consts(doc, list)
}

// Counted is like Enum, for a uint8, with an untyped constant for the number of values.
func (f *File) Counted(doc, typ, valuesDoc string, values []Name, number string) {
	f.Enum(doc, typ, "uint8", valuesDoc, append(values[:len(values):len(values)], Name{Name: number, Is: "= iota"}))
}

// Struct declares a struct. Its fields are on separate lines, with their comments.
func (f *File) Struct(doc, name, fields string) {
	f.Comment(doc)
	f.Add(jen.Type().Id(name).Struct(Go(strings.TrimSpace(fields))))
}

// Interface declares an interface. Its methods are on separate lines, with their comments.
func (f *File) Interface(doc, name, methods string) {
	f.Comment(doc)
	f.Add(jen.Type().Id(name).Interface(Go(strings.TrimSpace(methods))))
}

// Func declares a function or a method. The signature begins with the receiver, if
// there is one.
func (f *File) Func(doc, signature string, body ...jen.Code) {
	f.Comment(doc)
	f.Add(jen.Func().Add(Go(signature)).Block(body...))
}

// Returns declares a function that returns an expression, on one line.
func (f *File) Returns(doc, signature, value string) {
	f.Comment(doc)
	f.Add(jen.Func().Add(Go(signature)).Op("{").Return(Go(value)).Op("}"))
}

// Rows is the body of a table, written as text: a table has thousands of values
// of the same form.
type Rows struct{ bytes.Buffer }

// F appends formatted text.
func (r *Rows) F(format string, args ...any) { fmt.Fprintf(&r.Buffer, format, args...) }

// Set appends a field that is a set of constants, if there are any, after other fields.
func (r *Rows) Set(field string, names []string) {
	if len(names) > 0 {
		r.F(", %s: %s", field, strings.Join(names, " | "))
	}
}

// Table declares a variable that holds rows, each on separate lines.
func (f *File) Table(doc, name, typ string, rows *Rows) {
	f.Comment(doc)
	f.Add(jen.Var().Id(name).Op("=").Add(Go(typ + "{\n" + rows.String() + "}")))
}

// List declares a variable that holds values on one line.
func (f *File) List(doc, name, typ string, values []string) {
	f.Var(doc, name, typ+"{"+strings.Join(values, ", ")+"}")
}

// Quoted returns texts as Go string literals.
func Quoted(texts ...string) (out []string) {
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return out
}

// Search returns a binary search in a sorted list of the given length: it returns found for
// the element at index lo whose key is want, and none if there is no such element.
func Search(length string, key func(at string) string, want, found, none string) []jen.Code {
	return []jen.Code{
		Go("lo, hi := 0, " + length),
		For("lo < hi",
			Go("mid := int(uint(lo+hi) >> 1)"),
			If(key("mid")+" < "+want, Go("lo = mid + 1")).Else().Block(Go("hi = mid"))),
		If("lo < "+length+" && "+key("lo")+" == "+want, Return(found)),
		Return(none),
	}
}
