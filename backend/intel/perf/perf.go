// SPDX-License-Identifier: MIT

package perf

import (
	"math"
	"slices"
	"sync"

	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// AssumedTrips is the trip count assumed for a loop whose count is unknown, unless a known bound is lower: see [Assumed].
const AssumedTrips = 10

// maxTimes caps the estimated executions of an instruction. maxCycles caps estimates: JSON numbers are exact up
// to it.
const (
	maxTimes  = 1 << 40
	maxCycles = 1<<53 - 1
)

const (
	history = 8  // in-order instructions that are remembered: at least the maximum distance
	tokens  = 16 // scoreboard tokens
)

// Time is the estimate for one instruction.
type Time struct {
	Offset  int  // in the code, in bytes
	Wait    int  // cycles until its operands and its unit are available
	Issue   int  // cycles that it occupies the thread
	Times   int  // executions
	Assumed bool // Times depends on an assumed trip count
}

// Cycles estimates machine code, with assumed trip counts for all loops. It stops at the first word that does
// not decode.
func Cycles(machine *target.Target, code []byte) int {
	e := decoded(machine, code)
	defer estimators.Put(e)
	return e.Cycles()
}

// Measured estimates machine code whose instruction at offset at executes times(at) times.
func Measured(machine *target.Target, code []byte, times func(at int) uint64) uint64 {
	e := decoded(machine, code)
	defer estimators.Put(e)
	return e.measured(times)
}

// decoded returns an estimator that has received a program.
func decoded(machine *target.Target, code []byte) *Estimator {
	e := estimators.Get().(*Estimator)
	e.Begin(machine, 2*len(code)/isa.InstSize) // compacted instructions are half as long
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

// An Estimator estimates a program from its instructions, added in program order. It may be used
// for one program after another, and reuses its memory.
type Estimator struct {
	machine *target.Target
	clock   clock
	list    []spent
	open    []open // loops that have not ended yet
	loops   []loop // loops that have ended, inner ones first
	tops    []int  // indices of the outermost such loops
	breaks  []int  // indices of breaks from open loops
	order   []loop // loops sorted by start, outer ones first
	stack   []weight
}

// spent is an instruction and its time.
type spent struct {
	action
	wait    int32
	repeats bool // wait is from an iteration after the first
	assumed bool // times depends on an assumed trip count
	times   int64
}

// open is a loop that has not ended yet: the offset of its first instruction, and its trip count.
type open struct {
	at    int
	count trips.Count
}

// loop is a loop that has ended.
type loop struct {
	first, last int // indices of its first instruction and of the branch back to it
	count       trips.Count
	exit        int // index of its only break, if the last of a known number of iterations ends there, else 0
	leaves      int // index of its first break; 0 if none
	left        int // index of its last break
	height      int // levels of loops inside
}

// Begin starts a program of about n instructions.
func (e *Estimator) Begin(machine *target.Target, n int) {
	e.machine = machine
	e.clock.begin(!machine.Can(target.SoftwareScoreboard))
	e.list, e.open, e.loops = slices.Grow(e.list[:0], n), e.open[:0], e.loops[:0]
	e.tops, e.breaks = e.tops[:0], e.breaks[:0]
}

// Loop starts a loop at the next instruction, whose offset is at.
func (e *Estimator) Loop(at int, n trips.Count) { e.open = append(e.open, open{at, n}) }

// Add adds the instruction at an offset in the code, in bytes.
func (e *Estimator) Add(in *isa.Inst, at int) {
	e.list = append(e.list, spent{})
	x := &e.list[len(e.list)-1]
	x.init(e.machine, in, at)
	x.wait = e.clock.step(&x.action)
	if in.Op == isa.OpBreak {
		e.breaks = append(e.breaks, len(e.list)-1)
	}
	if in.JIP < 0 && isa.Ops[in.Op].Format == isa.FormatBranch && at+int(in.JIP) >= 0 {
		e.close(in, at)
	}
}

// close ends the loop of a backward branch. It steps through the loop again, to time its instructions in an iteration
// after the first, unless there is none or the loop contains too many levels of loops.
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
	if exits < len(e.breaks) {
		l.leaves, l.left = e.breaks[exits], e.breaks[len(e.breaks)-1]
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
		wait := e.clock.step(&x.action)
		if !x.repeats {
			x.wait, x.repeats = wait, true
		}
	}
}

// maxRepeated is the greatest height of a loop that is stepped through again. It limits the work for deep
// nests: each loop contains the inner ones.
const maxRepeated = 1

// Cycles returns the estimate of the program so far.
func (e *Estimator) Cycles() int {
	e.weigh()
	total := int64(0)
	for i := range e.list {
		x := &e.list[i]
		total = min(total+int64(x.wait+x.issue)*x.times, maxCycles)
	}
	return int(min(total, math.MaxInt))
}

// measured returns the estimate if the instruction at offset at executes times(at) times.
func (e *Estimator) measured(times func(at int) uint64) (total uint64) {
	for i := range e.list {
		x := &e.list[i]
		total += uint64(x.wait+x.issue) * times(int(x.at))
	}
	return total
}

// Assumed returns the number of loops whose trip count is unknown.
func (e *Estimator) Assumed() (n int) {
	for i := range e.loops {
		if e.loops[i].count.Exact() == 0 {
			n++
		}
	}
	return n
}

// Times returns the estimates of the instructions. Cycles is the sum of (Wait + Issue) × Times.
func (e *Estimator) Times() []Time {
	e.weigh()
	out := make([]Time, len(e.list))
	for i := range e.list {
		x := &e.list[i]
		out[i] = Time{int(x.at), int(x.wait), int(x.issue), int(x.times), x.assumed}
	}
	return out
}

// Loop is a loop of the code.
type Loop struct {
	First, Last int // indices of its first instruction and of the branch back to it
	Break       int // index of the first branch that leaves it, ignoring branches out of inner loops; 0 if none
	LastBreak   int // index of the last such branch
	Count       trips.Count
}

// Loops returns the loops of the program sorted by start, outer ones first.
func (e *Estimator) Loops() (list []Loop) {
	e.weigh()
	for _, l := range e.order {
		list = append(list, Loop{l.first, l.last, l.leaves, l.left, l.count})
	}
	return list
}

// weight is the number of executions of the instructions of a loop.
type weight struct {
	loop
	around  int64 // number of times that control reaches the loop
	times   int64
	assumed bool
}

// weigh computes the number of executions of each instruction. The counts of nested loops multiply, and both
// arms of an if execute.
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
		case i == exit: // the last iteration ends here
			now.times -= now.around
		case i == now.last: // the break jumps here
			x.times += now.around
		}
	}
	e.stack = stack
}

// Assumed returns the trip count assumed for a loop with an unknown count.
func Assumed(n trips.Count) int {
	if most := n.Bound(); most != 0 {
		return min(most, AssumedTrips)
	}
	return AssumedTrips
}

// inside returns the weight at the start of a loop in code of weight w.
func (w weight) inside(l loop) weight {
	out := weight{loop: l, around: w.times, assumed: w.assumed || l.count.Exact() == 0}
	n := l.count.Exact()
	if n == 0 {
		n = Assumed(l.count)
	}
	if w.times > maxTimes/int64(n) {
		out.times, out.exit = maxTimes, 0
	} else {
		out.times = w.times * int64(n)
	}
	return out
}

// bySFID gives the class of the messages to a shared function; ALU means that the class depends on the message.
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

// ClassOfFunction returns the class of the messages to a shared function. For the data cache, it is the class
// of messages that are neither atomics nor fences.
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
