// SPDX-License-Identifier: MIT

package limits

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestStepsGrowLinearly counts the statements that run for an input and for one of four times its size. There may be four times as
// many and some more; any further statements must be steps that a meter counts, because these end at a budget.
//
// Modules go through the passes in larger sizes than through the back end, where many steps are quadratic.
func TestStepsGrowLinearly(t *testing.T) {
	bin := counting(t)
	for _, in := range inputs {
		if in.small < 0 || !long() && !slices.Contains(counted, in.name) {
			continue
		}
		t.Run(in.name, func(t *testing.T) {
			n := in.small
			if n == 0 {
				n = max(min(in.big/4, 250), 1)
			}
			work := func(in *input, n int, back bool) {
				small, _ := statements(t, bin, in, n)
				large, stderr := statements(t, bin, in, 4*n)
				steps := 0
				if in.ext == ".spv" && !strings.Contains(in.args, "--passes") {
					steps = metered(t, in.make(4*n), back)
				}
				const slack, perStep = 1 << 16, 8
				t.Logf("%d: %d statements; %d: %d statements, %d steps %s", n, small, 4*n, large, steps, stderr)
				if large > small*14/3+slack+perStep*steps {
					t.Errorf("%d statements run for %d, %d for %d, of which a meter counted %d steps", small, n, large, 4*n, steps)
				}
			}
			work(&in, n, true)
			if in.ext == ".spv" && strings.HasPrefix(in.args, "compile ") && in.big > 8000 {
				in.args = "opt -o /dev/null"
				work(&in, 2000, false)
			}
		})
	}
}

// counting returns the command built so that it counts how often each of its
// statements runs: work that is the same on every machine.
func counting(t *testing.T) string {
	bin := filepath.Join(t.TempDir(), "jacquard")
	var packages []string
	for _, p := range []string{"core/...", "backend/...", "cmd/...", "generated/isa"} {
		packages = append(packages, "jacquard.example/"+p)
	}
	counted := "-coverpkg=" + strings.Join(packages, ",")
	cmd := exec.Command("go", "build", "-cover", "-covermode=count", counted, "-o", bin, "./cmd/jacquard")
	cmd.Dir = "../../.."
	if name := overlayOf(os.Getenv("GOFLAGS")); name != "" {
		cmd.Dir = overlaid(t, name)
		cmd.Env = append(os.Environ(), "GOFLAGS=")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// overlayOf returns the file that flags of the go command name as an overlay, if any.
func overlayOf(flags string) string {
	for _, f := range strings.Fields(flags) {
		if name, ok := strings.CutPrefix(f, "-overlay="); ok {
			return name
		}
	}
	return ""
}

// overlaid copies the sources of the command to a folder, with the files of an overlay in place, since a build that
// counts statements ignores overlays.
func overlaid(t *testing.T, overlay string) string {
	text, err := os.ReadFile(overlay)
	if err != nil {
		t.Fatal(err)
	}
	var files struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(to, from string) {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"core", "backend", "cmd", "generated"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(root, part))); err != nil {
			t.Fatal(err)
		}
	}
	top, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(top, filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")) {
		put(filepath.Base(name), name)
	}
	for name, from := range files.Replace {
		to, err := filepath.Rel(root, name)
		switch {
		case err != nil || !filepath.IsLocal(to) || !exists(filepath.Join(dir, filepath.Dir(to))):
		case from == "": // the file is gone
			os.Remove(filepath.Join(dir, to))
		default:
			put(to, from)
		}
	}
	return dir
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// statements runs the command on an input and counts the statements it ran.
func statements(t *testing.T, bin string, in *input, n int) (count int, stderr string) {
	dir, err := os.MkdirTemp("", "limits") // the tool below rejects commas in names, which names of tests have
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "in"+in.ext)
	if err := os.WriteFile(file, in.make(n), 0o666); err != nil {
		t.Fatal(err)
	}
	counters := filepath.Join(dir, "counters")
	if err := os.Mkdir(counters, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, append(strings.Fields(in.args), file)...)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+counters)
	var errs strings.Builder
	cmd.Stderr = &errs
	cmd.Run()
	one(t, n, cmd.ProcessState.ExitCode(), errs.String())
	profile := filepath.Join(dir, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// A line has a place, the number of its statements, and the number of times they ran, which is mostly 0.
		line := lines.Text()
		if strings.HasSuffix(line, " 0") {
			continue
		}
		var stmts, times int
		if _, numbers, ok := strings.Cut(line, " "); ok {
			if k, _ := fmt.Sscan(numbers, &stmts, &times); k == 2 {
				count += stmts * times
			}
		}
	}
	return count, strings.ReplaceAll(errs.String(), file, "FILE")
}

// one checks that the command ended with a result, or with status 1 and a single message.
func one(t *testing.T, n, status int, stderr string) {
	t.Helper()
	if status == 0 && stderr == "" || status == 1 && strings.Count(stderr, "\n") == 1 && strings.Count(stderr, "error: ") == 1 {
		return
	}
	t.Errorf("n = %d: status %d and %q", n, status, stderr)
}

// metered compiles a module and returns the steps that the meter counted.
func metered(t *testing.T, module []byte, back bool) int {
	m := work.NewMeter(t.Context(), work.MaxSteps)
	compile(module, m, back)
	return m.Steps()
}

// compile compiles a module with a compute shader: its passes, and if back is set machine code.
func compile(module []byte, m *work.Meter, back bool) error {
	return compileStage(module, kind.StageCompute, 16, m, back)
}

