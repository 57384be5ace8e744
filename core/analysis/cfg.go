package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// CFG is the control-flow graph of a function. Blocks are numbered in textual
// order, in which all edges except the back edges of loops go forward.
type CFG struct {
	Blocks []ir.Node // by number
	Index  []int32   // number by node, -1 for other nodes
	Loop   []ir.Node // by block and loop: the innermost loop around it, 0 if none
	succ   [][2]int32
	preds  []int32 // predecessors of all blocks, concatenated
	start  []int32 // by block: start of its predecessors; one extra at the end

	// What the graph was built of, and how many were before.
	s     *ir.Shader
	f     ir.Func
	shape uint32
	built int
}

// Succs returns the successors of a block by number, padded with -1. A block that
// leaves the function has none. The first of two is the then arm.
func (g *CFG) Succs(b int) [2]int32 { return g.succ[b] }

// Preds returns the predecessors of a block by number, in ascending order.
func (g *CFG) Preds(b int) []int32 { return g.preds[g.start[b]:g.start[b+1]] }

// Build computes the graph of f, unless it is still that.
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
	n := len(g.Blocks)
	g.succ = g.succ[:0]
	g.start = reuse.Slice(g.start, n+1)
	clear(g.start)
	edges := 0
	for _, b := range g.Blocks {
		e := g.successors(s, b)
		g.succ = append(g.succ, e)
		for _, t := range e {
			if t >= 0 {
				g.start[t]++
				edges++
			}
		}
	}
	sum := int32(0)
	for i := range g.start {
		sum, g.start[i] = sum+g.start[i], sum
	}
	g.preds = reuse.Slice(g.preds, edges)
	fill := g.start
	for b, e := range g.succ {
		for _, t := range e {
			if t >= 0 {
				g.preds[fill[t]] = int32(b)
				fill[t]++
			}
		}
	}
	// fill moved every start to its block's end: shift back.
	copy(g.start[1:], g.start[:n])
	g.start[0] = 0
}

// nest records the loops around a block, and around the loop that it starts. The
// block before an if or a loop is in the same loop, and is visited before the blocks
// inside: deep nests are never walked up.
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

// forget removes the blocks of the previous function from Index, so that a shader of
// many functions costs no more than one of many blocks, and makes it n long.
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

func (g *CFG) successors(s *ir.Shader, b ir.Node) [2]int32 {
	one := func(n ir.Node) [2]int32 { return [2]int32{g.Index[n], -1} }
	if j := s.Jump(b); j != 0 {
		switch kind.JumpKind(s.At(j).Op) {
		case kind.JumpBreak:
			return one(s.NextNode(g.Loop[b]))
		case kind.JumpContinue:
			return one(s.Body(g.Loop[b]))
		}
		return [2]int32{-1, -1}
	}
	if n := s.NextNode(b); n != 0 {
		switch s.NodeKind(n) {
		case ir.NodeIf:
			return [2]int32{g.Index[s.Then(n)], g.Index[s.Else(n)]}
		case ir.NodeLoop:
			return one(s.Body(n))
		}
		return one(n)
	}
	p := s.Parent(b)
	switch s.NodeKind(p) {
	case ir.NodeIf:
		return one(s.NextNode(p))
	case ir.NodeLoop:
		return one(s.Body(p))
	}
	return [2]int32{-1, -1}
}
