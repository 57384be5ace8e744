// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/validate"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
	"jacquard.example/tests/support/uniform"
)

// An engine executes scripts.
type engine struct {
	name string
	// open makes the engine for one script, or ends the test if it cannot.
	open func(*testing.T, *runner.Script) runner.Engine
}

// engines are the engines on which every script must pass. An engine that executes compiled code has one row for each
// SIMD width. Lavapipe shares no code with this project: if a script passes there, its expectations are correct.
var engines = append([]engine{
	{"lavapipe", openLavapipe},
	{"interp", openInterp},
	{"lowered", openLowered},
	{"bounded", openBounded},
	{"eu8", openEU(8)},
	{"eu16", openEU(16)},
	{"eu32", openEU(32)},
	{"fused8", openFused(8)},
	{"fused16", openFused(16)},
	{"fused32", openFused(32)},
	{"robust16", openRobust(target.TGL, 16)},
	{"robust32-icl", openRobust(target.ICL, 32)},
	{"robust8-skl", openRobust(target.SKL, 8)},
	{"placed16", openPlaced(target.TGL, 16)},
	{"placed16-skl", openPlaced(target.SKL, 16)},
	{"zebin16", openZebin(target.TGL, 16)},
	{"zebin32-icl", openZebin(target.ICL, 32)},
	{"zebin8-skl", openZebin(target.SKL, 8)},
	{"zebin16-dg2", openZebin(target.DG2, 16)},
	{"zebin32-lnl", openZebin(target.LNL, 32)},
}, otherMachines()...)

// always lists the engines that run all scripts.
var always = []string{"lavapipe", "interp", "lowered", "eu8", "eu16", "eu32"}

// otherMachines returns the models of all machines except the default one, named eu8-NAME.
func otherMachines() (out []engine) {
	for _, machine := range target.All[1:] {
		for _, simd := range machine.Widths {
			out = append(out, engine{fmt.Sprintf("eu%d-%s", simd, machine), openMachine(machine, simd)})
		}
	}
	return out
}

// openEU is like openMachine, for the default target.
func openEU(simd int) func(*testing.T, *runner.Script) runner.Engine {
	return openMachine(target.All[0], simd)
}

// locked is the script whose invocations access shared memory one after another, since atomics on
// 64 bits take a lock: the check for races knows barriers only.
const locked = "int64_atomics_shared"

// openMachine opens the model of a machine's execution units, for machine code of one width. It checks for races in
// shared memory, and counts the costs of every dispatch.
func openMachine(machine *target.Target, simd int) func(*testing.T, *runner.Script) runner.Engine {
	return func(t *testing.T, script *runner.Script) runner.Engine {
		races := locked != strings.TrimSuffix(filepath.Base(script.Name), ".amber")
		return &runengine.EU{
			Module:    func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) },
			Options:   jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd, Verify: true},
			Execution: eu.Options{Addresses: true, Races: races},
			Observe: func(c *runner.Call, _ *jacquard.Program, cost *eu.Account) {
				if cost.Instructions == 0 || cost.Resident.Cycles() == 0 {
					t.Errorf("shader %s: %d instructions take %d cycles", c.Shader.Name, cost.Instructions, cost.Resident.Cycles())
				}
			},
		}
	}
}

// openFused is like openEU, with threads in fused pairs.
func openFused(simd int) func(*testing.T, *runner.Script) runner.Engine {
	return func(t *testing.T, s *runner.Script) runner.Engine {
		e := openEU(simd)(t, s).(*runengine.EU)
		e.Execution.Fused = true
		return e
	}
}

// openRobust is like openMachine, with buffers accessed by address and bounds checks in the code.
func openRobust(machine *target.Target, simd int) func(*testing.T, *runner.Script) runner.Engine {
	return func(t *testing.T, s *runner.Script) runner.Engine {
		e := openMachine(machine, simd)(t, s).(*runengine.EU)
		e.Options.Buffers, e.Options.Robust = "address64", true
		return e
	}
}

// openPlaced is like openMachine, with descriptors at places chosen by the caller: the opposite of the usual order, with
// gaps.
func openPlaced(machine *target.Target, simd int) func(*testing.T, *runner.Script) runner.Engine {
	return func(t *testing.T, s *runner.Script) runner.Engine {
		e := openMachine(machine, simd)(t, s).(*runengine.EU)
		const sets, bindings, apart = 2, 6, 18
		e.Options.Layout = &jacquard.Layout{}
		for i := range sets * bindings {
			at := sets*bindings - i - 1
			e.Options.Layout.Entries = append(e.Options.Layout.Entries, jacquard.Entry{
				Set: uint32(i / bindings), Binding: uint32(i % bindings), Entry: 1 + apart*at, Sampler: at})
		}
		return e
	}
}

// openZebin opens the engine of openMachine, but launches programs from a zebin.
func openZebin(machine *target.Target, simd int) func(*testing.T, *runner.Script) runner.Engine {
	return func(t *testing.T, s *runner.Script) runner.Engine {
		e := openMachine(machine, simd)(t, s).(*runengine.EU)
		e.Options.Zebin = true
		return e
	}
}

