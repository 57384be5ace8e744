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
	dist     distances
	dst, src uint16 // sets of tokens
	apart    uint16 // tokens of unmasked instructions
}

// Numbers of pipes of in-order instructions.
const (
	OnePipe    = 1
	ThreePipes = 3 // floats, integers, and long operations
	FourPipes  = 4 // and math, which has tokens on other machines
)

// An Inserter fills in the scoreboard of functions one after another and reuses its memory.
type Inserter struct {
	f     *mir.Func
	pipes int       // number of pipes of in-order instructions
	words bool      // bytes are written in words
	steps []step    // in code order
	start []int32   // by block: index of its first step; one extra at the end
	in    []state   // by block: state at its start
	past  []history // of the states, by block and pipe, then of s
	sets  []regSet  // of past
	known []bool    // by block: its state in in is set
	flow  []bool    // by block: a thread may have no lanes in it
	solve graph.Solver

	s      state
	at     access // of the current step
	same   int    // block at whose start the state is s, or -1
	nested bool   // a thread may have no lanes in the current block
	lanes  [numPipes]track

	taken tokens
}

// track holds the results of a block's in-order instructions of a pipe.
type track struct {
	first  uint32 // number of the block's first in-order instruction
	latest [mathHistorySize]result
	writes int // number of results recorded in the block
}

// result is the bytes that an in-order instruction of the block writes.
type result struct {
	part
	number uint32 // number of the instruction
}

// Machine has the properties of a machine's registers and instructions that waits depend on.
type Machine struct {
	Pipes int  // OnePipe, ThreePipes or FourPipes of in-order instructions
	Words bool // an instruction that writes a byte reads and writes its word
}

