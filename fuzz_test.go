// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/variants"
)

// FuzzCompile checks that no module makes the compiler panic or hang.
func FuzzCompile(fuzz *testing.F) {
	f := variants.Of(fuzz)
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

// FuzzMachineIR checks that no text of machine IR makes the back end panic or hang, whatever pass the text claims to
// follow.
func FuzzMachineIR(fuzz *testing.F) {
	f := variants.Of(fuzz)
	for i, s := range shaders.All() {
		source := module(f, s.Name)
		if len(source) > 2000 {
			continue
		}
		n := i
		_, err := jacquard.Compile(context.Background(), source, jacquard.Options{Trace: func(step *jacquard.Step) {
			if step.SIMD == 0 || step.Pass == jacquard.Passes()[len(jacquard.Passes())-1] {
				return
			}
			if n++; n%7 == 0 {
				f.Add(step.Text())
			}
		}})
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<14 || !bytes.HasPrefix(source, []byte("mir ")) {
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
