// SPDX-License-Identifier: MIT

package limits

import (
	"os"
	"strings"
	"testing"

	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestGrowthOfChains: a chain of 10,000 links takes at most 12 times the work of 1,000 links, and these at most 15 times the
// work of 100. Work is the number of rules tried, and the steps that the meter counts. No run exhausts its budget.
func TestGrowthOfChains(t *testing.T) {
	for _, s := range floatChains {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			var tried, fired, steps [3]int
			for i, n := range []int{100, 1000, 10000} {
				sh, err := spirv.Read(makeChain(n, s.link), spirv.Options{Stage: kind.StageCompute})
				if err != nil {
					t.Fatal(err)
				}
				stats, c, m := &match.Stats{}, pass.New(sh), work.NewMeter(t.Context(), 1<<40)
				c.Options = pass.Options{Target: target.TGL, RuleStats: stats}
				c.Work = m
				if err := pipeline.ForTarget(c, nil); err != nil {
					t.Fatal(err)
				}
				if len(stats.Exhausted) != 0 {
					t.Errorf("%d links: %v", n, stats.Exhausted[0])
				}
				stats.Each(func(_ *match.Set, _ *match.Rule, n match.Count) {
					tried[i], fired[i] = tried[i]+n.Tried, fired[i]+n.Fired
				})
				steps[i] = m.Steps()
				t.Logf("%d links: %d rules tried, %d fired, %d steps", n, tried[i], fired[i], steps[i])
				if i == 0 {
					continue
				}
				if most := []int{0, 15, 12}[i]; tried[i] > most*tried[i-1] || steps[i] > most*steps[i-1] {
					t.Errorf("%d links take more than %d times the work of %d", n, most, n/10)
				}
			}
		})
	}
}

// TestGrowthOfTimeOfChains is TestGrowthOfChains for the CPU time of whole compilations.
func TestGrowthOfTimeOfChains(t *testing.T) {
	if os.Getenv("JACQUARD_LIMITS") == "" {
		t.Skip("make limits runs it")
	}
	for _, s := range floatChains {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			small, large := timed(t, makeChain(1000, s.link), 25), timed(t, makeChain(10000, s.link), 7)
			t.Logf("%v for 1000 links, %v for 10000: %.1f times", small, large, float64(large)/float64(small))
			if large > 15*small {
				t.Errorf("10000 links take %.1f times the time of 1000", float64(large)/float64(small))
			}
		})
	}
}
