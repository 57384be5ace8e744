// SPDX-License-Identifier: MIT

package sched

import "jacquard.example/core/reuse"

// demand ranks the nodes of the region by demand: a node comes just before the first node that waits for it, after its own
// predecessors, of which the last one in the source is first: usually a sum, to which the others are added in turn.
// Nodes that nothing in the region waits for keep source order. Such an order needs few registers, and hides no latency.
func (s *Scheduler) demand() {
	n := len(s.nodes)
	s.predecessors()
	s.rank, s.stack = reuse.Zeroed(s.rank, n), s.stack[:0]
	next := int32(1)
	for k := range s.nodes {
		if s.nodes[k].succ != 0 {
			continue
		}
		for s.stack = append(s.stack, int32(k)); len(s.stack) > 0; {
			top := s.stack[len(s.stack)-1]
			if at := s.from[top]; at < s.from[top+1] {
				s.from[top]++
				if p := s.preds[at]; s.rank[p] == 0 {
					s.stack = append(s.stack, p)
				}
				continue
			}
			s.stack = s.stack[:len(s.stack)-1]
			if s.rank[top] == 0 {
				s.rank[top] = next
				next++
			}
		}
	}
}

// predecessors lists the nodes that each node waits for, the last one first.
func (s *Scheduler) predecessors() {
	s.from, s.preds = reuse.Zeroed(s.from, len(s.nodes)+1), reuse.Slice(s.preds, len(s.edges))
	for k := range s.nodes {
		for e := s.nodes[k].succ; e != 0; e = s.edges[e].next {
			s.from[s.edges[e].to]++
		}
	}
	sum := int32(0)
	for k := range s.from {
		sum += s.from[k]
		s.from[k] = sum
	}
	for k := range s.nodes {
		for e := s.nodes[k].succ; e != 0; e = s.edges[e].next {
			to := s.edges[e].to
			s.from[to]--
			s.preds[s.from[to]] = int32(k)
		}
	}
}
