package perf

import (
	"slices"
	"sync"

	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// AssumedTrips is how often the body of a loop is taken to run if that is unknown, or at most if
// only a bound is known.
const AssumedTrips = 10

// maxTimes bounds how often an instruction is taken to run, maxCycles a sum: numbers up to it are
// exact in JSON.
const (
	maxTimes  = 1 << 40
	maxCycles = 1<<53 - 1
)

const (
	history = 8  // in-order instructions that a distance can refer back to
	tokens  = 16 // scoreboard tokens
)

// Time is what is estimated for one instruction.
type Time struct {
	Offset  int  // in the code, in bytes
	Wait    int  // cycles until its operands and its unit are there
	Issue   int  // cycles that it occupies the thread
	Times   int  // how often it runs
	Assumed bool // that is not known
}

// Cycles estimates a program in machine code, of whose loops nothing is known. It stops at the
// first word that does not decode.
func Cycles(machine *target.Target, code []byte) int {
	e := decoded(machine, code)
	defer estimators.Put(e)
	return e.Cycles()
}

// Measured estimates a program in machine code of whose instructions it is known how often they
// run: of the one at an offset, that is times(offset).
func Measured(machine *target.Target, code []byte, times func(at int) uint64) uint64 {
	e := decoded(machine, code)
	defer estimators.Put(e)
	return e.measured(times)
}

// decoded returns an estimator that has seen a program.
func decoded(machine *target.Target, code []byte) *Estimator {
	e := estimators.Get().(*Estimator)
	e.Begin(machine, 2*len(code)/isa.InstSize) // compacted instructions have half the size
	for at := 0; at < len(code); {
		in, err := isa.Decode(machine.Platform, code[at:])
		if err != nil {
			break
		}
		e.Add(&in, at)
		at += int(in.Size)
	}
	return e
}

var estimators = sync.Pool{New: func() any { return new(Estimator) }}

// An Estimator estimates a program of which it is told the instructions in the order of the
// code. It may be used for one program after another, and keeps its memory.
type Estimator struct {
	machine *target.Target
	clock   clock
	list    []spent
	open    []open // loops that have begun
	loops   []loop // that have ended, inner loops first
	tops    []int  // of them, those that are in no other one so far
	breaks  []int  // the instructions that leave loops that have not ended
	order   []loop // by their starts
	stack   []weight
}

// spent is an instruction and its time, in the last iteration that was looked at.
type spent struct {
	action
	wait, issue int32
	repeats     bool // that iteration follows another one
	assumed     bool // how often it runs is not known
	times       int64
}

// open is a loop that has begun: the offset of its first instruction, and its count.
type open struct {
	at    int
	count trips.Count
}

// loop is a loop: the indices of its first instruction and of the branch back to it.
type loop struct {
	first, last int
	count       trips.Count
	exit        int // the only break, after which the last iteration has nothing to do; 0: none
	height      int // of the loops inside, and one more
}

// Begin begins a program of n instructions or fewer.
func (e *Estimator) Begin(machine *target.Target, n int) {
	e.machine = machine
	e.clock.begin(!machine.Can(target.SoftwareScoreboard))
	e.list, e.open, e.loops, e.tops, e.breaks = slices.Grow(e.list[:0], n), e.open[:0], e.loops[:0], e.tops[:0], e.breaks[:0]
}

// Loop says that a loop starts with the next instruction, which is at an offset, and what is known
// of it.
func (e *Estimator) Loop(at int, n trips.Count) { e.open = append(e.open, open{at, n}) }

// Add adds the instruction at an offset in the code, in bytes.
func (e *Estimator) Add(in *isa.Inst, at int) {
	e.list = append(e.list, spent{})
	x := &e.list[len(e.list)-1]
	x.init(e.machine, in, at)
	x.wait, x.issue = e.clock.step(&x.action)
	if in.Op == isa.OpBreak {
		e.breaks = append(e.breaks, len(e.list)-1)
	}
	if in.JIP < 0 && isa.Ops[in.Op].Format == isa.FormatBranch && at+int(in.JIP) >= 0 {
		e.close(in, at)
	}
}

// close ends a loop with a branch back. Its instructions take as long as in an iteration that
// follows another one.
func (e *Estimator) close(in *isa.Inst, at int) {
	start := at + int(in.JIP)
	l := loop{last: len(e.list) - 1}
	if n := len(e.open); n > 0 && e.open[n-1].at == start {
		l.count = e.open[n-1].count
		e.open = e.open[:n-1]
	}
	first, found := slices.BinarySearchFunc(e.list, int32(start), func(x spent, at int32) int { return int(x.at - at) })
	if !found {
		return
	}
	l.first = first
	for n := len(e.tops); n > 0 && e.loops[e.tops[n-1]].first >= first; n-- {
		l.height = max(l.height, e.loops[e.tops[n-1]].height+1)
		e.tops = e.tops[:n-1]
	}
	exits := len(e.breaks)
	for exits > 0 && e.breaks[exits-1] >= first {
		exits--
	}
	if len(e.breaks)-exits == 1 && l.count.Exact() > 1 && in.Pred == isa.PredNone {
		l.exit = e.breaks[exits]
	}
	e.breaks = e.breaks[:exits]
	e.tops = append(e.tops, len(e.loops))
	e.loops = append(e.loops, l)
	if l.height > maxRepeated || l.count.Exact() == 1 {
		return
	}
	for i := l.first; i <= l.last; i++ {
		x := &e.list[i]
		wait, issue := e.clock.step(&x.action)
		if !x.repeats {
			x.wait, x.issue, x.repeats = wait, issue, true
		}
	}
}

// maxRepeated is up to which height loops are looked at again: it bounds the time that is spent
// on nests. The loops inside of those that are higher have been.
const maxRepeated = 1

// Cycles returns the estimate of what has been added.
func (e *Estimator) Cycles() int {
	e.weigh()
	total := 0
	for i := range e.list {
		x := &e.list[i]
		total = min(total+int(x.wait+x.issue)*int(x.times), maxCycles)
	}
	return total
}

// measured returns the estimate with the numbers of times that instructions have run.
func (e *Estimator) measured(times func(at int) uint64) (total uint64) {
	for i := range e.list {
		x := &e.list[i]
		total += uint64(x.wait+x.issue) * times(int(x.at))
	}
	return total
}

// Assumed returns the number of loops of which it is not known how often they run.
func (e *Estimator) Assumed() (n int) {
	for i := range e.loops {
		if e.loops[i].count.Exact() == 0 {
			n++
		}
	}
	return n
}

// Times returns the parts of the estimate of Cycles: the sum of waits and issue times, as often
// as instructions run.
func (e *Estimator) Times() []Time {
	e.weigh()
	out := make([]Time, len(e.list))
	for i := range e.list {
		x := &e.list[i]
		out[i] = Time{int(x.at), int(x.wait), int(x.issue), int(x.times), x.assumed}
	}
	return out
}

// weight is how often what follows runs, as long as it is in the loop.
type weight struct {
	loop
	around  int64 // how often the loop is reached
	times   int64
	assumed bool
}

// weigh finds how often each instruction runs: the counts of nested loops multiply. Arms of ifs
// run whenever the if does.
func (e *Estimator) weigh() {
	e.order = append(e.order[:0], e.loops...)
	slices.SortStableFunc(e.order, func(a, b loop) int {
		if a.first != b.first {
			return a.first - b.first
		}
		return b.last - a.last
	})
	next, stack := 0, e.stack[:0]
	now := weight{times: 1}
	for i := range e.list {
		for len(stack) > 0 && now.last < i {
			now, stack = stack[len(stack)-1], stack[:len(stack)-1]
		}
		for next < len(e.order) && e.order[next].first == i {
			stack = append(stack, now)
			now = now.inside(e.order[next])
			next++
		}
		x := &e.list[i]
		x.times, x.assumed = now.times, now.assumed
		switch exit := now.exit; {
		case exit == 0:
		case i == exit: // what follows does not run in the last iteration
			now.times -= now.around
		case i == now.last: // reached by the break
			x.times += now.around
		}
	}
	e.stack = stack
}

// inside returns the weight in a loop that is reached with another one.
func (w weight) inside(l loop) weight {
	out := weight{loop: l, around: w.times, assumed: w.assumed || l.count.Exact() == 0}
	n := l.count.Exact()
	if n == 0 {
		n = AssumedTrips
		if most := l.count.Bound(); most != 0 {
			n = min(n, most)
		}
	}
	if w.times > maxTimes/int64(n) {
		out.times, out.exit = maxTimes, 0
	} else {
		out.times = w.times * int64(n)
	}
	return out
}

// bySFID is the class of the messages of a shared function; ALU means that the class
// depends on the message.
var bySFID = [16]latency.Class{
	isa.SFIDSampler:   latency.Sampler,
	isa.SFIDGateway:   latency.Gateway,
	isa.SFIDRC:        latency.Render,
	isa.SFIDURB:       latency.Urb,
	isa.SFIDPixInterp: latency.Interpolator,
	isa.SFIDDCRO:      latency.Constant,
	isa.SFIDTS:        latency.End,
}

// atomics are the atomic messages.
var atomics = [256]bool{
	isa.MsgUntypedAtomic: true, isa.MsgUntypedAtomic16: true, isa.MsgUntypedAtomicFloat: true, isa.MsgTypedAtomic: true,
	isa.MsgA64Atomic: true, isa.MsgA64Atomic16: true, isa.MsgA64AtomicFloat: true, isa.MsgA64AtomicHalf: true,
}

// ClassOfFunction returns the class of the messages of a shared function: of the data
// cache, those that are neither atomics nor fences.
func ClassOfFunction(x isa.SFID) latency.Class {
	if c := bySFID[x&15]; c != latency.ALU {
		return c
	}
	return latency.Data
}

// ofMessage returns the class of a message.
func ofMessage(m *isa.MsgInfo) latency.Class {
	if c := bySFID[m.SFID&15]; c != latency.ALU {
		return c
	}
	switch {
	case atomics[m.Kind]:
		return latency.Atomic
	case m.Kind == isa.MsgFence:
		return latency.Fence
	}
	return latency.Data
}
