// SPDX-License-Identifier: MIT

package vectors

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"

	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
)

// Wrong is the error of a rule whose sides differ.
type Wrong struct {
	Vector string // both sides with the values substituted, and their results
}

func (w *Wrong) Error() string { return "is wrong: " + w.Vector }

// Instance is a rule at one assignment of sizes.
type Instance struct {
	Rule  *rules.Rule
	Sizes map[int]int // by the number of a size class
	tr    *trial
}

// Instances returns the rule at every assignment of sizes, at most limit.
func Instances(t *rules.Table, r *rules.Rule, limit int) []*Instance {
	var out []*Instance
	for _, sizes := range r.Typing.Assignments(limit) {
		tr := newTrial(t, r)
		tr.sizes = sizes
		out = append(out, &Instance{Rule: r, Sizes: sizes, tr: tr})
	}
	return out
}

// Name returns the sizes: "a@8, b@32".
func (in *Instance) Name() string { return in.Rule.Typing.Describe(in.Sizes) }

// Size returns the size of a class.
func (in *Instance) Size(class int) int { return in.tr.size(class) }

// Comps returns the number of values that a vector holds for a variable.
func (in *Instance) Comps(v *pattern.VarInfo) int {
	if v.Whole {
		return 4
	}
	return max(v.Comps, 1)
}

// Candidates returns values of a variable that are worth trying and satisfy its
// predicates.
func (in *Instance) Candidates(v *pattern.VarInfo) []uint64 {
	all := corners(v.Base, in.Size(v.Class))
	return slices.DeleteFunc(all, func(x uint64) bool { return !in.holds(v, x) })
}

// Constants returns values for the constants of the rule that satisfy its predicates and
// its where, different ones in every round, or nil if none were found.
func (in *Instance) Constants(round int) map[string]uint64 {
	cands := make([][]uint64, len(in.tr.vars))
	for i, v := range in.tr.vars {
		if cands[i] = in.Candidates(v); len(cands[i]) == 0 {
			return nil
		}
	}
	in.tr.rng = rand.New(rand.NewPCG(uint64(round), 3))
	for n := range maxDraws {
		out := map[string]uint64{}
		if in.Rule.Where != nil {
			in.tr.draw(cands, n)
			if ok, err := in.tr.condition(); !ok || err != nil {
				continue
			}
		}
		for i, v := range in.tr.vars {
			switch {
			case !v.Const:
			case in.Rule.Where != nil:
				out[v.Name] = in.tr.env[v.Name][0]
			default:
				out[v.Name] = cands[i][(round*7+i*3+2)%len(cands[i])]
			}
		}
		return out
	}
	return nil
}

func (in *Instance) holds(v *pattern.VarInfo, x uint64) bool {
	for _, name := range v.Preds {
		if p := in.tr.t.Preds.ByName(name); p.Kind == predicate.Value && !p.Holds(in.Size(v.Class), x) {
			return false
		}
	}
	return true
}

// Try evaluates both sides on a vector by the opcodes' meanings. It reports
// whether the vector counts: not if a predicate or where does not hold, or something that
// the rule gives up occurs. A *Wrong error is a counterexample.
func (in *Instance) Try(vector map[string][]uint64, flush bool) (bool, error) {
	for _, v := range in.Rule.Typing.Vars {
		for _, x := range vector[v.Name] {
			if !in.holds(v, x) {
				return false, nil
			}
		}
	}
	in.tr.env, in.tr.flush = maps.Clone(vector), flush
	return in.tr.try()
}

// Search tries the vectors that generation tries. A *Wrong error is a
// counterexample.
func (in *Instance) Search() error {
	in.tr.rng = rand.New(rand.NewPCG(1, 2))
	_, err := in.tr.run()
	return err
}

// IsWrong returns the counterexample in an error of Try.
func IsWrong(err error) (*Wrong, bool) {
	var w *Wrong
	ok := errors.As(err, &w)
	return w, ok
}
