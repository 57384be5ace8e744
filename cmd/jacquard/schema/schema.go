// SPDX-License-Identifier: MIT

// Package schema derives JSON Schemas from the Go types that the command writes, so that output and schema cannot
// differ. [Of] returns the schema of a type in the encoding of package encoding/json: tags give the names and the
// optional fields, and the fields of embedded structures are part of the structure around them.
package schema

import (
	"fmt"
	"reflect"
	"strings"
)

// Draft is the URI of the dialect: JSON Schema, draft 2020-12.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// object is a JSON object of a schema.
type object = map[string]any

// Of returns the schema of the encoding/json output for values of type t, which must not be recursive. Fields are
// required unless they may be omitted, and elements of arrays are never null. Other properties are allowed, since
// fields may be added.
func Of(title string, t reflect.Type) map[string]any {
	s := of(t)
	s["$schema"], s["title"] = Draft, title
	return s
}

// kinds maps kinds of Go types to JSON types.
var kinds = map[reflect.Kind]string{
	reflect.Bool: "boolean", reflect.String: "string", reflect.Float64: "number",
	reflect.Int: "integer", reflect.Uint32: "integer", reflect.Uint64: "integer",
}

func of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []object{of(t.Elem()), {"type": "null"}}}
	case reflect.Slice:
		elem := t.Elem()
		if elem.Kind() == reflect.Uint8 { // as package json writes them
			return object{"type": "string", "contentEncoding": "base64"}
		}
		if elem.Kind() == reflect.Pointer { // never nil
			elem = elem.Elem()
		}
		return object{"type": "array", "items": of(elem)}
	case reflect.Array:
		return object{"type": "array", "items": of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": of(t.Elem())}
	case reflect.Struct:
		return ofStruct(t)
	}
	name, ok := kinds[t.Kind()]
	if !ok {
		panic(fmt.Sprintf("schema: no schema for %s", t)) // only types that the command writes are passed
	}
	s := object{"type": name}
	if name == "integer" && t.Kind() != reflect.Int {
		s["minimum"] = 0
	}
	return s
}

func ofStruct(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, omitted := property(&f)
		if name == "" {
			continue
		}
		owner := t
		for _, i := range f.Index[:len(f.Index)-1] { // through embedded structures
			if owner = owner.Field(i).Type; owner.Kind() == reflect.Pointer {
				owner = owner.Elem()
			}
		}
		properties[name] = described(of(f.Type), owner.Name()+"."+name)
		if !omitted {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

// described adds the description and the possible values of a property to its schema.
func described(s object, name string) object {
	w := words[name]
	if w.about != "" {
		s["description"] = w.about
	}
	if w.enum != nil {
		s["enum"] = w.enum
	}
	return s
}

// property returns the JSON name of a field, and whether the field may be omitted. The name is empty for fields
// without one, such as embedded structures.
func property(f *reflect.StructField) (name string, omitted bool) {
	tag, ok := f.Tag.Lookup("json")
	if !f.IsExported() || tag == "-" || f.Anonymous && !ok {
		return "", false
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" {
		name = f.Name
	}
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}