// compileStage compiles a module with a shader of a stage, as compile does, for a number of lanes.
func compileStage(module []byte, stage kind.Stage, simd int, m *work.Meter, back bool) error {
	s, err := spirv.Read(module, spirv.Options{Stage: stage})
	if err != nil {
		return err
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	c.Work = m
	if err := pipeline.ForTarget(c, nil); err != nil || !back {
		return err
	}
	_, err = intel.Compile(s, intel.Options{Target: target.TGL, SIMD: simd, Buffers: 10, Work: m})
	return err
}

// TestBudgets: work that exceeds a meter's budget ends with an error that names the stage.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(int) []byte
		n     int
		stage string
	}{
		{"frontiers", leaves, 2000, "vars_to_ssa"},
		{"coalescing", leaves, 2000, "coalesce of "},
		{"allocation", pressure, 1000, "allocate of "},
	} {
		t.Run(c.name, func(t *testing.T) {
			module := c.make(c.n)
			all := int64(metered(t, module, true))
			const parts = 48
			var stages []string
			for k := range int64(parts) {
				err := compile(module, work.NewMeter(t.Context(), all*k/parts), true)
				var limit *work.Limit
				if !errors.As(err, &limit) {
					t.Fatalf("%d of %d steps end with %v", all*k/parts, all, err)
				}
				if strings.HasPrefix(limit.Stage, c.stage) {
					return
				}
				stages = append(stages, limit.Stage)
			}
			t.Errorf("no part of %d steps ends in %s, but in %s", all, c.stage, strings.Join(slices.Compact(stages), ", "))
		})
	}
	for _, c := range []struct {
		name string
		make func(int) []byte
		n    int
		want string
	}{
		{"instructions", inverses, 40000, "more than 2097152 instructions"},
		{"calls", doubling, 40, "calls expand to more than 1048576 instructions"},
		{"live sets", ifs, 60000, "live sets of "},
		{"aggregates", inserts, 20000, "aggregates expand to more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := jacquard.Compile(t.Context(), c.make(c.n), jacquard.Options{})
			var input *jacquard.Error
			if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it ends with %v, not %q", err, c.want)
			}
		})
	}
}

// TestVerifyBudget: all checks of a long shader are made within their budgets.
func TestVerifyBudget(t *testing.T) {
	p, err := jacquard.Compile(t.Context(), ifs(8000), jacquard.Options{Verify: true})
	if err != nil || len(p.Unchecked) > 0 {
		t.Errorf("error %v; not checked: %v", err, p.Unchecked)
	}
}

// TestScoreboardBudget: checking the scoreboard counts its steps, and stops when the
// context is done.
func TestScoreboardBudget(t *testing.T) {
	s, err := spirv.Read(deepIfs(8000), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	if err := pipeline.ForTarget(c, nil); err != nil {
		t.Fatal(err)
	}
	b, err := intel.Compile(s, intel.Options{Target: target.TGL, SIMD: 16, Buffers: 10})
	if err != nil {
		t.Fatal(err)
	}
	check := func(m *work.Meter) (err error) {
		defer work.Catch(&err)
		return hazards.Check(target.TGL.Platform, b.Code, hazards.Options{Work: m})
	}
	all := work.NewMeter(t.Context(), work.MaxSteps)
	if err := check(all); err != nil {
		t.Fatal(err)
	}
	steps := all.Steps()
	if n := len(b.Code) / isa.InstSize; steps < 200*n {
		t.Errorf("%d instructions take %d steps only", n, steps)
	}
	for _, most := range []int{steps / 100, steps / 2, steps - 1} {
		var limit *work.Limit
		if err := check(work.NewMeter(t.Context(), int64(most))); !errors.As(err, &limit) {
			t.Errorf("%d of %d steps end with %v", most, steps, err)
		}
	}
	if err := check(work.NewMeter(&patient{t.Context(), 0}, work.MaxSteps)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done ends it with %v", err)
	}
}

// TestResumeVerifyCancel: checking the scoreboard of parsed machine IR stops when the context is done.
func TestResumeVerifyCancel(t *testing.T) {
	var text []byte
	_, err := jacquard.Compile(t.Context(), deepIfs(100), jacquard.Options{Trace: func(s *jacquard.Step) {
		if s.Pass == "scoreboard" {
			text = s.Text()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = jacquard.Compile(&patient{t.Context(), 0}, text, jacquard.Options{Verify: true})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done ends it with %v", err)
	}
}

// patient is a context that is done after it has been polled a number of times.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestCompileCancel: compiling stops when the context is done, in whatever stage.
func TestCompileCancel(t *testing.T) {
	m := pressure(300)
	for looks := 0; ; looks += 7 {
		ctx := &patient{t.Context(), looks}
		_, err := jacquard.Compile(ctx, m, jacquard.Options{})
		if err == nil || ctx.looks >= 0 { // it was polled less often
			if looks < 60 {
				t.Errorf("the context was looked at %d times only", looks)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || ctx.looks < -1 {
			t.Fatalf("after %d looks it ended with %v, %d looks later", looks, err, -1-ctx.looks)
		}
	}
}

// TestReadCancel checks that reading a module stops as well, both while it is scanned and while its blocks are read.
func TestReadCancel(t *testing.T) {
	for _, c := range []struct {
		name   string
		module []byte
		looks  int
	}{{"specialization constants", specOps(100000), 3}, {"additions", additions(100000), 24 + 3}} {
		ctx := &patient{t.Context(), c.looks}
		_, err := spirv.Read(c.module, spirv.Options{Stage: kind.StageCompute, Work: work.NewMeter(ctx, work.MaxSteps)})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: it ends with %v", c.name, err)
		}
	}
}
