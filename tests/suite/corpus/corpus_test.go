// SPDX-License-Identifier: MIT

package corpus

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/state"
)

type loadKey struct {
	name string
	n    int
}

type loaded struct {
	modules []modules.Module
	tried   int
}

// loads caches the results of load: finding the shaders of a package takes a
// while. Tests that load do not run in parallel.
var loads = map[loadKey]loaded{}

// load fetches and compiles a package, or fails the test.
func load(t testing.TB, c *modules.Compiler, name string, n int) ([]modules.Module, int) {
	t.Helper()
	if l, ok := loads[loadKey{name, n}]; ok {
		return l.modules, l.tried
	}
	list, tried, err := modules.Load(t.Context(), c, modules.Named(name), n)
	served(t, err)
	loads[loadKey{name, n}] = loaded{list, tried}
	return list, tried
}

// served ends a test whose package cannot be loaded: the test fails, unless the registry does not serve the package and this is not CI.
func served(t testing.TB, err error) {
	t.Helper()
	var gone *modules.UnreachableError
	if errors.As(err, &gone) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func compiler(t testing.TB) *modules.Compiler {
	t.Helper()
	for _, tool := range []string{"glslangValidator", "spirv-as", "spirv-val"} {
		oracle.Need(t, tool)
	}
	c, err := modules.NewCompiler(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Bounds for a module under 1 MiB.
const (
	maxTime  = time.Second
	maxBytes = 512 << 20
)

// judge fails the test for outcomes that are never allowed.
func judge(t *testing.T, o *Outcome) {
	t.Helper()
	valid := o.Module.Invalid == ""
	for i, why := range o.Why {
		if why == "" || why == NotReached {
			continue
		}
		step := Step(i)
		if step == Model || strings.HasPrefix(why, drawDiffers) {
			if pictureExceptions[o.Module.ID()] != "" {
				continue
			}
		}
		switch {
		case strings.HasPrefix(why, "panic:"), strings.Contains(why, "internal error"):
			t.Errorf("%s: not %s: %s", o.Module.ID(), step, why)
		case step == Validate && valid, step == Text, step == Binary, step == Legal, step == Model, strings.HasPrefix(why, drawDiffers):
			t.Errorf("%s: not %s: %s", o.Module.ID(), step, why)
		}
	}
	if why := o.Why[Read]; why != "" && valid && o.Stage == "compute" && o.Module.Claimed() &&
		!strings.Contains(why, "not supported") && exceptions[o.Module.ID()] == "" {
		t.Errorf("%s: not read: %s", o.Module.ID(), why)
	}
	if class, why := RefusalOf(o); why != "" && class == nil {
		t.Errorf("%s: refused for a reason that no row of refusals has: %s", o.Module.ID(), why)
	}
	if o.Bytes > maxBytes && len(o.Module.SPIRV) < 1<<20 {
		t.Errorf("%s: %d MiB allocated", o.Module.ID(), o.Bytes>>20)
	}
}

// exceptions lists modules that are rejected with a message other than that a feature is unsupported, although the tables
// claim all their capabilities, with the reasons.
var exceptions = map[string]string{
	"spirv-cross shaders-msl/asm/comp/variable-pointers-2.asm.comp": "a function returns a pointer to an input, which is not a value",
}

// sampleSize is the number of units that tests use from the packages that load fast; 0 means all.
var sampleSize = map[string]int{"piglit": 40, "spirv-cross": 80, "glslang": 30, "gioui.org/shader": 0}

// chosen loads the distinct modules that tests use from the packages that load fast, or all of the corpus.
func chosen(t testing.TB, c *modules.Compiler, all bool) (list []modules.Module) {
	t.Helper()
	for i := range modules.Packages {
		n, sampled := sampleSize[modules.Packages[i].Name]
		if all {
			n = 0
		} else if !sampled {
			continue
		}
		ms, _ := load(t, c, modules.Packages[i].Name, n)
		list = append(list, ms...)
	}
	return modules.Distinct(list)
}

// TestSample checks half of a sample of the modules of packages that load fast.
func TestSample(t *testing.T) {
	all := chosen(t, compiler(t), false)
	if len(all) < 100 {
		t.Errorf("only %d modules", len(all))
	}
	var outcomes []*Outcome
	check := &Checker{Pairs: SomePairs, Drawn: func(m *modules.Module, pairs []Pair) []Pair {
		if sample.One(4, m.ID(), "drawn") { // TestPictures draws with all modules
			return onePair(m, pairs)
		}
		return nil
	}}
	for i := range all {
		if !sample.One(2, all[i].ID()) {
			continue
		}
		for _, o := range check.Check(t.Context(), &all[i]) {
			judge(t, o)
			outcomes = append(outcomes, o)
		}
	}
	reproduce(t, outcomes)
}

// TestWholeCorpus runs the whole corpus; `make corpus` calls it and keeps its output in report.md.
func TestWholeCorpus(t *testing.T) {
	if os.Getenv("JACQUARD_CORPUS_ALL") == "" {
		t.Skip("make corpus runs it")
	}
	made, err := state.Line("../../..", state.Depends...)
	if err != nil {
		t.Fatal(err)
	}
	lava := oracleOf(t)
	c := compiler(t)
	var all []modules.Module
	tried := map[string]int{}
	for i := range modules.Packages {
		ms, n := load(t, c, modules.Packages[i].Name, 0)
		tried[modules.Packages[i].Name] = n
		all = append(all, ms...)
	}
	all = modules.Distinct(all)
	var outcomes []*Outcome
	check := &Checker{Pairs: AllPairs, Drawn: func(_ *modules.Module, pairs []Pair) []Pair { return pairs }}
	for i := range all {
		for _, o := range check.Check(context.Background(), &all[i]) {
			judge(t, o)
			if len(o.Module.SPIRV) < 1<<20 && slow(t, o) {
				t.Errorf("%s took %v", o.Module.ID(), o.Time)
			}
			outcomes = append(outcomes, o)
		}
	}
	reproduce(t, outcomes)
	var b bytes.Buffer
	WriteReport(&b, tried, outcomes)
	WriteAgreements(&b, compareAll(context.Background(), t, lava, all))
	if err := os.WriteFile("report.md", []byte(state.Begin(made, b.String())), 0o644); err != nil {
		t.Fatal(err)
	}
}

// slow reports that an outcome took too long in each of several runs, since other work on the machine may slow down a
// single run.
func slow(t *testing.T, o *Outcome) bool {
	const tries = 3
	none := &Checker{Pairs: func(*modules.Module) []Pair { return nil }, Drawn: func(*modules.Module, []Pair) []Pair { return nil }}
	for i := 1; i < tries && o.Time > maxTime; i++ {
		for _, again := range none.Check(t.Context(), o.Module) {
			if again.Entry == o.Entry && again.Stage == o.Stage {
				o.Time = min(o.Time, again.Time)
			}
		}
	}
	return o.Time > maxTime
}

// reproduce checks that iga64 disassembles all machine code, and assembles the text to
// the same bytes.
func reproduce(t *testing.T, outcomes []*Outcome) {
	t.Helper()
	words := map[*target.Target]int{} // of results, of modules that ran
	for _, pair := range AllPairs(nil) {
		iga := oracle.IGA{Platform: pair.Target.Platform.IGA()}
		var codes [][]byte
		var of []*Outcome
		for _, o := range outcomes {
			for _, c := range o.Codes {
				if c.Pair == pair && c.Bytes != nil {
					codes, of = append(codes, c.Bytes), append(of, o)
					words[pair.Target] += c.Words
				}
			}
		}
		texts, errs := iga.DisassembleAll(t, codes)
		back, said := iga.AssembleAll(t, texts, "-Wall")
		for i, o := range of {
			switch {
			case errs[i] != nil:
				t.Errorf("%s for %s: iga64 -d: %v", o.Module.ID(), pair, errs[i])
			case strings.Contains(texts[i], "illegal"):
				t.Errorf("%s for %s: iga64 -d finds an illegal instruction", o.Module.ID(), pair)
			case said[i] != nil:
				t.Errorf("%s for %s: iga64 -a -Wall: %v", o.Module.ID(), pair, said[i])
			case !bytes.Equal(back[i], codes[i]):
				t.Errorf("%s for %s: iga64 assembles its own text to other bytes", o.Module.ID(), pair)
			}
		}
		if len(codes) == 0 {
			t.Errorf("%s: no modules compile", pair)
		}
	}
	for _, machine := range target.All {
		if words[machine] == 0 {
			t.Errorf("%s: no words are compared", machine)
		}
	}
}
