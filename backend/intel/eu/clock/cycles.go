// SPDX-License-Identifier: MIT

package clock

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
)

// CostOf returns the cost of an instruction of a program. Sizes are in registers.
func CostOf(p *thread.Program, o *thread.Op, in *isa.Inst) thread.Cost {
	c := &p.Machine.Costs[classOf(o, in)]
	dst := max(1, int(o.Foot.Dst.Regs))
	exec, src := max(1, int(o.N)*max(in.Dst.Type.Size(), 1)/p.GRF), 0
	if o.Kind == thread.KindSend {
		dst, src = max(1, int(o.Send.Msg.Rlen)), int(o.Send.Msg.Mlen)+int(o.Send.Msg.Exlen)
		exec = max(1, int(o.N)/8)
	}
	return thread.Cost{
		Unit: c.Unit, Issue: uint16(c.Front + c.FrontDst*dst), Busy: uint16(c.Busy + c.BusyExec*exec),
		Source: uint16(c.Read + c.ReadSrc*src), Result: uint16(c.Result + c.ResultDst*dst + c.ResultSrc*src), Flag: uint16(c.Flag),
	}
}

// classOf returns the class of an instruction.
func classOf(o *thread.Op, in *isa.Inst) latency.Class {
	switch o.Kind {
	case thread.KindMath:
		if in.Math.IsInt() {
			return latency.Divide
		}
		return latency.Math
	case thread.KindFlow:
		return latency.Branch
	case thread.KindSync, thread.KindWait:
		return latency.Sync
	case thread.KindSend:
		return ClassOfSend(o)
	}
	if in.Op == isa.OpPln {
		return latency.Plane
	}
	return latency.ALU
}

// ClassOfSend returns the latency class of a message.
func ClassOfSend(o *thread.Op) latency.Class {
	if thread.IsLoadStore(o.Send.Sfid) {
		switch op := o.Send.Desc & thread.LSCOpMask; {
		case op == thread.LSCFence:
			return latency.Fence
		case op >= thread.LSCFirstAtomic && op <= thread.LSCLastAtomic:
			return latency.Atomic
		}
		return latency.Data
	}
	switch o.Send.Sfid {
	case isa.SFIDSampler:
		return latency.Sampler
	case isa.SFIDDC1:
		if t := o.Send.Desc >> 14 & 0x1F; t == 2 || t == 3 || t == thread.Dc1TypedAtomic || t == 0x1B || t == 0x12 || t == 0x13 ||
			t == 0x1D || t == 0x1E {
			return latency.Atomic
		}
		return latency.Data
	case isa.SFIDDC0:
		if isFence(o) {
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

// Issued records when the results of an instruction issued at time at become available. counted reports whether
// @-distances count it.
func Issued(c *thread.Clock, o *thread.Op, f *thread.Footprint, at uint64, counted bool) {
	k := &o.Cost
	c.Now = at + uint64(k.Issue)
	if o.Kind == thread.KindALU && o.Cmod != isa.CModNone && o.Op != isa.OpSel && o.Op != isa.OpCsel {
		c.Flags = thread.Event{At: at + uint64(k.Flag), Why: waitFor(o)}
	}
	done := thread.Event{At: at + uint64(k.Result), Why: waitFor(o)}
	read := thread.Event{At: at + uint64(k.Source), Why: done.Why}
	switch {
	case c.Regs != nil:
		c.Regs.Issued(o, f, done, read)
	case counted:
		c.Completes(o, done)
	case o.Token:
		n := token(o)
		c.TokDst[n], c.TokSrc[n] = done, read
	}
}

// Later delays the response of an issued message, which writes n registers, by some cycles.
func Later(c *thread.Clock, o *thread.Op, n int, by uint64) {
	if c.Regs == nil {
		c.TokDst[token(o)].At += by
		return
	}
	for r := o.Send.Dst; o.Send.Dst >= 0 && r < o.Send.Dst+n; r++ {
		c.Regs.Written[r].At += by
	}
}

// tick issues an instruction once its operands and its unit are available: it advances the clock and records when the
// results are available.
func tick(t *thread.Thread, o *thread.Op, f *thread.Footprint) {
	c, k := &t.Clock, &o.Cost
	ready := c.Ready(t.Prog, o, f)
	ready.Until(thread.Event{At: c.Free[k.Unit], Why: WaitOfUnit[k.Unit]})
	if t.Opts.Account != nil {
		issue(t, o, f, ready.Why, ready.At-c.Now)
	}
	c.Free[k.Unit] = ready.At + uint64(k.Busy)
	Issued(c, o, f, ready.At, Counted(o, t.Track != nil && t.Track.Lenient))
}

// token returns the scoreboard token that an out-of-order instruction allocates, or NoToken if it allocates none.
func token(o *thread.Op) int {
	if o.Sb.Alloc >= 0 {
		return int(o.Sb.Alloc)
	}
	return thread.NoToken
}
