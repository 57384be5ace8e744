// SPDX-License-Identifier: MIT

package swsb

import (
	mathbits "math/bits"
	"unsafe"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// wait describes the waits that an instruction needs.
type wait struct {
	dist     int32  // 0 if none
	dst, src uint16 // sets of tokens
	apart    uint16 // tokens of unmasked instructions
}

// An Inserter fills in the scoreboard of functions one after another and reuses its memory.
type Inserter struct {
	f     *mir.Func
	steps []step  // in code order
	parts []part  // partial sources of steps
	start []int32 // by block: index of its first step; one extra at the end
	in    []state // by block: state at its start
	known []bool  // by block: its state in in is set
	flow  []bool  // by block: a thread may have no lanes in it
	solve graph.Solver

	s      state
	same   int    // block at whose start the state is s, or -1
	nested bool   // a thread may have no lanes in the current block
	first  uint32 // number of the block's first in-order instruction
	latest [historySize]result
	writes int // number of results recorded in the block

	taken tokens
}

// result is the bytes that an in-order instruction of the block writes.
type result struct {
	part
	number uint32 // number of the instruction
}

// Insert fills in the scoreboard of f, whose registers are allocated.
func (x *Inserter) Insert(f *mir.Func) {
	x.f = f
	work.Sets(1, len(f.Blocks), int(unsafe.Sizeof(state{}))*8)
	x.in = reuse.Slice(x.in, len(f.Blocks))
	x.nest()
	x.list()
	x.taken = tokens{}
	x.known = reuse.Zeroed(x.known, len(f.Blocks))
	x.same = -1
	x.solve.Solve(len(f.Blocks), graph.Forward, func(b int) {
		if !x.known[b] {
			x.in[b].set(&empty)
			x.known[b] = true
		}
		x.block(b)
		for _, t := range f.Thread.Succs(b) {
			if !x.known[t] { // t is on the worklist anyway, and comes later
				x.in[t].set(&x.s)
				x.known[t], x.same = true, int(t)
			} else if x.in[t].join(&x.s) {
				x.solve.Due(t)
			}
		}
	})
	for k := range x.steps {
		x.place(&x.steps[k])
	}
}

// nest finds the blocks in which a thread may have no lanes: blocks in an if or loop, and blocks from a halt to the
// block at which halted lanes resume.
func (x *Inserter) nest() {
	f := x.f
	x.flow = reuse.Slice(x.flow, len(f.Blocks))
	halted := false
	for b, blk := range f.Blocks {
		x.flow[b] = blk.In != 0 || halted && b < int(f.Resume)
		halted = halted || f.At(blk.Last).Op == isa.OpHalt
	}
}

// Steps of work per block and per instruction. Blocks may be visited repeatedly until nothing changes.
const blockSteps, instSteps = 256, 32

// block determines the waits of a block, given the state at its start.
func (x *Inserter) block(b int) {
	s := &x.s
	if x.same != b {
		s.set(&x.in[b])
	}
	x.same = -1
	x.first, x.writes, x.nested = s.inOrder.now, 0, x.flow[b]
	steps := x.steps[x.start[b]:x.start[b+1]]
	x.f.Work.Spend(blockSteps + instSteps*len(steps))
	for k := range steps {
		st := &steps[k]
		switch st.kind {
		case waitsWritten:
			s.written(0xFFFF)
		case waitsConsumed:
			s.consumed(0xFFFF)
		case waitsOperand:
			st.wait = x.needs(st)
			s.written(st.wait.dst)
		default:
			x.step(x.start[b] + int32(k))
		}
	}
}

// step determines the waits of the instruction of step k and its outstanding operations.
func (x *Inserter) step(k int32) {
	s, st := &x.s, &x.steps[k]
	st.wait = x.needs(st)
	if st.wait.dst|st.wait.src != 0 {
		x.waited(!st.noMask, st.wait.dst, st.wait.src)
	}
	h := &s.inOrder
	switch st.kind {
	case inOrder:
		h.writes(&st.writes)
		h.uses(&st.uses)
		if st.dst.hi != 0 {
			x.latest[x.writes%historySize] = result{st.dst, h.now}
			x.writes++
		}
	case outOfOrder:
		// Allocating a token waits for its previous user. If that was unmasked, other unmasked instructions do
		// not rely on this wait if it may be skipped.
		if !st.has {
			st.token, st.has = x.token(k, x.f.At(st.id)), true
		}
		tok := uint16(1) << st.token
		if !st.skippable || s.all&tok == 0 {
			x.waited(st.skippable, tok, 0)
		}
		if st.noMask {
			s.all |= tok
		}
		s.take(st)
	}
	if st.writesAcc {
		h.writes(&accumulator)
		h.uses(&accumulator)
	}
	if st.counts {
		h.next()
	}
}

// waited records the tokens that an instruction has waited for. skip tells whether a thread without lanes may
// skip the instruction.
func (x *Inserter) waited(skip bool, dst, src uint16) {
	if !skip || !x.nested {
		x.s.written(dst)
		x.s.consumed(src)
	} else {
		x.s.skipped(dst, src)
	}
}

// written returns the distance of the last in-order instruction that may write some bytes: an instruction of
// the block that writes them, or an earlier one that wrote one of their registers. The result is at most limit.
func (x *Inserter) written(p part, limit uint32) uint32 {
	h := &x.s.inOrder
	for i := x.writes - 1; i >= 0 && i >= x.writes-historySize; i-- {
		w := &x.latest[i%historySize]
		if d := h.now - w.number; d >= limit {
			return limit
		} else if w.lo < p.hi && p.lo < w.hi {
			return d
		}
	}
	var regs regSet
	regs.addRange(p.regs())
	return h.lastWrite(&regs, h.now-x.first+1, limit)
}

// needs determines the waits of an instruction.
func (x *Inserter) needs(st *step) wait {
	s := &x.s
	h, dist := &s.inOrder, far
	if h.recent.meets(&st.uses) {
		dist = h.lastWrite(&st.whole, 1, far)
		for _, p := range x.parts[st.first:][:st.parts] { // the last write may have been to other bytes
			dist = x.written(p, dist)
		}
		if st.dst.hi != 0 && h.recent.meets(&st.writes) {
			dist = x.written(st.dst, dist)
		}
	}
	if st.kind == outOfOrder || st.kind == last {
		dist = h.lastUse(&st.writes, dist)
	}
	w := wait{apart: s.all}
	w.dst, w.src = s.awaited(st)
	if dist < far {
		w.dist = int32(min(dist, fields.MaxDist))
	}
	return w
}

// place writes the waits of a step into its instruction, and inserts a sync.nop for each wait that the field
// cannot encode. Waits for tokens of unmasked instructions must be unmasked: a masked instruction may be
// skipped while unmasked ones execute (Wa_1407528679).
func (x *Inserter) place(st *step) {
	if st.kind == waitsWritten || st.kind == waitsConsumed {
		return
	}
	i, w := st.id, st.wait
	in := x.f.At(i)
	var own fields.SWSB
	apart := uint16(0)
	if !in.NoMask {
		apart = w.apart
	}
	dist := w.dist
	switch {
	case st.kind == outOfOrder:
		own = fields.SWSBSet(int(st.token))
		if dist != 0 {
			own = fields.SWSBDistSet(int(dist), int(st.token))
		}
		// The instruction waits implicitly for the token that it allocates.
	case st.kind == last:
		if dist != 0 {
			own = fields.SWSBDist(int(dist))
		}
	default:
		if m := w.dst &^ apart; m != 0 {
			t := mathbits.TrailingZeros16(m)
			w.dst &^= 1 << t
			own = fields.SWSBDst(t)
			if dist != 0 {
				own = fields.SWSBDistDst(int(dist), t)
			}
		} else if m := w.src &^ apart; m != 0 && dist == 0 {
			t := mathbits.TrailingZeros16(m)
			w.src &^= 1 << t
			own = fields.SWSBSrc(t)
		} else if dist != 0 {
			own = fields.SWSBDist(int(dist))
		}
	}
	in.SWSB = own
	if st.kind == waitsOperand { // its own field now has the wait
		in.Src[0] = mir.Null(isa.TypeUD)
	}
	for m := w.dst; m != 0; m &= m - 1 {
		x.nop(i, fields.SWSBDst(mathbits.TrailingZeros16(m)))
	}
	for m := w.src; m != 0; m &= m - 1 {
		x.nop(i, fields.SWSBSrc(mathbits.TrailingZeros16(m)))
	}
}

func (x *Inserter) nop(i mir.ID, s fields.SWSB) {
	x.f.Before(i, mir.Inst{
		Op: isa.OpSync, Sync: isa.SyncNop, Exec: 1, NoMask: true, SideEff: true, SWSB: s, Loc: x.f.At(i).Loc,
		Src: [3]mir.Operand{mir.Null(isa.TypeUD)},
	})
}
