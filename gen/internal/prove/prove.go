// SPDX-License-Identifier: MIT

package prove

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// Status is the verdict on a rule at one assignment of sizes.
type Status string

// The verdicts.
const (
	Proved     Status = "proved"
	Exhaustive Status = "exhaustive"    // all inputs were run
	Reduced    Status = "reduced-width" // proved only at a smaller size: evidence
	Unproved   Status = "unproved"
	Refuted    Status = "refuted"
)

// Result is a verdict and how it was reached.
type Result struct {
	Rule   string `json:"rule"`
	Sizes  string `json:"sizes"`
	Status Status `json:"status"`
	By     string `json:"by,omitempty"`     // bits, abstract, cases, reals, enumeration, smaller
	Under  string `json:"under,omitempty"`  // the rounding differences that were allowed
	Reason string `json:"reason,omitempty"` // why the verdict is not better
	Key    string `json:"key"`
	Cost   int    `json:"cost,omitempty"` // z3's cost, in rlimit units
	// Counterexample is the vector that refutes the rule.
	Counterexample string `json:"counterexample,omitempty"`
	// Witnesses are the vectors found at these sizes that show that the rule needs to give up its flags.
	Witnesses []Witness `json:"witnesses,omitempty"`
	// Needless lists the flags that the rule gives up needlessly, in its first result.
	Needless []Needless `json:"needless,omitempty"`
	Pos      string     `json:"-"`
}

// Text describes the verdict.
func (r *Result) Text() string {
	s := string(r.Status)
	switch r.By {
	case "":
	case "reals":
		s += " over the reals"
	default:
		s += " by " + r.By
	}
	if r.Under != "" {
		s += ", under " + r.Under
	}
	if r.Reason != "" {
		s += ": " + r.Reason
	}
	return s
}

// Budgets in z3's resource units.
const (
	quickBudget = 300_000
	caseBudget  = 2_000_000
	fullBudget  = 4_000_000
	lawBudget   = 16_000_000 // arithmetic by its laws: no other method can prove it
)

// maxBits is the number of input bits up to which all inputs are run.
const maxBits = 16

// Prover proves rules.
type Prover struct {
	Table  *rules.Table
	Solver *Solver
	Budget int // for one query; 0 means the default
}

// prove returns the verdict on one instance, without considering smaller sizes.
func (p *Prover) prove(ctx context.Context, in *vectors.Instance) (Result, error) {
	if in.Rule.Loose() {
		return p.loose(ctx, in)
	}
	in = in.Claim()
	modes := modes(in)
	res := Result{Status: Proved}
	for _, flush := range modes {
		r, err := p.exact(ctx, in, flush)
		if err != nil {
			return r, err
		}
		if flush && r.Reason != "" {
			r.Reason = "with denormals flushed: " + r.Reason
		}
		res = worse(res, r)
		if res.Status == Refuted || res.Status == Unproved {
			break
		}
	}
	if res.Status == Unproved && inputBits(in) <= maxBits {
		return p.enumerate(ctx, in, modes)
	}
	return res, nil
}

// modes returns the denormal modes to prove: kept and flushed. Both are also proved for
// a rule that gives up denormals: find has none then, but the replacement may.
func modes(in *vectors.Instance) []bool {
	if in.Rule.Float() {
		return []bool{false, true}
	}
	return []bool{false}
}

// under returns the rounding differences that a rule gives up.
func under(r *rules.Rule) string {
	var s []string
	for _, g := range []string{"contract", "reassoc", "transform"} {
		if r.GivesUpFlag(g) {
			s = append(s, g)
		}
	}
	return strings.Join(s, "/")
}

// rank orders the verdicts.
var rank = map[Status]int{Proved: 0, Exhaustive: 1, Reduced: 2, Unproved: 3, Refuted: 4}

// worse combines the verdicts on two modes.
func worse(a, b Result) Result {
	switch {
	case rank[a.Status] > rank[b.Status]:
		return a
	case rank[a.Status] == rank[b.Status] && a.By == "abstract" && b.By == "bits":
		return b
	case rank[a.Status] == rank[b.Status] && a.By == "cases":
		return a
	}
	return b
}

