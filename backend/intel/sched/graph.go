// SPDX-License-Identifier: MIT

package sched

import (
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
)

// Units are the resources through which instructions depend on each other: general registers, GRF by GRF, and
// everything else that they read and write. Virtual registers come after the fixed units.
const (
	unitFlags    = mir.NumGRFs // f0 and f1
	unitAddress  = unitFlags + mir.ArchFlags
	unitImplicit = unitAddress + 1 // the members of mir.Implicit
	unitFlagUse  = unitImplicit + 16
	unitOther    = unitFlagUse + 1 // all other architecture registers
	fixedUnits   = unitOther + 1
)

// unitAcc is the accumulator, physical or virtual.
var unitAcc = unitImplicit + bits.TrailingZeros16(uint16(mir.ImplicitAcc))

// unit is the state of a unit at an instruction of a region.
type unit struct {
	region  int32 // region for which the state is valid
	writer  int32 // last node that wrote it, or -1 if none
	readers int32 // nodes that have read it since then: a list in Scheduler.uses
}

// use is an element of a list of nodes.
type use struct{ node, next int32 }

// node is an instruction of a region.
type node struct {
	id     mir.ID
	succ   int32 // edges to later nodes: a list in Scheduler.edges
	preds  int32 // number of edges from nodes that have not been placed
	ready  int32 // time when it can start, given the placed predecessors
	height int32 // time from its start to the end of the region
	cost   cost
}

// edge is a dependence of node to on the node that has the list: to starts at least wait cycles after it.
type edge struct{ to, wait, next int32 }

// span is a range of units: of a general register, or a single other unit.
type span struct {
	first, n int
	general  bool
}

// only returns the span of a single unit other than a general register.
func only(u int) span { return span{first: u, n: 1} }

// graph derives the edges between the nodes of the region.
func (s *Scheduler) graph() {
	s.edges, s.uses = append(s.edges[:0], edge{}), append(s.uses[:0], use{})
	s.region++
	// Members of mir.Implicit that are not written in the region are not tracked.
	var written mir.Implicit
	s.implicit = reuse.Slice(s.implicit, len(s.nodes))
	for k := range s.nodes {
		in := s.f.At(s.nodes[k].id)
		reads, writes := in.Implicit()
		// The flag and the accumulator have their own units.
		reads, writes = reads&^(mir.ImplicitFlag|mir.ImplicitMask), writes&^mir.ImplicitFlag
		s.implicit[k] = access{reads, writes}
		written |= writes
	}
	for k := range s.nodes {
		s.node(int32(k), written)
	}
	s.heights()
}

// access is the set of members of mir.Implicit that an instruction reads and writes.
type access struct{ reads, writes mir.Implicit }

// node adds the edges to a node from earlier ones.
func (s *Scheduler) node(k int32, written mir.Implicit) {
	in := s.f.At(s.nodes[k].id)
	others := false // has operands other than general registers
	for i := range in.Src {
		if in.Src[i].File == mir.None || in.Src[i].File == mir.Imm {
			continue
		}
		at := s.units(&in.Src[i], s.f.SrcBytes(in, i))
		s.read(k, at)
		others = others || !at.general
	}
	if in.ReadsFlag() {
		s.read(k, only(s.flagUnit(in.Flag)))
	}
	for set := s.implicit[k].reads & written; set != 0; set &= set - 1 {
		s.read(k, only(unitImplicit+bits.TrailingZeros16(uint16(set))))
	}
	dst := s.units(&in.Dst, s.f.DstBytes(in))
	if others || !dst.general || in.ReadsFlag() || in.WritesFlag() {
		s.flagLives(k, in)
	}
	if in.WritesFlag() {
		s.write(k, only(s.flagUnit(in.Flag)))
	}
	for set := s.implicit[k].writes; set != 0; set &= set - 1 {
		s.write(k, only(unitImplicit+bits.TrailingZeros16(uint16(set))))
	}
	s.write(k, dst)
}

// flagUnit returns the unit of a flag register.
func (s *Scheduler) flagUnit(x mir.Flag) int {
	if r := x.Reg(); r != 0 {
		return int(s.base[r])
	}
	return unitFlags + int(x/2)
}

// units returns the units that an operand of n bytes overlaps.
func (s *Scheduler) units(o *mir.Operand, n uint32) span {
	switch o.File {
	case mir.VReg:
		switch s.f.Reg(mir.Reg(o.Num)).Class {
		case mir.AddressClass:
			return only(unitAddress)
		case mir.AccumulatorClass:
			return only(unitAcc)
		case mir.FlagClass:
			return only(int(s.base[o.Num]))
		}
		return s.grfs(int(s.base[o.Num]), o.Off, n)
	case mir.GRF:
		return s.grfs(int(o.Num), o.Off, n)
	case mir.ARF:
		switch a, ok := o.Arch(); {
		case o.IsNull() || o.IsMode():
			return span{}
		case !ok:
			return only(unitOther)
		case a == mir.ArchA0:
			return only(unitAddress)
		case a == mir.ArchAcc:
			return only(unitAcc)
		default:
			return only(unitFlags + a)
		}
	}
	return span{}
}

