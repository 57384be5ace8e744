// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/target"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/scripts"
)

// rewritten is an engine that runs a shader before and after every pass of
// rewrite rules that changes it. Both must leave the same buffers: the same
// bits where the rules that fired give nothing up, and about the same numbers
// otherwise. A second run of the pass must find nothing.
type rewritten struct {
	mod runengine.Module
	// part is the maximum distance of 32-bit floats: as a share of the larger one, and a tenth of part in all, since
	// differences of large numbers have lost digits.
	part   float64
	fired  *match.Stats
	passes *int
}

// step is a pass that changed something: the shader before and after it, and whether the pass may give up exactness.
type step struct {
	name          string
	before, after []byte
	gives         bool
	rules         string
}

// ruleSets are the sets by the names of their passes.
var ruleSets = map[string]*match.Set{"algebraic": &opt.Set, "algebraic_before_ffma": &beforeffma.Set, "algebraic_late": &late.Set}

// watch puts fn around the passes of rules in a pipeline.
func watch(pipeline pass.Pipeline, fn func(p *pass.Pass, c *pass.Context) bool) pass.Pipeline {
	var out pass.Pipeline
	for _, x := range pipeline {
		switch p := x.(type) {
		case pass.Loop:
			x = pass.Loop(watch(pass.Pipeline(p), fn))
		case *pass.Pass:
			if ruleSets[p.Name] != nil {
				watched := *p
				watched.Run = func(c *pass.Context) bool { return fn(p, c) }
				x = &watched
			}
		}
		out = append(out, x)
	}
	return out
}

func (e *rewritten) Dispatch(ctx context.Context, c *runner.Call) error {
	var steps []step
	var wrong error
	options := pass.Options{Target: target.TGL, RuleStats: e.fired}
	pipeline := watch(pipeline.Compute, func(p *pass.Pass, pc *pass.Context) bool {
		st := step{name: p.Name, before: wire.Marshal(pc.S)}
		e.fired.Trace = func(_ *match.Set, r *match.Rule, _ ir.Value, _ ir.Src) {
			st.gives = st.gives || r.GivesUp != 0 || r.Always
			st.rules += " " + r.Name
		}
		changed := p.Run(pc)
		e.fired.Trace = nil
		if !changed {
			return false
		}
		st.after = wire.Marshal(pc.S)
		steps = append(steps, st)
		if again, err := match.Apply(pc.S, pc.F, ruleSets[p.Name], &pc.Target().Rewrite, nil); again && wrong == nil {
			wrong = fmt.Errorf("%s is not at its end after%s (%v)", p.Name, st.rules, err)
		}
		return true
	})
	whole := &runengine.Interp{Module: e.mod, Pipeline: pipeline, Options: options}
	if err := whole.Dispatch(ctx, differential.CopyCall(c)); err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	*e.passes += len(steps)
	for _, st := range steps {
		if err := st.check(ctx, c, e.part); err != nil {
			return fmt.Errorf("%s (%s ): %w", st.name, st.rules, err)
		}
	}
	return (&runengine.Interp{Module: e.mod}).Dispatch(ctx, c)
}

// check runs both shaders of a step.
func (st *step) check(ctx context.Context, c *runner.Call, part float64) error {
	sizes := op.Sizes(0)
	run := func(shader []byte, seed uint64) (*runner.Call, error) {
		s, err := wire.Unmarshal(shader)
		if err != nil {
			return nil, err
		}
		sizes |= floats(s)
		call := differential.CopyCall(c)
		return call, (&runengine.Interp{Shader: s, Seed: seed}).Dispatch(ctx, call)
	}
	before, err := run(st.before, 0)
	if err != nil {
		return err
	}
	after, err := run(st.after, 0)
	if err != nil {
		return err
	}
	var other *runner.Call // with another seed: what it leaves different is undefined
	for i, b := range before.Bindings {
		for at := 0; at+4 <= len(b.Data); at += 4 {
			w, g := binary.LittleEndian.Uint32(b.Data[at:]), binary.LittleEndian.Uint32(after.Bindings[i].Data[at:])
			if w == g || nan(w) && nan(g) || st.gives && aboutEqual(sizes, part, b.Data, after.Bindings[i].Data, at) {
				continue
			}
			if other == nil {
				if other, err = run(st.before, 0x1234567); err != nil {
					return err
				}
			}
			if binary.LittleEndian.Uint32(other.Bindings[i].Data[at:]) == w {
				return fmt.Errorf("set %d binding %d byte %d was %#08x and is %#08x", b.Set, b.Binding, at, w, g)
			}
		}
	}
	return nil
}

