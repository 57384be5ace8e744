// SPDX-License-Identifier: MIT

package match_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/match/prog"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/rules/option"
)

// zipped returns a text in gzip format.
func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// swapping returns a set with one rule, which swaps the operands of every sum. Its automaton puts iadd into state 2 and
// tries the rule there.
func swapping() *match.Set {
	ops := make([]byte, 2*op.Count)
	ops[2*op.IAdd] = 1
	return &match.Set{
		Name:  "swapping",
		About: "\n\n" + zipped("iadd_swapped\n"),
		Rules: match.Rules{Rows: make([]match.Row, 1), Programs: programOf(
			prog.Make(prog.Load, 1, 0, 0, 0),
			prog.Make(prog.Load, 2, 0, 1, 0),
			prog.Make(prog.Begin, 0, 0, 0, 0),
			prog.Make(prog.ALU, 3, uint8(op.IAdd&0xff), uint8(op.IAdd>>8), 1<<8|2),
			prog.Make(prog.Done, 3, 0, 0, 0),
		)},
		Conds: func(*option.Set, []bool) {},
		Auto: match.Automaton{
			NumStates: 3,
			Op:        string(ops),
			Desc:      []match.OpDesc{{NSrc: 2, Exec: 1, Width: [4]uint16{1, 1}}},
			Group:     "\x00\x00\x00\x00\x00\x00",
			Class:     "\x00",
			Trans:     "\x02\x00",
			Cand:      "\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00",
		},
	}
}

// programOf returns the text of a program.
func programOf(words ...prog.Word) string {
	var text []byte
	for _, w := range words {
		text = w.Append(text)
	}
	return string(text)
}

// TestLoopIsNamed: rules that would rewrite forever are stopped, counted and named, and leave a correct function.
func TestLoopIsNamed(t *testing.T) {
	p := newProgram()
	sum := p.b.ALU(op.IAdd, p.input(1, 32), p.input(1, 32))
	p.keep(p.b.ALU(op.IMul, sum, p.input(1, 32)))
	in := p.values(rand.New(rand.NewPCG(1, 2)))
	want := p.eval(t, p.kept(), in)
	stats := &match.Stats{}
	changed, err := match.Apply(p.s, p.f, swapping(), nil, stats)
	if err == nil || !strings.Contains(err.Error(), "iadd_swapped") || !strings.Contains(err.Error(), "swapping") || !changed {
		t.Errorf("Apply gives %v, %v", changed, err)
	}
	if len(stats.Exhausted) != 1 {
		t.Errorf("%d exhausted runs", len(stats.Exhausted))
	}
	if err := validate.Shader(p.s); err != nil {
		t.Error(err)
	}
	if got := p.eval(t, p.kept(), in); !slices.Equal(got, want) {
		t.Errorf("it computes %x, not %x", got, want)
	}
}

// TestLocationAndPlace: instructions that a rule creates have the root's location. The replacement of a root with one
// operand is inserted after the instruction that computes the operand.
func TestLocationAndPlace(t *testing.T) {
	p := newProgram()
	file := p.s.Strs.Intern("a.comp")
	x, y := p.input(1, 32), p.input(1, 32)
	p.b.Loc = p.s.Locs.New(ir.Location{File: file, Line: 1, Column: 1})
	less := p.b.ALU(op.ILt, x, y)
	p.b.Loc = p.s.Locs.New(ir.Location{File: file, Line: 2, Column: 1})
	between := p.b.ALU(op.IAdd, x, y)
	p.b.Loc = p.s.Locs.New(ir.Location{File: file, Line: 3, Column: 1})
	not := p.b.ALU(op.INot, less)
	p.keep(p.b.ALU(op.BCsel, not, between, x))
	if _, err := match.Apply(p.s, p.f, &opt.Set, nil, nil); err != nil {
		t.Fatal(err)
	}
	cond := p.s.Src(p.kept().Val, 0).Val
	in := p.s.At(cond)
	if !in.IsALU(op.IGe) {
		t.Fatalf("the condition is not a comparison:\n%s", text.Print(p.s))
	}
	if line := p.s.Locs.At(in.Loc).Line; line != 3 {
		t.Errorf("line %d, want the root's, 3", line)
	}
	if in.Next() != between.Val {
		t.Errorf("the comparison is not where the old one was:\n%s", text.Print(p.s))
	}
}

func ExampleApply() {
	s := ir.New()
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := ir.NewBuilder(s)
	b.AtEnd(s.FirstBlock(f))
	x := b.Undef(1, 32)
	n := b.ALU(op.UDiv, x, b.Imm(8))
	s.InsertIf(s.FirstBlock(f), b.ALU(op.IEq, n, b.Imm(5)))

	stats := &match.Stats{}
	if _, err := match.Apply(s, f, &opt.Set, option.Of(option.LowerFdiv), stats); err != nil {
		fmt.Println(err)
	}
	stats.Each(func(_ *match.Set, r *match.Rule, n match.Count) {
		if n.Fired > 0 {
			fmt.Println(n.Fired, r.Name, r.Text)
		}
	})
	// Output: 1 udiv_power_of_two (udiv a #b:pow2) => (ushr a (find_lsb b))
}
