// SPDX-License-Identifier: MIT

package structure

import "jacquard.example/core/graph"

// Graph is a control flow graph of a function. Blocks are numbered from the function's first block, which is the entry.
type Graph struct {
	graph.Graph
	Order graph.Order
	Doms  graph.Dominators
}

// None denotes no block.
const None = ^uint32(0)

// Finish orders the blocks and computes dominators, once all edges have been added.
func (g *Graph) Finish() {
	g.Close()
	g.Order.Walk(&g.Graph)
	g.Doms.Build(&g.Graph, &g.Order)
}

// Idom returns the immediate dominator of block b, or None for the entry and unreachable blocks.
func (g *Graph) Idom(b uint32) uint32 { return uint32(g.Doms.Idom(int(b))) }

// Dominates reports whether every path to reachable block b passes through reachable block a.
func (g *Graph) Dominates(a, b uint32) bool { return g.Doms.Dominates(int(a), int(b)) }

// Targets returns the successors of block b.
func (g *Graph) Targets(b uint32) []int32 { return g.Succs(int(b)) }

// Reachable reports whether block b can be reached from the entry.
func (g *Graph) Reachable(b uint32) bool { return g.Order.Reaches(int(b)) }

// Back reports whether an edge is a back edge of the walk that ordered the blocks.
func (g *Graph) Back(from, to uint32) bool { return g.Order.Back(int(from), int(to)) }

// Arena is memory for the tables of one function.
type Arena []uint32

// Take returns n zeros.
func (a *Arena) Take(n int) []uint32 {
	if len(*a)+n > cap(*a) {
		*a = make(Arena, 0, 2*(len(*a)+n))
	}
	at := len(*a)
	*a = (*a)[:at+n]
	s := (*a)[at : at+n : at+n]
	clear(s)
	return s
}
