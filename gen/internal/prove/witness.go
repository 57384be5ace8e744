// SPDX-License-Identifier: MIT

package prove

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"jacquard.example/gen/internal/rules/vectors"
)

// Witness is a vector that refutes a rule when one flag is removed from the flags it gives up (see
// [vectors.Instance.Without]). A rule has one for every flag: a needless flag would keep it from firing.
type Witness struct {
	Flag string `json:"flag"`
	// Values are the components of the variables, in hexadecimal.
	Values map[string][]string `json:"values"`
	Flush  bool                `json:"flush,omitempty"` // denormals are flushed
	Vector string              `json:"vector"`          // the difference, in readable form
}

// The numbers of vectors to try, first at every size and then at one.
const (
	someVectors = 400
	manyVectors = 20_000
)

// witnesses searches for a witness of every flag and adds it to the result in which it was found.
// Flags without one are listed in the first result.
func (p *Prover) witnesses(ctx context.Context, list []*vectors.Instance, out []Result) error {
	for _, flag := range list[0].Rule.Claimed() {
		i, w, why, err := p.witness(ctx, list, flag)
		switch {
		case err != nil:
			return err
		case w == nil:
			out[0].Needless = append(out[0].Needless, Needless{flag, why})
		default:
			out[i].Witnesses = append(out[i].Witnesses, *w)
		}
	}
	return nil
}

// witness returns a witness and the index of its instance, or the reason why there is
// none.
func (p *Prover) witness(ctx context.Context, list []*vectors.Instance, flag string) (int, *Witness, string, error) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strangeness(list[a]) - strangeness(list[b]) })
	for _, step := range []struct{ sizes, vectors int }{{len(order), someVectors}, {1, manyVectors}} {
		for _, i := range order[:step.sizes] {
			less, err := list[i].Without(flag)
			if err != nil {
				return 0, nil, err.Error(), nil
			}
			for _, in := range less {
				v, w, err := in.SearchMore(step.vectors)
				if err != nil {
					return 0, nil, err.Error(), nil
				}
				if w != nil {
					return i, newWitness(flag, v, w), "", nil
				}
			}
		}
	}
	for _, i := range order {
		less, _ := list[i].Without(flag)
		for _, in := range less {
			v, w, err := p.differing(ctx, in)
			if err != nil || w != nil {
				return i, newWitness(flag, v, w), "", err
			}
		}
	}
	return 0, nil, "no vector shows the rule wrong without it", nil
}

// strangeness counts the sizes that are neither 32 nor 1; witnesses are tried with the fewest first, since readers are
// most familiar with 32 bits.
func strangeness(in *vectors.Instance) int {
	n := 0
	for _, size := range in.Sizes {
		if size != 32 && size != 1 {
			n++
		}
	}
	return n
}

// differing asks z3 for a vector that refutes an instance, and returns nil if it finds none.
func (p *Prover) differing(ctx context.Context, in *vectors.Instance) (*vectors.Vector, *vectors.Wrong, error) {
	if p.Solver == nil || in.Rule.Loose() {
		return nil, nil, nil
	}
	for _, flush := range modes(in) {
		f := newFormula(in, p.Table.Preds, flush, false)
		if f.build() != nil {
			continue
		}
		ans, err := p.Solver.ask(ctx, f.lines, f.wanted(), caseBudget)
		if err != nil {
			return nil, nil, err
		}
		if ans.verdict != "sat" {
			continue
		}
		v := &vectors.Vector{Values: f.vector(ans), Flush: flush}
		if _, err := in.Try(v.Values, flush); err != nil {
			if w, ok := vectors.IsWrong(err); ok {
				return v, w, nil
			}
		}
	}
	return nil, nil, nil
}

func newWitness(flag string, v *vectors.Vector, w *vectors.Wrong) *Witness {
	if w == nil {
		return nil
	}
	x := &Witness{Flag: flag, Values: map[string][]string{}, Flush: v.Flush, Vector: w.Vector}
	for name, comps := range v.Values {
		for _, c := range comps {
			x.Values[name] = append(x.Values[name], "0x"+strconv.FormatUint(c, 16))
		}
	}
	return x
}

// Confirm checks a witness by running it through the meanings of the opcodes.
func (w *Witness) Confirm(in *vectors.Instance) error {
	if !in.Rule.GivesUpFlag(w.Flag) {
		return fmt.Errorf("%s: not listed in the rule's gives_up", w.Flag)
	}
	values := map[string][]uint64{}
	for _, v := range in.Rule.Typing.Vars {
		if len(w.Values[v.Name]) != in.Comps(v) {
			return fmt.Errorf("%s: variable %s has %d values", w.Flag, v.Name, len(w.Values[v.Name]))
		}
		for _, text := range w.Values[v.Name] {
			x, err := strconv.ParseUint(text, 0, 64)
			if err != nil || x>>1>>(in.Size(v.Class)-1) != 0 {
				return fmt.Errorf("%s: %q is not a value of %s", w.Flag, text, v.Name)
			}
			values[v.Name] = append(values[v.Name], x)
		}
	}
	less, err := in.Without(w.Flag)
	if err != nil {
		return fmt.Errorf("%s: %w", w.Flag, err)
	}
	for _, in := range less {
		_, err := in.Try(values, w.Flush)
		if wrong, ok := vectors.IsWrong(err); ok && wrong.Vector == w.Vector {
			return nil
		}
	}
	return fmt.Errorf("%s: %s is not a witness", w.Flag, w.Vector)
}

// Needless is a flag that a rule gives up needlessly.
type Needless struct {
	Flag   string `json:"flag"`
	Reason string `json:"reason"`
}

func (n Needless) String() string { return fmt.Sprintf("gives_up: %s: %s", n.Flag, n.Reason) }
