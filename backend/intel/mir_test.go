// SPDX-License-Identifier: MIT

package intel_test

import (
	"bytes"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/generated/target"
)

// eachShader calls fn for every shader that the target supports, lowered, at every width.
func eachShader(t *testing.T, fn func(t *testing.T, name string, s *ir.Shader, simd int)) {
	files, _ := filepath.Glob("../../tests/shaders/*.spv")
	if len(files) < 100 {
		t.Fatalf("%d shaders", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".comp.spv")
		t.Run(name, func(t *testing.T) {
			s := lowered(t, file)
			if s == nil {
				return
			}
			for _, simd := range []int{8, 16, 32} {
				fn(t, name, s, simd)
			}
		})
	}
}

// TestText checks that the text of machine IR after every pass can be parsed: the parsed unit prints as the
// same text, and contains everything that a pass needs.
func TestText(t *testing.T) {
	var c intel.Compiler
	texts := 0
	eachShader(t, func(t *testing.T, name string, s *ir.Shader, simd int) {
		_, err := c.Compile(s, intel.Options{Target: target.TGL, SIMD: simd, Buffers: 8,
			Trace: func(pass string, u *mir.Unit, _ time.Duration) {
				text := mirtext.Print(u)
				got, err := mirtext.Parse(text, nil)
				if err != nil {
					t.Fatalf("SIMD%d after %s: %v\n%s", simd, pass, err, text)
				}
				if err := validate.Func(got.Func); err != nil {
					t.Fatalf("SIMD%d after %s: %v\n%s", simd, pass, err, text)
				}
				if again := mirtext.Print(got); !bytes.Equal(text, again) {
					t.Fatalf("SIMD%d after %s: printed again\n%s\ninstead of\n%s", simd, pass, again, text)
				}
				if diff := differs(u, got); diff != "" {
					t.Fatalf("SIMD%d after %s: %s", simd, pass, diff)
				}
				texts++
			}})
		if err != nil {
			t.Errorf("SIMD%d: %v", simd, err)
		}
	})
	if texts < 5000 {
		t.Errorf("%d texts were read", texts)
	}
}

// differs describes how a parsed unit differs from the unit that was printed.
func differs(was, is *mir.Unit) string {
	a, b := *was, *is
	f, g := a.Func, b.Func
	a.Func, b.Func = nil, nil
	a.Places, b.Places = nil, nil
	switch {
	case f.Name != g.Name || f.Width != g.Width || f.Payload != g.Payload || len(f.Regs) != len(g.Regs) || len(f.Blocks) != len(g.Blocks):
		return "the function is another"
	}
	if !slices.EqualFunc(f.Regs, g.Regs, mir.RegInfo.Alike) {
		return "a register is another"
	}
	if !reflect.DeepEqual(a, b) {
		return "the header is another"
	}
	for blk := range f.Blocks {
		i, j := f.Blocks[blk].First, g.Blocks[blk].First
		for i != 0 && j != 0 {
			x, y := f.At(i).Detached(), g.At(j).Detached()
			x.Loc, y.Loc = 0, 0
			if x != y {
				return f.Text(i) + ": is not the same record"
			}
			if (f.ScratchBase == i) != (g.ScratchBase == j) {
				return f.Text(i) + ": the start of scratch space is lost"
			}
			i, j = f.Next(i), g.Next(j)
		}
		if i != 0 || j != 0 {
			return "a block has other instructions"
		}
	}
	return ""
}
