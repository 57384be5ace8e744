// SPDX-License-Identifier: MIT

package piglit

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/sample"
)

const prefix = "usr/lib/x86_64-linux-gnu/piglit/"

// results are the reasons why a test does not pass on the interpreter or, if it does, on the models of the machines; ""
// if it passes.
type results struct{ interp, model string }

// folder returns piglit's folder. If piglit is not available, it skips the test, except in CI.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := modules.Named("piglit").Fetch(t.Context())
	var gone *modules.UnreachableError
	if errors.As(err, &gone) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// find returns the tests in a folder by their names, which are their paths, if both named and wanted accept them.
func find(t *testing.T, dir string, named func(name string) bool, wanted func(test string) bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".shader_test") {
			return err
		}
		name, err := filepath.Rel(filepath.Join(dir, prefix), path)
		if name = filepath.ToSlash(name); err != nil || !named(name) || !sample.In(name) {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && wanted(string(b)) {
			out[name] = string(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// runAll calls run for each test, several at a time, and returns the results by name.
func runAll[R any](files map[string]string, run func(name, test string) R) map[string]R {
	out := map[string]R{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan bool, runtime.GOMAXPROCS(0))
	for _, name := range names(files) {
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			r := run(name, files[name])
			mu.Lock()
			defer mu.Unlock()
			out[name] = r
		})
	}
	wg.Wait()
	return out
}

// tests runs n of piglit's tests (0 means all) that compare something on the interpreter and
// the models of machines.
func tests(t *testing.T, n int, machines ...*target.Target) map[string]results {
	t.Helper()
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-val")
	c, err := modules.NewCompiler(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	list, _, err := modules.Load(t.Context(), c, modules.Named("piglit"), n)
	if err != nil {
		t.Fatal(err)
	}
	spv := map[string][]byte{}
	for _, m := range list {
		spv[m.Name] = m.SPIRV
	}
	files := map[string]string{}
	if n == 0 {
		files = find(t, dir, func(string) bool { return true },
			func(test string) bool { return strings.Contains(test, "\n[compute shader") && HasProbe(test) })
	} else {
		for _, m := range list {
			b, err := os.ReadFile(filepath.Join(dir, prefix, m.Name))
			if err != nil {
				t.Fatal(err)
			}
			if HasProbe(string(b)) {
				files[m.Name] = string(b)
			}
		}
	}
	return runAll(files, func(name, test string) results {
		if spv[name] == nil {
			return results{interp: "it does not compile for Vulkan"}
		}
		return runTest(t.Context(), test, spv[name], machines)
	})
}

// runTest runs a test on the interpreter and, if it passes there, on the machines.
func runTest(ctx context.Context, test string, spv []byte, machines []*target.Target) (r results) {
	mod := func(context.Context, *runner.Shader) ([]byte, error) { return spv, nil }
	if err := Run(ctx, test, spv, newInterp(mod)); err != nil {
		return results{interp: err.Error()}
	}
	for _, machine := range machines {
		if err := runModel(ctx, test, spv, machine); err != nil {
			return results{model: err.Error()}
		}
	}
	return results{}
}

// maxSteps bounds one dispatch.
const maxSteps = 1 << 26

func newInterp(mod engine.Module) *engine.Interp {
	return &engine.Interp{Module: mod, Configure: func(c *interp.Call) { c.MaxSteps = maxSteps }}
}

// runModel runs a test on the model of a machine at every width at which its shader
// compiles: it must pass, and every dispatch agree with the interpreter. A shader may
// be too large for a width, but not for all.
func runModel(ctx context.Context, test string, spv []byte, machine *target.Target) error {
	mod := func(context.Context, *runner.Shader) ([]byte, error) { return spv, nil }
	var refused error
	ran := 0
	for _, simd := range machine.Widths {
		err := Run(ctx, test, spv, differential.New(machine, mod, simd))
		var e *jacquard.Error
		switch {
		case err == nil:
			ran++
		case errors.As(err, &e) && strings.HasPrefix(e.Msg, fmt.Sprintf("SIMD%d: ", simd)):
			refused = err
		default:
			return fmt.Errorf("%s, SIMD%d: %w", machine, simd, err)
		}
	}
	if ran == 0 {
		return fmt.Errorf("%s: %w", machine, refused)
	}
	return nil
}

// A list is a file of tests that do not pass, with the reasons.
type list struct {
	file, heading string
	reason        func(results) string
}

var lists = []list{
	{"exceptions.txt", "The compute tests of piglit that compare something and do not pass on the interpreter, and why", func(r results) string { return r.interp }},
	{"model.txt", "Those that pass on the interpreter but not on the model of tgl, and why", func(r results) string { return r.model }},
}

// read returns the reasons by test.
func (l *list) read(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(l.file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, why, ok := strings.Cut(s.Text(), ": "); ok && !strings.HasPrefix(name, "#") {
			out[name] = why
		}
	}
	return out
}

// write writes the list of failed tests.
func (l *list) write(t *testing.T, all map[string]results, failed []string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %d of %d.\n", l.heading, len(failed), len(all))
	for _, name := range failed {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.ReplaceAll(l.reason(all[name]), "\n", " "))
	}
	if err := os.WriteFile(l.file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSample runs some tests, always the same, on the interpreter and on the model of
// one machine at every width.
func TestSample(t *testing.T) {
	results := tests(t, 75, target.TGL)
	passed := len(results)
	for i := range lists {
		known := lists[i].read(t)
		for name, r := range results {
			if why := lists[i].reason(r); why != "" {
				passed--
				if known[name] == "" {
					t.Errorf("%s: %s", name, why)
				}
			}
		}
	}
	if passed < 50 {
		t.Errorf("only %d tests passed", passed)
	}
}

// own is a test of the runner itself.
const own = `[require]
GLSL >= 4.30

[compute shader]
writeonly uniform image2D tex;
layout(local_size_x = 2) in;
uniform mat2x3 m; uniform float f[3]; uniform bvec2 b;
layout(binding = 3) buffer B { int data[]; };
layout(binding = 1, offset = 4) uniform atomic_uint count;
void main() {
	imageStore(tex, ivec2(gl_GlobalInvocationID.xy), vec4(m[1].z, f[2], float(b.y), 1.0));
	atomicCounterIncrement(count);
	data[gl_GlobalInvocationID.x] -= 7;
}

[test]
uniform int tex 0
texture rgbw 0 (4, 1) GL_RGBA8
image texture 0 GL_RGBA8
fb tex 2d 0
atomic counter buffer 1 2
atomic counter 1 1 5
ssbo 3 16
ssbo 3 subdata int 4 -1 9
uniform mat2x3 m 0 0 0 0 0 0.25
uniform float f[2] 0x3f000000
uniform ivec2 b 0 1
compute 1 1 1
probe rgba 1 0 0.25 0.5 1.0 1.0
probe rgb 2 0 1.0 1.0 1.0
probe ssbo int 3 4 == -8
probe ssbo int 3 8 >= 9
probe atomic counter buffer 1 1 == 7
`

// TestRunner: the runner passes its own test on the interpreter and on the model, and
// fails it if any expected value is changed.
func TestRunner(t *testing.T) {
	m, err := oracle.GLSLRelaxed(t, "comp", []byte(modules.PiglitSource(own)))
	if err != nil {
		t.Fatal(err)
	}
	mod := func(context.Context, *runner.Shader) ([]byte, error) { return m, nil }
	for _, e := range []runner.Engine{newInterp(mod), differential.New(target.TGL, mod, 16)} {
		if err := Run(t.Context(), own, m, e); err != nil {
			t.Error(err)
		}
		for _, c := range [][2]string{
			{"0.25 0.5 1.0", "0.25 0.5 0.9"}, {"probe rgb 2 0", "probe rgb 1 0"}, {"== -8", "== 8"}, {">= 9", ">= 10"}, {"1 1 == 7", "1 1 == 8"},
			{"0 0.25\n", "0.25 0\n"}, {"f[2] 0x", "f[1] 0x"}, {"b 0 1", "b 1 0"},
		} {
			bad := strings.Replace(own, c[0], c[1], 1)
			if bad == own {
				t.Fatalf("%q is not there", c[0])
			}
			if Run(t.Context(), bad, m, e) == nil {
				t.Errorf("passes with %q", c[1])
			}
		}
		for _, command := range []string{"draw", "ortho"} {
			var unsupported *Unsupported
			if err := Run(t.Context(), own+command+" rect\n", m, e); !errors.As(err, &unsupported) || unsupported.Command != command {
				t.Errorf("%s gives %v", command, err)
			}
		}
	}
}

// machinesOf returns the machines that make piglit names, and skips the test elsewhere.
func machinesOf(t *testing.T) (machines []*target.Target) {
	t.Helper()
	names := os.Getenv("JACQUARD_PIGLIT")
	if names == "" {
		t.Skip("make piglit runs it")
	}
	for _, name := range strings.Fields(names) {
		machine, ok := target.ByName(name)
		if !ok {
			t.Fatalf("there is no machine %q", name)
		}
		machines = append(machines, machine)
	}
	return machines
}

// check compares a list with the tests that fail, which it returns, or rewrites it if UPDATE=1 is in the environment.
func (l *list) check(t *testing.T, all map[string]results) (failed []string) {
	t.Helper()
	for name, r := range all {
		if l.reason(r) != "" {
			failed = append(failed, name)
		}
	}
	slices.SortFunc(failed, func(a, b string) int {
		return cmp.Or(cmp.Compare(l.reason(all[a]), l.reason(all[b])), cmp.Compare(a, b))
	})
	if os.Getenv("UPDATE") != "" && !sample.Soaking() {
		l.write(t, all, failed)
		return failed
	}
	known := l.read(t)
	for _, name := range failed {
		if known[name] == "" {
			t.Errorf("%s: %s", name, l.reason(all[name]))
		}
		delete(known, name)
	}
	for name, why := range known {
		if !sample.In(name) { // not run
			continue
		}
		t.Errorf("%s passes, but is listed: %s", name, why)
	}
	return failed
}

// TestAllScripts runs all tests; `make piglit` calls it and selects the machines to model. With UPDATE=1 in the environment it
// rewrites the lists of failed tests.
func TestAllScripts(t *testing.T) {
	machines := machinesOf(t)
	results := tests(t, 0, machines...)
	passed := len(results)
	for i := range lists {
		passed -= len(lists[i].check(t, results))
	}
	t.Logf("%d of %d tests pass on the interpreter and on %s", passed, len(results), os.Getenv("JACQUARD_PIGLIT"))
}
