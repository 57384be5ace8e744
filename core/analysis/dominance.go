package analysis

import "jacquard.example/core/graph"

// Dominance is the dominator tree of a CFG; block numbers are the graph's.
type Dominance struct {
	graph.Dominators
	order graph.Order

	of    *CFG // what the tree was built of
	built int  // and which of its graphs
}

// Build computes the tree of g, unless it still has that. Siblings are in textual order.
func (d *Dominance) Build(g *CFG) {
	if d.of == g && d.built == g.built {
		return
	}
	d.of, d.built = g, g.built
	d.order.ByNumber(g.Len())
	d.Dominators.Build(&g.Graph, &d.order)
}
