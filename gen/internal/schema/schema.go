// SPDX-License-Identifier: MIT

// Package schema writes JSON schemas of the tables, with which editors complete and check them. A part of the generator
// describes its folder of tables as a [Folder] of families ([Of]); [Generate] writes the schemas of all.
//
// A schema is derived from the Go struct that a row is decoded into: its fields, their types, and these tags in
// addition to the name (toml):
//
//	doc        the meaning of the field; shown by editors and in the manual
//	required   "true": the row is rejected without it
//	enum       the values a string may have, separated by commas
//	pattern    a regular expression for a string
//	items      a regular expression for the strings of a list
//	itemsEnum  the values that entries of a list may have
//	minimum, maximum  bounds of an integer
//	shape      "for": names and the lists of values they take
//
// The generator checks the words and numbers of these tags too (package table), and references to other rows.
package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Folder is one folder of the tables and the families of rows it holds.
type Folder struct {
	Dir      string // below each root, e.g. "intel/isa"
	File     string // name of the schema's file, without .json
	Title    string
	Families []Family
}

// Family is one kind of row, [NAME.x].
type Family struct {
	Name string
	Doc  string
	Row  reflect.Type
	Key  string // a regular expression for the names of rows; "" means anything
}

// Of returns a family of rows that are decoded into a T.
func Of[T any](name, key, doc string) Family {
	return Family{Name: name, Doc: doc, Row: reflect.TypeFor[T](), Key: key}
}

// Regular expressions for the names of rows.
const (
	Snake    = `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`
	Template = `^[a-z$][a-z0-9_${}]*$` // a name with variables of a for
	Camel    = `^[A-Z][A-Za-z0-9_]*$`
)

// Comment is at the start of every schema.
const Comment = emit.Marker + "; DO NOT EDIT."

// Names returns the names of the families that a folder may contain. No other place lists them.
func (f *Folder) Names() []string {
	var out []string
	for _, fam := range f.Families {
		out = append(out, fam.Name)
	}
	return out
}

type object = map[string]any

// Generate adds the schemas of the folders.
func Generate(ctx *domain.Context, folders []Folder) error {
	for _, f := range folders {
		text, err := json.MarshalIndent(f.schema(), "", "  ")
		if err != nil {
			return err
		}
		if err := ctx.Out.Text("schema/"+f.File+".json", "", nil, append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) schema() object {
	families := object{}
	for _, fam := range f.Families {
		rows := object{"type": "object", "description": fam.Doc}
		row := fam.schema()
		if fam.Key == "" {
			rows["additionalProperties"] = row
		} else {
			rows["patternProperties"] = object{fam.Key: row}
			rows["additionalProperties"] = false
		}
		families[fam.Name] = rows
	}
	return object{
		"$comment": Comment, "$schema": "http://json-schema.org/draft-07/schema#", "title": f.Title,
		"type": "object", "additionalProperties": false, "properties": families,
	}
}

func (f *Family) schema() object { return structure(f.Row) }

// Fields returns the keys of a row and their documentation, for the manual.
func Fields(row reflect.Type) []Field {
	var out []Field
	for _, f := range table.Fields(row) {
		out = append(out, Field{Name: table.Key(f), Doc: f.Tag.Get("doc"), Type: f.Type})
	}
	return out
}

// Field is one key of a row.
type Field struct {
	Name, Doc string
	Type      reflect.Type
}

func structure(t reflect.Type) object {
	props := object{}
	var required []string
	for _, f := range table.Fields(t) {
		props[table.Key(f)] = field(f)
		if f.Tag.Get("required") == "true" {
			required = append(required, table.Key(f))
		}
	}
	out := object{"type": "object", "additionalProperties": false, "properties": props}
	if required != nil {
		out["required"] = required
	}
	return out
}

// field returns the schema of one field.
func field(f reflect.StructField) object {
	out := value(f.Type)
	if f.Tag.Get("shape") == "for" {
		scalar := object{"type": []string{"string", "integer"}}
		out = object{"type": "object", "minProperties": 1, "additionalProperties": object{
			"type": "array", "minItems": 1, "items": object{"anyOf": []object{scalar, {"type": "array", "items": scalar}}},
		}}
	}
	if d := f.Tag.Get("doc"); d != "" {
		out["description"] = d
	}
	if v := f.Tag.Get("enum"); v != "" {
		out["enum"] = words(v, f.Type)
	}
	if v := f.Tag.Get("pattern"); v != "" {
		out["pattern"] = regexp.MustCompile(v).String()
	}
	for _, n := range []string{"minimum", "maximum"} {
		if v := f.Tag.Get(n); v != "" {
			out[n] = number(v)
		}
	}
	if items, ok := out["items"].(object); ok {
		if v := f.Tag.Get("items"); v != "" {
			items["pattern"] = regexp.MustCompile(v).String()
		}
		if v := f.Tag.Get("itemsEnum"); v != "" {
			items["enum"] = words(v, f.Type.Elem())
			out["uniqueItems"] = true
		}
	}
	return out
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("tag: %v", err))
	}
	return n
}

// words returns the values of a tag, as numbers if the field holds numbers.
func words(list string, t reflect.Type) []any {
	var out []any
	for _, w := range strings.Split(list, ",") {
		if t.Kind() == reflect.Int {
			out = append(out, number(w))
		} else {
			out = append(out, w)
		}
	}
	return out
}

// value returns the schema of a Go type.
func value(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return value(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": value(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": value(t.Elem())}
	case reflect.Struct:
		return structure(t)
	case reflect.Interface:
		return object{}
	}
	panic(fmt.Sprintf("a table cannot hold a value of type %v", t))
}
