// SPDX-License-Identifier: MIT

package graph

import (
	"math"

	"jacquard.example/core/reuse"
)

// Live computes where one variable is live: at the start of each node from which a use is reachable without passing a
// definition. Call Start, then Define and Use for each definition and use, then Solve.
type Live struct {
	Ins  []int32 // the nodes at whose start the variable is live
	Outs []int32 // the nodes at whose end it is live

	mark          uint32 // identifies the problem; in, out and defs hold, by node, the mark of the last problem that set them
	in, out, defs []uint32
	first         int32
}

// Start begins a problem on a graph of n nodes. The variable is live at the start of no node below first.
func (l *Live) Start(n int, first int32) {
	if l.mark++; l.mark == 0 || len(l.in) < n {
		l.in, l.out = reuse.Zeroed(l.in, n), reuse.Zeroed(l.out, n)
		l.defs, l.mark = reuse.Zeroed(l.defs, n), 1
	}
	l.Ins, l.Outs, l.first = l.Ins[:0], l.Outs[:0], first
}

// Define records that a node defines the variable. Definitions and uses in one node must be recorded in their order.
func (l *Live) Define(b int32) { l.defs[b] = l.mark }

// Use records that a node uses the variable.
func (l *Live) Use(b int32) {
	if b >= l.first && l.defs[b] != l.mark && l.in[b] != l.mark {
		l.in[b] = l.mark
		l.Ins = append(l.Ins, b)
	}
}

// Solve walks backward from the uses, and returns the number of nodes and edges that it has visited.
func (l *Live) Solve(g *Graph) (steps int) {
	steps, _ = l.SolveWithin(g, math.MaxInt)
	return steps
}

// SolveWithin is like Solve, but gives up after a number of steps; all reports whether it finished.
func (l *Live) SolveWithin(g *Graph, most int) (steps int, all bool) {
	for k := 0; k < len(l.Ins); k++ {
		if steps > most {
			return steps, false
		}
		before := g.Preds(int(l.Ins[k]))
		steps += 1 + len(before)
		for _, p := range before {
			if l.out[p] == l.mark {
				continue
			}
			l.out[p] = l.mark
			l.Outs = append(l.Outs, p)
			l.Use(p)
		}
	}
	return steps, true
}

// In reports whether the variable is live at the start of a node.
func (l *Live) In(b int32) bool { return l.in[b] == l.mark }
