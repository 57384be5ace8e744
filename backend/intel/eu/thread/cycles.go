// SPDX-License-Identifier: MIT

package thread

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
)

// The cycle estimate models one thread that has an EU to itself: when each instruction issues, when its unit is
// free again, and when the results that the scoreboard waits for are available. If programs maintain the scoreboard, the
// waits are the encoded ones, so an unnecessary wait costs as much as on hardware. All times come from the target's
// table. A message takes longer the more memory it touches; caches are not modeled. The threads of a workgroup start
// together and leave a barrier together.

// Cost is the timing of one instruction in cycles.
type Cost struct {
	Unit   latency.Unit
	Issue  uint16 // front end busy
	Busy   uint16 // unit busy
	Source uint16 // cycles from issue until the sources are read
	Result uint16 // cycles from issue until the result is available
	Flag   uint16 // cycles from issue until the flag is available
}

// latest is the number of in-order instructions of a pipe that a distance can name, rounded up to a power of two.
const latest = 8

// Clock is one thread's time.
type Clock struct {
	Now    uint64
	Free   [latency.NumUnits]uint64
	Seq    [NumPipes]uint32        // in-order instructions that distances count
	Done   [NumPipes][latest]Event // completion of the latest of them, by number modulo latest
	TokDst [numTokens + 1]Event
	TokSrc [numTokens + 1]Event
	Flags  Event          // completion of the last flag write
	Regs   *RegisterTimes // set with a hardware scoreboard, else nil
}

// RegisterTimes records when a hardware scoreboard lets instructions use each register.
type RegisterTimes struct {
	Written [NumTracked]Event // completion of the register's last write
	read    [NumTracked]Event
}

// Event is the completion of an operation that a thread may wait for.
type Event struct {
	At  uint64
	Why Wait // class of the cycles spent waiting for it
}

// Until moves e to f if f is later.
func (e *Event) Until(f Event) {
	if f.At > e.At {
		*e = f
	}
}

// Ready returns the time at which the instruction can issue, and the reason why not earlier, ignoring whether its unit
// is busy. f is its footprint.
func (c *Clock) Ready(p *Program, o *Op, f *Footprint) Event {
	ready := Event{At: c.Now}
	if o.Pred != isa.PredNone {
		ready.Until(c.Flags)
	}
	if c.Regs != nil {
		c.Regs.ready(o, f, &ready)
		return ready
	}
	s := &o.Sb
	if d := uint32(s.Dist); d != 0 {
		for p, n := range c.Seq {
			if s.Pipes>>p&1 != 0 && n >= d {
				ready.Until(c.Done[p][(n+1-d)%latest])
			}
		}
	}
	if s.WaitDst >= 0 {
		ready.Until(c.TokDst[s.WaitDst])
	}
	if s.WaitSrc >= 0 {
		ready.Until(c.TokSrc[s.WaitSrc])
	}
	if s.Alloc >= 0 {
		ready.Until(c.TokDst[s.Alloc])
	}
	if o.Kind != KindSync {
		return ready
	}
	if in := &p.Insts[o.Idx]; in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr {
		for m := o.Src[0].Imm; m != 0; m &= m - 1 {
			if in.Sync == isa.SyncAllWr {
				ready.Until(c.TokDst[Trailing(m)])
			} else {
				ready.Until(c.TokSrc[Trailing(m)])
			}
		}
	}
	return ready
}

// ready adds the waits for the registers that an instruction uses.
func (r *RegisterTimes) ready(o *Op, f *Footprint, ready *Event) {
	for k := 0; k < int(f.Nsrc); k++ {
		r.readyIn(f.Src[k], false, ready)
	}
	if f.ReadsA0 {
		ready.Until(r.Written[A0Reg])
	}
	if !o.NoDDChk {
		r.readyIn(f.Dst, true, ready)
		r.readyIn(f.Dst2, true, ready)
	}
}

// readyIn waits for the writers of a span of registers and, if the span is overwritten, also for its readers.
func (r *RegisterTimes) readyIn(s Span, overwrite bool, ready *Event) {
	for i := int(s.Reg); i < min(int(s.Reg)+int(s.Regs), NumTracked); i++ {
		ready.Until(r.Written[i])
		if overwrite {
			ready.Until(r.read[i])
		}
	}
}

// Issued records when the registers of an issued instruction can be used again. Only messages read their
// sources late.
func (r *RegisterTimes) Issued(o *Op, f *Footprint, done, read Event) {
	for _, s := range [2]Span{f.Dst, f.Dst2} {
		for i := int(s.Reg); i < min(int(s.Reg)+int(s.Regs), NumTracked); i++ {
			r.Written[i] = done
		}
	}
	if o.Kind != KindSend {
		return
	}
	for k := 0; k < int(f.Nsrc); k++ {
		s := f.Src[k]
		for i := int(s.Reg); i < min(int(s.Reg)+int(s.Regs), NumTracked); i++ {
			r.read[i] = read
		}
	}
}

// Skip counts an instruction that does not execute.
func (c *Clock) Skip(o *Op) { c.Completes(o, Event{}) }

// Completes counts an in-order instruction and records when it is complete.
func (c *Clock) Completes(o *Op, done Event) {
	c.Seq[o.Pipe]++
	c.Done[o.Pipe][c.Seq[o.Pipe]%latest] = done
}

// stamp returns the time stamp: the cycles of the thread, or its instructions if cycles are not counted, plus
// the time at which the dispatch started.
func (t *Thread) stamp() uint64 {
	if t.Board == nil && t.Opts.Account == nil {
		return t.Opts.Clock + t.Steps
	}
	return t.Opts.Clock + t.Clock.Now
}
