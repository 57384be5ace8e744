package eu

import (
	"math/bits"

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
	prog    *Program
	lenient bool // selects the instructions that @-distances count
	slots   []slot
	free    [latency.NumUnits]uint64
	port    uint64 // when the port is free
	end     uint64 // when the last thread ended
	issued  uint64 // number of issued instructions
	spent   Time

	threads, groups int          // admitted
	first           []*threadLog // threads to run again
	spare           []*threadLog
	steps, dropped  uint64 // of all threads, see threadLog
}

// slot holds one resident thread.
type slot struct {
	log       *threadLog // nil if the slot is empty
	group     int        // number of its workgroup
	next, dyn int        // index of the step, and of the footprint if it is dynamic
	op        *op        // instruction of the step
	foot      *footprint
	clock     clock
	ready     event     // when it can issue, apart from unit, port and barrier
	front     Wait      // class of the front end's cycles until clock.now
	last      uint64    // number of the last instruction issued
	signals   uint32    // barrier signals sent
	passed    uint32    // barriers passed
	signalled [2]uint64 // when the last two signals were sent, by parity of their number
}

// threadLog records the execution of a thread.
type threadLog struct {
	steps   []step
	dynamic []footprint // footprints of steps that use a0 to address registers; only for a hardware scoreboard
	regs    bool        // the machine has a hardware scoreboard
	dropped uint64      // number of steps beyond maxSteps
}

// step is an instruction of a log: its index, or the index's complement if the thread skipped it but
// @-distances count it. For messages, lines is the number of memory steps, see moved.
type step struct {
	op    int32
	lines uint32
}

// maxSteps limits the simulated instructions of a thread, so that its log stays below 1 MiB. The time of longer
// threads is extrapolated.
const maxSteps = 1 << 17

// add appends an instruction. f is its footprint if that depends on a0, else nil.
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

// touched records the number of memory steps of the last instruction, a message.
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

// log returns an empty log. It reuses old if that is not nil.
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

// group admits the threads of a workgroup that has run, and takes over their logs.
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

// admit runs the simulation until a slot is free, and admits a thread.
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
		return // the first workgroup faulted
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
	spent[WaitIssue] += total[0] - spent.Cycles() // rounding loss
	a.Resident.add(&spent)
}

// fetch prepares the next instruction of a thread, or ends the thread.
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

// kept reports whether a log will run again.
func (e *residents) kept(l *threadLog) bool {
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

// issue issues the thread's instruction at a given time.
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

// opened reports whether the barrier that a thread waits for has opened, and adds the wait for it.
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

// waitsForBarrier reports whether a thread stops at o until its barrier opens.
func (p *Program) waitsForBarrier(o *op) bool {
	return o.kind == kindWait || o.kind == kindSync && p.insts[o.idx].Sync == isa.SyncBar
}

// scaled returns t multiplied by num/den, rounded down.
func (t Time) scaled(num, den uint64) (out Time) {
	for w, n := range t {
		high, low := bits.Mul64(n, num)
		out[w], _ = bits.Div64(high%den, low, den)
	}
	return out
}
