// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
)

// ablation writes a table of what our code costs without each optional pass, as ratios to its cost with all passes:
// cycles alone and resident, instructions and messages, as geometric means over samples and renderer and over n
// shaders of the corpus; then the estimate for all shaders whose code differs, the number of these, and the CPU time
// of compiling. Results are not compared here; tests/suite/whole does that.
func ablation(ctx context.Context, w io.Writer, root string, simd, n int) error {
	few, err := sampleSet(ctx, root)
	if err != nil {
		return err
	}
	stages, err := rendererSet()
	if err != nil {
		return err
	}
	many, err := corpusSet(ctx)
	if err != nil {
		return err
	}
	sets := [2][]entry{append(few, stages...), nil}
	var base [2][]*eu.Account
	base[0], sets[0] = runnable(ctx, sets[0], simd, len(sets[0]))
	base[1], sets[1] = runnable(ctx, many, simd, n)
	all := slices.Concat(sets[0], sets[1])
	every := newBodies(ctx, slices.Concat(sets[0], many), simd)
	fmt.Fprintf(w, "| without | samples, renderer | corpus | estimate | of %d differ | compile time |\n|---|---|---|---|---|---|\n",
		len(every.list))
	for _, pass := range jacquard.OptionalPasses() {
		fmt.Fprintf(w, "| `%s` |", pass)
		for i, set := range sets {
			var without []*eu.Account
			for k := range set {
				a, err := cost(ctx, &set[k], simd, pass)
				if err != nil {
					return fmt.Errorf("%s without %s: %w", set[k].name, pass, err)
				}
				without = append(without, a)
			}
			for k, of := range []func(*eu.Account) uint64{
				func(a *eu.Account) uint64 { return a.Alone.Cycles() }, func(a *eu.Account) uint64 { return a.Resident.Cycles() },
				func(a *eu.Account) uint64 { return a.Instructions }, (*eu.Account).Messages,
			} {
				if k > 0 {
					fmt.Fprint(w, ",")
				}
				fmt.Fprintf(w, " %.3f", meanRatio(without, base[i], of))
			}
			fmt.Fprint(w, " |")
		}
		ratio, err := compileRatio(ctx, all, simd, pass)
		if err != nil {
			return err
		}
		differ, estimate := every.without(ctx, simd, pass)
		fmt.Fprintf(w, " %.2f | %d | %.2f |\n", estimate, differ, ratio)
	}
	return nil
}

// bodies are the shaders that compile, with the code that all passes leave.
type bodies struct {
	list []entry
	code []jacquard.Variant
}

func newBodies(ctx context.Context, list []entry, simd int) *bodies {
	b := new(bodies)
	for _, e := range list {
		if p, err := jacquard.Compile(ctx, e.module, jacquard.Options{SIMD: simd}); err == nil {
			b.list, b.code = append(b.list, e), append(b.code, p.Variants[0])
		}
	}
	return b
}

// without returns the number of shaders whose code differs without a pass, and the geometric mean of the ratios of their
// estimated cycles.
func (b *bodies) without(ctx context.Context, simd int, pass string) (differ int, estimate float64) {
	sum := 0.0
	for i := range b.list {
		p, err := jacquard.Compile(ctx, b.list[i].module, jacquard.Options{SIMD: simd, Disable: []string{pass}})
		if err != nil || bytes.Equal(p.Variants[0].Code, b.code[i].Code) {
			continue
		}
		sum += math.Log(float64(p.Variants[0].Stats.Cycles) / float64(b.code[i].Stats.Cycles))
		differ++
	}
	return differ, math.Exp(sum / float64(max(differ, 1)))
}

// runnable runs the shaders of list in order until n of them have run and sent messages. It returns their costs and
// their entries, with prepared inputs.
func runnable(ctx context.Context, list []entry, simd, n int) (costs []*eu.Account, kept []entry) {
	for _, e := range list {
		if len(kept) == n {
			break
		}
		if e.prepare != nil && e.prepare(ctx, &e) != "" {
			continue
		}
		if a, err := cost(ctx, &e, simd); err == nil && a.Messages() > 0 {
			costs, kept = append(costs, a), append(kept, e)
		}
	}
	return costs, kept
}

// cost runs our code of a shader, compiled without some passes, and returns what it cost.
func cost(ctx context.Context, e *entry, simd int, disable ...string) (*eu.Account, error) {
	total := new(eu.Account)
	return total, guard(func() error {
		return e.run(ctx, &engine.EU{
			Module:  func(context.Context, *runner.Shader) ([]byte, error) { return e.module, nil },
			Options: jacquard.Options{SIMD: simd, Disable: disable}, Execution: eu.Options{StepLimit: threadSteps},
			Observe: func(_ *runner.Call, _ *jacquard.Program, a *eu.Account) { total.Add(a) },
		})
	})
}

// meanRatio returns the geometric mean of the ratios whose two sides are positive.
func meanRatio(a, b []*eu.Account, of func(*eu.Account) uint64) float64 {
	sum, n := 0.0, 0
	for i := range a {
		if x, y := of(a[i]), of(b[i]); x > 0 && y > 0 {
			sum += math.Log(float64(x) / float64(y))
			n++
		}
	}
	return math.Exp(sum / float64(n))
}

// compileRatio returns the CPU time of compiling shaders without a pass, divided by the time with all passes. Each is
// the least of several rounds, which alternate so that both see the same machine.
func compileRatio(ctx context.Context, list []entry, simd int, pass string) (float64, error) {
	const rounds = 7
	var least [2]time.Duration // with all passes, without one
	for range rounds {
		for i, disable := range [][]string{nil, {pass}} {
			d, err := compileTime(ctx, list, jacquard.Options{SIMD: simd, Disable: disable})
			if err != nil {
				return 0, err
			}
			if least[i] == 0 || d < least[i] {
				least[i] = d
			}
		}
	}
	return float64(least[1]) / float64(least[0]), nil
}

// compileTime returns the CPU time of compiling shaders.
func compileTime(ctx context.Context, list []entry, o jacquard.Options) (time.Duration, error) {
	runtime.GC() // earlier garbage is not collected during the measurement
	before, err := cpuTime()
	if err != nil {
		return 0, err
	}
	for i := range list {
		if _, err := jacquard.Compile(ctx, list[i].module, o); err != nil {
			return 0, fmt.Errorf("%s: %w", list[i].name, err)
		}
	}
	after, err := cpuTime()
	return after - before, err
}

func cpuTime() (time.Duration, error) {
	var r syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), err // each of the two is only known to a tick
}

// ablationMarks enclose the table in a file.
var ablationMarks = [2]string{"<!-- ablation: make ablation -->\n", "<!-- end of ablation -->\n"}

// rewrite replaces the text between the marks in a file.
func rewrite(file string, table []byte) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(text, []byte(ablationMarks[0]))
	_, tail, ended := bytes.Cut(rest, []byte(ablationMarks[1]))
	if !ok || !ended {
		return fmt.Errorf("%s has no %s", file, strings.TrimSpace(ablationMarks[0]))
	}
	out := slices.Concat(head, []byte(ablationMarks[0]), table, []byte(ablationMarks[1]), tail)
	return os.WriteFile(file, out, 0o666)
}
