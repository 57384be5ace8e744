package analysis

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// graphOf is a graph of blocks with these predecessors.
func graphOf(preds [][]int32) *CFG {
	g := &CFG{}
	for _, ps := range preds {
		g.Blocks = append(g.Blocks, 0)
		g.start = append(g.start, int32(len(g.preds)))
		g.preds = append(g.preds, ps...)
	}
	g.start = append(g.start, int32(len(g.preds)))
	return g
}

// reached says which blocks control comes to when it cannot pass block without.
func reached(preds [][]int32, without int) []bool {
	seen := make([]bool, len(preds))
	seen[0] = without != 0
	for changed := true; changed; {
		changed = false
		for b, ps := range preds {
			if b != without && !seen[b] && slices.ContainsFunc(ps, func(p int32) bool { return seen[p] }) {
				seen[b], changed = true, true
			}
		}
	}
	return seen
}

// TestDominance compares with the definition: a dominates b if control does not
// come to b without a.
func TestDominance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var d Dominance
	for range 2000 {
		n := 2 + rng.IntN(14)
		preds := make([][]int32, n)
		for b := 1; b < n; b++ {
			if b > 1 && rng.IntN(16) == 0 {
				continue // cannot be reached
			}
			for range 1 + rng.IntN(3)*rng.IntN(3) {
				preds[b] = append(preds[b], int32(rng.IntN(b)))
			}
			if b > 1 && rng.IntN(4) == 0 { // a loop
				if head := 1 + rng.IntN(b-1); preds[head] != nil {
					preds[head] = append(preds[head], int32(b))
				}
			}
		}
		d.Build(graphOf(preds))
		all := reached(preds, -1)
		for a := range n {
			seen := reached(preds, a)
			for b := range n {
				if all[a] && all[b] && d.Dominates(a, b) == seen[b] {
					t.Fatalf("block %d dominates block %d: %t; predecessors %v", a, b, d.Dominates(a, b), preds)
				}
			}
		}
	}
}
