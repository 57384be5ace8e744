// SPDX-License-Identifier: MIT

package selectgen

import (
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
)

// CheckFreedom rejects rules that make an operation that a row of selection, or a rule with allowed_by, then computes
// less exactly than the expression they matched. Such a row gives something up on every instruction, since the API
// allows it for the shader's operation. If a rule makes the operation from others, for which the API does not allow
// this, each step alone is correct but their combination is not. The rule must list the row's flags in its own
// gives_up, so that it does not apply to instructions that forbid them.
func CheckFreedom(ctx *domain.Context) error {
	tab, err := rules.Load(ctx)
	if err != nil {
		return err
	}
	l, err := load(ctx)
	if err != nil {
		return err
	}
	return l.freedoms(tab).check(tab)
}

// freed is an opcode at a size of its unsized operands, or 0 if it has none.
type freed struct {
	op   string
	size int
}

// freedom is something that a row gives up on every instruction.
type freedom struct {
	flag string
	name string // the full name of the row
	pos  diag.Pos
}

type freedoms map[freed][]freedom

// add records the flags that a row gives up on the operations of its pattern.
func (f freedoms) add(find *pattern.Node, typing *pattern.Typing, flags []string, name string, pos diag.Pos) {
	for _, sizes := range typing.Assignments(maxSizes) {
		find.Walk(func(n *pattern.Node) {
			if n.Code == nil {
				return
			}
			key := freedAt(n, typing, sizes)
			for _, g := range flags {
				if x := (freedom{g, name, pos}); !slices.Contains(f[key], x) {
					f[key] = append(f[key], x)
				}
			}
		})
	}
}

func freedAt(n *pattern.Node, typing *pattern.Typing, sizes map[int]int) freed {
	key := freed{op: n.Name}
	if n.Exec >= 0 {
		key.size = sizes[typing.Root(n.Exec)]
	}
	return key
}

// freedoms returns the flags that the rows of selection and the rules with allowed_by give up.
func (l *loader) freedoms(tab *rules.Table) freedoms {
	f := freedoms{}
	for _, r := range l.rows {
		f.add(r.find, r.typing, r.givesUp, "select."+r.name, r.pos)
	}
	for _, r := range tab.Rules {
		if r.AllowedBy != "" {
			f.add(r.Find, r.Typing, r.GivesUp, "rule."+r.Name, r.Pos)
		}
	}
	return f
}

// check rejects rules that do not list the flags given up on the operations that they make.
func (f freedoms) check(tab *rules.Table) error {
	var errs diag.List
	owed, said := map[use]bool{}, map[use]bool{}
	for _, r := range tab.Rules {
		for _, x := range f.owed(r) {
			owed[use{r.Pos, x.flag}] = true
			if !slices.Contains(r.GivesUp, x.flag) && !said[use{r.Pos, x.flag}] {
				said[use{r.Pos, x.flag}] = true
				errs.Addf(r.Pos, "rule."+r.Name,
					"gives_up: %s is missing: the rule produces %s from operations that keep it, and [%s] at %s gives it up",
					x.flag, x.makes, x.name, x.pos)
			}
		}
	}
	for _, r := range tab.Rules {
		for _, g := range r.Inherits {
			if u := (use{r.Pos, g}); !owed[u] && !said[u] {
				said[u] = true
				errs.Addf(r.Pos, "rule."+r.Name,
					"inherits: %s: no row gives it up on an operation that the rule produces from operations that keep it", g)
			}
		}
	}
	return errs.Err()
}

// use is a flag of a row of rules.
type use struct {
	row  diag.Pos
	flag string
}

// debt is a flag that a row gives up on an operation that a rule makes.
type debt struct {
	freedom
	makes string // the operation
}

// owed returns the flags that rows give up on operations made by the rule, unless another row gives them up on the
// operations of the rule's pattern; for each flag, it names the first row. Operations on constants are folded, and so
// never made.
func (f freedoms) owed(r *rules.Rule) (out []debt) {
	said := map[string]bool{}
	for _, sizes := range r.Typing.Assignments(maxSizes) {
		found := map[string]bool{} // flags given up on the pattern
		r.Find.Walk(func(n *pattern.Node) {
			if n.Code != nil {
				for _, x := range f[freedAt(n, r.Typing, sizes)] {
					found[x.flag] = found[x.flag] || x.pos != r.Pos
				}
			}
		})
		r.Replace.Walk(func(n *pattern.Node) {
			if n.Code == nil || r.Folds(n) {
				return
			}
			for _, x := range f[freedAt(n, r.Typing, sizes)] {
				if !found[x.flag] && !said[x.flag] {
					said[x.flag] = true
					out = append(out, debt{x, n.Name})
				}
			}
		})
	}
	return out
}
