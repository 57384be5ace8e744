// SPDX-License-Identifier: MIT

package limits

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// TestGrowth compiles each shape at a thousand, ten thousand and a hundred thousand instructions: ten times as many
// take at most 12 times the work and the memory, a hundred times as many 150 times the work and 120 times the memory. A
// meter counts the work: the instructions that passes visit, and every step that may be more than linear in the
// shader's length.
func TestGrowth(t *testing.T) {
	for _, s := range shapes {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			var steps, bytes [3]int
			for i, n := range []int{1000, 10000, 100000} {
				steps[i], bytes[i] = measure(t, kind.StageCompute, 16, s.make(n))
				t.Logf("%d instructions: %d steps, %.1f MB", n, steps[i], float64(bytes[i])/1e6)
				if i == 0 {
					continue
				}
				if steps[i] > []int{0, 12, 150}[i]*steps[0] {
					t.Errorf("%d instructions take %.1f times the work of 1000", n, float64(steps[i])/float64(steps[0]))
				}
				if bytes[i] > []int{0, 12, 120}[i]*bytes[0] {
					t.Errorf("%d instructions take %.1f times the memory of 1000", n, float64(bytes[i])/float64(bytes[0]))
				}
			}
		})
	}
}

// measure compiles a module with a shader of a stage for a number of lanes, and returns the steps that
// it takes and the bytes that are allocated.
func measure(t *testing.T, stage kind.Stage, simd int, module []byte) (steps, bytes int) {
	t.Helper()
	m := work.NewMeter(t.Context(), 1<<40)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := compileStage(module, stage, simd, m, true)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return m.Steps(), int(after.TotalAlloc - before.TotalAlloc)
}

// TestGrowthOfTime is like TestGrowth for processor time, including the garbage collector's: the median of several
// compiles may grow 15 and 200 times.
func TestGrowthOfTime(t *testing.T) {
	if os.Getenv("JACQUARD_LIMITS") == "" {
		t.Skip("make limits runs it")
	}
	for _, s := range shapes {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			small := timed(t, s.make(1000), 25)
			for _, larger := range []struct{ n, most, times int }{{10000, 15, 7}, {100000, 200, 3}} {
				large := timed(t, s.make(larger.n), larger.times)
				ratio := float64(large) / float64(small)
				t.Logf("%v for 1000 instructions, %v for %d: %.1f times", small, large, larger.n, ratio)
				if ratio > float64(larger.most) {
					t.Errorf("%d instructions take %.1f times the time of 1000", larger.n, ratio)
				}
			}
		})
	}
}

// timed returns the median of the processor time that some compiles of a module take.
func timed(t *testing.T, module []byte, times int) time.Duration {
	t.Helper()
	took := make([]time.Duration, times)
	for i := range took {
		runtime.GC()
		start := processorTime(t)
		if err := compile(module, work.NewMeter(t.Context(), 1<<40), true); err != nil {
			t.Fatal(err)
		}
		took[i] = processorTime(t) - start
	}
	slices.Sort(took)
	return took[times/2]
}

// processorTime returns the CPU time of all threads of this process so far.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestGrowthOfStatements is like TestGrowth, but counts all statements of the compiler.
func TestGrowthOfStatements(t *testing.T) {
	if os.Getenv("JACQUARD_LIMITS") == "" {
		t.Skip("make limits runs it")
	}
	bin := counting(t)
	all := slices.Clone(shapes)
	for _, s := range floatChains {
		all = append(all, shape{s.name, func(n int) []byte { return makeChain(n, s.link) }})
	}
	for _, s := range all {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			in := &input{make: s.make, ext: ".spv", args: "compile --simd 16 -o /dev/null"}
			small, _ := statements(t, bin, in, 1000)
			for _, larger := range []struct{ n, most int }{{10000, 12}, {100000, 150}} {
				large, stderr := statements(t, bin, in, larger.n)
				t.Logf("%d statements for 1000 instructions, %d for %d %s", small, large, larger.n, stderr)
				if large > larger.most*small {
					t.Errorf("%d instructions take %.1f times the statements of 1000", larger.n, float64(large)/float64(small))
				}
			}
		})
	}
}

// TestNarrower: a shader whose values fit neither into the registers at the best width nor into the scratch memory for
// spills is compiled at a narrower width, unless the width was requested.
func TestNarrower(t *testing.T) {
	m := pressure(36000) // 2.2 MiB at 16 lanes
	p, err := jacquard.Compile(t.Context(), m, jacquard.Options{})
	switch {
	case err != nil:
		t.Error(err)
	case p.Variants[0].SIMD != 8:
		t.Errorf("it has %d lanes", p.Variants[0].SIMD)
	}
	var input *jacquard.Error
	if _, err := jacquard.Compile(t.Context(), m, jacquard.Options{SIMD: 16}); !errors.As(err, &input) ||
		!strings.HasPrefix(input.Msg, "SIMD16: ") {
		t.Errorf("at 16 it ends with %v", err)
	}
}
