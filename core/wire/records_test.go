// SPDX-License-Identifier: MIT

package wire

import (
	"reflect"
	"testing"

	"jacquard.example/core/ir"
)

// TestRecordsAreComplete finds struct fields that no record has: they would be lost.
func TestRecordsAreComplete(t *testing.T) {
	complete(t, infoProps, "ConstData", "Bindings")
	complete(t, bindingProps)
	complete(t, regProps)
	complete(t, paramProps)
	complete(t, varProps, "Removed")
	complete(t, typeProps, "members")
	complete(t, memberProps)
	if n := len(enumTypeKind.Names); n != ir.NumTypeKinds {
		t.Errorf("%d kinds of types have a name, of %d", n, ir.NumTypeKinds)
	}
}

// complete sets each field of a T in turn. Exactly one property must have a different word then, and setting that
// property must restore the field.
func complete[T any](t *testing.T, props []prop[T], except ...string) {
	t.Helper()
	skip := map[string]bool{}
	for _, e := range except {
		skip[e] = true
	}
	var zero T
	var leaves func(v reflect.Value, path string, do func(reflect.Value, string))
	leaves = func(v reflect.Value, path string, do func(reflect.Value, string)) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if name := v.Type().Field(i).Name; !skip[name] {
					leaves(v.Field(i), path+"."+name, do)
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				leaves(v.Index(i), path, do)
			}
		default:
			do(v, path)
		}
	}
	var x T
	leaves(reflect.ValueOf(&x).Elem(), reflect.TypeOf(x).Name(), func(v reflect.Value, path string) {
		x = zero
		switch {
		case v.CanUint():
			v.SetUint(1)
		case v.CanInt():
			v.SetInt(1)
		case v.Kind() == reflect.Bool:
			v.SetBool(true)
		default:
			t.Errorf("%s has a type that no record can hold", path)
		}
		var back T
		found := 0
		for _, p := range props {
			if p.get(&x) != p.get(&zero) {
				found++
			}
			p.set(&back, p.get(&x))
		}
		if found != 1 || !reflect.DeepEqual(x, back) {
			t.Errorf("%s: %d properties hold it; it comes back as %+v", path, found, back)
		}
	})
}

// TestPropNames: the properties of a record have distinct names.
func TestPropNames(t *testing.T) {
	for name, fields := range recordFields {
		seen := map[string]bool{}
		for _, f := range fields {
			if seen[f.name] {
				t.Errorf("%s has two properties %q", name, f.name)
			}
			seen[f.name] = true
		}
	}
}
