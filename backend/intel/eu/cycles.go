package eu

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
)

// The cycle estimate models one thread that has an EU to itself: when each instruction is
// issued, when its unit is free again, and when the results that the scoreboard waits for
// are available. Waits are the program's own, so an unnecessary wait costs what it would
// cost on hardware. All times are figures of the target's table. Memory takes longer the
// more of it a message touches; caches are not modeled. Threads of a workgroup start
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
	done   [historySize]event // in-order instructions by sequence number
	tokDst [numTokens + 1]event
	tokSrc [numTokens + 1]event
	flags  event // when the last flag write completes
}

// event is something that a thread waits for.
type event struct {
	at  uint64
	why Wait // what the wait for it is counted as
}

// until waits for an event.
func (e *event) until(f event) {
	if f.at > e.at {
		*e = f
	}
}

// start returns when an instruction is issued that waits for an event and for its unit and
// its flag.
func (t *Thread) start(o *op, ready event) uint64 {
	c, k := &t.clock, &o.cost
	if o.pred != isa.PredNone {
		ready.until(c.flags)
	}
	ready.until(event{c.free[k.unit], waitOfUnit[k.unit]})
	at := ready.at
	if t.opts.Account != nil {
		t.issue(o, ready.why, at-c.now)
	}
	c.now = at + uint64(k.issue)
	c.free[k.unit] = at + uint64(k.busy)
	if o.kind == kindALU && o.cmod != isa.CModNone && o.op != isa.OpSel && o.op != isa.OpCsel {
		c.flags = event{at + uint64(k.flag), o.waitFor()}
	}
	return at
}

// tick advances the clock by one instruction of a program with a software scoreboard.
func (t *Thread) tick(o *op) {
	h := t.track
	c := &t.clock
	ready := event{at: c.now}
	s := &o.sb
	if d := uint32(s.dist); d != 0 && h.prior >= d {
		ready.until(c.done[(h.prior+1-d)%historySize])
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
	if o.kind == kindSync {
		if in := &t.prog.insts[o.idx]; in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr {
			for m := o.src[0].imm; m != 0; m &= m - 1 {
				if in.Sync == isa.SyncAllWr {
					ready.until(c.tokDst[trailing(m)])
				} else {
					ready.until(c.tokSrc[trailing(m)])
				}
			}
		}
	}
	at := t.start(o, ready)
	k := &o.cost
	done := event{at + uint64(k.result), o.waitFor()}
	switch o.kind {
	case kindALU, kindNop, kindFlow:
		c.done[h.seq%historySize] = done
	case kindSend, kindMath:
		n := o.token()
		c.tokDst[n], c.tokSrc[n] = done, event{at + uint64(k.source), done.why}
	}
}

// token returns the token under which an instruction runs out of order.
func (o *op) token() int {
	if o.sb.alloc >= 0 {
		return int(o.sb.alloc)
	}
	return noToken
}