// exact proves equality bit for bit in one denormal mode.
func (p *Prover) exact(ctx context.Context, in *vectors.Instance, flush bool) (Result, error) {
	f := newFormula(in, p.Table.Preds, flush, false)
	if err := f.build(); err != nil {
		return noFormula(err)
	}
	budget := p.Budget
	if budget == 0 {
		budget = fullBudget
	}
	// Try the cheap query first, then the one without arithmetic.
	quick := quickBudget
	if !f.heavy {
		quick = budget
	}
	r, err := p.question(ctx, in, f, nil, quick, flush)
	if err == nil && r.Status == Unproved && !f.heavy {
		r, err = p.amounts(ctx, in, f, r, flush)
	}
	if err != nil || r.Status != Unproved || !f.heavy {
		return r, err
	}
	if r, done := search(in); done {
		return r, nil
	}
	a := newFormula(in, p.Table.Preds, flush, true)
	if err := a.build(); err != nil {
		return Result{}, err
	}
	laws := min(lawBudget, 4*budget)
	if ans, err := p.Solver.ask(ctx, a.lines, nil, laws); err != nil || ans.verdict == "unsat" {
		return Result{Status: Proved, By: "abstract"}, err
	}
	if r, err := p.cases(ctx, in, f, flush); err != nil || r.Status != Unproved {
		return r, err
	}
	return p.question(ctx, in, f, nil, budget, flush)
}

// search runs the vectors that generation tries. done reports that they refute the
// rule, or that they cannot be run.
func search(in *vectors.Instance) (r Result, done bool) {
	err := in.Search()
	if w, ok := vectors.IsWrong(err); ok {
		return Result{Status: Refuted, Counterexample: w.Vector}, true
	}
	if err != nil {
		return Result{Status: Unproved, Reason: err.Error()}, true
	}
	return Result{}, false
}

// noFormula returns the verdict on a rule that cannot be written as a formula.
func noFormula(err error) (Result, error) {
	var none *eval.NoFormula
	if errors.As(err, &none) {
		return Result{Status: Unproved, Reason: err.Error()}, nil
	}
	return Result{}, err
}

// question asks z3 whether the sides of a formula can differ.
func (p *Prover) question(ctx context.Context, in *vectors.Instance, f *formula, more []string, budget int, flush bool) (Result, error) {
	ans, err := p.Solver.ask(ctx, append(f.lines[:len(f.lines):len(f.lines)], more...), f.wanted(), budget)
	if err != nil {
		return Result{}, err
	}
	switch ans.verdict {
	case "unsat":
		by := "bits"
		if f.unknown {
			by = "abstract"
		}
		return Result{Status: Proved, By: by}, nil
	case "sat":
		vector := f.vector(ans)
		_, err := in.Try(vector, flush)
		if w, ok := vectors.IsWrong(err); ok {
			return Result{Status: Refuted, Counterexample: w.Vector}, nil
		}
		if err != nil {
			return Result{Status: Unproved, Reason: err.Error()}, nil
		}
		if !f.unknown {
			return Result{}, fmt.Errorf("%s (%s): z3's counterexample %v is not one for the interpreter: a formula is wrong", in.Rule.Name,
				in.Name(), vector)
		}
		return Result{Status: Unproved, Reason: "an opcode has no formula"}, nil
	}
	return Result{Status: Unproved, Reason: fmt.Sprintf("z3 gives up at rlimit %d", budget)}, nil
}

