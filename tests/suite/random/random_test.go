// SPDX-License-Identifier: MIT

package random

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/randprog"
)

// TestMain turns the test binary into a process with the driver when the tests start it as such.
func TestMain(m *testing.M) {
	if os.Getenv(lavapipe.InChild) == "" {
		status := m.Run()
		for range cap(children) {
			(<-children).Stop()
		}
		os.Exit(status)
	}
	if err := lavapipe.Serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sums counts the outcomes of the programs.
type sums struct {
	sync.Mutex
	agreed   map[string]int // by account
	leftOut  map[string]int // by reason
	refused  int
	features map[string]int
	alone    []string // programs that only lavapipe computes differently
	failures []string
}

// seeds is a range of programs, with one profile or with the profiles that their seeds take in turn.
type seeds struct {
	first, n uint64
	profile  string
}

// The programs of every run of the tests, and the additional ones of CI.
var (
	always = []seeds{{1, 24, ""}, {7200001, 4, "shapes"}}
	inCI   = []seeds{{25, 24, ""}, {5000, 24, ""}, {79670, 1, ""}, {7200005, 20, "shapes"}}
)

// chosen returns the programs to run.
func chosen(t *testing.T) []seeds {
	profile := os.Getenv("PROFILE")
	list := slices.Clone(always)
	if text := os.Getenv("PROGRAMS"); text != "" { // how many, and the first seed
		list = make([]seeds, 1)
		if _, err := fmt.Sscan(text, &list[0].n, &list[0].first); err != nil {
			t.Fatal(err)
		}
	} else if os.Getenv("CI") == "true" {
		list = append(list, inCI...)
	}
	for i := range list {
		if profile != "" {
			list[i].profile = profile
		}
	}
	return list
}

// profileOf returns the profile of a program.
func (s seeds) profileOf(t *testing.T, seed uint64) *randprog.Profile {
	if s.profile == "" {
		return randprog.ProfileOf(seed)
	}
	all := slices.Concat(randprog.Profiles, randprog.Others)
	i := slices.IndexFunc(all, func(p randprog.Profile) bool { return p.Name == s.profile })
	if i < 0 {
		t.Fatalf("no profile %q", s.profile)
	}
	return &all[i]
}

// TestPrograms: every program computes the same as C, on the interpreter in both
// orders, after all passes, on the model and on lavapipe.
func TestPrograms(t *testing.T) {
	for _, tool := range []string{"cc", "glslangValidator", "spirv-val"} {
		oracle.Need(t, tool)
	}
	there := false
	t.Run("lavapipe", func(t *testing.T) { // without it, the other accounts are compared
		lavapipe.Need(t)
		there = true
	})
	accounts := Accounts(there)
	ranges := chosen(t)
	sum := &sums{agreed: map[string]int{}, leftOut: map[string]int{}, features: map[string]int{}}
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	t.Run("seeds", func(t *testing.T) {
		for _, r := range ranges {
			for seed := r.first; seed < r.first+r.n; seed++ {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					t.Parallel()
					gate <- struct{}{}
					defer func() { <-gate }()
					judge(t, sum, accounts, func() *randprog.Program {
						p := randprog.GenerateAs(seed, r.profileOf(t, seed))
						if os.Getenv("LEAVEOUT") == "all" {
							p.LeaveOut()
						}
						return p
					})
				})
			}
		}
	})
	t.Logf("programs %v: refused %d, failed %d", ranges, sum.refused, len(sum.failures))
	for _, name := range slices.Sorted(maps.Keys(sum.agreed)) {
		t.Logf("%6d %s", sum.agreed[name], name)
	}
	for _, why := range slices.Sorted(maps.Keys(sum.leftOut)) {
		t.Logf("%6d %s", sum.leftOut[why], why)
	}
	for _, name := range slices.Sorted(maps.Keys(sum.features)) {
		t.Logf("%6d %s", sum.features[name], name)
	}
	for _, f := range sum.alone {
		t.Log(f)
	}
	if n := len(sum.alone); n > 2 && n > sum.agreed["lavapipe"]/50 {
		t.Errorf("%d programs that lavapipe alone computes otherwise: it no longer says much about the others", n)
	}
	for _, f := range sum.failures {
		t.Log(f)
	}
}

