// SPDX-License-Identifier: MIT

package flow_test

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/pass/vars"
)

// TestMergeIfsKeepsMeaning: random nests of ifs compute the same after the pass, which merges some of them.
func TestMergeIfsKeepsMeaning(t *testing.T) {
	left, all := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := newBuilder(64)
		in := b.LoadLocalInvocationIndex(32)
		b.set(0, in)
		b.set(1, b.Imm(7))
		for range 3 {
			outer := b.Block()
			for range 1 + r.IntN(3) {
				if r.IntN(3) == 0 {
					in = b.IAdd(in, b.Imm(r.Uint32N(5)))
				}
				n := b.S.InsertIf(b.Block(), b.INe(b.IAnd(in, b.Imm(1<<r.IntN(4))), b.Imm(0)))
				arms := [2]ir.Node{b.S.Then(n), b.S.Else(n)}
				k := r.IntN(2)
				if r.IntN(6) == 0 {
					b.AtEnd(arms[k])
					b.set(r.IntN(2), in)
				}
				b.AtEnd(arms[1-k])
			}
			b.set(r.IntN(2), b.IMul(b.get(r.IntN(2)), in))
			if r.IntN(2) == 0 {
				b.set(r.IntN(2), b.Imm(3))
			}
			in = b.index
			b.AtEnd(b.S.NextNode(b.S.NextNode(outer)))
		}
		b.result(b.IAdd(b.IMul(b.get(0), b.Imm(1009)), b.get(1)))
		c := pass.New(b.S)
		vars.VarsToSSA(c)
		values.DeadCode(c) // so that arms that only set variables are empty
		l, a := keepsMeaning(t, c, seed, "if ", flow.MergeIfs)
		left, all = left+l, all+a
	}
	t.Logf("%d of %d ifs are left", left, all)
	if left > all*3/4 {
		t.Errorf("%d of %d ifs are left", left, all)
	}
}
