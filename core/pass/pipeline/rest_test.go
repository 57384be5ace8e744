// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"errors"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
)

// restShader returns a shader with 200 equal stores.
func restShader(t *testing.T) *ir.Shader {
	source := "shader compute \"main\"\nworkgroup_size 1 1 1\nvar @1 \"s\" shared u32\nfn 1 \"main\"() entry {\nb0:\n" +
		"%0 = load_local_invocation_index.32\n%1 = ineg.32 %0\n%2 = deref_var.32 modes=shared type=u32 var=@1\n"
	for range 200 {
		source += "store_deref.x1 %2, %1 write_mask=1\n"
	}
	s, err := text.Parse([]byte(source + "}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFixedPoint distinguishes passes that undo each other, passes that still make progress, and passes that reach a fixed point.
// The shader does not change.
func TestFixedPoint(t *testing.T) {
	stores := func(s *ir.Shader) (out []ir.Value) {
		for v := range s.Instrs(s.FirstBlock(s.Entry())) {
			if s.At(v).Kind == kind.Intrinsic && s.At(v).NSrc == 2 {
				out = append(out, v)
			}
		}
		return out
	}
	flip := &pass.Pass{Name: "flip", Run: func(c *pass.Context) bool { // flips between two values
		last := stores(c.S)[0]
		all := slices.Collect(c.S.Instrs(c.S.FirstBlock(c.F)))
		to := all[0]
		if c.S.Src(last, 1).Val == to {
			to = all[1]
		}
		c.S.SetSrc(last, 1, c.S.All(to))
		return true
	}}
	never := &pass.Pass{Name: "never", Run: func(*pass.Context) bool { return false }}
	remove := func(left int) *pass.Pass {
		return &pass.Pass{Name: "remove", Run: func(c *pass.Context) bool {
			list := stores(c.S)
			if len(list) <= left {
				return false
			}
			c.S.Remove(list[0])
			return true
		}}
	}
	for _, x := range []struct {
		name     string
		loop     pass.Loop
		undo     []string
		changing []string
	}{
		{"undo", pass.Loop{never, flip}, []string{"flip"}, nil},
		{"undo in a loop", pass.Loop{pass.Loop{flip}, never}, []string{"flip"}, nil},
		{"progress", pass.Loop{never, remove(0)}, nil, []string{"remove"}},
		{"rest", pass.Loop{never, remove(180)}, nil, nil},
	} {
		s := restShader(t)
		before := string(text.Print(s))
		changing, err := pipeline.Rest(pass.New(s), x.loop)
		var unrest *pipeline.Unrest
		if errors.As(err, &unrest) != (x.undo != nil) || unrest != nil && !slices.Equal(unrest.Passes, x.undo) ||
			unrest == nil && err != nil {
			t.Errorf("%s: %v, want %v", x.name, err, x.undo)
		}
		if !slices.Equal(changing, x.changing) {
			t.Errorf("%s: %v still change the shader, want %v", x.name, changing, x.changing)
		}
		if string(text.Print(s)) != before {
			t.Errorf("%s: the shader has changed", x.name)
		}
	}
}
