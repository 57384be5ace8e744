package jacquard

import (
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
)

// ruleLog records which rewrite rule created each instruction.
type ruleLog struct {
	s     *ir.Shader
	rules []string   // by value; empty for the unused value 0
	fresh []ir.Value // created since the last rule fired
}

// follow starts a log of the rules that the passes of a context run. settle must be called after each pass.
func follow(c *pass.Context) *ruleLog {
	l := &ruleLog{s: c.S}
	c.S.OnNew(l.made)
	c.Options.RuleStats = l.stats()
	return l
}

// carry takes over the entries of an earlier log, of whose shader l.s is a copy. earlier may be nil.
func (l *ruleLog) carry(earlier *ruleLog) {
	if earlier == nil {
		return
	}
	from := earlier.s
	for f := 1; f < from.NumFuncs(); f++ {
		b := l.s.FirstBlock(ir.Func(f))
		for of := from.FirstBlock(ir.Func(f)); of != 0; of, b = from.NextBlock(of), l.s.NextBlock(b) {
			v := l.s.First(b)
			for old := from.First(of); old != 0; old, v = from.At(old).Next(), l.s.At(v).Next() {
				l.name(v, earlier.rule(old))
			}
		}
	}
}

// stats returns statistics for the rule engine. Their trace attributes the fresh instructions to the rule that fired.
func (l *ruleLog) stats() *match.Stats {
	return &match.Stats{Trace: func(_ *match.Set, rule *match.Rule, _ ir.Value, _ ir.Src) {
		for _, v := range l.fresh {
			l.rules[v] = rule.Name
		}
		l.settle()
	}}
}

// made is called for each new instruction v, which may reuse the handle of another. A copy of an instruction has the
// same rule.
func (l *ruleLog) made(v, of ir.Value) {
	l.name(v, l.rule(of))
	l.fresh = append(l.fresh, v)
}

func (l *ruleLog) name(v ir.Value, rule string) {
	for len(l.rules) <= int(v) {
		l.rules = append(l.rules, "")
	}
	l.rules[v] = rule
}

// settle is called after each pass: no rule made the fresh instructions.
func (l *ruleLog) settle() { l.fresh = l.fresh[:0] }

// traced returns a trace that settles after each pass, then calls tr. tr may be nil.
func (l *ruleLog) traced(tr *pass.Trace) *pass.Trace {
	if tr == nil {
		tr = &pass.Trace{}
	}
	after := tr.After
	tr.After = func(name string, changed bool, took time.Duration) error {
		l.settle()
		if after != nil {
			return after(name, changed, took)
		}
		return nil
	}
	return tr
}

func (l *ruleLog) rule(v ir.Value) string {
	if int(v) < len(l.rules) {
		return l.rules[v]
	}
	return ""
}

// explain returns the lines of a variant.
func explain(s *ir.Shader, out *intel.Binary, rules *ruleLog) []Line {
	instr := text.Instrs(s)
	times := out.Times
	lines := make([]Line, len(out.Lines))
	for i, l := range out.Lines {
		x := &lines[i]
		*x = Line{Offset: l.Offset, Row: l.Row, Registers: l.Registers, Spilled: l.Spilled}
		if i < len(times) {
			x.Wait, x.Issue, x.Times, x.Assumed = times[i].Wait, times[i].Issue, times[i].Times, times[i].Assumed
		}
		if l.Value == 0 {
			continue
		}
		v := ir.Value(l.Value)
		x.IR, x.Rule = instr(v), rules.rule(v)
		if at := s.Locs.At(s.At(v).Loc); at.Line != 0 {
			x.File, x.Line, x.Column = sourceName(s.Strs.Text(at.File)), int(at.Line), int(at.Column)
		}
	}
	return lines
}
