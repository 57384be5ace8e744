// SPDX-License-Identifier: MIT

package prove

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

var mutantCount = flag.Int("mutants", 60, "how many rules are mutated")

// least returns the assignment with the fewest bits.
func least(t *pattern.Typing) map[int]int {
	list := t.Assignments(maxInstances)
	bits := func(m map[int]int) (n int) {
		for _, s := range m {
			n += s
		}
		return n
	}
	return slices.MinFunc(list, func(a, b map[int]int) int { return bits(a) - bits(b) })
}

// judged judges a rule where its original is known to be correct: on 8-bit floats if
// it has only floats and the original holds there (a constant may have
// too many bits for that), otherwise at its smallest sizes.
func (j *judge) judged(find, replace, where string, m *mutant) (judgement, error) {
	orig := ""
	if m.of.Where != nil {
		orig = m.of.Where.String()
	}
	for _, eight := range []bool{true, false} {
		right, err := j.claim(m.of.Find.String(), m.of.Replace.String(), orig, m.of.GivesUp)
		if err != nil {
			return judgement{}, err
		}
		res, err := j.rule(right, least(right.typing), eight)
		if err != nil || res.wrong {
			if !eight {
				if err == nil {
					err = fmt.Errorf("the judge refutes the rule itself: %s", res.vector)
				}
				return res, err
			}
			continue
		}
		c, err := j.claim(find, replace, where, m.of.GivesUp)
		if err != nil {
			return judgement{}, err
		}
		return j.rule(c, least(c.typing), eight)
	}
	panic("unreachable")
}

// TestMutants changes one opcode, constant, operand or predicate in each of
// some rules. At least 99 % of the mutants that are wrong according to the judge, which
// tries all 8-bit values, must be rejected by generation or refuted by the
// prover.
func TestMutants(t *testing.T) {
	z3 := solver(t)
	tab, _ := project(t)
	loader, err := rules.NewLoader(defs())
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{ops: loader.Ops, preds: tab.Preds, limit: 1 << 16, tables: map[string][]uint32{}}
	if *mutantCount > 100 {
		j.limit = 1 << 17
	}
	rng := rand.New(rand.NewPCG(1, 300))
	order := rng.Perm(len(tab.Rules))
	var rows, wrong, exhaustive, right, unjudged, byForm, byVector, byProof, missed int
	dir := t.TempDir()
	for _, i := range order {
		if rows == *mutantCount {
			break
		}
		r := tab.Rules[i]
		var m *mutant
		var res judgement
		var err error
		for range 20 { // until a mutant can be loaded
			if m = mutate(rng, tab, loader.Ops, r); m == nil {
				continue
			}
			if _, bad := j.claim(m.find, m.replace, m.where, r.GivesUp); bad != nil {
				m = nil
				continue
			}
			break
		}
		if m == nil {
			continue
		}
		rows++
		res, err = j.judged(m.find, m.replace, m.where, m)
		switch {
		case err != nil:
			unjudged++
			t.Logf("not judged: %s: %v", m, err)
			continue
		case !res.wrong:
			right++
			continue
		}
		wrong++
		if res.exhaustive {
			exhaustive++
		}
		file := filepath.Join(dir, "m.toml")
		if err := os.WriteFile(file, []byte(m.toml()), 0o666); err != nil {
			t.Fatal(err)
		}
		mt, err := loader.Load(file)
		if err != nil {
			byForm++
			continue
		}
		if vectors.Verify(mt) != nil {
			byVector++
			continue
		}
		p := &Prover{Table: mt, Solver: z3, Budget: caseBudget}
		got, err := p.All(t.Context(), mt.Rules, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(got, func(r Result) bool { return r.Status == Refuted || len(r.Needless) > 0 }) {
			byProof++
			continue
		}
		missed++
		t.Logf("missed: %s\n\tjudge: %s\n\tprover: %s", m, res.vector, got[0].Text())
	}
	t.Logf("%d mutants: %d wrong (%d of them shown by all 8-bit values), %d right, %d not judged; of the wrong ones %d "+
		"refused by form, %d by vectors, %d by proof, %d missed",
		rows, wrong, exhaustive, right, unjudged, byForm, byVector, byProof, missed)
	if rows < *mutantCount {
		t.Errorf("%d mutants of %d", rows, *mutantCount)
	}
	if wrong == 0 || missed*100 > wrong {
		t.Errorf("%d of %d wrong mutants are missed", missed, wrong)
	}
}
