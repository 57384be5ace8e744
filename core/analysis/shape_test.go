// SPDX-License-Identifier: MIT

package analysis_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/text"
)

// blocksIn returns the blocks of a list of nodes, by the tree.
func blocksIn(s *ir.Shader, n ir.Node, out []ir.Node) []ir.Node {
	for ; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			out = append(out, n)
		case ir.NodeIf:
			out = blocksIn(s, s.Else(n), blocksIn(s, s.Then(n), out))
		default:
			out = blocksIn(s, s.Body(n), out)
		}
	}
	return out
}

// reshape changes control flow at a block: it adds or removes a jump, an if or a loop.
func reshape(rng *rand.Rand, s *ir.Shader, b ir.Node) {
	n := s.NextNode(b)
	switch j := s.Jump(b); {
	case j != 0:
		s.Remove(j)
	case n != 0 && rng.IntN(2) == 0:
		s.RemoveNode(n)
		s.MergeBlocks(b)
	case rng.IntN(2) == 0:
		s.InsertLoop(b)
	default:
		s.InsertIf(b, s.All(s.First(s.FirstBlock(s.Entry()))))
	}
}

// TestGraphFollowsShader: a graph is rebuilt if and only if control flow has changed.
func TestGraphFollowsShader(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var g analysis.CFG
	var d analysis.Dominance
	for range 300 {
		s, err := text.Parse(nest(rng))
		if err != nil {
			t.Fatal(err)
		}
		f := s.Entry()
		for range 6 {
			g.Build(s, f)
			d.Build(&g)
			var g2 analysis.CFG
			var d2 analysis.Dominance
			g2.Build(s, f)
			d2.Build(&g2)
			want := blocksIn(s, s.Body(s.Func(f).Node), nil)
			if got := slices.Collect(s.Blocks(f)); !slices.Equal(got, want) || !slices.Equal(g.Blocks, want) {
				t.Fatalf("blocks %v, in the graph %v; want %v\n%s", got, g.Blocks, want, text.Print(s))
			}
			for b := range want {
				edges := slices.Equal(g.Succs(b), g2.Succs(b)) && slices.Equal(g.Preds(b), g2.Preds(b))
				if !edges || g.Loop[want[b]] != g2.Loop[want[b]] || d.Idom(b) != d2.Idom(b) {
					t.Fatalf("block %d: the graph is not that of\n%s", want[b], text.Print(s))
				}
			}
			reshape(rng, s, want[rng.IntN(len(want))])
		}
	}
}
