// SPDX-License-Identifier: MIT

package graph

import "jacquard.example/core/reuse"

// Order is a postorder of the nodes of a graph: in reverse, every node that is reachable from the entry, except the
// entry itself, comes after one of its predecessors.
type Order struct {
	Nodes []int32 // the reachable nodes
	Place []int32 // by node: its index in Nodes; at least len(Nodes) for unreachable nodes

	all   []int32
	stack []visit
}

// visit is a node on the stack of a walk, and the index of its next successor.
type visit struct{ node, next int32 }

// Values of Place during a walk for nodes that do not have a place yet.
const unseen, entered = -1, -2

// Walk orders the nodes by a depth-first walk from the entry, and then from each node that has not been reached.
func (o *Order) Walk(g *Graph) {
	o.all, o.Place = reuse.Slice(o.all, g.n)[:0], reuse.Slice(o.Place, g.n)
	for b := range o.Place {
		o.Place[b] = unseen
	}
	for b := range o.Place {
		if o.Place[b] == unseen {
			o.walk(g, int32(b))
		}
		if b == 0 {
			o.Nodes = o.all
		}
	}
}

// walk orders the nodes that are reachable from first and have no place yet.
func (o *Order) walk(g *Graph, first int32) {
	o.Place[first] = entered
	stack := append(o.stack[:0], visit{first, 0})
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if next := g.Succs(int(top.node)); int(top.next) < len(next) {
			to := next[top.next]
			top.next++
			if o.Place[to] == unseen {
				o.Place[to] = entered
				stack = append(stack, visit{to, 0})
			}
			continue
		}
		o.Place[top.node] = int32(len(o.all))
		o.all = append(o.all, top.node)
		stack = stack[:len(stack)-1]
	}
	o.stack = stack
}

// ByNumber orders n nodes by their numbers, without a walk. Every reachable node except the entry must have a
// predecessor with a lower number. Nodes includes the unreachable nodes.
func (o *Order) ByNumber(n int) {
	o.Nodes, o.Place = reuse.Slice(o.Nodes, n), reuse.Slice(o.Place, n)
	for b := range o.Nodes {
		o.Nodes[b], o.Place[b] = int32(n-1-b), int32(n-1-b)
	}
}

// Reaches reports whether a node is reachable from the entry. The order must be made by Walk.
func (o *Order) Reaches(b int) bool { return int(o.Place[b]) < len(o.Nodes) }

// Back reports whether an edge is a back edge of the walk that ordered the nodes.
func (o *Order) Back(from, to int) bool { return o.Place[from] <= o.Place[to] }
