// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/leaveout"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/scripts"
)

var disableEvery = flag.Int("disableevery", 40, "without each pass, TestEachPassDisabled runs one script in N")

// TestEachPassDisabled runs scripts without each optional pass in turn: the results must equal the interpreter's, which
// runs the shader with all passes, and meet the script's expectations, and the code must pass all checks. Each pass
// runs one script in every -disableevery; make disable runs all.
func TestEachPassDisabled(t *testing.T) {
	files := scripts.Files(t, "../../amber/*.amber")
	for _, pass := range jacquard.OptionalPasses() {
		t.Run(strings.ReplaceAll(pass, "/", "_"), func(t *testing.T) {
			t.Parallel()
			for _, file := range files {
				name := strings.TrimSuffix(filepath.Base(file), ".amber")
				if uncompiled[name] == "" && sample.In(pass, name) && pick(pass+name)%uint32(*disableEvery) == 0 {
					runWithout(t, file, target.TGL, 16, []string{pass})
				}
			}
		})
	}
}

// TestSetsDisabled runs scripts without random sets of the optional passes, each on one machine at one width: a fifth
// of the scripts that TestEachPassDisabled runs for a pass. It also runs two shaders on all machines at all widths,
// each without a fixed set of passes: one keeps empty ifs, the other leaves no register for guards.
func TestSetsDisabled(t *testing.T) {
	for _, machine := range target.All {
		for _, width := range machine.Widths {
			runWithout(t, "testdata/disabled/empty_if.amber", machine, width, []string{"dead_control_flow", "peephole_select"})
		}
	}
	runWithout(t, "testdata/disabled/guard_room.amber", target.TGL, 32, []string{"cse", "dead_control_flow"})
	for _, file := range scripts.Files(t, "../../amber/*.amber") {
		name := strings.TrimSuffix(filepath.Base(file), ".amber")
		every := max(uint32(*disableEvery)/5, 1)
		for n := range uint32(4) {
			if uncompiled[name] != "" || pick(fmt.Sprint(name, n))%(4*every) != 0 && every > 1 {
				continue
			}
			t.Run(fmt.Sprintf("%s_%d", name, n), func(t *testing.T) {
				t.Parallel()
				for k := int(pick(fmt.Sprint("machine", name, n)) % 1000); ; k++ {
					machine := target.All[k%len(target.All)]
					width := machine.Widths[k/len(target.All)%len(machine.Widths)]
					if exception(name, fmt.Sprintf("eu%d-%s", width, machine)) == "" {
						runWithout(t, file, machine, width, leaveout.Set(fmt.Sprint(name, n)))
						return
					}
				}
			})
		}
	}
}

// runWithout runs a script without some of the passes on a machine at a width.
func runWithout(t *testing.T, file string, machine *target.Target, width int, passes []string) {
	t.Helper()
	script := scripts.Read(t, file)
	e := differential.New(machine, func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }, width)
	e.Model.Options.Disable, e.Model.Options.Verify = passes, true
	if slices.Contains(passes, "algebraic_before_ffma") { // this pass decides which products are fused
		e.Interp.Options.Disable = []string{"algebraic_before_ffma"}
		e.Seeded.Options.Disable = e.Interp.Options.Disable
	}
	report, err := script.Run(t.Context(), e)
	if err = errors.Join(append(report.Errors(), err)...); err != nil {
		t.Errorf("%s, %s SIMD%d without %s: %v", filepath.Base(file), machine, width, strings.Join(passes, ","), err)
	}
}

func pick(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// TestDisable: a disabled pass does not run, other passes do, and only names of optional passes are accepted.
func TestDisable(t *testing.T) {
	module, err := os.ReadFile("../../shaders/matmul.comp.spv")
	if err != nil {
		t.Fatal(err)
	}
	ran := func(disable ...string) (shared, machine []string) {
		opts := jacquard.Options{SIMD: 16, Disable: disable, Trace: func(s *jacquard.Step) {
			if s.SIMD == 0 {
				shared = append(shared, s.Pass)
			} else {
				machine = append(machine, s.Pass)
			}
		}}
		if _, err := jacquard.Compile(t.Context(), module, opts); err != nil {
			t.Fatal(err)
		}
		return shared, machine
	}
	for _, c := range []struct {
		disable         string
		shared, machine bool // whether dead_code runs
	}{{"cse", true, true}, {"mir/dead_code", true, false}} {
		shared, machine := ran(c.disable)
		if slices.Contains(shared, "dead_code") != c.shared || slices.Contains(machine, "dead_code") != c.machine {
			t.Errorf("%s: %v, %v", c.disable, shared, machine)
		}
		if c.disable == "cse" && slices.Contains(shared, "cse") {
			t.Error("a disabled pass has run")
		}
	}
	for _, name := range []string{"explicit_io", "mir/encode", "schedule", "", fmt.Sprint("mir/", "cse")} {
		_, err := jacquard.Compile(t.Context(), module, jacquard.Options{Disable: []string{name}})
		var mistake *jacquard.Error
		if !errors.As(err, &mistake) || !strings.Contains(mistake.Msg, "can be disabled") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
