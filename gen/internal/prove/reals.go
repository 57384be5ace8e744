// SPDX-License-Identifier: MIT

package prove

import (
	"context"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules/vectors"
)

// loose proves a rule whose replacement may round differently, as an equality of real numbers. First it runs the
// vectors that generation tries, since a model over the reals is seldom a model over floats.
func (p *Prover) loose(ctx context.Context, in *vectors.Instance) (Result, error) {
	if r, done := search(in); done {
		return r, nil
	}
	f := &realFormula{formula: newFormula(in, p.Table.Preds, false, false)}
	if err := f.build(); err != nil {
		return noFormula(err)
	}
	budget := p.Budget
	if budget == 0 {
		budget = fullBudget
	}
	ans, err := p.Solver.ask(ctx, f.lines, nil, budget)
	switch {
	case err != nil:
		return Result{}, err
	case ans.verdict == "unsat":
		return Result{Status: Proved, By: "reals"}, nil
	case ans.verdict == "sat":
		return Result{Status: Unproved, Reason: "the sides differ as real numbers, but no vector shows it"}, nil
	}
	return Result{Status: Unproved, Reason: fmt.Sprintf("z3 gives up over the reals at rlimit %d", budget)}, nil
}

// realFormula is a formula with real numbers for floats.
type realFormula struct {
	*formula
	apps  []eval.RealApp
	reals []string // variables that are real numbers
}

const realSort = "Real"

func noReal(what string) error { return &eval.NoFormula{What: what + " over the reals"} }

func (f *realFormula) build() error {
	for _, fn := range []string{"sqrt", "exp2", "log2", "narrow16", "narrow32"} {
		f.lines = append(f.lines, "(declare-fun real."+fn+" (Real) Real)")
	}
	r := f.in.Rule
	for _, v := range r.Typing.Vars {
		if v.Base != eval.Float {
			if err := f.variable(v); err != nil {
				return err
			}
			continue
		}
		size := f.in.Size(v.Class)
		for k := range f.in.Comps(v) {
			name := symbol(v.Name, k)
			f.reals = append(f.reals, name)
			f.lines = append(f.lines, fmt.Sprintf("(declare-fun %s () Real)", name))
			f.vars[v.Name] = append(f.vars[v.Name], value{name, eval.Type{Base: eval.Float, Bits: size}})
			for _, p := range v.Preds {
				row := f.preds.ByName(p)
				if row.Kind != predicate.Value {
					continue
				}
				if row.Base != eval.Float || row.Meaning[size] == nil {
					return noReal("predicate " + p)
				}
				is, err := row.Meaning[size].SMTReal([][]string{{name}})
				if err != nil {
					return err
				}
				f.assert(is.Terms[0])
			}
		}
	}
	comps := max(r.Find.Code.Out.Comps, 1)
	want, err := f.node(r.Find, comps)
	if err != nil {
		return err
	}
	got, err := f.node(r.Replace, comps)
	if err != nil {
		return err
	}
	f.axioms()
	var differ []string
	for i := range want {
		if (want[i].typ.Base == eval.Float) != (got[i].typ.Base == eval.Float) {
			return noReal("a float's bits")
		}
		differ = append(differ, fmt.Sprintf("(not (= %s %s))", want[i].text, got[i].text))
	}
	f.assert("(or " + strings.Join(differ, " ") + " false)")
	return nil
}

// node writes a node; a value of base Float is a real number, any other as in
// formula.
func (f *realFormula) node(n *pattern.Node, comps int) ([]value, error) {
	out := make([]value, comps)
	switch n.Kind {
	case pattern.Lit:
		if n.LitKind != pattern.LitFloat && n.Base != eval.Float {
			return f.formula.node(n, comps)
		}
		t := eval.Type{Base: eval.Float, Bits: f.in.Size(n.Class)}
		bits, _ := n.Bits(t.Bits)
		text, ok := eval.SMTRealConst(bits, t.Bits)
		if !ok {
			return nil, noReal(n.Name)
		}
		for i := range out {
			out[i] = value{text, t}
		}
		return out, nil
	case pattern.Var:
		return f.formula.node(n, comps)
	}
	o := n.Code
	exec := 0
	if n.Exec >= 0 {
		exec = f.in.Size(n.Exec)
	}
	fn := o.Meaning[exec]
	if !o.Unsized() {
		fn = o.Meaning[0]
	}
	if fn == nil {
		return nil, &eval.NoFormula{What: o.Name}
	}
	t := o.Out.Type(exec)
	args := make([][]string, len(n.Args))
	for i, a := range n.Args {
		want := comps
		if o.Srcs[i].Comps != 0 {
			want = o.Srcs[i].Comps
		}
		vals, err := f.node(a, want)
		if err != nil {
			return nil, err
		}
		to := o.Srcs[i].Type(exec)
		for _, v := range vals {
			isReal := v.typ.Base == eval.Float
			switch {
			case isReal && to.Base == eval.Bits && t.Base == eval.Bits: // a selection of real numbers
				t.Base = eval.Float
			case isReal != (to.Base == eval.Float):
				return nil, noReal("a float's bits")
			case !isReal:
				v.text = f.cast(v, to)
			}
			args[i] = append(args[i], v.text)
		}
	}
	if o.Out.Comps != 0 {
		res, err := f.results(fn, args, t)
		return res, err
	}
	for k := range out {
		one := make([][]string, len(args))
		for i := range args {
			one[i] = args[i][k : k+1]
		}
		res, err := f.results(fn, one, t)
		if err != nil {
			return nil, err
		}
		out[k] = res[0]
	}
	return out, nil
}

