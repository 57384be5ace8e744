package corpus

import (
	"slices"
	"syscall"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
)

// benchModules are the modules of the corpus that are read, of n units of each
// package.
func benchModules(t testing.TB, n int) (modules []Module, instructions int) {
	t.Helper()
	c := compiler(t)
	for _, name := range []string{"piglit", "spirv-cross", "glslang", "gioui.org/shader"} {
		ms, _ := load(t, c, name, n)
		for _, m := range ms {
			if readInto(&m, ir.New(), false) == nil {
				modules = append(modules, m)
			}
		}
	}
	modules = Distinct(modules)
	for i := range modules {
		instructions += bodySize(modules[i].SPIRV)
	}
	return modules, instructions
}

// readInto reads the only entry point of a module, of whatever stage.
func readInto(m *Module, s *ir.Shader, check bool) error {
	e := entries(m.SPIRV)
	stage, ok := stageOf[models[e[0].model]]
	if !ok || len(e) != 1 {
		return &spirv.Error{Msg: "not one known stage"}
	}
	s, err := spirv.Read(m.SPIRV, spirv.Options{Stage: stage, Into: s})
	if err == nil && check {
		err = validate.Shader(s)
	}
	return err
}

// cpuTime is what the process has taken of the processor, in nanoseconds.
func cpuTime() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkRead measures reading and checking per instruction in function
// bodies, over the corpus: all of it with -benchtime=1x and more.
func BenchmarkRead(b *testing.B) {
	modules, n := benchModules(b, 0)
	for _, c := range []struct {
		name  string
		check bool
	}{{"read", false}, {"validated", true}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			s := ir.New()
			pass := func() {
				for i := range modules {
					if err := readInto(&modules[i], s, c.check); err != nil {
						b.Fatal(err)
					}
				}
			}
			pass()
			allocs := testing.AllocsPerRun(1, pass)
			before := cpuTime()
			for b.Loop() {
				pass()
			}
			// Of the processor, the collector's included: the clock would count
			// what else the machine does.
			b.ReportMetric(float64(cpuTime()-before)/float64(b.N)/float64(n), "cpu-ns/instruction")
			b.ReportMetric(allocs/float64(n), "allocs/instruction")
		})
	}
	sizes := make([]int, len(modules))
	for i := range modules {
		sizes[i] = bodySize(modules[i].SPIRV)
	}
	slices.Sort(sizes)
	b.Logf("%d modules, %d instructions in function bodies, half of them at most %d", len(modules), n, sizes[len(sizes)/2])
}
