package eu

import (
	"math/bits"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// residents simulate an EU with all the threads that it has room for. They issue through one
// port, an instruction a cycle, share the EU's units, and wait each for its own scoreboard,
// front end and messages, as a thread alone does. Of several threads that could issue, the one
// goes first that has waited longest since it last did; hardware's choice is not documented.
//
// Threads come in the order of the dispatch, and a thread that ends makes room for the next
// one. A barrier opens when the resident threads of the workgroup have arrived: the others
// would be on other EUs, at the same pace. In the end the first threads come once more until
// their number is a multiple of the EU's, so that it is full most of the time, and the time is
// scaled to the dispatch. What a message occupies its shared function for is the EU's share of
// it: the table's figures are per EU.
type residents struct {
	prog    *Program
	lenient bool // which instructions distances count
	slots   []slot
	free    [latency.NumUnits]uint64
	port    uint64 // when the next instruction can be issued
	end     uint64 // when the last thread has ended
	issued  uint64 // instructions
	spent   Time

	threads, groups int          // admitted
	first           []*threadLog // that come once more
	spare           []*threadLog
	steps, dropped  uint64 // of all threads, see threadLog
}

// slot is the room for a thread.
type slot struct {
	log       *threadLog // nil if there is no thread
	group     int        // number of its workgroup
	next, dyn int        // step, and footprint of an indirect one
	op        *op        // the instruction of the step
	foot      *footprint
	clock     clock
	ready     event     // when it can be issued, but for unit, port and barrier
	front     Wait      // what the front end is busy with until clock.now
	last      uint64    // number of the last instruction issued
	signals   uint32    // to barriers
	passed    uint32    // barriers
	signalled [2]uint64 // when the last two signals were sent, by their number
}

// threadLog is what a thread has executed.
type threadLog struct {
	steps   []step
	dynamic []footprint // of steps whose registers depend on a0; for a hardware scoreboard
	regs    bool        // the scoreboard is hardware's
	dropped uint64      // steps that are not in the list
}

// step is an instruction: its index, or the complement of it if the thread did not execute
// it but counts it. Of a message it has the steps that memory takes, see moved.
type step struct {
	op    int32
	lines uint32
}

// maxSteps is how many instructions of a thread are simulated: memory stays below 1 MiB a
// thread. The time of longer ones is extrapolated.
const maxSteps = 1 << 17

// add notes down an instruction, and what it touches if that is not known before it runs, else nil.
func (l *threadLog) add(op int32, f *footprint) {
	switch {
	case l == nil:
	case len(l.steps) == maxSteps:
		l.dropped++
	default:
		l.steps = append(l.steps, step{op: op})
		if l.regs && f != nil {
			l.dynamic = append(l.dynamic, *f)
		}
	}
}

// touched notes down what the last instruction takes of memory, a message.
func (l *threadLog) touched(lines uint64) {
	if l != nil && l.dropped == 0 {
		l.steps[len(l.steps)-1].lines = uint32(lines)
	}
}

func newResidents(d *Dispatch) *residents {
	machine := d.Program.machine
	e := &residents{prog: d.Program, lenient: d.Options.Hazards == HazardsLenient, slots: make([]slot, machine.Limits.ThreadsPerEU)}
	if !machine.Can(target.SoftwareScoreboard) {
		for i := range e.slots {
			e.slots[i].clock.regs = new(registerTimes)
		}
	}
	return e
}

// log returns an empty log, old if there is one.
func (e *residents) log(old *threadLog) *threadLog {
	switch {
	case e == nil:
		return nil
	case old == nil:
		return &threadLog{regs: e.slots[0].clock.regs != nil}
	}
	old.steps, old.dynamic, old.dropped = old.steps[:0], old.dynamic[:0], 0
	return old
}

// group admits the threads of a workgroup that has run, and takes their logs.
func (e *residents) group(threads []*Thread) {
	if e == nil {
		return
	}
	e.groups++
	for _, t := range threads {
		e.steps += uint64(len(t.log.steps))
		e.dropped += t.log.dropped
		e.admit(t.log)
		if len(e.first) < len(e.slots)-1 {
			e.first = append(e.first, t.log)
		}
		t.log = nil
		if n := len(e.spare); n > 0 {
			t.log, e.spare = e.spare[n-1], e.spare[:n-1]
		}
	}
}

// admit lets the threads run until there is room for one more.
func (e *residents) admit(l *threadLog) {
	for {
		for i := range e.slots {
			s := &e.slots[i]
			if s.log != nil {
				continue
			}
			*s = slot{log: l, group: e.groups, clock: clock{now: e.port, regs: s.clock.regs}}
			if s.clock.regs != nil {
				*s.clock.regs = registerTimes{}
			}
			e.threads++
			e.fetch(s)
			return
		}
		e.run()
	}
}

// close ends the simulation and adds the time of a dispatch of that many threads.
func (e *residents) close(a *Account, threads uint64) {
	fresh := uint64(e.threads)
	if fresh == 0 {
		return // of the first workgroup, which has faulted
	}
	e.groups++
	for i := 0; e.threads%len(e.slots) != 0; i++ {
		e.admit(e.first[i%len(e.first)])
	}
	for e.run() {
	}
	total := Time{e.end}.scaled(threads, uint64(e.threads))
	total = total.scaled(e.steps+e.dropped, e.steps)
	spent := e.spent.scaled(total[0], e.end)
	spent[WaitIssue] += total[0] - spent.Cycles() // what rounding lost
	a.Resident.add(&spent)
}

// fetch prepares the next instruction of a thread, or ends it.
func (e *residents) fetch(s *slot) {
	for ; s.next < len(s.log.steps) && s.log.steps[s.next].op < 0; s.next++ {
		s.clock.skip()
	}
	if s.next == len(s.log.steps) {
		if !e.kept(s.log) {
			e.spare = append(e.spare, s.log)
		}
		s.log = nil
		return
	}
	s.op = &e.prog.ops[s.log.steps[s.next].op]
	s.foot = &s.op.foot
	if s.foot.indirect && s.log.regs {
		s.foot = &s.log.dynamic[s.dyn]
		s.dyn++
	}
	s.ready = s.clock.ready(e.prog, s.op, s.foot)
	if s.ready.at == s.clock.now {
		s.ready.why = s.front
	}
}

// kept reports whether a log is needed once more.
func (e *residents) kept(l *threadLog) bool {
	for _, k := range e.first {
		if k == l {
			return true
		}
	}
	return false
}

// run issues an instruction of the thread that can do so first. It reports whether there is
// one.
func (e *residents) run() bool {
	var s *slot
	var first event
	for i := range e.slots {
		c := &e.slots[i]
		if c.log == nil {
			continue
		}
		ready, unit := c.ready, c.op.cost.unit
		if e.prog.waitsForBarrier(c.op) && !e.opened(c, &ready) {
			continue
		}
		ready.until(event{e.free[unit], waitOfUnit[unit]})
		ready.until(event{at: e.port})
		if s == nil || ready.at < first.at || ready.at == first.at && c.last < s.last {
			s, first = c, ready
		}
	}
	if s == nil {
		return false
	}
	e.spent[first.why] += first.at - e.port
	e.spent[s.op.spent()]++
	e.port = first.at + 1
	e.issued++
	s.last = e.issued
	e.issue(s, first.at)
	s.next++
	e.fetch(s)
	return true
}

// issue issues the instruction of a thread at a time.
func (e *residents) issue(s *slot, at uint64) {
	o, k := s.op, &s.op.cost
	if e.prog.waitsForBarrier(o) {
		s.passed++
		s.clock.now = at + uint64(k.issue)
	} else {
		e.free[k.unit] = at + uint64(k.busy)
		s.clock.issued(o, s.foot, at, o.counted(e.lenient))
	}
	s.front = o.spent()
	e.end = max(e.end, s.clock.now)
	if o.signals() {
		s.signals++
		s.signalled[s.signals%2] = s.clock.now
	}
	if lines := uint64(s.log.steps[s.next].lines); lines > 0 {
		costs := &e.prog.machine.Costs[classOfSend(o)]
		e.free[k.unit] += uint64(costs.BusyLine) * lines
		s.clock.later(o, int(s.foot.dst.regs), uint64(costs.ResultLine)*lines)
	}
}

// opened reports whether the barrier that a thread waits for has opened, and adds the wait
// for it.
func (e *residents) opened(s *slot, ready *event) bool {
	number := s.passed + 1
	for i := range e.slots {
		o := &e.slots[i]
		if o.log == nil || o.group != s.group {
			continue
		}
		if o.signals < number {
			return false
		}
		ready.until(event{o.signalled[number%2], WaitSync})
	}
	return true
}

// waitsForBarrier reports whether a thread stops at an instruction until its barrier opens.
func (p *Program) waitsForBarrier(o *op) bool {
	return o.kind == kindWait || o.kind == kindSync && p.insts[o.idx].Sync == isa.SyncBar
}

// scaled returns a time multiplied by a fraction, rounded down.
func (t Time) scaled(num, den uint64) (out Time) {
	for w, n := range t {
		high, low := bits.Mul64(n, num)
		out[w], _ = bits.Div64(high%den, low, den)
	}
	return out
}
