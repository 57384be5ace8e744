// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/generated/target"
)

// TestPairs compares the pictures of random pairs of shaders. PAIRS is their count and the first number; failing scripts
// are written to the directory KEEP, if set. At most 3 in 100 may differ, since rounding may move a value across a jump
// that the generator does not know of.
func TestPairs(t *testing.T) {
	n, first := 8, uint64(0)
	if p := os.Getenv("PAIRS"); p != "" {
		if _, err := fmt.Sscan(p, &n, &first); err != nil {
			t.Fatalf("PAIRS=%q: %v", p, err)
		}
	}
	differ, covered := 0, 0
	for seed := first; seed < first+uint64(n); seed++ {
		name := fmt.Sprintf("pair%d.amber", seed)
		text := pair(seed)
		script, err := amber.Parse(name, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		quiet := &recorder{}
		e := &both{t: quiet, first: onInterp(name), second: onLavapipe(t, name)}
		if _, err := script.Run(t.Context(), e); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		covered += min(e.covered, 1)
		if len(quiet.lines) == 0 {
			continue
		}
		differ++
		t.Logf("%s: %s", name, quiet.lines)
		if keep := os.Getenv("KEEP"); keep != "" {
			if err := os.WriteFile(filepath.Join(keep, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d of %d pairs draw the same picture as lavapipe; %d change pixels", n-differ, n, covered)
	if differ*100 > 3*n {
		t.Errorf("%d of %d pictures differ", differ, n)
	}
	if covered*2 < n {
		t.Errorf("only %d of %d pairs change pixels", covered, n)
	}
}

// TestPairsOnModel draws with random pairs of shaders on the model, with all checks along all paths: the fragment shader
// of each has one of the widths, in turn. PAIRS is as for TestPairs.
func TestPairsOnModel(t *testing.T) {
	n, first := 6, uint64(0)
	if p := os.Getenv("PAIRS"); p != "" {
		if _, err := fmt.Sscan(p, &n, &first); err != nil {
			t.Fatalf("PAIRS=%q: %v", p, err)
		}
	}
	for seed := first; seed < first+uint64(n); seed++ {
		name := fmt.Sprintf("pair%d.amber", seed)
		script, err := amber.Parse(name, []byte(pair(seed)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, machine := range slices.Concat(target.All, target.Partial) {
			turn, widths := seed+uint64(k), machine.Widths
			model := modelOf(machine, name, widths[turn%uint64(len(widths))])
			if machine.Fragment == nil { // the interpreter runs fragment shaders
				model = modelOf(machine, name, widths[0])
			}
			model.Options.Verify = true
			// In fused threads, one without lanes computes with registers that it has not written.
			model.Execution.Fused = machine.Can(target.Fused) && turn/uint64(len(widths))%2 == 0
			model.Execution.Undefined = !model.Execution.Fused
			e := &both{t: t, first: onInterp(name), second: model}
			if _, err := script.Run(t.Context(), e); err != nil {
				t.Errorf("%s on %s, SIMD%d: %v", name, machine, model.Options.SIMD, err)
			}
		}
	}
}

// recorder collects the differences.
type recorder struct{ lines []string }

func (r *recorder) Errorf(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}
