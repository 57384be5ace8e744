package jacquard_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/tests/shaders"
)

// FuzzCompile checks that no module makes the compiler panic or hang.
func FuzzCompile(f *testing.F) {
	for _, s := range shaders.All() {
		if source := module(f, s.Name); len(source) < 3000 {
			f.Add(source)
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<16 {
			return
		}
		start := time.Now()
		_, err := jacquard.Compile(context.Background(), source, jacquard.Options{})
		var internal *jacquard.InternalError
		if errors.As(err, &internal) {
			t.Fatalf("%v\n%s", err, internal.Stack)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Fatalf("it took %v", took)
		}
	})
}
