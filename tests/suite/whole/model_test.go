// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/mathunit"
	"jacquard.example/tests/support/scripts"
)

// ulps counts the floats between two of the same sign.
func ulps(a, b uint32) uint32 {
	if a>>31 != b>>31 {
		return ^uint32(0)
	}
	return max(a, b) - min(a, b)
}

// TestEUEqualsInterpreter runs every script on both at every width.
func TestEUEqualsInterpreter(t *testing.T) {
	files := scripts.Files(t, "../../amber/*.amber")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".amber")
		for _, simd := range widths {
			t.Run(fmt.Sprintf("%s/%d", name, simd), func(t *testing.T) {
				if reason := uncompiled[name]; reason != "" {
					t.Logf("not compiled: %s", reason)
					return
				}
				t.Parallel()
				agree(t, file, simd)
			})
		}
	}
}

func agree(t *testing.T, file string, simd int) {
	script := scripts.Read(t, file)
	mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
	e := differential.New(target.TGL, mod, simd)
	if _, err := script.Run(t.Context(), e); err != nil {
		t.Error(err)
	}
}

// mathULP is the maximum distance of a result of the math unit from the interpreter's.
const mathULP = 4

// TestMathUnit compares the model's math unit with the interpreter's functions.
func TestMathUnit(t *testing.T) {
	for o, fn := range mathunit.Ops {
		worst := uint32(0)
		for i := range uint32(1 << 16) {
			x := i<<16 | i*40503&0xffff
			// Sines and cosines lose all precision with large arguments: the
			// API asks for them up to pi (Vulkan, "Precision of Core SPIR-V
			// Instructions").
			if f := math.Float32frombits(x); (fn == isa.MathSin || fn == isa.MathCos) && math.Abs(float64(f)) > math.Pi {
				continue
			}
			var src [op.MaxSrc][fold.MaxComps]uint64
			var a, b [fold.MaxComps]uint64
			src[0][0] = uint64(x)
			if !mathunit.Override(o, 32, &src, &a, num.Flush32) || !fold.Eval(o, 32, 1, &src, &b, num.Flush32) {
				t.Fatalf("%s cannot be computed", o)
			}
			d := ulps(uint32(a[0]), uint32(b[0]))
			if d > mathULP {
				t.Fatalf("%s(%#08x): math unit %#08x, interpreter %#08x", o, x, a[0], b[0])
			}
			worst = max(worst, d)
		}
		t.Logf("%s: at most %d ULP", o, worst)
	}
}
