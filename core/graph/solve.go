// SPDX-License-Identifier: MIT

package graph

import (
	"jacquard.example/core/bits"
	"jacquard.example/core/reuse"
)

// Direction is the direction in which data flows.
type Direction bool

// The directions.
const (
	Forward  Direction = false
	Backward Direction = true
)

// A Solver iterates a data-flow problem to its fixed point. The caller keeps the facts.
type Solver struct {
	n   int
	dir Direction
	due bits.Set // by place in the order of visits
}

// Solve visits n nodes by ascending number, or by descending number if dir is Backward, and then visits the nodes that
// are due until none is. It needs few visits if most edges lead from a lower to a higher number. visit computes the
// facts that flow out of a node from the facts that flow in, and calls Due for each node whose facts have changed.
func (s *Solver) Solve(n int, dir Direction, visit func(b int)) {
	s.n, s.dir = n, dir
	s.due = reuse.Zeroed(s.due, bits.Words(n))
	s.due.AddRange(0, n)
	for at := s.due.Next(0); at >= 0; at = s.due.Next(0) {
		for ; at >= 0; at = s.due.Next(at + 1) {
			s.due.Remove(at)
			visit(s.place(at))
		}
	}
}

// Due requests another visit of a node.
func (s *Solver) Due(b int32) { s.due.Add(s.place(int(b))) }

// place converts a node to its place in the order of visits, and a place to its node.
func (s *Solver) place(b int) int {
	if s.dir == Backward {
		return s.n - 1 - b
	}
	return b
}
