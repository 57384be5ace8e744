package prove

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

// solver finds z3. Without it the test skips, but in CI it fails.
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

// TestWrong expects a counterexample to every rule of testdata/wrong. One that
// z3 finds counts only when the meanings confirm it.
func TestWrong(t *testing.T) {
	z3 := solver(t)
	for name, tab := range files(t, "wrong") {
		p := &Prover{Table: tab, Solver: z3, Budget: caseBudget}
		refuted := map[string]bool{}
		_, err := p.All(t.Context(), tab.Rules, 2, func(r *rules.Rule, res []Result) {
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
		for _, r := range tab.Rules {
			if !refuted[r.Name] {
				t.Errorf("%s/%s was not refuted", name, r.Name)
			}
		}
	}
}

// TestRight expects that the corrected forms hold; at a large size a smaller one
// may be all that is known.
func TestRight(t *testing.T) {
	z3 := solver(t)
	wrong := files(t, "wrong")
	for name, tab := range files(t, "right") {
		if len(tab.Rules) != len(wrong[name].Rules) {
			t.Errorf("%s: %d wrong rules and %d corrected ones", name, len(wrong[name].Rules), len(tab.Rules))
		}
		p := &Prover{Table: tab, Solver: z3, Budget: quickBudget}
		res, err := p.All(t.Context(), tab.Rules, 2, nil)
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

// TestProject proves rules that the ledger lacks and then others picked at
// random, for some seconds.
func TestProject(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	z3 := solver(t)
	tab, ledger := project(t)
	var todo, known []*rules.Rule
	for _, r := range tab.Rules {
		if _, ok := ledger.Lookup(tab, r); ok {
			known = append(known, r)
		} else {
			todo = append(todo, r)
		}
	}
	if len(known) == 0 {
		t.Fatal("the ledger holds no rule of the tables: run make prove")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("the ledger lacks %d of %d rules; seed %d", len(todo), len(tab.Rules), seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
	rng.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	p := &Prover{Table: tab, Solver: z3, Budget: quickBudget}
	count := 0
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && count < len(tab.Rules); {
		batch := append(slices.Clone(todo[:min(4, len(todo))]), known[:min(4, len(known))]...)
		todo, known = todo[min(4, len(todo)):], known[min(4, len(known)):]
		res, err := p.All(t.Context(), batch, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range res {
			if r.Status == Refuted {
				t.Errorf("%s: rule.%s (%s) is wrong: %s", r.Pos, r.Rule, r.Sizes, r.Counterexample)
			}
		}
		count += len(batch)
	}
	t.Logf("%d rules looked at", count)
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
