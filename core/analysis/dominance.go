package analysis

import "jacquard.example/core/reuse"

// Dominance is the dominator tree of a CFG; block numbers are the graph's.
type Dominance struct {
	idom     []int32
	pre, end []int32 // interval of the dominator tree below a block
	child    []int32
	sibling  []int32
	walked   []int32 // by block: when Build last visited it

	of    *CFG // what the tree was built of
	built int  // and which of its graphs
}

// Idom returns the immediate dominator of a block; -1 for the entry and for
// unreachable blocks.
func (d *Dominance) Idom(b int) int32 {
	if b == 0 {
		return -1
	}
	return d.idom[b]
}

// Reachable reports whether a block is reachable.
func (d *Dominance) Reachable(b int) bool { return d.idom[b] >= 0 }

// Dominates reports whether every path to b goes through a. Every block dominates
// itself; the result is unspecified for unreachable blocks.
func (d *Dominance) Dominates(a, b int) bool {
	return d.pre[a] <= d.pre[b] && d.pre[b] < d.end[a]
}

// Child returns the first block that b dominates immediately, -1 if none.
func (d *Dominance) Child(b int) int32 { return d.child[b] }

// Sibling returns the next block with the same immediate dominator, -1 if none.
func (d *Dominance) Sibling(b int) int32 { return d.sibling[b] }

// Build computes dominance by the iterative algorithm of Cooper, Harvey and Kennedy
// ("A Simple, Fast Dominance Algorithm"); textual order is already a reverse
// postorder. It does nothing if the graph is the one that it last saw.
func (d *Dominance) Build(g *CFG) {
	if d.of == g && d.built == g.built {
		return
	}
	d.of, d.built = g, g.built
	n := len(g.Blocks)
	d.idom = reuse.Slice(d.idom, n)
	for i := range d.idom {
		d.idom[i] = -1
	}
	d.idom[0] = 0
	// The paths from the predecessors up to their common dominator often merge;
	// each block on them is visited once.
	d.walked = reuse.Zeroed(d.walked, n)
	time := int32(0)
	for changed := true; changed; {
		changed = false
		for b := 1; b < n; b++ {
			dom := int32(-1)
			time++
			for _, p := range g.Preds(b) {
				if d.idom[p] < 0 {
					continue
				}
				if dom < 0 {
					dom = p
					continue
				}
				for x := p; x != dom && d.walked[x] != time; {
					if x > dom {
						d.walked[x] = time
						x = d.idom[x]
					} else {
						d.walked[dom] = time
						dom = d.idom[dom]
					}
				}
			}
			if dom != d.idom[b] {
				d.idom[b] = dom
				changed = true
			}
		}
	}
	d.number(n)
}

func (d *Dominance) number(n int) {
	d.child, d.sibling = reuse.Slice(d.child, n), reuse.Slice(d.sibling, n)
	d.pre, d.end = reuse.Slice(d.pre, n), reuse.Slice(d.end, n)
	for i := range n {
		d.child[i], d.sibling[i] = -1, -1
		d.pre[i], d.end[i] = -1, -1
	}
	for b := n - 1; b > 0; b-- {
		if p := d.idom[b]; p >= 0 {
			d.sibling[b], d.child[p] = d.child[p], int32(b)
		}
	}
	at := int32(0)
	for b := int32(0); b >= 0; {
		d.pre[b] = at
		at++
		if c := d.child[b]; c >= 0 {
			b = c
			continue
		}
		for {
			d.end[b] = at
			if b == 0 {
				return
			}
			if s := d.sibling[b]; s >= 0 {
				b = s
				break
			}
			b = d.idom[b]
		}
	}
}
