package jacquard

import (
	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/text"
	"jacquard.example/generated/target"
)

// ruleLog remembers which rewrite rule made an instruction.
type ruleLog struct {
	s     *ir.Shader
	rules []string // by value
}

// stats returns what the rule engine reports to.
func (l *ruleLog) stats() *match.Stats {
	return &match.Stats{Trace: func(_ *match.Set, rule *match.Rule, _ ir.Value, _ ir.Src) {
		l.note(rule.Name)
	}}
}

// settle is called before and after each pass: no rule made the instructions that are new.
func (l *ruleLog) settle() { l.note("") }

// note notes that a rule made all instructions that are new.
func (l *ruleLog) note(rule string) {
	for len(l.rules) < l.s.NumValues() {
		l.rules = append(l.rules, rule)
	}
}

func (l *ruleLog) rule(v ir.Value) string {
	if int(v) < len(l.rules) {
		return l.rules[v]
	}
	return ""
}

// explain describes the instructions of a variant.
func explain(s *ir.Shader, out *intel.Binary, t *target.Target, rules *ruleLog) []Line {
	instr := text.Instrs(s)
	times := perf.Times(t, out.Code)
	lines := make([]Line, len(out.Lines))
	for i, l := range out.Lines {
		x := &lines[i]
		*x = Line{Offset: l.Offset, Row: l.Row, Registers: l.Registers}
		if i < len(times) {
			x.Wait, x.Issue, x.Times = times[i].Wait, times[i].Issue, times[i].Times
		}
		if l.Value == 0 {
			continue
		}
		v := ir.Value(l.Value)
		x.IR, x.Rule = instr(v), rules.rule(v)
		file, line, column := s.LocOf(s.At(v).Loc)
		x.File, x.Line, x.Column = file, int(line), int(column)
	}
	return lines
}
