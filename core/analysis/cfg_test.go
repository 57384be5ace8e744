// SPDX-License-Identifier: MIT

package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/text"
)

// nest returns a random nest of ifs and loops, in the text format.
func nest(rng *rand.Rand) []byte {
	var out strings.Builder
	out.WriteString("shader compute \"main\"\nworkgroup_size 1 1 1\nfn 1 \"main\"() entry {\nb0:\n%0 = load_const.1 value=(0x0)\n")
	block := 0
	var list func(depth int)
	list = func(depth int) {
		for range rng.IntN(4 - depth/2) {
			if rng.IntN(2) == 0 {
				out.WriteString("loop {\n")
				block++
				fmt.Fprintf(&out, "b%d:\n", block)
				list(depth + 1)
				if rng.IntN(3) == 0 {
					out.WriteString("jump_break\n")
				}
			} else {
				out.WriteString("if %0 {\n")
				block++
				fmt.Fprintf(&out, "b%d:\n", block)
				list(depth + 1)
				out.WriteString("} else {\n")
				block++
				fmt.Fprintf(&out, "b%d:\n", block)
				list(depth + 1)
			}
			block++
			fmt.Fprintf(&out, "}\nb%d:\n", block)
		}
	}
	list(0)
	out.WriteString("}\n")
	return []byte(out.String())
}

// TestLoops: CFG.Loop agrees with a walk up the tree.
func TestLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var g analysis.CFG
	deepest := 0
	for range 300 {
		src := nest(rng)
		s, err := text.Parse(src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		g.Build(s, s.Entry())
		for b := range s.Blocks(s.Entry()) {
			depth := 0
			for n := b; n != 0; n = s.LoopOf(n) {
				if g.Loop[n] != s.LoopOf(n) {
					t.Fatalf("the loop around node %d is %d, not %d\n%s", n, s.LoopOf(n), g.Loop[n], src)
				}
				depth++
			}
			deepest = max(deepest, depth)
		}
	}
	if deepest < 5 {
		t.Errorf("no loops are nested more than %d deep", deepest-1)
	}
}
