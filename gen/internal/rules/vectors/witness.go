// SPDX-License-Identifier: MIT

package vectors

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"jacquard.example/gen/internal/rules"
)

// Without returns instances for finding witnesses: a vector that refutes one of them shows that the rule needs to give
// up flag. Each instance makes the rule's claim without that flag and with the others. A rule without a witness for a
// flag gives it up needlessly.
//
// For nan, inf, nsz, denorm and a flag that alone lets the rule round differently, the instance is the rule under its
// other flags. For a rule with both contract and reassoc, unfused forms distinguish them: fusing matters if a side
// differs from its unfused form, regrouping if the unfused sides differ. The error gives the reason why no vector can
// be a witness.
func (in *Instance) Without(flag string) ([]*Instance, error) {
	r, t := in.Rule, in.tr.t
	has := r.GivesUpFlag
	less := slices.DeleteFunc(slices.Clone(r.GivesUp), func(g string) bool { return g == flag })
	exact := slices.DeleteFunc(slices.Clone(less), func(g string) bool { return g == "contract" || g == "reassoc" })
	switch {
	case flag == "inf" && r.Loose():
		return nil, fmt.Errorf("a rule that regroups or transforms makes no claim about infinities")
	case (flag == "contract" || flag == "reassoc") && has("transform"):
		return nil, fmt.Errorf("transform covers it")
	case flag == "contract" && has("reassoc"):
		u := Unfused(t, r)
		find, replace := *r, *r
		find.GivesUp, find.Replace = exact, u.Find
		replace.GivesUp, replace.Find, replace.Replace = exact, r.Replace, u.Replace
		return []*Instance{in.of(&replace), in.of(&find)}, nil
	case flag == "reassoc" && has("contract"):
		x := *Unfused(t, r)
		x.GivesUp = exact
		return []*Instance{in.of(&x)}, nil
	case has("contract") && flag != "contract" && !r.Loose():
		x := *Unfused(t, r)
		x.GivesUp = less
		return []*Instance{in.of(&x)}, nil
	}
	x := *r
	x.GivesUp = less
	return []*Instance{in.of(&x)}, nil
}

// Claim returns the instance to prove: the instance itself or, for a rule that gives up contract and may not otherwise
// round differently, its unfused form.
func (in *Instance) Claim() *Instance {
	if in.Rule.GivesUpFlag("contract") && !in.Rule.Loose() {
		return in.of(Unfused(in.tr.t, in.Rule))
	}
	return in
}

// of returns a changed rule at the same sizes.
func (in *Instance) of(r *rules.Rule) *Instance {
	tr := newTrial(in.tr.t, r)
	tr.sizes = in.Sizes
	return &Instance{Rule: r, Sizes: in.Sizes, tr: tr}
}

// Vector holds a value for every variable, its components in order, and whether
// denormals are flushed.
type Vector struct {
	Values map[string][]uint64
	Flush  bool
}

// SearchMore is like Search, with n vectors. It returns the vector that refutes the instance, and the
// counterexample, or nil if none refutes it.
func (in *Instance) SearchMore(n int) (*Vector, *Wrong, error) {
	in.tr.rng = rand.New(rand.NewPCG(3, 4))
	in.tr.vectors = n
	_, err := in.tr.run()
	in.tr.vectors = 0
	w, ok := IsWrong(err)
	if !ok {
		return nil, nil, err
	}
	v := &Vector{Values: map[string][]uint64{}, Flush: in.tr.flush}
	for _, x := range in.tr.vars {
		v.Values[x.Name] = slices.Clone(in.tr.env[x.Name])
	}
	return v, w, nil
}