// cases proves a rule separately for each value of a constant, if its predicates allow few. The verdict is Unproved if
// there is no such constant or a value is not proved.
func (p *Prover) cases(ctx context.Context, in *vectors.Instance, f *formula, flush bool) (Result, error) {
	none := Result{Status: Unproved}
	for _, v := range in.Rule.Typing.Vars {
		if !hasFact(p.Table.Preds, v) || in.Comps(v) != 1 {
			continue
		}
		list := in.Candidates(v)
		if len(list) == 0 || len(list) > 80 {
			continue
		}
		x := f.vars[v.Name][0]
		equal := func(c uint64) string { return fmt.Sprintf("(= %s (_ bv%d %d))", x.text, c, x.typ.Bits) }
		// Is the list complete?
		only := newFormula(in, p.Table.Preds, false, false)
		if err := only.variable(v); err != nil {
			return none, err
		}
		for _, c := range list {
			only.assert("(not " + equal(c) + ")")
		}
		ans, err := p.Solver.ask(ctx, only.lines, nil, caseBudget)
		if err != nil {
			return none, err
		}
		if ans.verdict != "unsat" {
			continue
		}
		all := true
		for _, c := range list {
			r, err := p.question(ctx, in, f, []string{"(assert " + equal(c) + ")"}, caseBudget, flush)
			if err != nil || r.Status == Refuted {
				return r, err
			}
			if all = r.Status == Proved; !all {
				break
			}
		}
		if all {
			return Result{Status: Proved, By: "cases"}, nil
		}
	}
	return none, nil
}

// amounts proves a rule separately for each remainder of a shift amount modulo the width: shifts
// by constants are easy. r is the verdict without this method.
func (p *Prover) amounts(ctx context.Context, in *vectors.Instance, f *formula, r Result, flush bool) (Result, error) {
	for _, v := range in.Rule.Typing.Vars {
		width := shifted(in, v.Name)
		if width == 0 || in.Comps(v) != 1 || v.May != "" {
			continue
		}
		x := f.vars[v.Name][0]
		all := true
		low := bits.Len(uint(width - 1))
		for c := 0; all && c < width; c++ { // the amount is h concatenated with c
			more := []string{
				fmt.Sprintf("(declare-fun h! () (_ BitVec %d))", x.typ.Bits-low),
				fmt.Sprintf("(assert (= %s (concat h! (_ bv%d %d))))", x.text, c, low),
			}
			got, err := p.question(ctx, in, f, more, caseBudget, flush)
			if err != nil || got.Status == Refuted {
				return got, err
			}
			all = got.Status == Proved
		}
		if all {
			return Result{Status: Proved, By: "cases"}, nil
		}
	}
	return r, nil
}

// shifted returns the width of the value that find or replace shifts by a variable, or 0.
func shifted(in *vectors.Instance, name string) int {
	width := 0
	for _, side := range []*pattern.Node{in.Rule.Find, in.Rule.Replace} {
		side.Walk(func(n *pattern.Node) {
			if n.Kind == pattern.Var && n.Name == name && n.Parent != nil && len(n.Parent.Args) > 1 && n.Parent.Args[1] == n {
				switch n.Parent.Name {
				case "ishl", "ishr", "ushr":
					width = in.Size(n.Parent.Class)
				}
			}
		})
	}
	return width
}

func hasFact(preds *predicate.Table, v *pattern.VarInfo) bool {
	for _, name := range v.Preds {
		if preds.ByName(name).Kind == predicate.Value {
			return true
		}
	}
	return false
}

func inputBits(in *vectors.Instance) int {
	n := 0
	for _, v := range in.Rule.Typing.Vars {
		n += in.Comps(v) * in.Size(v.Class)
	}
	return n
}

// enumerate runs all inputs.
func (p *Prover) enumerate(ctx context.Context, in *vectors.Instance, modes []bool) (Result, error) {
	total := inputBits(in)
	vector := map[string][]uint64{}
	for _, v := range in.Rule.Typing.Vars {
		vector[v.Name] = make([]uint64, in.Comps(v))
	}
	for n := range uint64(1) << total {
		if n&0xfff == 0 && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		rest := n
		for _, v := range in.Rule.Typing.Vars {
			size := in.Size(v.Class)
			for k := range vector[v.Name] {
				vector[v.Name][k] = rest & (^uint64(0) >> (64 - size))
				rest >>= size
			}
		}
		for _, flush := range modes {
			_, err := in.Try(vector, flush)
			if w, ok := vectors.IsWrong(err); ok {
				return Result{Status: Refuted, Counterexample: w.Vector}, nil
			}
			if err != nil {
				return Result{Status: Unproved, Reason: err.Error()}, nil
			}
		}
	}
	return Result{Status: Exhaustive, By: "enumeration", Reason: fmt.Sprintf("all %d inputs", uint64(1)<<total)}, nil
}
