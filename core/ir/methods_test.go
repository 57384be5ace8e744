// SPDX-License-Identifier: MIT

package ir_test

import (
	"reflect"
	"testing"

	"jacquard.example/core/ir"
)

// TestMethods checks that Shader has at most 80 exported methods and no embedded field that would promote more. A
// function that only combines methods belongs in the package that needs it; state of its own, such as registers, in its
// own type.
func TestMethods(t *testing.T) {
	shader := reflect.TypeFor[*ir.Shader]()
	if n := shader.NumMethod(); n > 80 {
		t.Errorf("%d methods", n)
	}
	for i := range shader.Elem().NumField() {
		if f := shader.Elem().Field(i); f.Anonymous {
			t.Errorf("%s is embedded", f.Name)
		}
	}
}
