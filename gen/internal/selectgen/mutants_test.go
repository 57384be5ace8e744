// SPDX-License-Identifier: MIT

package selectgen

import (
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/prove"
)

var mutantCount = flag.Int("mutants", 200, "how many mutants of rows are made")

// survivorsFile lists the mutants that are wrong and not rejected, each after a
// comment with the reason.
const survivorsFile = "testdata/survivors.txt"

// TestMutants changes one thing in the instructions that some rows emit: an opcode, an
// operand, a modifier, saturation, a condition, a constant, a type, an offset, or the
// order of two sources. The model of the execution units decides whether the
// result differs. At least 95 % of those mutants must be rejected by generation
// or refuted by z3; the others are listed with reasons.
func TestMutants(t *testing.T) {
	l, err := load(context("../../../defs"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(survivorsFile)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Split(string(text), "\n")
	z3, err := prove.FindSolver()
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	var list []*row
	for _, r := range l.rows {
		if l.computes(r) && r.root != condRoot && len(r.where.Needs) == 0 { // the judge's machine may lack a capability that a row needs
			list = append(list, r)
		}
	}
	rng := rand.New(rand.NewPCG(6, 100))
	var total, wrong, right, unjudged, byForm, byVector, byProof, strict, missed int
	for total < *mutantCount {
		m := mutate(rng, l, list[rng.IntN(len(list))])
		if m == nil {
			continue
		}
		total++
		x := *m.of
		x.emit = nil
		var refused error
		for _, s := range m.emit {
			in, err := l.instr(s, &x)
			if err != nil {
				refused = err
				break
			}
			x.emit = append(x.emit, in)
		}
		if refused != nil {
			byForm++
			continue
		}
		how, err := l.differing(rng, m.of, &x)
		switch {
		case err != nil:
			unjudged++
			continue
		case how == "":
			right++
			if l.refutes(&x) != nil {
				strict++
			}
			continue
		}
		wrong++
		if l.refutes(&x) != nil {
			byVector++
			continue
		}
		if z3 == nil {
			t.Logf("z3 is missing, so nothing is said of %s", m)
			wrong--
			continue
		}
		if disproved(t, z3, l, &x) {
			byProof++
			continue
		}
		missed++
		if !slices.Contains(known, m.String()) {
			t.Errorf("not refused, and not in %s: %s\n\t%s", survivorsFile, m, how)
		}
	}
	t.Logf("%d mutants: %d cannot be written, the model does not run %d; of %d that make another result %d are refused by "+
		"vectors, %d by proof, %d missed; of %d that make the same %d are refused",
		total, byForm, unjudged, wrong, byVector, byProof, missed, right, strict)
	if wrong < total/4 || missed*20 > wrong {
		t.Errorf("%d of %d wrong mutants are missed", missed, wrong)
	}
}

// differing asks the model at every assignment of sizes.
func (l *loader) differing(rng *rand.Rand, was, is *row) (string, error) {
	var failed error
	for _, sizes := range was.typing.Assignments(maxSizes) {
		j := &judge{claim: &claim{loader: l, row: was, sizes: sizes}, rng: rng}
		how, err := j.differs(was.emit, is.emit)
		if how != "" {
			return how, nil
		}
		if err != nil {
			failed = err
		}
	}
	return "", failed
}

// refutes returns the error with which generation rejects a row.
func (l *loader) refutes(r *row) error {
	y := *l
	y.rows = []*row{r}
	return y.verify()
}

// disproved asks z3 about a row that generation accepts.
func disproved(t *testing.T, z3 *prove.Solver, l *loader, r *row) bool {
	y := *l
	y.rows = []*row{r}
	claims, err := y.claims()
	if err != nil {
		t.Fatal(err)
	}
	p := &prove.Prover{Table: claims, Solver: z3}
	res, err := p.All(t.Context(), claims.Rules, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(res, func(x prove.Result) bool { return x.Status == prove.Refuted })
}
