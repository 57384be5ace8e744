package spirv

import "jacquard.example/core/graph"

// cfg is a control flow graph of a function. Blocks are numbered from the function's first block, which is the entry.
type cfg struct {
	graph.Graph
	order graph.Order
	doms  graph.Dominators
}

const none = ^uint32(0)

// finish orders the blocks and computes dominators, once all edges have been added.
func (g *cfg) finish() {
	g.Close()
	g.order.Walk(&g.Graph)
	g.doms.Build(&g.Graph, &g.order)
}

// idom returns the immediate dominator of block b, or none for the entry and unreachable blocks.
func (g *cfg) idom(b uint32) uint32 { return uint32(g.doms.Idom(int(b))) }

// dominates reports whether every path to reachable block b passes through reachable block a.
func (g *cfg) dominates(a, b uint32) bool { return g.doms.Dominates(int(a), int(b)) }

// targets returns the successors of block b.
func (g *cfg) targets(b uint32) []int32 { return g.Succs(int(b)) }

// reachable reports whether block b can be reached from the entry.
func (g *cfg) reachable(b uint32) bool { return g.order.Reaches(int(b)) }

// back reports whether an edge is a back edge of the walk that ordered the blocks.
func (g *cfg) back(from, to uint32) bool { return g.order.Back(int(from), int(to)) }

// arena is memory for the tables of one function.
type arena []uint32

// take returns n zeros.
func (a *arena) take(n int) []uint32 {
	if len(*a)+n > cap(*a) {
		*a = make(arena, 0, 2*(len(*a)+n))
	}
	at := len(*a)
	*a = (*a)[:at+n]
	s := (*a)[at : at+n : at+n]
	clear(s)
	return s
}
