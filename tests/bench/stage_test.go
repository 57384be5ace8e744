// SPDX-License-Identifier: MIT

package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

var machine, _ = target.ByName(string(jacquard.DefaultTarget))

// workbench is the memory that one benchmark reuses from run to run.
type workbench struct {
	shader shader
	s      *ir.Shader
	pass   *pass.Context
	intel  intel.Compiler
	code   []byte
}

func newWorkbench(sh shader) *workbench {
	return &workbench{shader: sh, s: ir.New(), pass: new(pass.Context)}
}

func (w *workbench) read() error {
	_, err := spirv.Read(w.shader.module, spirv.Options{Stage: kind.StageCompute, Into: w.s})
	return err
}

func (w *workbench) optimize() error {
	w.pass.Reset(w.s)
	w.pass.Options = pass.Options{Target: target.TGL}
	return pipeline.ForTarget(w.pass, nil)
}

// generate runs the back end. at, unless nil, is called with the name of every pass
// after it has run.
func (w *workbench) generate(at func(pass string)) error {
	buffers := uint32(0)
	for _, b := range w.s.Info.Bindings {
		buffers = max(buffers, b.Index+b.Count)
	}
	o := intel.Options{Target: machine, SIMD: simd, Buffers: int(buffers)}
	if at != nil {
		o.Trace = func(pass string, _ *mir.Unit, _ time.Duration) { at(pass) }
	}
	out, err := w.intel.Compile(w.s, o)
	if err == nil {
		w.code = out.Code
	}
	return err
}

// estimate estimates the cycles of the code from generate.
func (w *workbench) estimate() error {
	perf.Cycles(machine, w.code)
	return nil
}

// prepare runs everything before the back end.
func (w *workbench) prepare() error {
	if err := w.read(); err != nil {
		return err
	}
	return w.optimize()
}

// front is a stage that is not a part of the back end, with the preparation for it, which is not measured. The stages of
// the back end are in back.
type front struct {
	name         string
	setUp, stage func(*workbench) error
}

var fronts = []front{
	{"read", func(*workbench) error { return nil }, (*workbench).read},
	{"optimize", (*workbench).read, (*workbench).optimize},
	{"backend", (*workbench).prepare, func(w *workbench) error { return w.generate(nil) }},
	{"estimate", func(*workbench) error { return nil }, (*workbench).estimate},
}

// back is a stage of the back end. It starts when the pass after has run, or with the back end if after is "", and
// ends when the pass until has run, or with the back end if until is "".
type back struct{ name, after, until string }

// backs divides the back end's passes among the stages. Everything between
// selection and register allocation is one stage, whatever its passes.
func (w *workbench) backs() ([]back, error) {
	if err := w.prepare(); err != nil {
		return nil, err
	}
	var ran []string
	if err := w.generate(func(pass string) { ran = append(ran, pass) }); err != nil {
		return nil, err
	}
	var stages []back
	previous := ""
	for i, name := range ran {
		stage := ""
		switch {
		case name == "select" || name == "allocate" || name == "scoreboard":
			stage = name
		case i+1 < len(ran) && ran[i+1] == "allocate":
			stage = "lower"
		default:
			continue
		}
		stages = append(stages, back{stage, previous, name})
		previous = name
	}
	if len(stages) != 4 {
		return nil, fmt.Errorf("the back end's passes are not what the stages expect: %q", ran)
	}
	return append(stages, back{"encode", previous, ""}), nil
}

// BenchmarkStage measures every stage on every shader.
func BenchmarkStage(b *testing.B) {
	all := allShaders(b)
	for _, f := range fronts {
		each(b, f.name, all, func(b *testing.B, w *workbench, m *meter) {
			for range b.N {
				check(b, f.setUp(w))
				m.start()
				check(b, f.stage(w))
				m.stop()
			}
		})
	}
	w := newWorkbench(all[0])
	stages, err := w.backs()
	check(b, err)
	for _, stage := range stages {
		each(b, stage.name, all, func(b *testing.B, w *workbench, m *meter) {
			check(b, w.prepare())
			for range b.N {
				if stage.after == "" {
					m.start()
				}
				check(b, w.generate(func(pass string) {
					switch pass {
					case stage.until:
						m.stop()
					case stage.after:
						m.start()
					}
				}))
				if stage.until == "" {
					m.stop()
				}
			}
		})
	}
	each(b, "whole", all, func(b *testing.B, w *workbench, m *meter) {
		for i := range b.N + 1 {
			if i == 1 {
				m.start() // the first run only warms up
			}
			_, err := jacquard.Compile(context.Background(), w.shader.module, jacquard.Options{SIMD: simd})
			check(b, err)
		}
		m.stop()
	})
}

// each runs a benchmark of a stage on each of the shaders.
func each(b *testing.B, stage string, all []shader, run func(*testing.B, *workbench, *meter)) {
	for _, sh := range all {
		b.Run(fmt.Sprintf("%s/%s", stage, sh.name), func(b *testing.B) {
			w := newWorkbench(sh)
			check(b, w.prepare())
			check(b, w.generate(nil))
			m := new(meter)
			run(b, w, m)
			m.report(b, sh.insts)
		})
	}
}

func check(b *testing.B, err error) {
	if err != nil {
		b.Helper()
		b.Fatal(err)
	}
}
