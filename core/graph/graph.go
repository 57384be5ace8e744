// SPDX-License-Identifier: MIT

package graph

import (
	"slices"

	"jacquard.example/core/reuse"
)

// Graph is a directed graph of the nodes 0 to n-1; node 0 is the entry. Several edges may lead from one node to
// another. To build a graph, call Reset, then Add for each edge, then Close.
type Graph struct {
	n            int
	edges        []edge
	succs, preds lists
}

// edge leads from its first node to its second.
type edge [2]int32

// lists holds a list of nodes for each node b: nodes[start[b]:start[b+1]].
type lists struct{ start, nodes []int32 }

// Reset makes g a graph of n nodes without edges.
func (g *Graph) Reset(n int) { g.n, g.edges = n, g.edges[:0] }

// Add adds an edge.
func (g *Graph) Add(from, to int) { g.edges = append(g.edges, edge{int32(from), int32(to)}) }

// Close computes the neighbors of all nodes, once all edges have been added.
func (g *Graph) Close() {
	g.succs.list(g.n, g.edges, 0)
	g.preds.list(g.n, g.edges, 1)
}

// list lists, for each node, the nodes at the other end of its edges. The node itself is at end 0 (from) or 1 (to).
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

// Succs returns the successors of a node, one for each edge, in the order in which the edges were added.
func (g *Graph) Succs(b int) []int32 { return g.succs.nodes[g.succs.start[b]:g.succs.start[b+1]] }

// Preds returns the predecessors of a node, one for each edge, in the order in which the edges were added.
func (g *Graph) Preds(b int) []int32 { return g.preds.nodes[g.preds.start[b]:g.preds.start[b+1]] }