// judge runs a program on all accounts, and reduces it if one disagrees.
func judge(t *testing.T, sum *sums, accounts []*Account, make func() *randprog.Program) {
	p := make()
	sum.Lock()
	for name, n := range featuresOf(p) {
		sum.features[name] += n
	}
	sum.Unlock()
	r, err := prepare(t, p)
	if err != nil {
		if !errors.Is(err, ErrLeftOut) {
			t.Error(err)
		}
		sum.Lock()
		sum.leftOut[reason(err)]++
		sum.Unlock()
		if dir := os.Getenv("KEEP"); dir != "" {
			text := fmt.Sprintf("%s// %v\n", GLSL(p), err)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("left_out_%d.comp", p.Seed)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	var failed []*Failure
	var alone *Failure
	for _, a := range accounts {
		f := r.check(a)
		known := f != nil && f.Where != "" && len(failed) == 0 && a.Name == "lavapipe" && r.lastTrips(a)
		sum.Lock()
		switch {
		case f == nil:
			sum.agreed[a.Name]++
		case errors.Is(f.Err, ErrLeftOut):
			sum.leftOut[reason(f.Err)]++
		case known:
			sum.leftOut["lavapipe reads behind a loop what the last trip computed, whichever trip an invocation left in"]++
		case f.refused():
			sum.refused++
		case a.Name == "lavapipe" && len(failed) == 0:
			// C, the interpreter and the model agree, so lavapipe is wrong.
			sum.alone = append(sum.alone, fmt.Sprintf("%d: %v", p.Seed, f))
			alone = f
		default:
			failed = append(failed, f)
		}
		sum.Unlock()
	}
	dir := os.Getenv("KEEP")
	if alone != nil && dir != "" {
		keep(t, dir, p, alone)
	}
	if len(failed) == 0 {
		return
	}
	if len(p.Passes) > 0 && failed[0].Account.Name == "raw8" && withoutPasses(t, p) {
		sum.Lock()
		sum.leftOut["spirv-opt changes what the module computes"]++
		sum.Unlock()
		return
	}
	var names []string
	for _, f := range failed {
		names = append(names, f.Account.Name)
	}
	sum.Lock()
	sum.failures = append(sum.failures, fmt.Sprintf("%d: %v: %v", p.Seed, strings.Join(names, " "), failed[0]))
	sum.Unlock()
	t.Errorf("seed %d: %v: %v", p.Seed, strings.Join(names, " "), failed[0])
	if dir != "" {
		keep(t, dir, p, failed[0])
	}
}

// withoutPasses reports whether the interpreter agrees with the C program on the module before spirv-opt, so that the
// error is spirv-opt's.
func withoutPasses(t *testing.T, p *randprog.Program) bool {
	passes := p.Passes
	defer func() { p.Passes = passes }()
	p.Passes = nil
	r, err := prepare(t, p)
	return err == nil && r.check(Accounts(false)[0]) == nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// reason returns an error without the parts specific to one program.
func reason(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text, _, _ = strings.Cut(text, "/tmp")
	return digits.ReplaceAllString(text, "N")
}

// keep reduces a program that fails and writes it to a folder.
func keep(t *testing.T, dir string, p *randprog.Program, f *Failure) {
	still := func() bool { return again(t, p, f) != nil }
	Reduce(p, 2000, still)
	r, err := prepare(t, p)
	if err != nil {
		t.Log(err)
		return
	}
	g := again(t, p, f)
	if g == nil {
		t.Log("does not fail again")
		return
	}
	width := 0
	if p.Subgroups() || f.Where == "" {
		width = f.Account.Width
	}
	assembly := ""
	if len(p.Passes) > 0 {
		assembly, _ = oracle.Disassemble(t, r.module)
	}
	text := Script(p, assembly, width, r.c[f.Account.Width], fmt.Sprintf("Seed %d. %s", p.Seed, g))
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s_%d.amber", f.Account.Name, p.Seed)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s_%d.c", f.Account.Name, p.Seed)), []byte(randprog.C(p)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// again runs the account that failed, and the accounts that must agree for the program to be defined; it returns the new
// failure if it has the same kind as f, or else nil.
func again(t *testing.T, p *randprog.Program, f *Failure) *Failure {
	r := &run{t: t, p: p, c: map[int][][]byte{}}
	if r.compile() != nil {
		return nil
	}
	a := f.Account
	raw := strings.HasPrefix(a.Name, "raw") || strings.HasPrefix(a.Name, "backwards")
	if raw || f.Where == "" && f.Err == nil {
		if r.runC() != nil {
			return nil
		}
	} else {
		one, err := r.interpret(a.Width, 3, false, false)
		if err != nil {
			return nil
		}
		r.c[a.Width] = one
		if two, err := r.interpret(a.Width, 1<<40+12345, true, false); err != nil || r.differ(one, two) != "" {
			return nil
		}
	}
	g := r.check(a)
	if g == nil || (g.Err == nil) != (f.Err == nil) || g.Err != nil && reason(g.Err) != reason(f.Err) {
		return nil
	}
	return g
}
