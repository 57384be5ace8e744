// SPDX-License-Identifier: MIT

package flow_test

import (
	"bytes"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/vars"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// countedTo builds a loop that counts to n and in each iteration does a computation of two instructions a number of
// times. The comparison is at the start of the body, or at its end if bottom is set.
func countedTo(n uint32, bottom bool, times int) *ir.Shader {
	b := newBuilder(64)
	s := b.S
	before := b.Block()
	b.set(2, b.index)
	loop := s.InsertLoop(before)
	first := s.Body(loop)
	b.AtEnd(first)
	phi := b.Phi(1, 32, 2)
	test := func(at ir.Node, x ir.Src) ir.Node {
		b.AtEnd(at)
		iff := s.InsertIf(at, b.UGe(x, b.Imm(n)))
		b.AtEnd(s.Then(iff))
		b.Jump(kind.JumpBreak)
		return s.NextNode(iff)
	}
	at := first
	if !bottom {
		at = test(first, s.All(phi))
	}
	b.AtEnd(at)
	for range times {
		b.set(2, b.IAdd(b.IMul(b.get(2), b.Imm(3)), s.All(phi)))
	}
	next := b.IAdd(s.All(phi), b.Imm(1))
	if bottom {
		at = test(at, next)
	}
	b.AtEnd(before)
	s.AddPhiSrc(phi, before, b.Imm(0))
	s.AddPhiSrc(phi, at, next)
	b.AtEnd(s.NextNode(loop))
	b.result(b.get(2))
	vars.VarsToSSA(pass.New(s))
	return s
}

// TestUnrollInPart checks the number of copies of the bodies of long loops, that the loops compute the same, and that
// they are not unrolled again.
func TestUnrollInPart(t *testing.T) {
	for _, c := range []struct {
		n      uint32
		bottom bool
		copies int
	}{
		{128, false, 8}, {128, true, 8}, {100, false, 4}, {100, true, 4}, {125, true, 5}, {125, false, 5},
		{201, false, 3}, {201, true, 3}, {254, false, 2}, {254, true, 2}, {67, false, 1}, {67, true, 1}, {5000, false, 1},
	} {
		s := countedTo(c.n, c.bottom, 1)
		if err := validate.Shader(s); err != nil {
			t.Fatalf("%v\n%s", err, text.Print(s))
		}
		want := execute(t, s)
		p := pass.New(s)
		for range 3 {
			flow.UnrollLoops(p)
			for flow.DeadControlFlow(p) || flow.OneTripLoops(p) {
			}
		}
		after := string(text.Print(s))
		if err := validate.Shader(s); err != nil {
			t.Fatalf("%+v: %v\n%s", c, err, after)
		}
		if n := strings.Count(after, "imul"); n != c.copies || strings.Count(after, "loop") != 1 {
			t.Errorf("%+v: %d copies\n%s", c, n, after)
		}
		if got := execute(t, s); !bytes.Equal(got, want) {
			t.Errorf("%+v: it computes\n%x, want\n%x\n%s", c, got, want, after)
		}
	}
}

// TestUnrollCountsUntilExit: of the last iteration, only the code before the exit counts in the size of an unrolled loop.
func TestUnrollCountsUntilExit(t *testing.T) {
	for _, c := range []struct {
		bottom bool
		times  int
		copies int
		loops  int
	}{
		{false, 22, 8, 0}, {false, 23, 2, 1}, {true, 23, 8, 0}, {true, 24, 2, 1},
	} {
		s := countedTo(8, c.bottom, c.times)
		want := execute(t, s)
		p := pass.New(s)
		flow.UnrollLoops(p)
		for flow.DeadControlFlow(p) || flow.OneTripLoops(p) {
		}
		after := string(text.Print(s))
		if n := strings.Count(after, "imul"); n != c.copies*c.times || strings.Count(after, "loop") != c.loops {
			t.Errorf("%+v: %d multiplications\n%s", c, n, after)
		}
		if got := execute(t, s); !bytes.Equal(got, want) {
			t.Errorf("%+v: it computes\n%x, want\n%x\n%s", c, got, want, after)
		}
	}
}
