// SPDX-License-Identifier: MIT

package ruleset

import (
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

// use records the predicates and options that rules use.
func use(t *rules.Table, ctx *domain.Context) {
	for _, r := range t.Rules {
		r.Find.Walk(func(n *pattern.Node) {
			for _, p := range n.Preds {
				ctx.Use("predicate." + p)
			}
		})
		if r.Cond != nil {
			for _, o := range r.Cond.Options {
				ctx.Use("option." + o)
			}
		}
	}
}

// Unused rejects predicates that neither a rule nor a row of instruction
// selection uses, and options that no rule and no lowering depends on. It runs after all parts
// that may use them.
func Unused(ctx *domain.Context) error {
	set, err := ctx.Load(rules.Dir)
	if err != nil {
		return err
	}
	preds, err := predicate.Load(set)
	if err != nil {
		return err
	}
	var errs diag.List
	for _, p := range preds.Rows {
		if full := "predicate." + p.Name; !ctx.Used(full) {
			errs.Addf(p.Pos, full, "no rule and no instruction selection row uses it")
		}
	}
	options, err := table.Rows[rules.OptionDef](set, "option")
	if err != nil {
		return err
	}
	for _, o := range options {
		if !ctx.Used(o.Full) {
			errs.Addf(o.Pos, o.Full, "no rule and no lowering depends on it")
		}
	}
	return errs.Err()
}
