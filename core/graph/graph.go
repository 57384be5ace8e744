package graph

import (
	"slices"

	"jacquard.example/core/reuse"
)

// Graph is a directed graph of the nodes 0, 1, 2 …, of which 0 is the entry. Several edges may lead from one node to
// another. It is made by Reset, an Add for each edge, and Close.
type Graph struct {
	n            int
	edges        []edge
	succs, preds lists
}

// edge is the nodes from and to which an edge leads.
type edge [2]int32

// lists are a list of nodes for each node: nodes[start[b]:start[b+1]].
type lists struct{ start, nodes []int32 }

// Reset makes g a graph of n nodes without edges.
func (g *Graph) Reset(n int) { g.n, g.edges = n, g.edges[:0] }

// Add adds an edge.
func (g *Graph) Add(from, to int) { g.edges = append(g.edges, edge{int32(from), int32(to)}) }

// Close ends the list of edges: neighbors are known from here on.
func (g *Graph) Close() {
	g.succs.list(g.n, g.edges, 0)
	g.preds.list(g.n, g.edges, 1)
}

// list makes, for each node at one end of edges, the list of those at the other end.
func (l *lists) list(n int, edges []edge, end int) {
	l.start, l.nodes = reuse.Zeroed(l.start, n+1), reuse.Slice(l.nodes, len(edges))
	start := l.start
	for _, e := range edges {
		start[e[end]]++
	}
	sum := int32(0)
	for b, n := range start {
		start[b] = sum
		sum += n
	}
	for _, e := range edges {
		at := &start[e[end]]
		l.nodes[*at] = e[1-end]
		*at++
	}
	// Each start has moved to the end of its list, where the next one starts.
	copy(start[1:], start[:n])
	start[0] = 0
}

// Clone returns a copy that shares no memory with g.
func (g *Graph) Clone() Graph {
	return Graph{g.n, slices.Clone(g.edges), g.succs.clone(), g.preds.clone()}
}

func (l *lists) clone() lists { return lists{slices.Clone(l.start), slices.Clone(l.nodes)} }

// Len returns the number of nodes.
func (g *Graph) Len() int { return g.n }

// Succs returns the successors of a node, one for each edge, in the order in which these were added.
func (g *Graph) Succs(b int) []int32 { return g.succs.nodes[g.succs.start[b]:g.succs.start[b+1]] }

// Preds returns the predecessors of a node, one for each edge, in the order in which these were added.
func (g *Graph) Preds(b int) []int32 { return g.preds.nodes[g.preds.start[b]:g.preds.start[b+1]] }
