package whole

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/amber"
	runengine "jacquard.example/cmd/jacquard/engine"
	"jacquard.example/core/interp"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mathunit"
	"jacquard.example/tests/support/scripts"
)

// both runs every dispatch twice: on the interpreter, with the IR as it reaches
// instruction selection and subgroups of the same width, and on the model of
// the execution units. Both must leave the same bytes in the buffers.
type both struct {
	interp *runengine.Interp
	other  *runengine.Interp // with another seed: what it leaves different is undefined
	eu     *runengine.EU
}

// newBoth compares at one width. The interpreter takes the functions of the
// math unit from the model, so that everything else must agree to the last bit;
// TestMathUnit compares those functions with the interpreter's own.
func newBoth(mod runengine.Module, simd int) *both { return newBothOn(target.TGL, mod, simd) }

// newBothOn is newBoth for a machine.
func newBothOn(machine *target.Target, mod runengine.Module, simd int) *both {
	interpreter := func(seed uint64) *runengine.Interp {
		return &runengine.Interp{
			Module: mod, Width: simd, Seed: seed, Pipeline: pipeline.Compute, Options: pass.Options{Target: machine},
			Configure: func(c *interp.Call) { c.Override = mathunit.Override },
		}
	}
	return &both{
		interp: interpreter(0), other: interpreter(0x1234567),
		eu: &runengine.EU{Module: mod, Options: jacquard.Options{Target: machine.Name, SIMD: simd}},
	}
}

func (e *both) Dispatch(ctx context.Context, c *amber.Call) error {
	mine, second := copyCall(c), copyCall(c)
	if err := e.interp.Dispatch(ctx, mine); err != nil {
		return err
	}
	if err := e.other.Dispatch(ctx, second); err != nil {
		return err
	}
	if err := e.eu.Dispatch(ctx, c); err != nil {
		return err
	}
	for i, b := range c.Bindings {
		if err := e.compare(mine.Bindings[i].Data, second.Bindings[i].Data, b.Data); err != nil {
			return fmt.Errorf("set %d binding %d: %w", b.Set, b.Binding, err)
		}
	}
	return nil
}

// copyCall returns the call on buffers of its own.
func copyCall(c *amber.Call) *amber.Call {
	out := *c
	out.Bindings = make([]amber.Binding, len(c.Bindings))
	for i, b := range c.Bindings {
		b.Data = append([]byte(nil), b.Data...)
		out.Bindings[i] = b
	}
	return &out
}

// compare compares doubleword by doubleword, but for what is undefined.
func (e *both) compare(want, second, got []byte) error {
	if len(got) != len(want) {
		return fmt.Errorf("interpreter %d bytes, EU %d", len(want), len(got))
	}
	for i := 0; i < len(want); i += 4 {
		end := min(i+4, len(want)) // images may end within a doubleword
		w, g := want[i:end], got[i:end]
		if string(w) != string(g) && string(w) == string(second[i:end]) {
			return fmt.Errorf("byte %d: interpreter % x, EU % x", i, w, g)
		}
	}
	return nil
}

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
	mod := func(_ context.Context, s *amber.Shader) ([]byte, error) { return moduleBytes(t, s) }
	e := newBoth(mod, simd)
	if _, err := script.Run(t.Context(), e); err != nil {
		t.Error(err)
	}
}

// mathULP is how far a result of the math unit may be from the interpreter's.
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
