// SPDX-License-Identifier: MIT

package sched

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/latency"
)

// A Scheduler orders functions one after another and reuses its memory.
type Scheduler struct {
	f      *mir.Func
	costs  *latency.Costs
	limit  int32 // bytes of live registers up to which latency decides
	margin int32 // bytes below the limit at which pressure begins to decide
	tight  int32 // bytes above which pressure decides, in the current attempt
	lean   bool

	// State of the function.
	lives  []life
	bytes  []int32 // by block: live bytes at its start
	flags  []int32
	base   []int32 // by register: its first unit
	state  []unit
	region int32
	moved  []saved // blocks with a new order
	before []mir.ID

	// State of the block.
	block  int
	ids    []mir.ID // in source order
	order  []mir.ID // in scheduled order
	placed pressure // pressure of the order so far
	slots  flagSlots

	// State of the region.
	nodes    []node
	edges    []edge
	uses     []use
	implicit []access
	ends     bool                    // the last node ends the block
	free     [latency.NumUnits]int32 // by unit: when it can start another instruction
	queue    [latency.NumUnits]int32 // by unit: how long it is busy with the messages after a node
	open     []uint64
	done     []uint64
	rank     []int32 // by node: its place if every node is placed when another needs it
	from     []int32 // by node: index of its first predecessor in preds; one extra at the end
	preds    []int32
	stack    []int32
}

// saved is the source order of a block, as a range of Scheduler.before.
type saved struct {
	block    int32
	from, to int32
	most     int32 // bytes that are live at once in the new order
}

// Options describes the machine for which code is scheduled.
type Options struct {
	Costs *latency.Costs
	// Limit is the number of general registers up to which latency decides.
	Limit int
	// Lean orders instructions by demand above the limit, so that few registers are live.
	Lean bool
}

// Run orders the instructions of each block of f.
func (s *Scheduler) Run(f *mir.Func, o Options) {
	s.f, s.costs = f, o.Costs
	s.limit, s.margin, s.lean = s.registers(o.Limit), s.registers(margin), o.Lean
	s.moved, s.before = s.moved[:0], s.before[:0]
	s.findLives()
	s.base = reuse.Slice(s.base, len(f.Regs))
	n := int32(fixedUnits)
	for r := range f.Regs {
		s.base[r] = n
		n += int32(f.GRF.Count(f.Regs[r].Bytes))
	}
	s.state, s.region = reuse.Zeroed(s.state, int(n)), 0
	for b := range f.Blocks {
		s.run(b)
	}
}

// Restore returns the blocks in which at least a number of registers are live at once to the order that they had
// before Run. Since Run, only the order may have changed.
func (s *Scheduler) Restore(least int) {
	for _, m := range s.moved {
		if m.most >= s.registers(least) {
			s.f.Reorder(int(m.block), s.before[m.from:m.to])
		}
	}
}

// run orders a block.
func (s *Scheduler) run(b int) {
	f := s.f
	s.ids, s.block = s.ids[:0], b
	for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
		s.ids = append(s.ids, i)
	}
	if len(s.ids) < 3 {
		return
	}
	s.tight = s.limit - s.margin
	for range maxAttempts {
		s.attempt(b)
		excess := s.placed.most - s.limit
		if excess > 0 {
			excess = s.placed.most - max(s.limit, s.mostBefore())
		}
		if excess <= 0 {
			s.keep(b)
			return
		}
		s.tight -= excess + s.margin
	}
}

// maxAttempts limits the number of attempts to order a block. In each one, pressure decides earlier, by the
// excess of the last order over the limit.
const maxAttempts = 3

// attempt orders a block.
func (s *Scheduler) attempt(b int) {
	f := s.f
	s.order = s.order[:0]
	f.Work.Spend(4 * len(s.ids))
	s.count()
	s.placed.start(s.liveAtStart())
	s.slots.start(int(s.flags[b]))
	s.nodes = s.nodes[:0]
	for k, i := range s.ids {
		in := f.At(i)
		if !fixed(in) {
			s.add(i, in)
			continue
		}
		if k == len(s.ids)-1 {
			s.add(i, in)
			s.flush(true)
			break
		}
		s.flush(false)
		s.usedFlags(in)
		s.place(i)
	}
	s.flush(false)
}

// keep adopts the order found for a block.
func (s *Scheduler) keep(b int) {
	if slices.Equal(s.ids, s.order) {
		return
	}
	s.moved = append(s.moved, saved{int32(b), int32(len(s.before)), int32(len(s.before) + len(s.ids)), s.placed.most})
	s.before = append(s.before, s.ids...)
	s.f.Reorder(b, s.order)
}

// fixed reports whether an instruction must keep its place.
func fixed(in *mir.Inst) bool {
	return in.EndsBlock() || in.Switch || in.Steers()
}

// add adds an instruction to the region.
func (s *Scheduler) add(i mir.ID, in *mir.Inst) {
	s.nodes = append(s.nodes, node{})
	x := &s.nodes[len(s.nodes)-1]
	x.id = i
	x.cost.find(s.costs, s.f.GRF, in)
}

// flush orders the instructions of the region and begins the next one. ends reports whether the last
// instruction ends the block.
func (s *Scheduler) flush(ends bool) {
	if len(s.nodes) == 0 {
		return
	}
	s.ends = ends
	s.graph()
	s.f.Work.Spend(len(s.edges))
	if s.lean {
		s.demand()
	}
	s.list()
	s.nodes = s.nodes[:0]
}

// count counts the uses of the block's registers. The counters of remaining uses are zero before.
func (s *Scheduler) count() {
	f := s.f
	for _, i := range s.ids {
		in := f.At(i)
		for k := range in.Src {
			if r := in.Src[k].VReg(); r != 0 {
				s.counted(r)
			}
		}
		if r := in.Dst.VReg(); r != 0 {
			s.counted(r)
		}
		if r := in.Flag.Reg(); r != 0 && (in.ReadsFlag() || in.WritesFlag()) {
			s.counted(r)
		}
	}
}

// counted counts a use of a register.
func (s *Scheduler) counted(r mir.Reg) {
	l := &s.lives[r]
	n := l.left + 1
	l.left, l.uses, l.before = n, n, n
}

// mentioned lists the registers of an instruction, one for each use; 0 is none.
func mentioned(in *mir.Inst) (regs [5]mir.Reg) {
	for k := range in.Src {
		regs[k] = in.Src[k].VReg()
	}
	regs[3] = in.Dst.VReg()
	if in.ReadsFlag() || in.WritesFlag() {
		regs[4] = in.Flag.Reg()
	}
	return regs
}
