// SPDX-License-Identifier: MIT

package flow_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/vars"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// leaving generates random code with breaks out of loops, over two variables.
type leaving struct {
	*rand.Rand
	b       *builder
	in      ir.Src // conditions are bits of it
	bit     uint32
	repeats bool // loops repeat up to three times, also by continues
}

// statements inserts statements at the end of block at. It returns the block in which control continues, and whether
// control reaches it. Breaks are generated if loop is set.
func (g *leaving) statements(at ir.Node, depth int, loop bool) (end ir.Node, on bool) {
	s, b := g.b.S, g.b
	for range 1 + g.IntN(3) {
		b.AtEnd(at)
		switch k := g.IntN(6); {
		case k < 2:
			b.set(g.IntN(2), b.IAdd(b.IMul(b.get(g.IntN(2)), b.Imm(31)), b.Imm(g.Uint32N(9))))
		case k == 2 && loop && depth > 0:
			jump := kind.JumpBreak
			if g.repeats && g.IntN(4) != 0 {
				jump = kind.JumpContinue
			}
			b.Jump(jump)
			return at, false
		case k == 3 && depth < 3 && g.repeats && loop:
			// One counter is enough for loops that are not nested.
		case k == 3 && depth < 3:
			if g.repeats {
				b.set(2, b.Imm(0))
			}
			n := s.InsertLoop(at)
			body := s.Body(n)
			if g.repeats {
				body = g.count(body)
			}
			if last, on := g.statements(body, depth+1, true); on && !g.repeats {
				b.AtEnd(last)
				b.Jump(kind.JumpBreak)
			}
			at = s.NextNode(n)
		case depth < 4:
			c := b.INe(b.IAnd(b.UShr(g.in, b.Imm(g.bit%6)), b.Imm(1)), b.Imm(0))
			g.bit++
			n := s.InsertIf(at, c)
			_, then := g.statements(s.Then(n), depth+1, loop)
			_, els := g.statements(s.Else(n), depth+1, loop)
			at = s.NextNode(n)
			if !then && !els {
				return at, false
			}
		}
	}
	return at, true
}

// count makes some invocations leave a loop in the iteration that starts with block at, and returns the block in which
// the others continue.
func (g *leaving) count(at ir.Node) ir.Node {
	s, b := g.b.S, g.b
	b.AtEnd(at)
	i := b.get(2)
	b.set(2, b.IAdd(i, b.Imm(1)))
	n := s.InsertIf(at, b.UGe(i, b.IAdd(b.IAnd(g.in, b.Imm(1)), b.Imm(1+g.Uint32N(2)))))
	b.AtEnd(s.Then(n))
	b.Jump(kind.JumpBreak)
	return s.NextNode(n)
}

// TestOneTripLoopsKeepMeaning: random loops with breaks anywhere compute the same after the pass, and most are
// replaced.
func TestOneTripLoopsKeepMeaning(t *testing.T) {
	left, loops := keepMeaning(t, 400, false, "loop {", flow.OneTripLoops)
	t.Logf("%d of %d loops are left", left, loops)
	if loops < 400 || left > loops/2 {
		t.Errorf("%d of %d loops are left", left, loops)
	}
}

// keepMeaning runs a pass over random code and checks that the code computes the same. It returns how often the text of
// the code contains a string, after and before.
func keepMeaning(t *testing.T, seeds uint64, repeats bool, what string, run func(*pass.Context) bool) (left, all int) {
	t.Helper()
	for seed := range seeds {
		b := newBuilder(64)
		g := &leaving{Rand: rand.New(rand.NewPCG(seed, 1)), b: b, in: b.LoadLocalInvocationIndex(32), repeats: repeats}
		b.set(0, b.Imm(1))
		b.set(1, g.in)
		end, _ := g.statements(b.Block(), 0, false)
		b.AtEnd(end)
		b.result(b.IAdd(b.IMul(b.get(0), b.Imm(1009)), b.get(1)))
		c := pass.New(b.S)
		vars.VarsToSSA(c)
		l, a := keepsMeaning(t, c, seed, what, run)
		left, all = left+l, all+a
	}
	return left, all
}

// keepsMeaning is like keepMeaning, for one shader.
func keepsMeaning(t *testing.T, c *pass.Context, seed uint64, what string, run func(*pass.Context) bool) (left, all int) {
	t.Helper()
	old := string(text.Print(c.S))
	before := execute(t, c.S)
	run(c)
	now := string(text.Print(c.S))
	if err := validate.Shader(c.S); err != nil {
		t.Fatalf("seed %d: %v\n%s\nof\n%s", seed, err, now, old)
	}
	if after := execute(t, c.S); !bytes.Equal(before, after) {
		t.Fatalf("seed %d: it computes\n%x, want\n%x\n%s\nof\n%s", seed, after, before, now, old)
	}
	return strings.Count(now, what), strings.Count(old, what)
}

// execute returns the buffer after a run with 64 invocations.
func execute(t *testing.T, s *ir.Shader) []byte {
	t.Helper()
	out := make([]byte, 256)
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 16, Buffers: []interp.Buffer{{Data: out}}}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return out
}
