package sched

import (
	"slices"

	"jacquard.example/core/reuse"
)

// Lean selects the order of instructions where pressure decides. Except in source order, each node comes just before the
// first node that waits for it, after its own predecessors.
type Lean uint8

const (
	NotLean Lean = iota // source order
	ByChain             // of the predecessors of a node, the last one in the source first: usually a sum, which grows by the others
	ByNeed              // the predecessor that needs the most registers first (Sethi and Ullman)
)

// demand ranks the nodes of the region by demand; the nodes that nothing in the region waits for keep source order. Such
// an order needs few registers, and hides no latency.
func (s *Scheduler) demand() {
	n := len(s.nodes)
	s.predecessors()
	if s.lean == ByNeed {
		s.needs()
	}
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

// need is the number of bytes of registers that a node needs, with all that it waits for.
type need struct {
	result int32 // of its result
	more   int32 // in addition, before its result is there
}

// needs sorts the predecessors of each node by their needs.
func (s *Scheduler) needs() {
	s.need = reuse.Slice(s.need, len(s.nodes))
	for k := range s.nodes {
		preds := s.preds[s.from[k]:s.from[k+1]]
		slices.SortStableFunc(preds, func(a, b int32) int { return int(s.need[b].more - s.need[a].more) })
		held, most := int32(0), int32(0)
		for _, p := range preds {
			most = max(most, held+s.need[p].result+s.need[p].more)
			held += s.need[p].result
		}
		x := &s.need[k]
		*x = need{}
		if r := s.f.At(s.nodes[k].id).Dst.VReg(); r != 0 && s.lives[r].birth == int32(2*s.block+1) {
			x.result = s.lives[r].bytes
			most = max(most, x.result+s.lives[r].unread)
		}
		x.more = most - x.result
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
