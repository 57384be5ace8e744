// SPDX-License-Identifier: MIT

package driver

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/driver/explain"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// account determines which rule created an instruction without being notified of new ones: it reads the whole shader
// whenever a rule fires and after each pass. It gives each instruction a unique location. A new instruction has the
// location of an existing one: of the instruction that a rule replaces, or of the original of a copy.
type account struct {
	s     *ir.Shader
	known map[ir.Value]entry
}

// entry is the state of an instruction when the account last read it.
type entry struct {
	kind kind.Kind
	op   uint16
	bits uint8
	rule string
	copy bool
}

// mark is a bit that only locations given by the account have.
const mark = 1 << 24

// look attributes the new instructions to a rule, or to none. If rule is empty, a new instruction with the operation
// and the location of another is a copy.
func (a *account) look(rule string) {
	s, found := a.s, map[ir.Value]entry{}
	for f := 1; f < s.NumFuncs(); f++ {
		for b := s.FirstBlock(ir.Func(f)); b != 0; b = s.NextBlock(b) {
			for v := s.First(b); v != 0; v = s.At(v).Next() {
				in := s.At(v)
				own := ir.Loc(v) | mark
				e := entry{kind: in.Kind, op: in.Op, bits: in.Bits, rule: rule}
				of := a.known[ir.Value(in.Loc&^mark)]
				if e.kind == of.kind && e.op == of.op && e.bits == of.bits && (in.Loc == own || rule == "") {
					e.rule, e.copy = of.rule, of.copy || in.Loc != own
				}
				in.Loc, found[v] = own, e
			}
		}
	}
	a.known = found
}

// explained is a shader that was compiled with both accounts.
type explained struct {
	*account
	log  *explain.Log
	text map[string]string // texts of rules that have fired, by name
	code []explain.Line
}

// explainTwice compiles a shader. It returns nil if the stage or the machine is not supported.
func explainTwice(t *testing.T, name string, machine *target.Target) *explained {
	words, err := shaders.Module(name)
	if err != nil {
		t.Fatal(err)
	}
	c := new(compiler)
	c.opts, c.target, c.meter = &Options{Explain: true}, machine, work.NewMeter(context.Background(), 1<<40)
	s, err := Open(spv.Bytes(words), name).shader(c.opts, nil, c.meter)
	if err != nil {
		return nil
	}
	c.pass = pass.New(s)
	c.pass.Options.Target = machine
	c.rules = explain.NewLog(s)
	c.rules.Follow(c.pass)
	x := &explained{&account{s, nil}, c.rules, map[string]string{}, nil}
	x.look("")
	stats := c.pass.Options.RuleStats
	fired := stats.Trace
	stats.Trace = func(set *match.Set, rule *match.Rule, old ir.Value, with ir.Src) {
		x.text[rule.Name] = rule.Text
		fired(set, rule, old, with)
		x.look(rule.Name)
	}
	trace, err := c.trace(s)
	if err != nil {
		t.Fatal(name, err)
	}
	after := trace.After
	trace.After = func(name string, changed bool, took time.Duration) error {
		x.look("")
		return after(name, changed, took)
	}
	err = pipeline.ForTarget(c.pass, trace)
	if err == nil {
		for v := range x.known {
			s.At(v).Loc = 0 // the back end looks locations up
		}
		p := &Program{}
		if err = c.variants(t.Context(), p, s); err == nil {
			x.code = p.Variants[0].Lines
			return x
		}
	}
	if _, internal := compileError("", err).(*InternalError); internal {
		t.Fatal(name, err)
	}
	return nil
}

// operation finds the opcode in the text of an instruction.
var operation = regexp.MustCompile(`^%\d+ = ([a-z0-9_]+)`)

// TestExplainAccount compares the log with a separate account: at least 95 % of the instructions that rules created
// name the rule, and none names another rule. The same holds for copies of such instructions. The replacement of the
// rule that machine code names contains the operation of the instruction. Each shader is compiled for one machine.
func TestExplainAccount(t *testing.T) {
	var made, named [2]int // all instructions made by rules, and copies only
	lines := 0
	for i, sh := range shaders.All() {
		machine := target.All[i%len(target.All)]
		x := explainTwice(t, sh.Name, machine)
		if x == nil {
			continue
		}
		for v, e := range x.known {
			got := x.log.Rule(v)
			for i := range made {
				if e.rule != "" && (i == 0 || e.copy) {
					made[i]++
					if got == e.rule {
						named[i]++
					}
				}
			}
			if got != e.rule && got != "" {
				t.Errorf("%s for %s: value %d, %s, was made by rule %q and names %s", sh.Name, machine, v, op.Op(e.op), e.rule, got)
			}
		}
		for _, l := range x.code {
			if l.Rule == "" {
				continue
			}
			lines++
			_, replace, _ := strings.Cut(x.text[l.Rule], " => ")
			replace, _, _ = strings.Cut(replace, " where ")
			m := operation.FindStringSubmatch(l.IR)
			if m == nil || m[1] != "load_const" && !regexp.MustCompile(`\(`+m[1]+`\b`).MatchString(replace) {
				t.Errorf("%s for %s: %s names rule %s, which makes %s", sh.Name, machine, l.IR, l.Rule, replace)
			}
		}
	}
	for i, what := range []string{"instructions that rules made", "copies of these"} {
		t.Logf("%d %s, of which %d name the rule", made[i], what, named[i])
		if made[i] < 50 || named[i]*100 < made[i]*95 {
			t.Errorf("of %d %s, %d name the rule", made[i], what, named[i])
		}
	}
	if lines < 1000 {
		t.Errorf("%d instructions of the code name a rule", lines)
	}
}
