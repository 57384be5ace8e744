// SPDX-License-Identifier: MIT

package bench

import (
	"math"
	"strings"
	"testing"
	"time"

	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/target"
)

// BenchmarkAlgebraic measures the rewrite rules per SPIR-V instruction: all rule passes of a compilation (all), and
// one application of the main set to a shader that is already at its fixed point (fixpoint). It reports the fastest
// of many rounds, since other load on the machine only adds time.
func BenchmarkAlgebraic(b *testing.B) {
	const rounds = 100
	for _, sh := range allShaders(b) {
		per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(sh.insts) }
		b.Run("all/"+sh.name, func(b *testing.B) {
			w := newWorkbench(sh)
			least := time.Duration(math.MaxInt64)
			for range b.N {
				for range rounds {
					check(b, w.read())
					w.pass.Reset(w.s)
					w.pass.Options = pass.Options{Target: target.TGL}
					sum := time.Duration(0)
					check(b, w.pass.Run(pipeline.Compute, &pass.Trace{After: func(name string, _ bool, took time.Duration) error {
						if strings.HasPrefix(name, "algebraic") {
							sum += took
						}
						return nil
					}}))
					least = min(least, sum)
				}
			}
			b.ReportMetric(per(least), "ns/spvinstr")
			b.ReportMetric(0, "ns/op")
		})
		b.Run("fixpoint/"+sh.name, func(b *testing.B) {
			w := newWorkbench(sh)
			check(b, w.read())
			w.pass.Reset(w.s)
			w.pass.Options = pass.Options{Target: target.TGL}
			check(b, w.pass.Run(pipeline.Optimize, nil))
			var p match.Pass
			least := time.Duration(math.MaxInt64)
			for range b.N {
				for range rounds {
					start := time.Now()
					changed, err := p.Apply(w.s, w.s.Entry(), &opt.Set, &target.TGL.Rewrite, nil)
					least = min(least, time.Since(start))
					check(b, err)
					if changed {
						b.Fatal("the shader is not at the fixpoint")
					}
				}
			}
			b.ReportMetric(per(least), "ns/spvinstr")
			b.ReportMetric(0, "ns/op")
		})
	}
}