// Insert fills in the scoreboard of f, whose registers are allocated.
func (x *Inserter) Insert(f *mir.Func, on Machine) {
	x.f, x.pipes, x.words = f, on.Pipes, on.Words
	size := historySize
	if x.pipes == FourPipes {
		size = mathHistorySize
	}
	perState := uintptr(x.pipes) * (unsafe.Sizeof(history{}) + 2*uintptr(size)*unsafe.Sizeof(regSet{}))
	work.Sets(1, len(f.Blocks), int(unsafe.Sizeof(state{})+perState)*8)
	x.in = reuse.Slice(x.in, len(f.Blocks))
	x.past = reuse.Slice(x.past, (len(f.Blocks)+1)*x.pipes)
	x.sets = reuse.Slice(x.sets, 2*size*len(x.past))
	for k := range x.past {
		sets := x.sets[2*size*k:][:2*size]
		x.past[k] = history{wrote: sets[:size:size], used: sets[size:]}
	}
	for b := range x.in {
		x.in[b].inOrder = x.past[b*x.pipes:][:x.pipes]
	}
	x.s.inOrder = x.past[len(x.in)*x.pipes:]
	x.nest()
	x.list()
	x.taken = tokens{}
	x.known = reuse.Zeroed(x.known, len(f.Blocks))
	x.same = -1
	x.solve.Solve(len(f.Blocks), graph.Forward, func(b int) {
		if !x.known[b] {
			x.in[b].empty()
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
	x.nested = x.flow[b]
	for p := range x.pipes {
		x.lanes[p].first, x.lanes[p].writes = s.inOrder[p].now, 0
	}
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
			x.describe(st)
			st.wait = x.needs(st)
			s.written(st.wait.dst)
		default:
			x.step(x.start[b] + int32(k))
		}
	}
}

// step determines the waits of the instruction of step k and its outstanding operations.
func (x *Inserter) step(k int32) {
	s, st, a := &x.s, &x.steps[k], &x.at
	x.describe(st)
	st.wait = x.needs(st)
	if st.wait.dst|st.wait.src != 0 {
		x.waited(!a.noMask, st.wait.dst, st.wait.src)
	}
	switch st.kind {
	case inOrder:
		h := &s.inOrder[a.pipe]
		h.writes(&a.writes)
		h.uses(&a.uses)
		if a.dst.hi != 0 {
			l := &x.lanes[a.pipe]
			l.latest[l.writes%mathHistorySize] = result{a.dst, h.now}
			l.writes++
		}
		if x.pipes > 1 {
			sets, across := a.sets.regs(), a.across.regs()
			h.writes(&sets)
			h.uses(&across)
		}
	case outOfOrder:
		// Allocating a token waits for its previous user. If that was unmasked, other unmasked instructions do
		// not rely on this wait if it may be skipped.
		if !st.has {
			st.token, st.has = x.token(k, x.f.At(st.id)), true
		}
		tok := uint16(1) << st.token
		if !a.skippable || s.all&tok == 0 {
			x.waited(a.skippable, tok, 0)
		}
		if a.noMask {
			s.all |= tok
		}
		s.take(st.token, a)
	}
	if a.writesAcc {
		h := &s.inOrder[min(a.pipe, pipe(x.pipes-1))]
		h.writes(&accumulator)
		h.uses(&accumulator)
	}
	if a.counts {
		s.inOrder[a.pipe].next()
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

// written returns the distance of the last in-order instruction of a pipe that may write some bytes: an instruction of
// the block that writes them, or an earlier one that wrote one of their registers. The result is at most limit.
func (x *Inserter) written(of int, p part, limit uint32) uint32 {
	h, l := &x.s.inOrder[of], &x.lanes[of]
	for i := l.writes - 1; i >= 0 && i >= l.writes-mathHistorySize; i-- {
		w := &l.latest[i%mathHistorySize]
		if d := h.now - w.number; d >= limit {
			return limit
		} else if w.lo < p.hi && p.lo < w.hi {
			return d
		}
	}
	var regs regSet
	regs.addRange(p.regs(x.f.GRF))
	return h.lastWrite(&regs, h.now-l.first+1, limit)
}

// needs determines the waits of a step, whose accesses are in x.at.
func (x *Inserter) needs(st *step) wait {
	s := &x.s
	w := wait{apart: s.all}
	w.dst, w.src = s.awaited(&x.at)
	for p := range x.pipes {
		if dist := x.distance(p); dist < pipe(p).far() {
			w.dist[p] = uint8(min(dist, fields.MaxDist))
		}
	}
	if st.afterMode { // iga64 -Xauto-deps waits in this way
		for p := range x.pipes {
			w.dist[p] = 1
		}
	}
	return w
}

// distance returns the distance of the last instruction of a pipe that the current step waits for.
func (x *Inserter) distance(of int) uint32 {
	h, a, dist := &x.s.inOrder[of], &x.at, pipe(of).far()
	if h.recent.meets(&a.uses) {
		dist = h.lastWrite(&a.whole, 1, dist)
		for _, p := range a.parts[:a.n] { // the last write may have been to other bytes
			dist = x.written(of, p, dist)
		}
		if a.dst.hi != 0 && h.recent.meets(&a.writes) {
			dist = x.written(of, a.dst, dist)
		}
	}
	if pipe(of) != a.pipe {
		dist = h.lastUse(&a.writes, dist)
		if x.pipes > 1 {
			sets, across := a.sets.regs(), a.across.regs()
			dist = h.lastWrite(&across, 1, dist)
			dist = h.lastUse(&sets, dist)
		}
	}
	return dist
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
	dist, joins := w.dist, x.joins(&w.dist, in)
	before := fields.SWSBNone // a wait that does not fit
	switch {
	case st.kind == outOfOrder:
		own = fields.SWSBSet(int(st.token))
		if joins {
			own |= x.withToken(&dist, in)
		} else {
			before = x.field(&dist)
		}
		// The instruction waits implicitly for the token that it allocates.
	case st.kind == last:
		own = x.field(&dist)
	default:
		if m := w.dst &^ apart; m != 0 && (joins || st.kind == waitsOperand) {
			t := mathbits.TrailingZeros16(m)
			w.dst &^= 1 << t
			own = fields.SWSBDst(t)
			if joins {
				own |= x.withToken(&dist, in)
			} else {
				before = x.field(&dist)
			}
		} else if m := w.src &^ apart; m != 0 && !dist.any() {
			t := mathbits.TrailingZeros16(m)
			w.src &^= 1 << t
			own = fields.SWSBSrc(t)
		} else {
			own = x.field(&dist)
		}
	}
	in.SWSB = own
	if st.kind == waitsOperand { // its own field now has the wait
		in.Src[0] = mir.Null(isa.TypeUD)
	}
	if before != fields.SWSBNone {
		x.nop(i, before)
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
