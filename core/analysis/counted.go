// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
)

// A LoopCounter counts the iterations of a function's loops.
type LoopCounter struct {
	Trips
	s    *ir.Shader
	each func(loop ir.Node, n trips.Count)
}

// Each calls f with the trip count of every loop in a list of nodes, inner loops first.
//
// A count is exact if all exits of the loop depend on constants: then all lanes of all threads leave it in the same
// iteration. If there are other breaks, or invocations end inside, the known exits give an upper bound: lanes that
// leave earlier wait for the others. A loop that never repeats has one iteration, whatever its exits.
func (c *LoopCounter) Each(s *ir.Shader, list ir.Node, f func(loop ir.Node, n trips.Count)) {
	c.s, c.each = s, f
	c.scan(list)
	c.s, c.each = nil, nil
}

// flow describes the destinations of control from a list of nodes.
type flow struct {
	falls     bool // control reaches the node after the list
	breaks    int  // breaks from the loop around the list
	continues int
	ends      bool // invocations end or return
}

func (a *flow) add(b flow) {
	a.breaks, a.continues, a.ends = a.breaks+b.breaks, a.continues+b.continues, a.ends || b.ends
}

// scan returns the flow of a list, and calls each for the loops in it.
func (c *LoopCounter) scan(first ir.Node) flow {
	s := c.s
	out := flow{falls: true}
	for n := first; n != 0; n = s.NextNode(n) {
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			j := s.Jump(n)
			if j == 0 {
				continue
			}
			out.falls = false
			switch kind.JumpKind(s.At(j).Op) {
			case kind.JumpBreak:
				out.breaks++
			case kind.JumpContinue:
				out.continues++
			default:
				out.ends = true
			}
		case ir.NodeIf:
			then, els := c.scan(s.Then(n)), c.scan(s.Else(n))
			out.add(then)
			out.add(els)
			out.falls = out.falls && (then.falls || els.falls)
		case ir.NodeLoop:
			body := c.scan(s.Body(n))
			c.each(n, c.count(n, &body))
			out.ends = out.ends || body.ends
			out.falls = out.falls && body.breaks > 0
		}
	}
	return out
}

// maxLoopTrips is the largest count. Counts above maxExecuted are found only for loops whose iterations can be skipped.
const maxLoopTrips = 1 << 30

// count returns the trip count of a loop whose body has the given flow.
func (c *LoopCounter) count(loop ir.Node, body *flow) trips.Count {
	s := c.s
	if j := s.Jump(s.BodyEnd(loop)); j != 0 && kind.JumpKind(s.At(j).Op) == kind.JumpContinue {
		body.continues--
		body.falls = true
	}
	switch {
	case !body.falls && body.continues == 0:
		return trips.Exactly(1)
	case body.continues > 0: // it may skip a known exit
		return trips.Unknown
	case body.breaks == 0 || !c.Count(s, loop, maxLoopTrips):
		return trips.Unknown
	case body.breaks > len(c.Exits) || body.ends:
		return trips.AtMost(c.Entries)
	}
	return trips.Exactly(c.Entries)
}
