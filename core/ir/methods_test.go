package ir_test

import (
	"reflect"
	"testing"

	"jacquard.example/core/ir"
)

// TestMethods: a shader has at most 80 exported methods, and none that an embedded field lends it. What only combines
// others is a function of the package that needs it; what has a state of its own, such as registers, is a type.
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
