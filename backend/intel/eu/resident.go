// SPDX-License-Identifier: MIT

package eu

import (
	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// residents simulates an EU that is filled with threads. The threads share an issue port, which takes an
// instruction per cycle, and the EU's units; each waits for its own scoreboard, front end and messages, like a
// thread alone. Among the threads that could issue, the least recently issued one goes first; the hardware's
// choice is not documented.
//
// Threads arrive in dispatch order, and a thread that ends makes room for the next one. A barrier opens when
// the resident threads of the workgroup have arrived: the others would be on other EUs, at the same pace. At
// the end the first threads run again until the number of threads is a multiple of the EU's capacity, so that
// the EU is full most of the time; the resulting time is scaled to the dispatch. A message occupies the EU's
// share of its shared function: the table's figures are per EU.
type residents struct {
	prog    *thread.Program
	lenient bool // selects the instructions that @-distances count
	slots   []slot
	free    [latency.NumUnits]uint64
	port    uint64 // time when the port is free
	end     uint64 // time when the last thread ended
	issued  uint64 // number of issued instructions
	spent   thread.Time

	threads, groups int                 // admitted
	first           []*thread.ThreadLog // threads to run again
	spare           []*thread.ThreadLog
	steps, dropped  uint64 // totals over all threads; see thread.ThreadLog
}

// slot holds one resident thread.
type slot struct {
	log       *thread.ThreadLog // nil if the slot is empty
	group     int               // number of its workgroup
	next, dyn int               // index of the step, and of the footprint if it is dynamic
	op        *thread.Op        // instruction of the step
	foot      *thread.Footprint
	clock     thread.Clock
	ready     thread.Event // time when it can issue, apart from unit, port and barrier
	front     thread.Wait  // class of the front end's cycles until clock.Now
	last      uint64       // number of the last instruction issued
	signals   uint32       // barrier signals sent
	passed    uint32       // barriers passed
	signalled [2]uint64    // when the last two signals were sent, by parity of the signal's index
}

func newResidents(d *thread.Dispatch) *residents {
	machine := d.Program.Machine
	e := &residents{prog: d.Program, lenient: d.Options.Hazards == thread.HazardsLenient, slots: make([]slot, machine.Limits.ThreadsPerEU)}
	if !machine.Can(target.SoftwareScoreboard) {
		for i := range e.slots {
			e.slots[i].clock.Regs = new(thread.RegisterTimes)
		}
	}
	return e
}

// log returns an empty log, or nil if e is nil. It reuses old if that is not nil.
func (e *residents) log(old *thread.ThreadLog) *thread.ThreadLog {
	switch {
	case e == nil:
		return nil
	case old == nil:
		return &thread.ThreadLog{Regs: e.slots[0].clock.Regs != nil}
	}
	old.Steps, old.Dynamic, old.Dropped = old.Steps[:0], old.Dynamic[:0], 0
	return old
}

// group admits the threads of a workgroup that has run, and takes over their logs.
func (e *residents) group(threads []*thread.Thread) {
	if e == nil {
		return
	}
	e.groups++
	for _, t := range threads {
		e.steps += uint64(len(t.Log.Steps))
		e.dropped += t.Log.Dropped
		e.admit(t.Log)
		if len(e.first) < len(e.slots)-1 {
			e.first = append(e.first, t.Log)
		}
		t.Log = nil
		if n := len(e.spare); n > 0 {
			t.Log, e.spare = e.spare[n-1], e.spare[:n-1]
		}
	}
}

// admit runs the simulation until a slot is free, and admits a thread.
func (e *residents) admit(l *thread.ThreadLog) {
	for {
		for i := range e.slots {
			s := &e.slots[i]
			if s.log != nil {
				continue
			}
			*s = slot{log: l, group: e.groups, clock: thread.Clock{Now: e.port, Regs: s.clock.Regs}}
			if s.clock.Regs != nil {
				*s.clock.Regs = thread.RegisterTimes{}
			}
			e.threads++
			e.fetch(s)
			return
		}
		e.run()
	}
}

// close ends the simulation and adds the time of a dispatch of that many threads.
func (e *residents) close(a *thread.Account, threads uint64) {
	fresh := uint64(e.threads)
	if fresh == 0 {
		return // the first workgroup faulted
	}
	e.groups++
	for i := 0; e.threads%len(e.slots) != 0; i++ {
		e.admit(e.first[i%len(e.first)])
	}
	for e.run() {
	}
	total := thread.Time{e.end}.Scaled(threads, uint64(e.threads))
	total = total.Scaled(e.steps+e.dropped, e.steps)
	spent := e.spent.Scaled(total[0], e.end)
	spent[thread.WaitIssue] += total[0] - spent.Cycles() // rounding loss
	a.Resident.Add(&spent)
}

// fetch prepares the next instruction of a thread, or ends the thread.
func (e *residents) fetch(s *slot) {
	for ; s.next < len(s.log.Steps) && s.log.Steps[s.next].Op < 0; s.next++ {
		s.clock.Skip(&e.prog.Ops[^s.log.Steps[s.next].Op])
	}
	if s.next == len(s.log.Steps) {
		if !e.kept(s.log) {
			e.spare = append(e.spare, s.log)
		}
		s.log = nil
		return
	}
	s.op = &e.prog.Ops[s.log.Steps[s.next].Op]
	s.foot = &s.op.Foot
	if s.foot.Indirect && s.log.Regs {
		s.foot = &s.log.Dynamic[s.dyn]
		s.dyn++
	}
	s.ready = s.clock.Ready(e.prog, s.op, s.foot)
	if s.ready.At == s.clock.Now {
		s.ready.Why = s.front
	}
}

// kept reports whether a log will run again.
func (e *residents) kept(l *thread.ThreadLog) bool {
	for _, k := range e.first {
		if k == l {
			return true
		}
	}
	return false
}

// run issues an instruction of the thread that can issue first. It returns false if there is no such thread.
func (e *residents) run() bool {
	var s *slot
	var first thread.Event
	for i := range e.slots {
		c := &e.slots[i]
		if c.log == nil {
			continue
		}
		ready, unit := c.ready, c.op.Cost.Unit
		if waitsForBarrier(e.prog, c.op) && !e.opened(c, &ready) {
			continue
		}
		ready.Until(thread.Event{At: e.free[unit], Why: clock.WaitOfUnit[unit]})
		ready.Until(thread.Event{At: e.port})
		if s == nil || ready.At < first.At || ready.At == first.At && c.last < s.last {
			s, first = c, ready
		}
	}
	if s == nil {
		return false
	}
	e.spent[first.Why] += first.At - e.port
	e.spent[clock.Spent(s.op)]++
	e.port = first.At + 1
	e.issued++
	s.last = e.issued
	e.issue(s, first.At)
	s.next++
	e.fetch(s)
	return true
}

// issue issues the thread's instruction at a given time.
func (e *residents) issue(s *slot, at uint64) {
	o, k := s.op, &s.op.Cost
	if waitsForBarrier(e.prog, o) {
		s.passed++
		s.clock.Now = at + uint64(k.Issue)
	} else {
		e.free[k.Unit] = at + uint64(k.Busy)
		clock.Issued(&s.clock, o, s.foot, at, clock.Counted(o, e.lenient))
	}
	s.front = clock.Spent(o)
	e.end = max(e.end, s.clock.Now)
	if clock.Signals(o) {
		s.signals++
		s.signalled[s.signals%2] = s.clock.Now
	}
	if lines := uint64(s.log.Steps[s.next].Lines); lines > 0 {
		costs := &e.prog.Machine.Costs[clock.ClassOfSend(o)]
		e.free[k.Unit] += uint64(costs.BusyLine) * lines
		clock.Later(&s.clock, o, int(s.foot.Dst.Regs), uint64(costs.ResultLine)*lines)
	}
}

// opened reports whether the barrier that a thread waits for has opened. If so, it adds the wait for it to ready.
func (e *residents) opened(s *slot, ready *thread.Event) bool {
	number := s.passed + 1
	for i := range e.slots {
		o := &e.slots[i]
		if o.log == nil || o.group != s.group {
			continue
		}
		if o.signals < number {
			return false
		}
		ready.Until(thread.Event{At: o.signalled[number%2], Why: thread.WaitSync})
	}
	return true
}

// waitsForBarrier reports whether a thread stops at o until its barrier opens.
func waitsForBarrier(p *thread.Program, o *thread.Op) bool {
	return o.Kind == thread.KindWait || o.Kind == thread.KindSync && p.Insts[o.Idx].Sync == isa.SyncBar
}
