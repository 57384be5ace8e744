// SPDX-License-Identifier: MIT

package graph

import "jacquard.example/core/reuse"

// Dominators is the dominator tree of a graph.
type Dominators struct {
	Preorder []int32 // the reachable nodes in preorder of the tree; siblings in reverse postorder of the graph

	idom    []int32
	in, out []int32 // by node: the range of its subtree in Preorder
	scratch []int32
}

// none is the immediate dominator of an unreachable node.
const none = -1

// Idom returns the immediate dominator of a node, or -1 for the entry and for unreachable nodes.
func (d *Dominators) Idom(b int) int32 {
	if b == 0 {
		return none
	}
	return d.idom[b]
}

// Reachable reports whether a node is reachable from the entry.
func (d *Dominators) Reachable(b int) bool { return d.idom[b] != none }

// Dominates reports whether every path from the entry to b passes through a. A node dominates itself; an unreachable
// node dominates nothing and is not dominated.
func (d *Dominators) Dominates(a, b int) bool { return d.in[a] <= d.in[b] && d.in[b] < d.out[a] }

// Interval returns the range of nodes in Preorder that b dominates: Preorder[in:out].
func (d *Dominators) Interval(b int) (in, out int32) { return d.in[b], d.out[b] }

// Build computes the dominator tree of a graph, by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple,
// Fast Dominance Algorithm"). o is an order of the graph.
func (d *Dominators) Build(g *Graph, o *Order) {
	d.idom, d.scratch = reuse.Slice(d.idom, g.n), reuse.Zeroed(d.scratch, g.n)
	idom, place := d.idom, o.Place
	for b := range idom {
		idom[b] = none
	}
	idom[0] = 0
	// The paths from the predecessors up to their common dominator often merge; each node on them is visited once.
	walked, time := d.scratch, int32(0)
	for round, again := 0, true; again; round++ {
		again = false
		for k := len(o.Nodes) - 1; k >= 0; k-- {
			b := o.Nodes[k]
			if b == 0 {
				continue
			}
			dom := int32(none)
			time++
			for _, p := range g.Preds(int(b)) {
				switch {
				case idom[p] == none: // unreachable, or not visited yet
					again = again || round == 0
				case dom == none:
					dom = p
				default:
					for x := p; x != dom && walked[x] != time; {
						if place[x] < place[dom] {
							walked[x] = time
							x = idom[x]
						} else {
							walked[dom] = time
							dom = idom[dom]
						}
					}
				}
			}
			if idom[b] != dom {
				again = again || idom[b] != none
				idom[b] = dom
			}
		}
	}
	d.number(o)
}

// number numbers the tree in preorder. A pass in postorder computes the sizes of subtrees; a pass in reverse postorder
// places each node after its immediate dominator.
func (d *Dominators) number(o *Order) {
	n := len(d.idom)
	d.in, d.out = reuse.Slice(d.in, n), reuse.Slice(d.out, n)
	size := d.scratch
	clear(size)
	reached := 0
	for b := range d.in {
		d.in[b], d.out[b] = none, none
	}
	for _, b := range o.Nodes {
		if d.idom[b] == none {
			continue
		}
		reached++
		size[b]++
		if b != 0 {
			size[d.idom[b]] += size[b]
		}
	}
	d.Preorder = reuse.Slice(d.Preorder, reached)
	free := d.out // by node: the next free place of its subtree; finally its end
	for k := len(o.Nodes) - 1; k >= 0; k-- {
		b := o.Nodes[k]
		if d.idom[b] == none {
			continue
		}
		in := int32(0)
		if b != 0 {
			p := d.idom[b]
			in = free[p]
			free[p] += size[b]
		}
		d.in[b], free[b], d.Preorder[in] = in, in+1, b
	}
}
