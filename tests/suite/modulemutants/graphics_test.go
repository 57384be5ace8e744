// SPDX-License-Identifier: MIT

package modulemutants

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/scripts"
)

// drawn is a vertex or fragment shader of a script that draws with it.
type drawn struct {
	name   string
	file   string
	script *runner.Script
	shader *runner.Shader
	module *Module
	other  []byte // the module of a shader of the other stage
}

const maxDrawn = 8 << 10 // bytes of a module

// drawnShaders returns the vertex and fragment shaders of the scripts that draw.
func drawnShaders(t testing.TB, modules *tools.Cache) (list []drawn) {
	t.Helper()
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-as")
	for _, file := range scripts.Files(t, "../../amber/graphics/*.amber") {
		script := scripts.Read(t, file)
		for _, s := range script.Shaders {
			if s.Stage != kind.StageVertex && s.Stage != kind.StageFragment {
				continue
			}
			b, err := modules.Shader(t.Context(), file, s)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) <= maxDrawn {
				list = append(list, drawn{filepath.Base(file) + " " + s.Name, file, script, s, Parse(b), nil})
			}
		}
	}
	for i := range list {
		d := &list[i]
		for k := range list {
			if o := &list[k]; o.file == d.file && o.shader.Stage != d.shader.Stage {
				d.other = o.module.bytes(o.module.code)
			}
		}
	}
	return list
}

// damage flips a bit of a module or cuts its end off.
func damage(rng *rand.Rand, module []byte) []byte {
	if rng.IntN(2) == 0 {
		return module[:rng.IntN(len(module)+1)]
	}
	module[rng.IntN(len(module))] ^= 1 << rng.IntN(8)
	return module
}

// guarded calls a function and turns a panic into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return f()
}

type panicked struct{ what string }

func (e *panicked) Error() string { return e.what }

// crash returns the text of an error that is a defect of the compiler, or "" if the compiler only refuses the module.
func crash(err error) string {
	var internal *jacquard.InternalError
	var p *panicked
	switch {
	case errors.As(err, &p):
		return p.what
	case errors.As(err, &internal):
		return fmt.Sprintf("%v\n%s", err, internal.Stack)
	}
	return ""
}

// compileMutant compiles a mutant for one machine and width, with all checks.
func compileMutant(ctx context.Context, d *drawn, module []byte, i int) error {
	machine := target.All[i%len(target.All)]
	simd := machine.Widths[0]
	if d.shader.Stage == kind.StageFragment {
		simd = machine.Widths[i/len(target.All)%len(machine.Widths)]
	}
	return guarded(func() error {
		_, err := jacquard.Compile(ctx, module, jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd,
			Stage: jacquard.Stage(d.shader.Stage.String()), Verify: true})
		return err
	})
}

// linkMutant compiles a mutant with a shader of the other stage.
func linkMutant(ctx context.Context, d *drawn, module []byte) error {
	vertex, fragment := module, d.other
	if d.shader.Stage == kind.StageFragment {
		vertex, fragment = fragment, vertex
	}
	if d.other == nil {
		return nil
	}
	return guarded(func() error {
		_, err := jacquard.Link(ctx, vertex, fragment, jacquard.Options{SIMD: 8, Verify: true}, jacquard.Options{SIMD: 16, Verify: true})
		return err
	})
}

// drawMutant runs the script with a mutant replacing the shader, as it is read or after all passes, the shaders of a
// draw linked or not.
func drawMutant(ctx context.Context, modules *tools.Cache, d *drawn, module []byte, passes, link bool) error {
	e := &engine.Interp{Width: 16, Link: link, Configure: func(c *interp.Call) { c.MaxSteps = 1 << 16 },
		Module: func(ctx context.Context, s *runner.Shader) ([]byte, error) {
			if s.Name == d.shader.Name {
				return module, nil
			}
			return modules.Shader(ctx, d.file, s)
		}}
	if passes {
		e.Pipeline, e.Options = pipeline.Compute, pass.Options{Target: target.TGL}
	}
	return guarded(func() error {
		_, err := d.script.Run(ctx, e)
		return err
	})
}

// maxTime bounds the time of one mutant on a busy machine: compilations have budgets and draws limits of steps. It
// normally takes less than a second.
const maxTime = 2 * time.Minute

// TestGraphicsMutants: no change of a vertex or fragment shader makes compiling it with all checks, or drawing with it,
// panic, hang or take unbounded memory.
func TestGraphicsMutants(t *testing.T) {
	n, seed := 600, uint64(1)
	if s := os.Getenv("MODULES"); s != "" {
		fmt.Sscan(s, &n, &seed)
	}
	var modules tools.Cache
	list := drawnShaders(t, &modules)
	compiled, drew, bad := 0, 0, 0
	var m runtime.MemStats
	for i := range n {
		d := &list[i%len(list)]
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		module := d.module.Mutant(rng)
		if i%8 == 0 {
			module = damage(rng, module)
		}
		name := fmt.Sprintf("%s mutant %d/%d", d.name, seed, i)
		runtime.ReadMemStats(&m)
		before, start := m.TotalAlloc, time.Now()
		errCompile := compileMutant(t.Context(), d, module, i/len(list))
		var errDraw, errLink error
		if errCompile == nil {
			errLink = linkMutant(t.Context(), d, module)
		}
		if errCompile == nil || i%4 == 0 {
			errDraw = drawMutant(t.Context(), &modules, d, module, i%3 == 0, i%5 == 0)
			if errDraw == nil {
				drew++
			}
		}
		if errCompile == nil {
			compiled++
		}
		runtime.ReadMemStats(&m)
		var why string
		switch took, bytes := time.Since(start), m.TotalAlloc-before; {
		case crash(errCompile) != "":
			why = crash(errCompile)
		case crash(errLink) != "":
			why = crash(errLink)
		case crash(errDraw) != "":
			why = crash(errDraw)
		case took > maxTime:
			why = fmt.Sprintf("it takes %v", took)
		case bytes > maxBytes:
			why = fmt.Sprintf("%d MiB are allocated", bytes>>20)
		default:
			continue
		}
		if bad++; bad <= 20 {
			t.Errorf("%s: %s", name, why)
			if dir := os.Getenv("KEEP"); dir != "" {
				os.WriteFile(filepath.Join(dir, strings.NewReplacer(" ", "_", "/", "_").Replace(name)+".spv"), module, 0o644)
			}
		}
	}
	t.Logf("of %d mutants of %d shaders %d compile and %d draw", n, len(list), compiled, drew)
	if compiled < n/10 || drew < n/10 {
		t.Error("the mutations are too wild")
	}
}
