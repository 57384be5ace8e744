// Package schema derives JSON Schemas from Go types, so that what the command writes and what describes it cannot differ.
// [Of] returns the schema of a type as package encoding/json writes its values: names and optional fields are those of the
// tags, embedded structures are part of the one around them.
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

// Of returns the schema of what package encoding/json writes for a value of type t, which must not be recursive. Fields
// are required unless they may be omitted, elements of arrays are never null; other properties are allowed, since fields may be added.
func Of(title string, t reflect.Type) map[string]any {
	s := of(t)
	s["$schema"], s["title"] = Draft, title
	return s
}

// kinds are the types of JSON for Go's.
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

// described adds to the schema of a property what words says of it.
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

// property returns the name of a field in JSON, empty if it has none, as one that is embedded, and whether it may be
// omitted.
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
