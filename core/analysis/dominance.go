// SPDX-License-Identifier: MIT

package analysis

import "jacquard.example/core/graph"

// Dominance is the dominator tree of a CFG; block numbers are the graph's.
type Dominance struct {
	graph.Dominators
	order graph.Order

	of    *CFG // the graph that the tree was built from
	built int  // and its build number
}

// Build computes the tree of g, unless it is up to date. Siblings are in textual order.
func (d *Dominance) Build(g *CFG) {
	if d.of == g && d.built == g.built {
		return
	}
	d.of, d.built = g, g.built
	d.order.ByNumber(g.Len())
	d.Dominators.Build(&g.Graph, &d.order)
}
