// SPDX-License-Identifier: MIT

package graph_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"jacquard.example/core/graph"
)

// edges returns the edges of a random graph of n nodes. If numbered, every reachable node except the entry has a
// predecessor with a lower number, as in structured code.
func edges(rng *rand.Rand, n int, numbered bool) (list [][2]int) {
	ahead := make([]bool, n) // reachable along edges to higher numbers
	ahead[0] = true
	add := func(from, to int) {
		list = append(list, [2]int{from, to})
		ahead[to] = ahead[to] || from < to && ahead[from]
	}
	for b := 1; b < n; b++ {
		if b > 1 && rng.IntN(16) == 0 {
			continue // unreachable, except by back edges
		}
		for range 1 + rng.IntN(3)*rng.IntN(3) {
			add(rng.IntN(b), b)
		}
		if !numbered {
			if rng.IntN(3) == 0 {
				add(b, rng.IntN(n))
			}
		} else if b > 1 && rng.IntN(4) == 0 { // a loop
			if head := 1 + rng.IntN(b-1); ahead[head] {
				add(b, head)
			}
		}
	}
	rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list
}

func of(g *graph.Graph, n int, list [][2]int) {
	g.Reset(n)
	for _, e := range list {
		g.Add(e[0], e[1])
	}
	g.Close()
}

// reached returns, by node, whether it is reachable from the nodes in from through nodes for which without is false.
func reached(n int, list [][2]int, from []int, without func(int) bool) []bool {
	seen := make([]bool, n)
	for _, b := range from {
		seen[b] = !without(b)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range list {
			if seen[e[0]] && !seen[e[1]] && !without(e[1]) {
				seen[e[1]], changed = true, true
			}
		}
	}
	return seen
}

func backward(list [][2]int) (out [][2]int) {
	for _, e := range list {
		out = append(out, [2]int{e[1], e[0]})
	}
	return out
}

func nothing(int) bool { return false }

// TestNeighbors checks that Succs and Preds list the edges in the order in which they were added.
func TestNeighbors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var g graph.Graph
	for range 300 {
		n := 1 + rng.IntN(12)
		list := edges(rng, n, false)
		of(&g, n, list)
		for b := range n {
			var succs, preds []int32
			for _, e := range list {
				if e[0] == b {
					succs = append(succs, int32(e[1]))
				}
				if e[1] == b {
					preds = append(preds, int32(e[0]))
				}
			}
			if !slices.Equal(g.Succs(b), succs) || !slices.Equal(g.Preds(b), preds) {
				t.Fatalf("node %d: successors %v, predecessors %v; want %v and %v", b, g.Succs(b), g.Preds(b), succs, preds)
			}
		}
	}
}

// TestOrder checks that Walk orders the reachable nodes, each after one of its predecessors, and that back edges are on
// cycles.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var g graph.Graph
	var o graph.Order
	for range 1000 {
		n := 1 + rng.IntN(12)
		list := edges(rng, n, false)
		of(&g, n, list)
		o.Walk(&g)
		all := reached(n, list, []int{0}, nothing)
		for k, b := range o.Nodes {
			if int(o.Place[b]) != k || !all[b] {
				t.Fatalf("node %d is in place %d, and %d of the order; reached: %t", b, o.Place[b], k, all[b])
			}
			before := func(p int32) bool { return o.Place[p] > o.Place[b] && all[p] }
			if b != 0 && !slices.ContainsFunc(g.Preds(int(b)), before) {
				t.Fatalf("node %d precedes all its predecessors in %v; edges %v", b, o.Nodes, list)
			}
		}
		for b := range n {
			if o.Reaches(b) != all[b] {
				t.Fatalf("node %d is reached: %t; edges %v", b, o.Reaches(b), list)
			}
		}
		for _, e := range list {
			if o.Back(e[0], e[1]) && !reached(n, list, []int{e[1]}, nothing)[e[0]] {
				t.Fatalf("the edge %v leads back, but not in a cycle of %v", e, list)
			}
		}
	}
}

