// SPDX-License-Identifier: MIT

package corpus

import (
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/modules"
)

// benchModules returns the modules of the corpus that can be read, from n units of each package.
func benchModules(t testing.TB, n int) (out []benchModule, instructions int) {
	t.Helper()
	c := compiler(t)
	var list []modules.Module
	for _, name := range []string{"piglit", "spirv-cross", "glslang", "gioui.org/shader"} {
		ms, _ := load(t, c, name, n)
		for _, m := range ms {
			if len(modules.Entries(m.SPIRV)) == 1 {
				list = append(list, m)
			}
		}
	}
	for _, m := range modules.Distinct(list) {
		stage, ok := stageOf[modules.Models[modules.Entries(m.SPIRV)[0].Model]]
		b := benchModule{m.SPIRV, stage}
		if ok && b.read(ir.New(), false) == nil {
			out = append(out, b)
			instructions += modules.BodySize(m.SPIRV)
		}
	}
	return out, instructions
}

// benchModule is a module with one entry point, of the stage.
type benchModule struct {
	spirv []byte
	stage kind.Stage
}

func (m *benchModule) read(s *ir.Shader, check bool) error {
	s, err := spirv.Read(m.spirv, spirv.Options{Stage: m.stage, Into: s})
	if err == nil && check {
		err = validate.Shader(s)
	}
	return err
}

// clockProcess is CLOCK_PROCESS_CPUTIME_ID of clock_gettime(2), which counts nanoseconds. getrusage(2) divides whole
// ticks between user and system time, so it can report a fraction of a short step's time.
const clockProcess = 2

// cpuTime returns the CPU time that the process has used, in nanoseconds.
func cpuTime() int64 {
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockProcess, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return t.Nano()
}

// BenchmarkRead measures reading and checking per instruction in function
// bodies, over the corpus: all of it with -benchtime=1x and more.
func BenchmarkRead(b *testing.B) {
	list, n := benchModules(b, 0)
	for _, c := range []struct {
		name  string
		check bool
	}{{"read", false}, {"validated", true}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			s := ir.New()
			least := make([]time.Duration, len(list))
			pass := func() {
				for i := range list {
					start := time.Now()
					if err := list[i].read(s, c.check); err != nil {
						b.Fatal(err)
					}
					if took := time.Since(start); took < least[i] || least[i] == 0 {
						least[i] = took
					}
				}
			}
			pass()
			allocs := testing.AllocsPerRun(1, pass)
			before := cpuTime()
			for b.Loop() {
				pass()
			}
			// All of the processor's time, the collector's included, and the sum of
			// each module's shortest run, which other work disturbs least.
			sum := time.Duration(0)
			for _, d := range least {
				sum += d
			}
			b.ReportMetric(float64(sum.Nanoseconds())/float64(n), "least-ns/instruction")
			b.ReportMetric(float64(cpuTime()-before)/float64(b.N)/float64(n), "cpu-ns/instruction")
			b.ReportMetric(allocs/float64(n), "allocs/instruction")
		})
	}
	sizes := make([]int, len(list))
	for i := range list {
		sizes[i] = modules.BodySize(list[i].spirv)
	}
	slices.Sort(sizes)
	b.Logf("%d modules, %d instructions in function bodies, half of them at most %d", len(list), n, sizes[len(sizes)/2])
}