// grfs returns the units of n bytes that start off bytes after a unit.
func (s *Scheduler) grfs(first int, off, n uint32) span {
	if n == 0 {
		return span{}
	}
	lo, hi := int(s.f.GRF.Of(off)), int(s.f.GRF.Of(off+n-1))
	return span{first + lo, hi - lo + 1, true}
}

// at returns the state of a unit.
func (s *Scheduler) at(u int) *unit {
	x := &s.state[u]
	if x.region != s.region {
		*x = unit{region: s.region, writer: -1}
	}
	return x
}

// read records that a node reads units.
func (s *Scheduler) read(k int32, at span) {
	last := int32(-1) // writer of the previous unit
	for u := at.first; u < at.first+at.n; u++ {
		x := s.at(u)
		if w := x.writer; w >= 0 && w != last {
			s.edge(w, k, s.result(w, at))
			last = w
		}
		if x.readers != 0 && s.uses[x.readers].node == k {
			continue
		}
		s.uses = append(s.uses, use{k, x.readers})
		x.readers = int32(len(s.uses) - 1)
	}
}

// result returns the time from the start of a node to the write of the units, or 0 for a unit for which only the order
// of accesses matters.
func (s *Scheduler) result(k int32, at span) int32 {
	c := &s.nodes[k].cost
	if at.general {
		return c.result
	}
	u := at.first
	if u >= unitImplicit && u < fixedUnits && u != unitAcc {
		return 0 // only the order matters
	}
	if in := s.f.At(s.nodes[k].id); in.WritesFlag() && s.flagUnit(in.Flag) == u {
		return c.flag
	}
	return c.result
}

// write records that a node writes units.
func (s *Scheduler) write(k int32, at span) {
	last := int32(-1) // writer of the previous unit
	for u := at.first; u < at.first+at.n; u++ {
		x := s.at(u)
		if w := x.writer; w >= 0 && w != k && w != last {
			wait := int32(0)
			if s.overlap(w, k) {
				wait = s.result(w, at)
			}
			s.edge(w, k, wait)
			last = w
		}
		for n := x.readers; n != 0; n = s.uses[n].next {
			if r := s.uses[n].node; r != k {
				s.edge(r, k, s.nodes[r].cost.read)
			}
		}
		x.writer, x.readers = k, 0
	}
}

// overlap reports whether the second of two nodes that write the same GRF has to wait for the result of the
// first. In-order instructions wait only if both write the same bytes.
func (s *Scheduler) overlap(i, k int32) bool {
	a, b := s.f.At(s.nodes[i].id), s.f.At(s.nodes[k].id)
	if a.IsSend() || a.Op == isa.OpMath {
		return true
	}
	return a.Dst.Off < b.Dst.Off+max(s.f.DstBytes(b), 1) && b.Dst.Off < a.Dst.Off+max(s.f.DstBytes(a), 1)
}

// edge adds an edge, or lengthens the existing one between the same nodes.
func (s *Scheduler) edge(from, to, wait int32) {
	x := &s.nodes[from]
	if n := x.succ; n != 0 && s.edges[n].to == to {
		s.edges[n].wait = max(s.edges[n].wait, wait)
		return
	}
	s.edges = append(s.edges, edge{to, wait, x.succ})
	x.succ = int32(len(s.edges) - 1)
	s.nodes[to].preds++
}

// heights computes the height of each node. The response of a message is assumed to be needed soon after the
// region. The region ends no earlier than each unit has served all messages that the region sends to it, so the
// first messages to a busy unit are ready early even if nothing waits for their results.
func (s *Scheduler) heights() {
	s.queue = [latency.NumUnits]int32{}
	for k := len(s.nodes) - 1; k >= 0; k-- {
		x := &s.nodes[k]
		x.height = x.cost.front
		if in := s.f.At(x.id); in.IsSend() {
			if in.Len[2] > 0 {
				x.height = x.cost.result
			} else {
				s.queue[x.cost.unit] += x.cost.busy
				x.height = max(x.height, s.queue[x.cost.unit])
			}
		}
		for n := x.succ; n != 0; n = s.edges[n].next {
			e := &s.edges[n]
			x.height = max(x.height, max(e.wait, x.cost.front)+s.nodes[e.to].height)
		}
	}
}
