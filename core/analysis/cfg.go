// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/graph"
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// CFG is the control-flow graph of a function. Blocks are numbered in textual order, in which all edges except the back
// edges of loops go forward. A block that leaves the function has no successors; of two successors, the first is the
// then arm. Predecessors are in ascending order.
type CFG struct {
	graph.Graph
	Blocks []ir.Node // by number
	Index  []int32   // number by node, or -1 for other nodes
	Loop   []ir.Node // by block and loop: the innermost loop around it, or 0 if none

	// The function and the shader's shape that the graph was built from, and the number of builds.
	s     *ir.Shader
	f     ir.Func
	shape uint32
	built int
}

// Build computes the graph of f, unless it is up to date.
func (g *CFG) Build(s *ir.Shader, f ir.Func) {
	if g.s == s && g.f == f && g.shape == s.Shape() {
		return
	}
	g.s, g.f, g.shape = s, f, s.Shape()
	g.built++
	g.forget(s.NumNodes())
	g.Loop = reuse.Slice(g.Loop, s.NumNodes())
	for b := range s.Blocks(f) {
		g.Index[b] = int32(len(g.Blocks))
		g.Blocks = append(g.Blocks, b)
		g.nest(s, b)
	}
	g.Reset(len(g.Blocks))
	for i, b := range g.Blocks {
		g.leave(s, i, b)
	}
	g.Close()
}

// nest records the innermost loop around a block and, at the start of a loop, around the loop. The block before an if
// or a loop has the same innermost loop, and is visited before the blocks inside, so that nest need not walk up deep
// nests.
func (g *CFG) nest(s *ir.Shader, b ir.Node) {
	p := s.Parent(b)
	switch s.NodeKind(p) {
	case ir.NodeIf:
		g.Loop[b] = g.Loop[s.PrevNode(p)]
	case ir.NodeLoop:
		g.Loop[b] = p
		if s.Body(p) == b {
			g.Loop[p] = g.Loop[s.PrevNode(p)]
		}
	default:
		g.Loop[b] = 0
	}
}

// forget removes the blocks of the previous function from Index, and makes Index n long. A shader with many functions
// thus costs no more than a function with as many blocks.
func (g *CFG) forget(n int) {
	for _, b := range g.Blocks {
		g.Index[b] = -1
	}
	g.Blocks = g.Blocks[:0]
	if cap(g.Index) < n {
		g.Index = make([]int32, n+n/4)
		for i := range g.Index {
			g.Index[i] = -1
		}
	}
	g.Index = g.Index[:n]
}

// leave adds the edges from block b, which has number i. A break or continue outside of a loop, which the validator
// rejects, adds none.
func (g *CFG) leave(s *ir.Shader, i int, b ir.Node) {
	to := func(n ir.Node) {
		if t := g.Index[n]; t >= 0 {
			g.Add(i, int(t))
		}
	}
	if j := s.Jump(b); j != 0 {
		switch kind.JumpKind(s.At(j).Op) {
		case kind.JumpBreak:
			to(s.NextNode(g.Loop[b]))
		case kind.JumpContinue:
			to(s.Body(g.Loop[b]))
		}
		return
	}
	if n := s.NextNode(b); n != 0 {
		switch s.NodeKind(n) {
		case ir.NodeIf:
			to(s.Then(n))
			to(s.Else(n))
		case ir.NodeLoop:
			to(s.Body(n))
		default:
			to(n)
		}
		return
	}
	p := s.Parent(b)
	switch s.NodeKind(p) {
	case ir.NodeIf:
		to(s.NextNode(p))
	case ir.NodeLoop:
		to(s.Body(p))
	}
}
