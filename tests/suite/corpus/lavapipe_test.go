// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"fmt"
	"os"
	"testing"

	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/modules"
)

// TestMain turns the test binary into a process with the driver when the tests start it as such.
func TestMain(m *testing.M) {
	if os.Getenv(lavapipe.InChild) == "" {
		os.Exit(m.Run())
	}
	if err := lavapipe.Serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// oracleOf returns the oracle, or fails the test.
func oracleOf(t *testing.T) *Oracle {
	o := &Oracle{device: lavapipe.Need(t)}
	t.Cleanup(o.Close)
	return o
}

// compareAll compares the valid modules of a list with lavapipe.
func compareAll(ctx context.Context, t *testing.T, o *Oracle, list []modules.Module) (out []*Agreement) {
	for i := range list {
		if list[i].Invalid != "" {
			continue
		}
		for _, a := range o.Compare(ctx, &list[i]) {
			if err := a.Judge(); err != nil {
				t.Error(err)
			}
			out = append(out, a)
		}
	}
	return out
}

// samples gives the number of units to take from each package: few when a developer waits, else more.
var samples = []struct {
	name      string
	few, more int
}{{"piglit", 40, 120}, {"spirv-cross", 80, 80}, {"glslang", 30, 30}, {"gioui.org/shader", 0, 0}}

// TestLavapipe compares compute shaders with lavapipe; TestWholeCorpus does with all.
func TestLavapipe(t *testing.T) {
	o := oracleOf(t)
	c := compiler(t)
	ci := os.Getenv("CI") == "true"
	var all []modules.Module
	for _, p := range samples {
		n := p.few
		if ci {
			n = p.more
		}
		ms, _ := load(t, c, p.name, n)
		all = append(all, ms...)
	}
	sum := Count(compareAll(t.Context(), t, o, modules.Distinct(all)))
	t.Logf("%d of %d modules compared, %d numbers; %d compare their result with one close to it", sum.Compared, sum.Tried, sum.Numbers,
		sum.Aimed)
	if sum.Compared < sum.Tried/2 {
		t.Errorf("only %d of %d modules could be compared: %v", sum.Compared, sum.Tried, sum.LeftOut)
	}
}
