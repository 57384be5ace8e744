// SPDX-License-Identifier: MIT

package whole

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/legal"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/spv"
)

// optimized compiles a module up to selection and calls after for every pass that has
// run. A shader that the target rejects is compiled up to that point.
func optimized(t *testing.T, name string, words []uint32, after func(c *pass.Context, name string) error) {
	t.Helper()
	s, err := spirv.Read(spv.Bytes(words), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	tr := &pass.Trace{After: func(name string, _ bool, _ time.Duration) error { return after(c, name) }}
	var lacks *legal.Error
	if err := pipeline.ForTarget(c, tr); err != nil && !errors.As(err, &lacks) {
		t.Errorf("%s: %v", name, err)
	}
}

// modules returns the compute shaders of the tests by name, and the renderer's with a prefix if they can be fetched.
func modules(t *testing.T) map[string][]uint32 {
	t.Helper()
	all := map[string][]uint32{}
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		all[s.Name] = words
	}
	dir, err := renderer.Fetch()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Logf("without gioui's shaders: %v", err)
		return all
	}
	files, err := renderer.Modules(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range files {
		if all[giouiPrefix+name], err = renderer.Load(file); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestAlgebraicIsIdempotent runs the rules again right after every pass that runs
// them, on every shader: no rule fires.
func TestAlgebraicIsIdempotent(t *testing.T) {
	all := modules(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		runs := 0
		optimized(t, name, all[name], func(c *pass.Context, pass string) error {
			set := ruleSets[pass]
			if set == nil {
				return nil
			}
			runs++
			before := text.Print(c.S)
			again, err := match.Apply(c.S, c.F, set, &target.TGL.Rewrite, nil)
			if err != nil {
				return err
			}
			if after := text.Print(c.S); again || string(after) != string(before) {
				return fmt.Errorf("behind %s the rules change the shader again:\n%s\n%s", pass, before, after)
			}
			return nil
		})
		if runs == 0 {
			t.Errorf("%s: the rules did not run", name)
		}
	}
}
