package tests

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel"
	runengine "jacquard.example/cmd/jacquard/engine"
	"jacquard.example/core/amber"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// both runs every dispatch twice: on the interpreter, with the IR as it reaches
// instruction selection and subgroups of the same width, and on the model of
// the execution units. What they leave in the buffers must be the same bytes.
type both struct {
	t      *testing.T
	interp *runengine.Interp
	other  *runengine.Interp // with another seed: what it leaves different is undefined
	eu     *runengine.EU
	approx bool   // the shader uses the math unit
	ulp    uint32 // then results may differ by this much
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

// mathULP is how far a result of the math unit may be from the interpreter's.
const mathULP = 4

// amplified are the scripts in which arithmetic behind the math unit makes its
// difference larger, and by how much.
var amplified = map[string]struct {
	ulp    uint32
	reason string
}{
	"float_geometry": {32, "reflect subtracts nearly equal products with a vector normalized by a reciprocal square root"},
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
	for i := 0; i+4 <= len(want); i += 4 {
		if string(want[i:i+4]) != string(second[i:i+4]) {
			continue
		}
		w, g := binary.LittleEndian.Uint32(want[i:]), binary.LittleEndian.Uint32(got[i:])
		if w == g || e.approx && ulps(w, g) <= e.ulp {
			continue
		}
		return fmt.Errorf("byte %d: interpreter %#08x, EU %#08x", i, w, g)
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
	files, err := filepath.Glob("amber/*.amber")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts (%v)", err)
	}
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
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script, err := amber.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	mod := func(_ context.Context, s *amber.Shader) ([]byte, error) { return moduleBytes(t, s) }
	limit := uint32(mathULP)
	if a, ok := amplified[strings.TrimSuffix(filepath.Base(file), ".amber")]; ok {
		limit = a.ulp
	}
	e := &both{t: t, ulp: limit, eu: &runengine.EU{Module: mod, Options: jacquard.Options{SIMD: simd}}}
	e.interp = &runengine.Interp{Module: mod, Width: simd, Options: pass.Options{Rules: *intel.Rules}}
	e.interp.Pipeline = append(append([]pass.Pass{}, pass.Compute...), pass.Pass{Name: "look", Run: func(c *pass.Context) bool {
		e.approx = e.approx || usesMath(c.S)
		return false
	}})
	other := *e.interp
	other.Seed = 0x1234567
	e.other = &other
	if _, err := script.Run(t.Context(), e); err != nil {
		t.Error(err)
	}
}

// usesMath reports whether a shader has instructions that the math unit
// computes.
func usesMath(s *ir.Shader) bool {
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if in := s.At(v); in.Kind == kind.ALU && (in.ALUOp().Info().Has(op.Approximate) || in.IsALU(op.FSqrt) || in.IsALU(op.FRsq) || in.IsALU(op.FRcp)) {
				return true
			}
		}
	}
	return false
}
