// SPDX-License-Identifier: MIT

package flow_test

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/vars"
	"jacquard.example/generated/kind"
)

// TestUnrollAroundLoops: loops with a single iteration that contain other loops are removed, and compute the same; with
// two iterations they stay.
func TestUnrollAroundLoops(t *testing.T) {
	for _, c := range []struct {
		trips uint32
		left  int
	}{{1, 1}, {2, 2}} {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 5))
			b := newBuilder(64)
			b.set(0, b.Imm(1))
			b.set(1, b.Imm(0))
			outer := loopTo(b, 1, b.Imm(c.trips))
			b.AtEnd(outer.body)
			b.set(0, b.IAdd(b.get(0), b.Imm(r.Uint32N(9))))
			b.set(2, b.Imm(0))
			inner := loopTo(b, 2, b.IAnd(b.index, b.Imm(3)))
			b.AtEnd(inner.body)
			if r.IntN(2) == 0 {
				n := b.S.InsertIf(inner.body, b.UGe(b.get(0), b.Imm(40+r.Uint32N(90))))
				b.AtEnd(b.S.Then(n))
				b.Jump(kind.JumpBreak)
				b.AtEnd(b.S.NextNode(n))
			}
			b.set(0, b.IAdd(b.IMul(b.get(0), b.Imm(3)), b.get(2)))
			b.AtEnd(inner.after)
			b.set(3, b.IAdd(b.get(0), b.get(2)))
			b.AtEnd(outer.after)
			b.result(b.IAdd(b.get(0), b.IMul(b.get(3), b.Imm(77))))
			p := pass.New(b.S)
			vars.VarsToSSA(p)
			left, all := keepsMeaning(t, p, seed, "loop {", func(p *pass.Context) bool {
				changed := flow.UnrollLoops(p)
				for flow.DeadControlFlow(p) || flow.OneTripLoops(p) {
				}
				return changed
			})
			if all != 2 || left != c.left {
				t.Fatalf("seed %d: %d of %d loops are left, want %d", seed, left, all, c.left)
			}
		}
	}
}

// counting is a loop that increments a variable.
type counting struct{ body, after ir.Node }

// loopTo inserts a loop at the cursor that increments variable v until it is end.
func loopTo(b *builder, v int, end ir.Src) counting {
	n := b.S.InsertLoop(b.Block())
	b.AtEnd(b.S.Body(n))
	i := b.get(v)
	x := b.S.InsertIf(b.Block(), b.UGe(i, end))
	b.AtEnd(b.S.Then(x))
	b.Jump(kind.JumpBreak)
	body := b.S.NextNode(x)
	b.AtEnd(body)
	b.set(v, b.IAdd(i, b.Imm(1)))
	return counting{body, b.S.NextNode(n)}
}
