// SPDX-License-Identifier: MIT

package ruleset

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/rules"
)

// setCode is the data for the Go code of a rule set.
type setCode struct {
	rules, words, states int
	sizes                []int // sizes of the automaton's tables
	is                   []test
	conds                []*rules.Condition
}

// nearby are the functions of core/match/pat that look only at the instruction that computes a value, and at the number
// of its uses; the tests of numbers look at constants.
var nearby = map[string]bool{"UsedOnce": true, "NotConst": true, "DwordFactor": true, "NoConstantProduct": true, "NoConstantSum": true}

// emitGo writes the Go code of a rule set.
func emitGo(t *rules.Table, ctx *domain.Context, set int, c setCode) error {
	pkg := rules.Sets[set].Pkg
	f := emit.NewFile(pkg, rules.Sets[set].Doc)
	f.Anon("embed")
	for _, e := range [][2]string{{"automaton.bin", "automaton"}, {"programs.bin", "programs"}, {"rules.bin", "about"}} {
		f.Directive("go:embed " + e[0])
		f.Add(jen.Var().Id(e[1]).String())
	}
	is, local := "", true
	for _, p := range c.is {
		local = local && (p.emitted || nearby[p.name])
		if p.emitted {
			is += "\n" + p.name + ","
		} else {
			is += "\npat." + p.name + ","
		}
	}
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.sizes), " ", ", "), "[]")
	f.Var(fmt.Sprintf("Set is the rule set %q.", rules.Sets[set].Name), "Set", fmt.Sprintf(`match.Set{
		Name: %q,
		Rules: match.NewRules(programs, %d, %d),
		Is: []match.Predicate{%s
		},
		About: about,
		Conds: conds,
		NumConds: %d,
		Auto: match.NewAutomaton(automaton, %d, [%d]int{%s}),
		Local: %t,
	}`, rules.Sets[set].Name, c.rules, c.words, is, len(c.conds), c.states, len(c.sizes), sizes, local))
	var conds []jen.Code
	for i, x := range c.conds {
		conds = append(conds, jen.Id("out").Index(jen.Lit(i)).Op("=").Add(x.Code()))
	}
	f.Func("conds computes the value of each condition.", "conds(o *option.Set, out []bool)", conds...)
	return ctx.Out.Code("rules/"+pkg+"/set.go", t.Files, f)
}

// conditions are the conditions of a rule set, each once.
type conditions struct {
	list []*rules.Condition
	seen map[string]int
}

// number returns the index of a condition plus 1; 0 for none.
func (c *conditions) number(x *rules.Condition) int {
	if x == nil {
		return 0
	}
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	key := strings.Join(strings.Fields(x.Code().GoString()), " ")
	if c.seen[key] == 0 {
		c.list = append(c.list, x)
		c.seen[key] = len(c.list)
	}
	return c.seen[key]
}
