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

// TestMergeIfs: nested ifs whose other arms are empty and leave the same become one.
func TestMergeIfs(t *testing.T) {
	rewrites(t, flow.MergeIfs, []rewrite{
		{"both skip if the condition holds", `if %2 {
b1:
} else {
b2:
%3 = ieq.1 %0, %1
if %3 {
b3:
} else {
b4:
%4 = imul.32 %0, %0
}
b5:
%5 = phi.32 b3: %1, b4: %4
}
b6:
%6 = phi.32 b1: %1, b5: %5
%7 = iadd.32 %6, %0
}
`, `%3 = ieq.1 %0, %1
%8 = ior.1 %2, %3
if %8 {
b3:
} else {
b4:
%4 = imul.32 %0, %0
}
b5:
%5 = phi.32 b3: %1, b4: %4
%7 = iadd.32 %5, %0
}
`},
		{"one skips if the condition holds, the other if it does not", `if %2 {
b1:
} else {
b2:
%3 = ieq.1 %0, %1
if %3 {
b3:
%4 = imul.32 %0, %0
} else {
b4:
}
b5:
%5 = phi.32 b3: %4, b4: %1
}
b6:
%6 = phi.32 b1: %1, b5: %5
}
`, `%3 = ieq.1 %0, %1
%8 = inot.1 %2
%9 = iand.1 %8, %3
if %9 {
b3:
%4 = imul.32 %0, %0
} else {
b4:
}
b5:
%5 = phi.32 b3: %4, b4: %1
}
`},
		{"other values if the outer one skips", `if %2 {
b1:
} else {
b2:
%3 = ieq.1 %0, %1
if %3 {
b3:
} else {
b4:
%4 = imul.32 %0, %0
}
b5:
%5 = phi.32 b3: %1, b4: %4
}
b6:
%6 = phi.32 b1: %0, b5: %5
}
`, ""},
		{"code after the inner if", `if %2 {
b1:
} else {
b2:
%3 = ieq.1 %0, %1
if %3 {
b3:
} else {
b4:
%4 = imul.32 %0, %0
}
b5:
%5 = phi.32 b3: %1, b4: %4
%6 = iadd.32 %5, %0
}
b6:
%7 = phi.32 b1: %1, b5: %6
}
`, ""},
	})
}

// TestMergeIfsKeepsMeaning: random nests of ifs compute the same after some of them are merged.
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
		values.DeadCode(c) // arms that only set variables are empty
		l, a := keepsMeaning(t, c, seed, "if ", flow.MergeIfs)
		left, all = left+l, all+a
	}
	t.Logf("%d of %d ifs are left", left, all)
	if left > all*3/4 {
		t.Errorf("%d of %d ifs are left", left, all)
	}
}
