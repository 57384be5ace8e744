package graph

import "jacquard.example/core/reuse"

// Dominators is the dominator tree of a graph.
type Dominators struct {
	Preorder []int32 // the nodes that the entry reaches; each after its dominators, and siblings in the order that was used

	idom    []int32
	in, out []int32 // by node: the places in Preorder of its subtree
	scratch []int32
}

// none is the immediate dominator of a node that is not reached.
const none = -1

// Idom returns the immediate dominator of a node; -1 for the entry and for nodes that it does not reach.
func (d *Dominators) Idom(b int) int32 {
	if b == 0 {
		return none
	}
	return d.idom[b]
}

// Reachable reports whether the entry reaches a node.
func (d *Dominators) Reachable(b int) bool { return d.idom[b] != none }

// Dominates reports whether every path from the entry to b passes through a, if the entry reaches both; else it is
// false. A node dominates itself.
func (d *Dominators) Dominates(a, b int) bool { return d.in[a] <= d.in[b] && d.in[b] < d.out[a] }

// Interval returns the places in Preorder of the nodes that b dominates, from in to out-1.
func (d *Dominators) Interval(b int) (in, out int32) { return d.in[b], d.out[b] }

// Build finds the dominators in a graph, by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast
// Dominance Algorithm").
func (d *Dominators) Build(g *Graph, o *Order) {
	d.idom, d.scratch = reuse.Slice(d.idom, g.n), reuse.Zeroed(d.scratch, g.n)
	idom, place := d.idom, o.Place
	for b := range idom {
		idom[b] = none
	}
	idom[0] = 0
	// The paths from the predecessors up to their common dominator often merge; each node on
	// them is visited once.
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
				case idom[p] == none: // not reached, or not visited yet
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

// number numbers the tree in preorder. A subtree is as large as those below it together, and one
// node more; a node's dominator comes before it in the order.
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
	free := d.out // by node: the next free place of its subtree, which is where it ends at last
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
