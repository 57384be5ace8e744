// SPDX-License-Identifier: MIT

//go:build unix

package bench

import (
	"math"
	"syscall"
	"testing"
	"time"

	"jacquard.example"
)

// cpuTime returns the CPU time of all threads of the process, including the
// garbage collector's.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCPU reports the CPU time of a compilation as the minimum of seven
// rounds. A round is long enough for the collector to take part in it.
func BenchmarkCPU(b *testing.B) {
	const rounds, round = 7, 100 * time.Millisecond
	for _, sh := range allShaders(b) {
		b.Run(sh.name, func(b *testing.B) {
			compile := func() {
				_, err := jacquard.Compile(b.Context(), sh.module, jacquard.Options{SIMD: simd})
				check(b, err)
			}
			compile()
			least := math.Inf(1)
			for range b.N {
				for range rounds {
					n := 0
					before := cpuTime(b)
					for start := time.Now(); time.Since(start) < round; n++ {
						compile()
					}
					least = min(least, float64(cpuTime(b)-before)/float64(n))
				}
			}
			b.ReportMetric(least/1e6, "cpu-ms/compile")
			b.ReportMetric(0, "ns/op")
		})
	}
}
