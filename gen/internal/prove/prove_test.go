// SPDX-License-Identifier: MIT

package prove

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/table"
	"jacquard.example/tests/support/sample"
)

// solver finds z3. Without it the test is skipped, but fails in CI.
func solver(t *testing.T) *Solver {
	t.Helper()
	if _, err := exec.LookPath("z3"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("z3 is missing: apt-get install z3")
		}
		t.Skip("z3 is missing: apt-get install z3")
	}
	s, err := FindSolver()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func defs() *domain.Context {
	return &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}}
}

// project loads the project's rules and their ledger.
func project(t *testing.T) (*rules.Table, Ledger) {
	t.Helper()
	tab, err := rules.Load(defs())
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := ReadLedger("../../../defs/algebraic/proofs.json")
	if err != nil {
		t.Fatal(err)
	}
	return tab, ledger
}

// claims loads the claims of the rows of instruction selection.
func claims(t *testing.T) *rules.Table {
	t.Helper()
	tab, err := selectgen.Claims(defs())
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// files loads every table of a folder of testdata.
func files(t *testing.T, dir string) map[string]*rules.Table {
	t.Helper()
	list, _ := filepath.Glob("testdata/" + dir + "/*.toml")
	if len(list) == 0 {
		t.Fatalf("no tables in %s", dir)
	}
	out := map[string]*rules.Table{}
	for _, f := range list {
		tab, err := rules.LoadFile(defs(), f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".toml")] = tab
	}
	return out
}