// openLowered returns the interpreter on the IR as it reaches instruction selection. After every pass it validates the
// IR, reads its text and its binary form back, and checks the values that the analysis claims to be uniform over
// workgroups.
func openLowered(t *testing.T, s *runner.Script) runner.Engine {
	e := openInterp(t, s).(*runengine.Interp)
	e.Pipeline, e.Options = pipeline.Compute, pass.Options{Target: target.TGL}
	var check uniform.Checker
	e.Configure = check.Watch
	t.Cleanup(func() {
		if err := check.Err(); err != nil {
			t.Error(err)
		}
	})
	e.Trace = func(s *ir.Shader) *pass.Trace {
		return &pass.Trace{After: func(name string, changed bool, _ time.Duration) error {
			if !changed {
				return nil
			}
			if err := validate.Shader(s); err != nil {
				return fmt.Errorf("after %s: %w", name, err)
			}
			if err := roundTrips(s); err != nil {
				return fmt.Errorf("after %s: %w", name, err)
			}
			return nil
		}}
	}
	return e
}

// openBounded is like openLowered, with buffers accessed by address.
func openBounded(t *testing.T, s *runner.Script) runner.Engine {
	e := openLowered(t, s).(*runengine.Interp)
	e.Options.Buffers = pass.Bounded64
	return e
}

// openInterp returns the interpreter on the IR from the SPIR-V reader.
func openInterp(t *testing.T, _ *runner.Script) runner.Engine {
	return &runengine.Interp{Module: func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }}
}

// moduleBytes returns moduleOf's module as the bytes of a file.
func moduleBytes(t *testing.T, s *runner.Shader) ([]byte, error) {
	words, err := moduleOf(t, s)
	module := make([]byte, 0, 4*len(words))
	for _, w := range words {
		module = binary.LittleEndian.AppendUint32(module, w)
	}
	return module, err
}

func openLavapipe(t *testing.T, s *runner.Script) runner.Engine {
	d := lavapipe.Need(t)
	for _, f := range s.DeviceFeatures {
		if _, name, ok := strings.Cut(f, "."); ok {
			f = name // Amber writes StructureFeatures.name
		}
		if !d.Has(f) {
			t.Fatalf("lavapipe lacks %s", f)
		}
	}
	return &lavapipe.Engine{Device: d, Module: func(s *runner.Shader) ([]uint32, error) { return moduleOf(t, s) }}
}

// moduleOf compiles a shader of a script. The committed module of tests/shaders is used
// if its source is the script's.
func moduleOf(t *testing.T, s *runner.Shader) ([]uint32, error) {
	if len(s.Passes) > 0 {
		file, err := new(tools.Cache).Shader(t.Context(), s.Name, s)
		if err != nil {
			return nil, err
		}
		return spv.Words(file)
	}
	if s.Format == runner.SPIRVHex {
		return s.Words, nil
	}
	if committed(s) {
		return shaders.Module(s.Name)
	}
	source := sourceOf(s)
	var file []byte
	var err error
	if s.Format == runner.GLSL {
		file, err = oracle.GLSL(t, "comp", source)
	} else {
		file, err = oracle.Assemble(t, source, s.TargetEnv)
	}
	if err != nil {
		return nil, err
	}
	return spv.Words(file)
}

// sourceOf returns the text of a script's shader as in the files of tests/shaders.
func sourceOf(s *runner.Shader) []byte { return []byte(strings.TrimSpace(s.Source) + "\n") }

// committed reports that a script's shader is one of tests/shaders, unchanged.
func committed(s *runner.Shader) bool {
	known, ok := shaders.Lookup(s.Name)
	return ok && len(s.Passes) == 0 && s.Format != runner.SPIRVHex && bytes.Equal(known.Text, sourceOf(s))
}

// TestAmber runs every script on every engine; make test runs only a third of the scripts on engines that differ from
// another one by the machine or by one option.
func TestAmber(t *testing.T) {
	files := scripts.Files(t, "../../amber/*.amber")
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			for _, file := range files {
				name := strings.TrimSuffix(filepath.Base(file), ".amber")
				if slices.Contains(always, e.name) || sample.Subtest(3, e.name, name) {
					t.Run(name, func(t *testing.T) { runScript(t, e, name, file) })
				}
			}
		})
	}
}

func runScript(t *testing.T, e engine, name, file string) {
	if why := crashes[name]; why != "" && e.name == "lavapipe" {
		t.Logf("known: %s", why)
		return
	}
	script := scripts.Read(t, file)
	err := execute(t, e.open(t, script), script)
	reason := exception(name, e.name)
	switch {
	case err != nil && reason == "":
		t.Error(err)
	case err == nil && reason != "":
		t.Errorf("passes, but is listed in exceptions_test.go: %s", reason)
	case err != nil:
		t.Logf("known: %s: %v", reason, err)
	}
}

// execute runs a script and returns its failed expectations in one error.
func execute(t *testing.T, e runner.Engine, script *runner.Script) error {
	report, err := script.Run(t.Context(), e)
	if err != nil {
		return err
	}
	if report.Dispatches == 0 || len(report.Checks) == 0 {
		return fmt.Errorf("the script dispatches or checks nothing")
	}
	return errors.Join(report.Errors()...)
}

// TestExceptionsExist catches exceptions for scripts or engines that no longer exist.
func TestExceptionsExist(t *testing.T) {
	for _, e := range exceptions {
		known := slices.ContainsFunc(engines, func(have engine) bool { return exception(e.script, have.name) != "" })
		if _, err := os.Stat(filepath.Join("../../amber", e.script+".amber")); err != nil || !known {
			t.Errorf("no script %s or no engine %s", e.script, e.engine)
		}
	}
}