// TestDominators compares the result with the definition: a dominates b if b is unreachable without a.
func TestDominators(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var g graph.Graph
	var o graph.Order
	var d graph.Dominators
	for round := range 3000 {
		n := 1 + rng.IntN(14)
		numbered := round%2 == 0
		list := edges(rng, n, numbered)
		of(&g, n, list)
		if numbered {
			o.ByNumber(n)
		} else {
			o.Walk(&g)
		}
		d.Build(&g, &o)
		all := reached(n, list, []int{0}, nothing)
		for a := range n {
			seen := reached(n, list, []int{0}, func(b int) bool { return b == a })
			for b := range n {
				if want := all[a] && all[b] && !seen[b]; d.Dominates(a, b) != want {
					t.Fatalf("node %d dominates node %d: %t; edges %v", a, b, !want, list)
				}
			}
			if d.Reachable(a) != all[a] {
				t.Fatalf("node %d is reachable: %t; edges %v", a, !all[a], list)
			}
			idom := int(d.Idom(a))
			if (idom >= 0) != (all[a] && a != 0) {
				t.Fatalf("node %d has the immediate dominator %d; edges %v", a, idom, list)
			}
			for b := range n {
				if idom >= 0 && b != a && d.Dominates(b, a) && !d.Dominates(b, idom) {
					t.Fatalf("node %d dominates node %d, but not its immediate dominator %d; edges %v",
						b, a, idom, list)
				}
			}
		}
		for k, b := range d.Preorder {
			in, out := d.Interval(int(b))
			for i, x := range d.Preorder {
				if (int(in) <= i && i < int(out)) != d.Dominates(int(b), int(x)) {
					t.Fatalf("node %d dominates %d to %d of %v", b, in, out, d.Preorder)
				}
			}
			if k > 0 && d.Idom(int(b)) == d.Idom(int(d.Preorder[k-1])) && o.Place[b] > o.Place[d.Preorder[k-1]] {
				t.Fatalf("siblings %d and %d are not in the order %v", d.Preorder[k-1], b, o.Nodes)
			}
		}
	}
}

// TestLive compares the result with the definition: a variable is live where a use is reachable without passing a
// definition.
func TestLive(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var g graph.Graph
	var l graph.Live
	for range 2000 {
		n := 1 + rng.IntN(14)
		list := edges(rng, n, false)
		of(&g, n, list)
		defs, uses, first := make([]bool, n), []int(nil), 0
		if rng.IntN(3) == 0 {
			first = rng.IntN(n)
		}
		l.Start(n, int32(first))
		for b := range n {
			if rng.IntN(4) == 0 {
				uses = append(uses, b)
				l.Use(int32(b))
			}
			if rng.IntN(4) == 0 {
				defs[b] = true
				l.Define(int32(b))
				l.Use(int32(b)) // a use of the definition in the same node
			}
		}
		l.Solve(&g)
		early := func(b int) bool { return b < first }
		ends := func(b int) bool { return defs[b] || early(b) }
		in := make([]bool, n)
		for _, u := range uses {
			in[u] = in[u] || !early(u)
			for _, e := range list { // backward from the predecessors of the use
				if e[1] == u && !early(u) {
					for b, ok := range reached(n, backward(list), []int{e[0]}, ends) {
						in[b] = in[b] || ok
					}
				}
			}
		}
		for b := range n {
			out := slices.ContainsFunc(g.Succs(b), func(s int32) bool { return in[s] })
			x := int32(b)
			if l.In(x) != in[b] || slices.Contains(l.Ins, x) != in[b] || slices.Contains(l.Outs, x) != out {
				t.Fatalf("node %d: live at its start %t, at its end %t; uses %v, definitions %v, edges %v",
					b, in[b], out, uses, defs, list)
			}
		}
	}
}

// TestSolver computes, in both directions, the nodes from which each node is reachable, and compares them with a walk
// from each node.
func TestSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var g graph.Graph
	var s graph.Solver
	for round := range 2000 {
		n := 1 + rng.IntN(14)
		list := edges(rng, n, false)
		of(&g, n, list)
		dir, next, along := graph.Forward, g.Succs, list
		if round%2 == 1 {
			dir, next, along = graph.Backward, g.Preds, backward(list)
		}
		facts, visits := make([]uint64, n), 0
		s.Solve(n, dir, func(b int) {
			visits++
			out := facts[b] | 1<<b
			for _, t := range next(b) {
				if out&^facts[t] != 0 {
					facts[t] |= out
					s.Due(t)
				}
			}
		})
		for a := range n {
			for _, e := range along {
				if e[0] != a {
					continue
				}
				for b, ok := range reached(n, along, []int{e[1]}, nothing) {
					if ok && facts[b]>>a&1 == 0 {
						t.Fatalf("what node %d knows does not reach node %d along %v", a, b, along)
					}
				}
			}
			for b := range n {
				leads := func(e [2]int) bool { return e[0] == a && reached(n, along, []int{e[1]}, nothing)[b] }
				if facts[b]>>a&1 != 0 && !slices.ContainsFunc(along, leads) {
					t.Fatalf("what node %d knows reaches node %d, but not along %v", a, b, along)
				}
			}
		}
	}
}

// TestSolverVisits checks that each node is visited once if all edges lead in the direction of the visits.
func TestSolverVisits(t *testing.T) {
	var s graph.Solver
	for _, dir := range []graph.Direction{graph.Forward, graph.Backward} {
		const n = 200
		known, visits := make([]bool, n), 0
		s.Solve(n, dir, func(b int) {
			visits++
			to := b + 1
			if dir == graph.Backward {
				to = b - 1
			}
			if to >= 0 && to < n && !known[to] {
				known[to] = true
				s.Due(int32(to))
			}
		})
		if visits != n {
			t.Errorf("%d visits of %d nodes", visits, n)
		}
	}
}
