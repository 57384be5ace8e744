// SPDX-License-Identifier: MIT

package schema

import (
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	Deep *int `json:"deep"`
}

type Embedded struct {
	Shared int `json:"shared"`
}

type sample struct {
	Embedded
	Name   string             `json:"name"`
	Maybe  []inner            `json:"maybe,omitempty"`
	Sizes  [3]uint32          `json:"sizes"`
	Counts map[string]float64 `json:"counts"`
	List   []*inner           `json:"list"`
	hidden int
	Not    bool `json:"-"`
}

// TestSchemaOfType compares the schema of a type with a schema written by hand.
func TestSchemaOfType(t *testing.T) {
	deep := object{"type": "object", "required": []string{"deep"}, "properties": object{
		"deep": object{"anyOf": []object{{"type": "integer"}, {"type": "null"}}}}}
	want := object{
		"$schema": Draft, "title": "sample", "type": "object",
		"required": []string{"shared", "name", "sizes", "counts", "list"},
		"properties": object{
			"shared": object{"type": "integer"},
			"name":   object{"type": "string"},
			"maybe":  object{"type": "array", "items": deep},
			"sizes":  object{"type": "array", "items": object{"type": "integer", "minimum": 0}, "minItems": 3, "maxItems": 3},
			"counts": object{"type": "object", "additionalProperties": object{"type": "number"}},
			"list":   object{"type": "array", "items": deep},
		},
	}
	if got := Of("sample", reflect.TypeFor[sample]()); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	_ = sample{}.hidden
}

// TestWords: descriptions are short and not empty.
func TestWords(t *testing.T) {
	for name, w := range words {
		if owner, field, ok := strings.Cut(name, "."); !ok || owner == "" || field == "" || w.about == "" || len(w.about) > 100 {
			t.Errorf("%s: %q", name, w.about)
		}
	}
}
