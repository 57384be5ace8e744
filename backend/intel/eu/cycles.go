package eu

import "jacquard.example/generated/isa"

// The cycle estimate follows one thread that has an EU to itself: when each
// instruction is issued, when its unit is free again, and when what the
// scoreboard waits for is there. Waits are the program's own, so a wait too
// many costs what it would cost on hardware. Memory answers in the fixed times
// of the table; other threads, caches and barriers are left out. (Figures:
// the static model of Mesa's performance analysis for Gen12.)

// unit is what an instruction keeps busy.
type unit uint8

const (
	unitFPU unit = iota
	unitMath
	unitSampler
	unitData
	unitConstant
	unitRender
	unitURB
	unitPixel
	unitGateway
	numUnits
)

// cost is one instruction's figures in cycles.
type cost struct {
	unit   unit
	issue  uint16 // front end busy
	busy   uint16 // unit busy
	source uint16 // until the sources are read, from issue
	result uint16 // until the result is there
}

const (
	fpuLatency  = 10
	flagLatency = 14
)

// costOf gives the figures of an instruction. Sizes count registers.
func costOf(o *op, in *isa.Inst) cost {
	d := max(1, int(o.foot.dst.regs))
	x := max(1, int(o.n)*max(in.Dst.Type.Size(), 1)/grfSize)
	u := func(v int) uint16 { return uint16(v) }
	switch o.kind {
	case kindMath:
		if in.Math.IsInt() {
			return cost{unitMath, 2, 26, 0, 28}
		}
		return cost{unitMath, u(4*d - 2), u(4 * x), 0, 16}
	case kindFlow:
		return cost{unit: unitFPU, issue: 8}
	case kindSend:
		return sendCost(o)
	}
	return cost{unitFPU, u(2 * d), u(2 * x), 0, fpuLatency}
}

func sendCost(o *op) cost {
	s := o.send
	x := max(1, int(o.n)/8)
	u := func(v int) uint16 { return uint16(v) }
	switch s.sfid {
	case isa.SFIDSampler:
		return cost{unitSampler, 2, u(16 * x), u(8 + 2*int(s.msg.mlen)), u(750 + 2*int(s.msg.mlen))}
	case isa.SFIDDC1:
		if t := s.desc >> 14 & 0x1F; t == 2 || t == 3 || t == 0x1B || t == 0x12 || t == 0x13 || t == 0x1D || t == 0x1E {
			return cost{unitData, 2, u(30 + 400*x), 10, u(100 + 400*max(1, int(s.msg.rlen)))}
		}
		return cost{unitData, 2, u(20 * x), 10, 100}
	case isa.SFIDDC0:
		if o.isFence() {
			return cost{unitData, 2, 30, 10, 100}
		}
		return cost{unitData, 2, u(20 * x), 10, 100}
	case isa.SFIDDCRO:
		return cost{unitConstant, 2, u(16 * x), 10, 100}
	case isa.SFIDRC:
		return cost{unitRender, 2, u(450 * x), 10, 300}
	case isa.SFIDURB:
		return cost{unitURB, 2, u(6 * x), 32, 200}
	case isa.SFIDPixInterp:
		return cost{unitPixel, 2, 14, 0, 90}
	case isa.SFIDGateway:
		return cost{unitGateway, 90, 0, 0, 0}
	}
	return cost{unitGateway, 2, 0, 0, 0} // the end of a thread
}

// clock is one thread's time.
type clock struct {
	now    uint64
	free   [numUnits]uint64
	done   [historySize]uint64 // in-order instructions by sequence number
	tokDst [numTokens + 1]uint64
	tokSrc [numTokens + 1]uint64
	flags  uint64 // when the last flag write is there
}

// start is when an instruction is issued that waits until at and that its unit
// and its flag are ready for.
func (c *clock) start(o *op, at uint64) uint64 {
	if o.pred != isa.PredNone {
		at = max(at, c.flags)
	}
	k := &o.cost
	at = max(at, c.free[k.unit])
	c.now = at + uint64(k.issue)
	c.free[k.unit] = at + uint64(k.busy)
	if o.kind == kindALU && o.cmod != isa.CModNone && o.op != isa.OpSel && o.op != isa.OpCsel {
		c.flags = at + flagLatency
	}
	return at
}

// tick advances the clock by one instruction of a program that keeps the scoreboard.
func (t *Thread) tick(o *op) {
	h := t.track
	c := &t.clock
	at := c.now
	s := &o.sb
	if d := uint32(s.dist); d != 0 && h.prior >= d {
		at = max(at, c.done[(h.prior+1-d)%historySize])
	}
	if s.waitDst >= 0 {
		at = max(at, c.tokDst[s.waitDst])
	}
	if s.waitSrc >= 0 {
		at = max(at, c.tokSrc[s.waitSrc])
	}
	if s.alloc >= 0 {
		at = max(at, c.tokDst[s.alloc])
	}
	if o.kind == kindSync {
		if in := &t.prog.insts[o.idx]; in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr {
			for m := o.src[0].imm; m != 0; m &= m - 1 {
				if in.Sync == isa.SyncAllWr {
					at = max(at, c.tokDst[trailing(m)])
				} else {
					at = max(at, c.tokSrc[trailing(m)])
				}
			}
		}
	}
	at = c.start(o, at)
	k := &o.cost
	done := at + uint64(k.result)
	switch o.kind {
	case kindALU, kindNop, kindFlow:
		c.done[h.seq%historySize] = done
	case kindSend, kindMath:
		n := noToken
		if s.alloc >= 0 {
			n = int(s.alloc)
		}
		c.tokDst[n], c.tokSrc[n] = done, at+uint64(k.source)
	}
}
