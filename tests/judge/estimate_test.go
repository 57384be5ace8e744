// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
)

// profiled is the machine code of a shader after a run on the model, which counted its instructions.
type profiled struct {
	machine *target.Target
	code    []byte
	loops   []string // the loops of machine IR, in order
	profile *eu.Profile
	cost    eu.Account
}

// profile compiles a shader and runs it.
func profile(ctx context.Context, e *entry, machine *target.Target, simd int) (*profiled, error) {
	out := &profiled{machine: machine}
	profiles := map[*jacquard.Program]*eu.Profile{}
	options := jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd}
	err := guard(func() error {
		return e.run(ctx, &engine.EU{
			Module:  func(context.Context, *runner.Shader) ([]byte, error) { return e.module, nil },
			Options: options, Profiles: profiles,
			Observe: func(_ *runner.Call, p *jacquard.Program, a *eu.Account) {
				if out.code = p.Variants[0].Code; len(profiles) > 1 {
					a.Threads = 0
				}
				out.profile = profiles[p]
				out.cost.Add(a)
			},
		})
	})
	if err != nil {
		return nil, err
	}
	if out.code == nil || len(profiles) != 1 || out.cost.Threads == 0 {
		return nil, fmt.Errorf("%d profiles, want one", len(profiles))
	}
	var last []byte
	options.Trace = func(s *jacquard.Step) {
		if s.SIMD != 0 {
			last = s.Text()
		}
	}
	p, err := jacquard.Compile(ctx, e.module, options)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(p.Variants[0].Code, out.code) {
		return nil, errors.New("the second compilation yields other code: specialized, or not deterministic")
	}
	out.loops = loopLine.FindAllString(string(last), -1)
	return out, nil
}

var loopLine = regexp.MustCompile(`(?m)^  loop\(.*$`)

// ratio returns the estimate of the cycles of all threads, with measured execution counts,
// divided by the model's cycles.
func (p *profiled) ratio() float64 {
	return float64(perf.Measured(p.machine, p.code, p.profile.At)) / float64(p.cost.Alone.Cycles())
}

// counts calls each for every loop, with its line in the IR, its trip count and its bound there (0 if unknown), and
// the model's counts: how often the loop was reached, and how often its body was entered.
func (p *profiled) counts(each func(line string, exact, most, reached, entered uint64)) error {
	type loop struct{ first, last int }
	var loops []loop
	for at := 0; at < len(p.code); {
		in, err := isa.Decode(p.machine.Platform, p.code[at:])
		if err != nil {
			break
		}
		if in.Op == isa.OpWhile {
			loops = append(loops, loop{at + int(in.JIP), at})
		}
		at += int(in.Size)
	}
	slices.SortFunc(loops, func(a, b loop) int {
		if a.first != b.first {
			return a.first - b.first
		}
		return b.last - a.last
	})
	if len(loops) != len(p.loops) {
		return fmt.Errorf("%d loops in machine code, %d in its IR", len(loops), len(p.loops))
	}
	for i, l := range loops {
		entered := p.profile.At(l.first)
		var known [2]uint64
		for k, name := range []string{" trips=", " max_trips="} {
			if _, rest, ok := strings.Cut(p.loops[i], name); ok {
				known[k], _ = strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			}
		}
		each(p.loops[i], known[0], known[1], entered-p.profile.Back(l.last), entered)
	}
	return nil
}

// TestEstimate: with the model's execution counts, the estimate is 0.7 to 1.4 times the model's
// cycles for 90 % of the shaders.
func TestEstimate(t *testing.T) {
	set, err := sampleSet(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	many, err := scriptSet(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	if text := os.Getenv("ESTIMATE_PER_PACKAGE"); text != "" {
		if many, err = someOfCorpus(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	stages, err := rendererSet()
	if err != nil {
		t.Fatal(err)
	}
	set = slices.Concat(set, stages, many)
	var ratios []float64
	for i := range set {
		if e := &set[i]; e.prepare != nil && e.prepare(t.Context(), e) != "" {
			continue
		}
		p, err := profile(t.Context(), &set[i], target.TGL, 16)
		if err != nil {
			continue
		}
		r := p.ratio()
		if r < 0.7 || r > 1.4 {
			t.Logf("%s: %.2f", set[i].name, r)
		}
		ratios = append(ratios, r)
		err = p.counts(func(line string, exact, most, reached, entered uint64) {
			if exact != 0 && entered != exact*reached || most != 0 && entered > most*reached {
				t.Errorf("%s: %s: reached %d times and entered %d times", set[i].name, line, reached, entered)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", set[i].name, err)
		}
	}
	slices.Sort(ratios)
	good := 0
	for _, r := range ratios {
		if r >= 0.7 && r <= 1.4 {
			good++
		}
	}
	t.Logf("%d of %d shaders are within 0.7 and 1.4; median %.2f, from %.2f to %.2f", good, len(ratios), ratios[len(ratios)/2], ratios[0],
		ratios[len(ratios)-1])
	if len(ratios) < 20 || 10*good < 9*len(ratios) {
		t.Errorf("%d of %d shaders are within 0.7 and 1.4", good, len(ratios))
	}
}

// everyScript is N if TestEstimate takes one in N scripts. ESTIMATE_PER_PACKAGE=N takes N modules of each package of
// the corpus instead.
const everyScript = 5

// scriptSet returns some scripts of tests/amber below the project's root that dispatch one shader.
func scriptSet(ctx context.Context, root string) (set []entry, err error) {
	dir := filepath.Join(root, "tests", "amber")
	files, err := filepath.Glob(filepath.Join(dir, "*.amber"))
	for i := 0; i < len(files); i += everyScript {
		name := strings.TrimSuffix(filepath.Base(files[i]), ".amber")
		script, translate, err := readScript(ctx, dir, name)
		if err != nil || len(script.Shaders) != 1 {
			continue // a script for errors or with a draw
		}
		module, err := translate(ctx, script.Shaders[0])
		if err != nil {
			return nil, err
		}
		set = append(set, entry{name: name, module: module, run: running(script)})
	}
	return set, err
}

// someOfCorpus takes some modules of each package and returns their compute shaders that can be judged.
func someOfCorpus(ctx context.Context, number string) ([]entry, error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	c, err := modules.NewCompiler(ctx)
	if err != nil {
		return nil, err
	}
	var list []modules.Module
	for i := range modules.Packages {
		some, _, err := modules.Load(ctx, c, &modules.Packages[i], n)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return withInputs(ctx, list, 0), nil
}
