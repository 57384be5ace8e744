package eu

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
)

// The cycle estimate models one thread that has an EU to itself: when each instruction issues, when its unit is
// free again, and when the results that the scoreboard waits for are available. The waits are those encoded in
// the program, so an unnecessary wait costs as much as on hardware. All times come from the target's table. A
// message takes longer the more memory it touches; caches are not modeled. The threads of a workgroup start
// together and leave a barrier together.

// cost is the timing of one instruction in cycles.
type cost struct {
	unit   latency.Unit
	issue  uint16 // front end busy
	busy   uint16 // unit busy
	source uint16 // until the sources are read, from issue
	result uint16 // until the result is available
	flag   uint16 // until the flag is available
}

// costOf returns the cost of an instruction. Sizes are in registers.
func costOf(costs *latency.Costs, o *op, in *isa.Inst) cost {
	c := &costs[classOf(o, in)]
	dst := max(1, int(o.foot.dst.regs))
	exec, src := max(1, int(o.n)*max(in.Dst.Type.Size(), 1)/grfSize), 0
	if o.kind == kindSend {
		dst, src = max(1, int(o.send.msg.rlen)), int(o.send.msg.mlen)+int(o.send.msg.exlen)
		exec = max(1, int(o.n)/8)
	}
	return cost{
		unit: c.Unit, issue: uint16(c.Front + c.FrontDst*dst), busy: uint16(c.Busy + c.BusyExec*exec),
		source: uint16(c.Read + c.ReadSrc*src), result: uint16(c.Result + c.ResultDst*dst + c.ResultSrc*src), flag: uint16(c.Flag),
	}
}

// classOf returns the class of an instruction.
func classOf(o *op, in *isa.Inst) latency.Class {
	switch o.kind {
	case kindMath:
		if in.Math.IsInt() {
			return latency.Divide
		}
		return latency.Math
	case kindFlow:
		return latency.Branch
	case kindSync, kindWait:
		return latency.Sync
	case kindSend:
		return classOfSend(o)
	}
	return latency.ALU
}

func classOfSend(o *op) latency.Class {
	switch o.send.sfid {
	case isa.SFIDSampler:
		return latency.Sampler
	case isa.SFIDDC1:
		if t := o.send.desc >> 14 & 0x1F; t == 2 || t == 3 || t == dc1TypedAtomic || t == 0x1B || t == 0x12 || t == 0x13 || t == 0x1D || t == 0x1E {
			return latency.Atomic
		}
		return latency.Data
	case isa.SFIDDC0:
		if o.isFence() {
			return latency.Fence
		}
		return latency.Data
	case isa.SFIDDCRO:
		return latency.Constant
	case isa.SFIDRC:
		return latency.Render
	case isa.SFIDURB:
		return latency.Urb
	case isa.SFIDPixInterp:
		return latency.Interpolator
	case isa.SFIDGateway:
		return latency.Gateway
	}
	return latency.End
}

// clock is one thread's time.
type clock struct {
	now    uint64
	free   [latency.NumUnits]uint64
	seq    uint32             // in-order instructions that distances count
	done   [historySize]event // of them, by their number
	tokDst [numTokens + 1]event
	tokSrc [numTokens + 1]event
	flags  event          // when the last flag write completes
	regs   *registerTimes // with a hardware scoreboard, else nil
}

// registerTimes records when a hardware scoreboard lets instructions use each register.
type registerTimes struct {
	written [numTracked]event // when the write of the register completes
	read    [numTracked]event
}

// event is the completion of an operation that a thread may wait for.
type event struct {
	at  uint64
	why Wait // class of the cycles spent waiting for it
}

// until moves e to f if f is later.
func (e *event) until(f event) {
	if f.at > e.at {
		*e = f
	}
}

// ready returns the time at which the instruction can issue, except for waiting for its unit. f is its
// footprint.
func (c *clock) ready(p *Program, o *op, f *footprint) event {
	ready := event{at: c.now}
	if o.pred != isa.PredNone {
		ready.until(c.flags)
	}
	if c.regs != nil {
		c.regs.ready(o, f, &ready)
		return ready
	}
	s := &o.sb
	if d := uint32(s.dist); d != 0 && c.seq >= d {
		ready.until(c.done[(c.seq+1-d)%historySize])
	}
	if s.waitDst >= 0 {
		ready.until(c.tokDst[s.waitDst])
	}
	if s.waitSrc >= 0 {
		ready.until(c.tokSrc[s.waitSrc])
	}
	if s.alloc >= 0 {
		ready.until(c.tokDst[s.alloc])
	}
	if o.kind != kindSync {
		return ready
	}
	if in := &p.insts[o.idx]; in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr {
		for m := o.src[0].imm; m != 0; m &= m - 1 {
			if in.Sync == isa.SyncAllWr {
				ready.until(c.tokDst[trailing(m)])
			} else {
				ready.until(c.tokSrc[trailing(m)])
			}
		}
	}
	return ready
}

