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

// File is a Go file that is being written, declaration by declaration. Signatures,
// types and values are pieces of Go.
type File struct{ file *jen.File }

// NewFile starts a file of a package. One file of each has a doc.
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

// String is the file without the header, before it is formatted.
func (f *File) String() string { return f.file.GoString() }

// lines turns text into comments of a line each.
func lines(text string) string { return "// " + strings.ReplaceAll(text, "\n", "\n// ") }

// Directive writes a comment for a tool about what comes next.
func (f *File) Directive(text string) { f.file.Comment("//" + text) }

// remark is the comment behind something, with the space before it.
func remark(doc string) string {
	if doc == "" {
		return ""
	}
	return " // " + strings.Join(strings.Split(strings.TrimSpace(doc), "\n"), " ")
}

// Comment writes a comment that belongs to what comes next, if there is a text.
func (f *File) Comment(text string) {
	if text != "" {
		f.file.Comment(lines(text))
	}
}

// Add writes a declaration; none only parts what is before from what comes next.
func (f *File) Add(c ...jen.Code) {
	f.file.Add(c...)
	f.file.Line()
}

// Anon imports a package for what it does.
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

// A Name is a constant or a variable in a list. What it Is is its right side, if it has one; a type
// may stand before its equals sign. Doc is behind it, Above on lines of its own.
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

// Enum declares a type with its values, which count from 0 or are what the first
// one's Is says.
func (f *File) Enum(doc, typ, as, valuesDoc string, values []Name) {
	f.Type(doc, typ, as)
	f.Values(valuesDoc, typ, values)
}

// Values declares the values of a type, which count from 0 or are what the first
// one's Is says.
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

// Counted is Enum of small numbers with a constant of no type for their number.
func (f *File) Counted(doc, typ, valuesDoc string, values []Name, number string) {
	f.Enum(doc, typ, "uint8", valuesDoc, append(values[:len(values):len(values)], Name{Name: number, Is: "= iota"}))
}

// Struct declares a struct. Its fields are on lines of their own, with their remarks.
func (f *File) Struct(doc, name, fields string) {
	f.Comment(doc)
	f.Add(jen.Type().Id(name).Struct(Go(strings.TrimSpace(fields))))
}

// Interface declares an interface. Its methods are on lines of their own, with their docs.
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

// Rows is the inside of a table, written as text: a table has thousands of values
// that all look alike.
type Rows struct{ bytes.Buffer }

// F adds text.
func (r *Rows) F(format string, args ...any) { fmt.Fprintf(&r.Buffer, format, args...) }

// Set adds a field that is a set of constants, if there are any, behind other fields.
func (r *Rows) Set(field string, names []string) {
	if len(names) > 0 {
		r.F(", %s: %s", field, strings.Join(names, " | "))
	}
}

// Table declares a variable that holds rows, each on lines of its own.
func (f *File) Table(doc, name, typ string, rows *Rows) {
	f.Comment(doc)
	f.Add(jen.Var().Id(name).Op("=").Add(Go(typ + "{\n" + rows.String() + "}")))
}

// List declares a variable that holds values on one line.
func (f *File) List(doc, name, typ string, values []string) {
	f.Var(doc, name, typ+"{"+strings.Join(values, ", ")+"}")
}

// Quoted are texts as Go has them.
func Quoted(texts ...string) (out []string) {
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return out
}

// Search is a binary search in a sorted list of a length: it returns found for the
// element, at place lo, of which key is want, and none if there is no such.
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