func (f *realFormula) results(fn *eval.Func, args [][]string, t eval.Type) ([]value, error) {
	res, err := fn.SMTReal(args)
	if err != nil {
		return nil, err
	}
	for _, c := range res.Conds {
		f.assert(c)
	}
	f.apps = append(f.apps, res.Apps...)
	var out []value
	for _, text := range res.Terms {
		if t.Base == eval.Float {
			text = f.defineSort(text, realSort)
		} else {
			text = f.define(text, t)
		}
		out = append(out, value{text, t})
	}
	return out, nil
}

// axioms asserts laws of the roots, powers and logarithms that occur, as
// instances, so that the formula remains quantifier-free.
func (f *realFormula) axioms() {
	args := map[string][]string{}
	for _, a := range f.apps {
		args[a.Fn] = append(args[a.Fn], a.Arg)
	}
	law := func(format string, x ...string) {
		pairs := []string{}
		for i, s := range x {
			pairs = append(pairs, string(rune('A'+i)), s)
		}
		// Upper-case A, B stand for terms; no symbol except the sort has an
		// upper-case letter.
		f.assert(strings.NewReplacer(pairs...).Replace(format))
	}
	for _, v := range f.in.Rule.Typing.Vars { // keep the terms of the right size
		for k := range f.vars[v.Name] {
			if fn := fmt.Sprintf("narrow%d", f.in.Size(v.Class)); v.Base == eval.Float && len(args[fn]) > 0 {
				f.assert(fmt.Sprintf("(= (real.%s %s) %s)", fn, symbol(v.Name, k), symbol(v.Name, k)))
			}
		}
	}
	for _, x := range args["sqrt"] {
		law("(and (>= (real.sqrt A) 0.0) (= (* (real.sqrt A) (real.sqrt A)) A))", x)
		if len(args["log2"]) > 0 {
			law("(=> (> A 0.0) (= (* 2.0 (real.log2 (real.sqrt A))) (real.log2 A)))", x)
			law("(=> (> A 0.0) (= (* 2.0 (real.log2 (/ 1.0 (real.sqrt A)))) (- (real.log2 A))))", x)
		}
	}
	for _, x := range args["log2"] {
		law("(=> (> A 0.0) (= (real.exp2 (real.log2 A)) A))", x)
		l := "(real.log2 " + x + ")"
		law("(= (real.exp2 (* 2.0 A)) (* (real.exp2 A) (real.exp2 A)))", l)
		law("(= (real.exp2 (* 3.0 A)) (* (real.exp2 A) (real.exp2 A) (real.exp2 A)))", l)
		law("(= (real.exp2 (* 4.0 A)) (* (real.exp2 A) (real.exp2 A) (real.exp2 A) (real.exp2 A)))", l)
		law("(= (* (real.exp2 (- A)) (real.exp2 A)) 1.0)", l)
		law("(and (> (real.exp2 (/ A 2.0)) 0.0) (= (* (real.exp2 (/ A 2.0)) (real.exp2 (/ A 2.0))) (real.exp2 A)))", l)
		for _, a := range f.reals {
			law("(=> (> A 0.0) (= (real.log2 (/ 1.0 A)) (- (real.log2 A))))", a)
		}
	}
	for i, u := range args["exp2"] {
		law("(and (> (real.exp2 A) 0.0) (= (real.log2 (real.exp2 A)) A) (= (* (real.exp2 (- A)) (real.exp2 A)) 1.0))", u)
		for _, v := range args["exp2"][i+1:] {
			law("(= (real.exp2 (+ A B)) (* (real.exp2 A) (real.exp2 B)))", u, v)
		}
	}
}