func nan(x uint32) bool { return x&0x7fffffff > 0x7f800000 }

// floats returns the sizes of the float results of a shader's instructions.
func floats(s *ir.Shader) (sizes op.Sizes) {
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := s.First(b); v != 0; v = s.At(v).Next() {
				in := s.At(v)
				switch {
				case in.IsALU(op.PackHalf2x16) || in.IsALU(op.PackHalf2x16Split):
					sizes |= op.Size16
				case in.Kind == kind.ALU && in.ALUOp().Info().Out.Base == op.Float:
					sizes |= op.SizeOf(in.Bits)
				}
			}
		}
	}
	return
}

// aboutEqual reports whether the words at a position of two buffers are floats, of a size that the shader computes
// with, that differ little. A denormal is taken for an integer.
func aboutEqual(sizes op.Sizes, single float64, a, b []byte, at int) bool {
	about := func(x, y, smallest, part float64) bool {
		integer := func(x float64) bool { return x != 0 && math.Abs(x) < smallest }
		return math.IsNaN(x) && math.IsNaN(y) ||
			!integer(x) && !integer(y) && (math.Abs(x-y) <= part*max(math.Abs(x), math.Abs(y)) || math.Abs(x-y) <= part/10)
	}
	x, y := binary.LittleEndian.Uint32(a[at:]), binary.LittleEndian.Uint32(b[at:])
	half := func(x uint32, i int) float64 { return float64(num.F16ToF32(uint16(x >> (16 * i)))) }
	if sizes&op.Size32 != 0 && about(float64(math.Float32frombits(x)), float64(math.Float32frombits(y)), 0x1p-126, single) ||
		sizes&op.Size16 != 0 && about(half(x, 0), half(y, 0), 0x1p-14, 1e-2) && about(half(x, 1), half(y, 1), 0x1p-14, 1e-2) {
		return true
	}
	at &^= 7
	if sizes&op.Size64 == 0 || at+8 > len(a) {
		return false
	}
	double := func(p []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(p[at:])) }
	return about(double(a), double(b), 0x1p-1022, 1e-8)
}

// rulesFile records how often each rule fires over the shaders of the tests. It is written by make rules, and nothing
// depends on it.
const rulesFile = "testdata/rules.txt"

// TestRulesKeepShaders runs every script, and the renderer's stages, before and
// after every pass of rules.
func TestRulesKeepShaders(t *testing.T) {
	files := scripts.Files(t, "../../amber/*.amber")
	fired, passes := &match.Stats{}, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".amber")
		t.Run(name, func(t *testing.T) {
			if reason := uncompiled[name]; reason != "" {
				t.Logf("not compiled: %s", reason)
				return
			}
			script := scripts.Read(t, file)
			mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
			if _, err := script.Run(t.Context(), &rewritten{mod, 1e-3, fired, &passes}); err != nil {
				t.Error(err)
			}
		})
	}
	modules := rendererModules(t)
	for i, stage := range renderer.Stages {
		t.Run(stage, func(t *testing.T) {
			mod := func(context.Context, *runner.Shader) ([]byte, error) { return modules[stage], nil }
			if err := (&rewritten{mod, 1e-2, fired, &passes}).Dispatch(t.Context(), renderer.Inputs()[i].Call(nil)); err != nil {
				t.Error(err)
			}
		})
	}
	rules, total := 0, 0
	var out strings.Builder
	out.WriteString("# How often the rewrite rules fire over the scripts of tests/amber and the renderer's\n# stages: make rules\n")
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fired.Each(func(set *match.Set, r *match.Rule, n match.Count) {
		if n.Fired > 0 {
			rules++
			total += n.Fired
			fmt.Fprintf(tw, "%d\t%s\t%s\n", n.Fired, set.Name, r.Name)
		}
	})
	tw.Flush()
	t.Logf("%d rewrites by %d rules; %d passes changed something", total, rules, passes)
	if *update {
		if err := os.WriteFile(rulesFile, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
