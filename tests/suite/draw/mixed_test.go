// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
)

// TestMixed compares the pictures, stores and counts of random pairs of shaders on the interpreter, also after linking,
// and on the model of each machine at both widths. MIXED is the number of pairs and the number of the first (make pairs);
// failing scripts are written to the directory KEEP, if set. A machine may refuse a draw.
func TestMixed(t *testing.T) {
	n, first := 6, uint64(0)
	if p := os.Getenv("MIXED"); p != "" {
		if _, err := fmt.Sscan(p, &n, &first); err != nil {
			t.Fatalf("MIXED=%q: %v", p, err)
		}
	}
	covered, ran, refused := 0, 0, 0
	for seed := first; seed < first+uint64(n); seed++ {
		name := fmt.Sprintf("mixed%d.amber", seed)
		source := mixed(seed)
		seconds := map[string]runner.Drawer{"linked": &engine.Interp{Module: moduleOf(name), Link: true}}
		for _, machine := range slices.Concat(target.All, target.Partial) {
			for _, simd := range machine.Widths[:min(2, len(machine.Widths))] {
				if simd == machine.Widths[0] || machine.Fragment != nil {
					seconds[fmt.Sprint(machine.Name, " ", simd)] = &engine.EU{Module: moduleOf(name),
						Options: jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd}, Execution: eu.Options{Undefined: true,
							Addresses: true, Poison: true}}
				}
			}
		}
		for what, second := range seconds {
			script, err := amber.Parse(name, []byte(source))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, source)
			}
			quiet := &recorder{}
			e := &both{t: quiet, first: onInterp(name), second: second}
			_, err = script.Run(t.Context(), e)
			switch {
			case err != nil && strings.Contains(err.Error(), "not supported yet"):
				refused++
				continue
			case err != nil:
				t.Errorf("%s, %s: %v", name, what, err)
			case len(quiet.lines) > 0:
				t.Errorf("%s, %s: %s", name, what, quiet.lines)
			default:
				ran++
				covered += min(e.covered, 1)
				continue
			}
			if keep := os.Getenv("KEEP"); keep != "" {
				if err := os.WriteFile(filepath.Join(keep, name), []byte(source), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d runs of %d pairs agree, %d change pixels; %d are refused", ran, n, covered, refused)
	if covered*2 < ran || ran < 3*n {
		t.Errorf("of %d pairs %d runs agree, and only %d change pixels", n, ran, covered)
	}
}
