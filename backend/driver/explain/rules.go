// SPDX-License-Identifier: MIT

package explain

import (
	"time"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
)

// Log records which rewrite rule created each instruction.
type Log struct {
	rules []string   // by value; empty for the unused value 0
	fresh []ir.Value // created since the last rule fired
}

// NewLog starts a log of the rules that create instructions of a shader.
func NewLog(s *ir.Shader) *Log {
	l := &Log{}
	s.OnNew(l.made)
	return l
}

// Follow lets the log record the rules that the passes of a context run. Settle must be called after each pass.
func (l *Log) Follow(c *pass.Context) { c.Options.RuleStats = l.stats() }

// stats returns statistics for the rule engine. Their trace attributes the fresh instructions to the rule that fired.
func (l *Log) stats() *match.Stats {
	return &match.Stats{Trace: func(_ *match.Set, rule *match.Rule, _ ir.Value, _ ir.Src) {
		for _, v := range l.fresh {
			l.rules[v] = rule.Name
		}
		l.Settle()
	}}
}

// made is called for each new instruction v, which may reuse the handle of another. If v is a copy, of is the original,
// whose rule it gets.
func (l *Log) made(v, of ir.Value) {
	l.name(v, l.Rule(of))
	l.fresh = append(l.fresh, v)
}

func (l *Log) name(v ir.Value, rule string) {
	for len(l.rules) <= int(v) {
		l.rules = append(l.rules, "")
	}
	l.rules[v] = rule
}

// Settle forgets the fresh instructions. It must be called after each pass: no rule created the ones that are left.
func (l *Log) Settle() { l.fresh = l.fresh[:0] }

// Traced returns a trace that settles after each pass, then calls tr. tr may be nil.
func (l *Log) Traced(tr *pass.Trace) *pass.Trace {
	if tr == nil {
		tr = &pass.Trace{}
	}
	after := tr.After
	tr.After = func(name string, changed bool, took time.Duration) error {
		l.Settle()
		if after != nil {
			return after(name, changed, took)
		}
		return nil
	}
	return tr
}

// Rule returns the rule that created an instruction; empty if no rule did.
func (l *Log) Rule(v ir.Value) string {
	if int(v) < len(l.rules) {
		return l.rules[v]
	}
	return ""
}