// TestWrongRulesAreRefuted expects a counterexample to every rule of testdata/wrong. It tries one rule in three and all in which denormals
// matter; make soak tries all. A counterexample of z3 counts only if the meanings confirm it.
func TestWrongRulesAreRefuted(t *testing.T) {
	z3 := solver(t)
	count := 0
	defer func() { t.Logf("%d wrong rules", count) }()
	for name, tab := range files(t, "wrong") {
		some := slices.DeleteFunc(slices.Clone(tab.Rules), func(r *rules.Rule) bool {
			return !sample.One(3, name, r.Name) && (sample.Soaking() || !r.GivesUpFlag("denorm"))
		})
		count += len(some)
		p := &Prover{Table: tab, Solver: z3, Budget: caseBudget}
		refuted := map[string]bool{}
		_, err := p.All(t.Context(), some, 2, func(r *rules.Rule, res []Result) {
			for _, x := range res {
				if x.Status == Refuted {
					refuted[r.Name] = true
					if !strings.Contains(x.Counterexample, ") = ") {
						t.Errorf("%s/%s: counterexample %q", name, r.Name, x.Counterexample)
					}
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range some {
			if !refuted[r.Name] {
				t.Errorf("%s/%s was not refuted", name, r.Name)
			}
		}
	}
}

// TestCorrectedRulesAreProved expects proofs of the corrected forms. It tries one in twelve. Instead of a large size, a smaller one may be
// proved.
func TestCorrectedRulesAreProved(t *testing.T) {
	z3 := solver(t)
	wrong := files(t, "wrong")
	for name, tab := range files(t, "right") {
		if len(tab.Rules) != len(wrong[name].Rules) {
			t.Errorf("%s: %d wrong rules and %d corrected ones", name, len(wrong[name].Rules), len(tab.Rules))
		}
		p := &Prover{Table: tab, Solver: z3, Budget: quickBudget}
		some := slices.DeleteFunc(slices.Clone(tab.Rules), func(r *rules.Rule) bool { return !sample.One(12, name, r.Name) })
		res, err := p.All(t.Context(), some, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range res {
			if rank[r.Status] > rank[Reduced] {
				t.Errorf("%s/%s (%s) is %s: %s%s", name, r.Rule, r.Sizes, r.Status, r.Reason, r.Counterexample)
			}
			for _, n := range r.Needless {
				t.Errorf("%s/%s: %s", name, r.Rule, n)
			}
		}
	}
}

// TestNarrowingRounds: over the reals, a conversion to fewer bits is not the identity.
// No vector refutes this rule within the tolerance of regrouping.
func TestNarrowingRounds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.toml")
	row := "[rule.x]\nfind = \"(fmul (f2f32 (f2f16@32 a)) 0x1p-40)\"\nreplace = \"(fmul a 0x1p-40)\"\ngives_up = [\"transform\"]\n"
	if err := os.WriteFile(file, []byte(row), 0o666); err != nil {
		t.Fatal(err)
	}
	tab, err := rules.LoadFile(defs(), file)
	if err != nil {
		t.Fatal(err)
	}
	p := &Prover{Table: tab, Solver: solver(t)}
	res, err := p.prove(t.Context(), vectors.Instances(tab, tab.Rules[0], 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != Unproved {
		t.Errorf("%s", res.Text())
	}
}

// spotBudget is the budget for repeating proofs in the ledger, in z3's
// resource units, startCost the cost of starting z3; together they amount to
// some five seconds on one core. Proofs that cost more than dearest are not repeated.
const (
	spotBudget = 4_000_000
	startCost  = 100_000
	dearest    = 1_000_000
)

// TestProjectRulesAreProved proves the rules that the ledger lacks, and a tenth of the others
// again: a hash of all of them selects the tenth, so that it changes
// whenever a rule does. Proofs that cost more than the budget are skipped. make soak repeats
// all proofs that are not too dear.
func TestProjectRulesAreProved(t *testing.T) {
	z3 := solver(t)
	tab, ledger := project(t)
	tables := []*rules.Table{tab, claims(t)}
	of := map[*rules.Rule]*rules.Table{}
	pending := map[*rules.Table][]*rules.Rule{}
	var known []*rules.Rule
	all := fnv.New64a()
	ledgered := map[*rules.Rule][]Result{}
	for _, tab := range tables {
		for _, r := range tab.Rules {
			of[r] = tab
			res, ok := ledger.Lookup(tab, r)
			if !ok {
				pending[tab] = append(pending[tab], r)
				continue
			}
			ledgered[r] = res
			known = append(known, r)
			for _, x := range res {
				all.Write([]byte(x.Key))
			}
		}
	}
	if len(known) == 0 {
		t.Fatal("the ledger holds no rule of the tables: run make prove")
	}
	rng := rand.New(rand.NewPCG(all.Sum64(), 0))
	rng.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
	some := known[:(len(known)+9)/10]
	if sample.Soaking() {
		some = slices.DeleteFunc(known, func(r *rules.Rule) bool { return !sample.In(r.Name) })
	}
	cost, again, count := 0, map[*rules.Table][]*rules.Rule{}, 0
	for _, r := range some {
		c := 0
		for _, x := range ledgered[r] {
			c += x.Cost + startCost
			if x.Cost == 0 && x.By != "enumeration" { // not known
				c += quickBudget
			}
		}
		if c > dearest || cost+c > spotBudget && !sample.Soaking() {
			continue
		}
		cost += c
		again[of[r]] = append(again[of[r]], r)
		count++
	}
	t.Logf("the ledger lacks %d rules and %d claims of rows; %d of a sample of %d proved again", len(pending[tables[0]]),
		len(pending[tables[1]]), count, len(some))
	for _, tab := range tables {
		p := &Prover{Table: tab, Solver: z3}
		_, err := p.All(t.Context(), again[tab], 2, func(r *rules.Rule, res []Result) {
			for i, x := range res {
				if want := ledgered[r][i]; rank[x.Status] > rank[want.Status] {
					t.Errorf("%s: %s (%s) is %s%s; the ledger says %s", x.Pos, x.Rule, x.Sizes, x.Text(), x.Counterexample, want.Text())
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Budget = quickBudget
		res, err := p.All(t.Context(), pending[tab], 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range res {
			if r.Status == Refuted {
				t.Errorf("%s: %s (%s) is wrong: %s", r.Pos, r.Rule, r.Sizes, r.Counterexample)
			}
		}
	}
}

// The maximum numbers of verdicts that are not proofs. They may fall, not rise.
const (
	mostReduced  = 61
	mostUnproved = 63
)

// TestVerdicts reads the ledger: every unproved verdict has a reason, and there are no more of them than before.
func TestVerdicts(t *testing.T) {
	tab, ledger := project(t)
	count := map[Status]int{}
	total := 0
	of := map[*rules.Rule]*rules.Table{}
	var list []*rules.Rule
	for _, tab := range []*rules.Table{tab, claims(t)} {
		for _, r := range tab.Rules {
			of[r], list = tab, append(list, r)
		}
	}
	for _, r := range list {
		res, ok := ledger.Lookup(of[r], r)
		if !ok {
			continue
		}
		for _, x := range res {
			total++
			count[x.Status]++
			switch {
			case rank[x.Status] > rank[Unproved] || x.Status == "":
				t.Errorf("%s (%s): %q is not a verdict", x.Rule, x.Sizes, x.Status)
			case x.Status == Proved && x.By == "":
				t.Errorf("%s (%s): proved, but not by what", x.Rule, x.Sizes)
			case (x.By == "reals") != (x.Status == Proved && r.Loose()):
				t.Errorf("%s (%s): %s", x.Rule, x.Sizes, x.Text())
			case x.Status != Proved && x.Reason == "":
				t.Errorf("%s (%s): %s without a reason", x.Rule, x.Sizes, x.Status)
			}
			if x.Status == Reduced || x.Status == Unproved {
				t.Logf("%s (%s): %s", x.Rule, x.Sizes, x.Text())
			}
		}
	}
	weak := count[Reduced] + count[Unproved]
	t.Logf("%d verdicts: %v; %d (%.1f %%) are not proofs", total, count, weak, 100*float64(weak)/float64(total))
	if count[Reduced] != mostReduced || count[Unproved] != mostUnproved {
		t.Errorf("%d are of reduced width and %d unproved; %d and %d are allowed (if there are fewer, write that down)", count[Reduced],
			count[Unproved], mostReduced, mostUnproved)
	}
}

// TestLedger writes results and reads them again.
func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proofs.json")
	in := []Result{{Rule: "a", Status: Proved, By: "bits", Key: "1"}, {Rule: "b", Status: Refuted, Key: "2"}, {Rule: "c", Status: Unproved, Reason: "x", Key: "3"}}
	if err := WriteLedger(path, in); err != nil {
		t.Fatal(err)
	}
	l, err := ReadLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(l) != 2 || l["1"].By != "bits" || l["3"].Reason != "x" {
		t.Errorf("read %v", l)
	}
}
