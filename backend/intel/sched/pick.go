// SPDX-License-Identifier: MIT

package sched

import (
	mathbits "math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/bits"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/latency"
)

// window is the distance from the first unplaced node within which nodes may be picked, a multiple of 64.
const window = 256

// margin is the number of registers below the limit at which pressure begins to decide: about as many as the next
// instruction, and the instructions that it needs, may add.
const margin = 4

// patience is the number of cycles to wait for a node whose height exceeds that of nodes that can start earlier
// by at least slack, unless its unit is busy. Such a node leads to a message, and the others can start while
// the message is in flight. A single thread loses nothing by that; if many threads share an execution unit, the
// first messages are sent earlier. The values were found by experiment: 8 to 20 cycles and heights of 40 to 100
// differ by at most 1 % on the shaders of tests/judge.
const (
	patience = 16
	slack    = 40
)

// list places the nodes of the region.
func (s *Scheduler) list() {
	n := len(s.nodes)
	s.open = reuse.Zeroed(s.open, bits.Words(n+window))
	s.done = reuse.Zeroed(s.done, bits.Words(n+window))
	open, done := bits.Set(s.open), bits.Set(s.done)
	// The instruction that ends the block is placed last.
	last := n
	if s.ends {
		last--
	}
	for k := range last {
		if s.nodes[k].preds == 0 {
			open.Add(k)
		}
	}
	now, low := int32(0), 0
	s.free = [latency.NumUnits]int32{}
	for range last {
		for done.Has(low) {
			low++
		}
		k := 0
		if s.placed.now > s.tight {
			k = s.pickTight(low, now)
		} else {
			k = s.pick(low, now)
		}
		open.Remove(k)
		done.Add(k)
		x := &s.nodes[k]
		start := max(now, x.ready, s.free[x.cost.unit])
		s.free[x.cost.unit] = start + x.cost.busy
		now = start + x.cost.front
		for e := x.succ; e != 0; e = s.edges[e].next {
			y := &s.nodes[s.edges[e].to]
			y.ready = max(y.ready, start+s.edges[e].wait)
			if y.preds--; y.preds == 0 && int(s.edges[e].to) < last {
				open.Add(int(s.edges[e].to))
			}
		}
		s.place(x.id)
	}
	if s.ends {
		s.place(s.nodes[last].id)
	}
}

// place appends an instruction to the block.
func (s *Scheduler) place(i mir.ID) {
	s.order = append(s.order, i)
	s.track(&s.placed, s.f.At(i))
}

// pick selects the next node among the open nodes in the window that begins with node low: the node that can
// start first and, among nodes that can start now, the highest, unless a much higher one can start soon.
func (s *Scheduler) pick(low int, now int32) int {
	best, bestStart, bestHeight := -1, int32(0), int32(0)
	high, highStart, highHeight := -1, int32(0), int32(0)
	nodes, first := s.nodes, low/64
	for w, set := range s.inWindow(first) {
		for ; set != 0; set &= set - 1 {
			k := (first+w)*64 + mathbits.TrailingZeros64(set)
			x := &nodes[k]
			height, ready, free := x.height, max(x.ready, now), s.free[x.cost.unit]
			start := max(ready, free)
			if height > highHeight && free <= ready {
				high, highStart, highHeight = k, start, height
			}
			if best < 0 || start < bestStart || start == bestStart && height > bestHeight {
				best, bestStart, bestHeight = k, start, height
			}
		}
	}
	if highHeight >= bestHeight+slack && highStart <= bestStart+patience {
		return high
	}
	return best
}

// pickTight replaces pick under register pressure: it selects a node that needs no further registers, or else the first
// open node, by rank if the schedule is lean.
func (s *Scheduler) pickTight(low int, now int32) int {
	best, bestStart, bestGrowth := -1, int32(0), int32(0)
	first := low / 64
	for w, set := range s.inWindow(first) {
		for ; set != 0; set &= set - 1 {
			k := (first+w)*64 + mathbits.TrailingZeros64(set)
			x := &s.nodes[k]
			start := max(x.ready, s.free[x.cost.unit], now)
			g := s.growth(s.f.At(x.id))
			better := best < 0 || g < min(bestGrowth, 0) || g == bestGrowth && g <= 0 && start < bestStart
			if s.lean && best >= 0 && g >= 0 && bestGrowth >= 0 {
				better = s.rank[k] < s.rank[best]
			}
			if better {
				best, bestStart, bestGrowth = k, start, g
			}
		}
	}
	return best
}

// inWindow returns the words of the set of open nodes in the window that begins with word first.
func (s *Scheduler) inWindow(first int) []uint64 {
	return s.open[first:min(bits.Words(len(s.nodes)), first+window/64+1)]
}