// ready adds the waits for the registers that an instruction uses.
func (r *registerTimes) ready(o *op, f *footprint, ready *event) {
	for k := 0; k < int(f.nsrc); k++ {
		r.readyIn(f.src[k], false, ready)
	}
	if f.readsA0 {
		ready.until(r.written[a0Reg])
	}
	if !o.noDDChk {
		r.readyIn(f.dst, true, ready)
		r.readyIn(f.dst2, true, ready)
	}
}

// readyIn waits for the writers of a span of registers and, if the span is overwritten, also for its readers.
func (r *registerTimes) readyIn(s span, overwrite bool, ready *event) {
	for i := int(s.reg); i < min(int(s.reg)+int(s.regs), numTracked); i++ {
		ready.until(r.written[i])
		if overwrite {
			ready.until(r.read[i])
		}
	}
}

// issued records when the results of an instruction issued at time at become available. counted reports whether
// @-distances count it.
func (c *clock) issued(o *op, f *footprint, at uint64, counted bool) {
	k := &o.cost
	c.now = at + uint64(k.issue)
	if o.kind == kindALU && o.cmod != isa.CModNone && o.op != isa.OpSel && o.op != isa.OpCsel {
		c.flags = event{at + uint64(k.flag), o.waitFor()}
	}
	done := event{at + uint64(k.result), o.waitFor()}
	read := event{at + uint64(k.source), done.why}
	switch {
	case c.regs != nil:
		c.regs.issued(o, f, done, read)
	case counted:
		c.seq++
		c.done[c.seq%historySize] = done
	case o.kind == kindSend || o.kind == kindMath:
		n := o.token()
		c.tokDst[n], c.tokSrc[n] = done, read
	}
}

// issued records when the registers of an issued instruction can be used again. Only messages read their
// sources late.
func (r *registerTimes) issued(o *op, f *footprint, done, read event) {
	for _, s := range [2]span{f.dst, f.dst2} {
		for i := int(s.reg); i < min(int(s.reg)+int(s.regs), numTracked); i++ {
			r.written[i] = done
		}
	}
	if o.kind != kindSend {
		return
	}
	for k := 0; k < int(f.nsrc); k++ {
		s := f.src[k]
		for i := int(s.reg); i < min(int(s.reg)+int(s.regs), numTracked); i++ {
			r.read[i] = read
		}
	}
}

// skip counts an instruction that does not execute.
func (c *clock) skip() {
	c.seq++
	c.done[c.seq%historySize] = event{}
}

// later delays the response of an issued message, which writes n registers, by some cycles.
func (c *clock) later(o *op, n int, by uint64) {
	if c.regs == nil {
		c.tokDst[o.token()].at += by
		return
	}
	for r := o.send.dst; o.send.dst >= 0 && r < o.send.dst+n; r++ {
		c.regs.written[r].at += by
	}
}

// stamp returns the time stamp: the cycles of the thread, or its instructions if cycles are not counted, plus
// the time at which the dispatch started.
func (t *Thread) stamp() uint64 {
	if t.board == nil && t.opts.Account == nil {
		return t.opts.Clock + t.steps
	}
	return t.opts.Clock + t.clock.now
}

// tick advances the clock by one instruction, whose waits are encoded in the program.
func (t *Thread) tick(o *op, f *footprint) {
	c, k := &t.clock, &o.cost
	ready := c.ready(t.prog, o, f)
	ready.until(event{c.free[k.unit], waitOfUnit[k.unit]})
	if t.opts.Account != nil {
		t.issue(o, f, ready.why, ready.at-c.now)
	}
	c.free[k.unit] = ready.at + uint64(k.busy)
	c.issued(o, f, ready.at, o.counted(t.track != nil && t.track.lenient))
}

// token returns the scoreboard token of an out-of-order instruction.
func (o *op) token() int {
	if o.sb.alloc >= 0 {
		return int(o.sb.alloc)
	}
	return noToken
}
