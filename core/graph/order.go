package graph

import "jacquard.example/core/reuse"

// Order is the nodes of a graph in postorder: in the opposite direction, every node that the entry reaches, except for
// the entry, comes after one of its predecessors.
type Order struct {
	Nodes []int32 // those that the entry reaches
	Place []int32 // by node: its place in Nodes, or one after all of these

	all   []int32
	stack []visit
}

// visit is a node that is being visited, and the next of its successors.
type visit struct{ node, next int32 }

// The places of nodes during a walk.
const unseen, entered = -1, -2

// Walk orders the nodes by a walk from the entry, and then from each that has not been reached.
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

// walk orders the nodes that can be reached from one and have no place.
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

// ByNumber orders n nodes by their numbers, which must be such that every node that the entry reaches, except for the
// entry, has a predecessor before it. Other nodes may be among them.
func (o *Order) ByNumber(n int) {
	o.Nodes, o.Place = reuse.Slice(o.Nodes, n), reuse.Slice(o.Place, n)
	for b := range o.Nodes {
		o.Nodes[b], o.Place[b] = int32(n-1-b), int32(n-1-b)
	}
}

// Reaches reports whether the entry reaches a node, after Walk.
func (o *Order) Reaches(b int) bool { return int(o.Place[b]) < len(o.Nodes) }

// Back reports whether an edge leads back in the walk that ordered the nodes.
func (o *Order) Back(from, to int) bool { return o.Place[from] <= o.Place[to] }
