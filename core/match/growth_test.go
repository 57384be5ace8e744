// SPDX-License-Identifier: MIT

package match_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
)

// link is the search expression of a rule as a link of a chain: the result of the previous link replaces the variable
// hole.
type link struct {
	set  *match.Set
	rule *match.Rule
	find *expr
	hole string
}

// variables lists the variables of an expression that need not be constant.
func (e *expr) variables(out []string) []string {
	if e.isOp {
		for _, a := range e.args {
			out = a.variables(out)
		}
		return out
	}
	if _, number := literal(e.head, 64); number || e.isC || e.swz != "" {
		return out
	}
	for _, v := range out {
		if v == e.head {
			return out
		}
	}
	return append(out, e.head)
}

// chain builds n identical links and runs the set. It returns how often rules fired and were tried; ok is false if the
// links cannot be joined.
func (l *link) chain(n int, seed uint64) (fired, tried int, stopped, ok bool) {
	x := &instance{program: newProgram()}
	x.flags = func() uint16 { return ^uint16(0) }
	var last ir.Src
	for i := range n {
		x.r = rand.New(rand.NewPCG(seed, 3))
		x.vars = map[string]ir.Src{}
		if i > 0 {
			x.vars[l.hole] = last
		}
		v, ok := x.build(l.find, 0, 1)
		if !ok || v.N != 1 {
			return 0, 0, false, false
		}
		if i > 0 && x.s.At(v.Val).Bits != x.s.At(last.Val).Bits {
			return 0, 0, false, false
		}
		last = v
		x.more = nil
	}
	x.keep(last)
	stats := &match.Stats{}
	match.Apply(x.s, x.f, l.set, optionsFor(l.set, l.rule), stats) // stats records the error
	stats.Each(func(_ *match.Set, _ *match.Rule, n match.Count) { fired, tried = fired+n.Fired, tried+n.Tried })
	return fired, tried, len(stats.Exhausted) > 0, true
}

// shrinks reports whether a rule's replacement has fewer operations than its search expression.
func shrinks(rule *match.Rule) bool {
	find, replace, _ := strings.Cut(rule.Text, " => ")
	replace, _, _ = strings.Cut(replace, " where ")
	return strings.Count(replace, "(") < strings.Count(find, "(")
}

// TestGrowth: on a chain of search expressions of a rule, each the operand of the next, the work is proportional to the
// length. It tries every rule and every variable that the previous link can replace. Rules whose replacement has fewer
// operations are tried with up to 400 links, others with up to 10000.
func TestGrowth(t *testing.T) {
	chains, long, tried := 0, 0, map[string]bool{}
	for _, set := range sets {
		for i := range set.Rows {
			rule := set.Rule(i)
			find, _ := parseExpr(rule.Text)
			for _, hole := range find.variables(nil) {
				l := &link{set, rule, find, hole}

				for seed := range uint64(24) {
					fired, short, stopped, ok := l.chain(100, seed)
					if !ok {
						continue
					}
					chains++
					if fired < 100 && !stopped {
						break
					}
					long++
					links := 1000
					if shrinks(rule) {
						links = 400
					}
					_, n, stopped, _ := l.chain(links, seed)
					if stopped || 4*n > 5*(links/100)*short {
						t.Errorf("%s: [%s] at %s: 100 links take %d steps, %d links %d, stopped: %v", rule.Place, rule.Name, hole,
							short, links, n, stopped)
						break
					}
					// one rule of each row is tried with long chains
					if name, _, _ := strings.Cut(rule.Name, "/"); !tried[name] && !shrinks(rule) {
						tried[name] = true
						if _, m, stopped, _ := l.chain(10000, seed); stopped || m > 12*n {
							t.Errorf("%s: [%s] at %s: 1000 links take %d steps, 10000 links %d, stopped: %v", rule.Place,
								rule.Name, hole, n, m, stopped)
						}
					}
					break
				}
			}
		}
	}
	t.Logf("%d chains, %d of them with steps", chains, long)
}
