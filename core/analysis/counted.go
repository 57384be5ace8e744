package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
)

// A LoopCounter finds what is known of how often the loops of a function repeat.
type LoopCounter struct {
	Trips
	s    *ir.Shader
	each func(loop ir.Node, n trips.Count)
}

// Each calls f with what is known of each loop of a list of nodes and of those inside, inner
// loops first.
//
// A count is exact if nothing but exits that depend on constants leaves the loop: then every
// lane leaves it in the same iteration, and so do all threads, whatever else they compute. If
// there are other breaks, or invocations end inside, the known exits are an upper bound: lanes
// that leave earlier wait for the others, and the thread goes on when none is left. A loop that
// never repeats is counted as one, whoever leaves it.
func (c *LoopCounter) Each(s *ir.Shader, list ir.Node, f func(loop ir.Node, n trips.Count)) {
	c.s, c.each = s, f
	c.scan(list)
	c.s, c.each = nil, nil
}

// flow is where control goes from a list of nodes.
type flow struct {
	falls     bool // to what follows
	breaks    int  // jumps out of the innermost loop around the list
	continues int
	ends      bool // invocations end, or return from the function
}

func (a *flow) add(b flow) {
	a.breaks, a.continues, a.ends = a.breaks+b.breaks, a.continues+b.continues, a.ends || b.ends
}

// scan returns where control goes from a list, and reports the loops in it.
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

// maxLoopTrips bounds the iterations that are counted. More than maxExecuted are only if a
// counter shows that they need not be executed.
const maxLoopTrips = 1 << 30

// count returns what is known of a loop; body is where control goes from its body.
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
