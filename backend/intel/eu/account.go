package eu

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// Wait is what a thread spends its cycles on.
type Wait uint8

// The classes of waits. Each cycle of a thread belongs to one.
const (
	WaitIssue  Wait = iota // none: instructions other than branches and barrier signals are issued
	WaitSend               // for a message's response, for its payload to be read, or for its unit
	WaitVector             // for a result of several lanes or of the math unit, or for their units
	WaitScalar             // for a result of one lane
	WaitFlow               // branches
	WaitSync               // barriers: the signal, and the other threads
	NumWaits
)

var waitNames = [NumWaits]string{"issue", "send", "vector", "scalar", "flow", "sync"}

func (w Wait) String() string { return waitNames[w] }

// waitOfUnit is what waiting for a busy unit is counted as.
var waitOfUnit = [latency.NumUnits]Wait{
	latency.UnitFpu: WaitVector, latency.UnitMath: WaitVector, latency.UnitSampler: WaitSend, latency.UnitData: WaitSend,
	latency.UnitConstant: WaitSend, latency.UnitRender: WaitSend, latency.UnitUrb: WaitSend, latency.UnitInterpolator: WaitSend,
	latency.UnitGateway: WaitSync,
}

// waitFor returns what waiting for an instruction's result is counted as.
func (o *op) waitFor() Wait {
	switch {
	case o.kind == kindSend:
		return WaitSend
	case o.kind == kindFlow:
		return WaitFlow
	case o.n == 1:
		return WaitScalar
	}
	return WaitVector
}

// Account is what dispatches cost, added up over all their threads.
type Account struct {
	Threads      uint64
	Instructions uint64                     // without nop and sync.nop
	Sends        [latency.NumClasses]uint64 // messages that had a lane enabled
	Bytes        uint64                     // data that messages moved, both ways
	Lines        uint64                     // steps that memory took, see moved

	// Alone is the time of each thread if it has an EU to itself.
	Alone Time
	// Resident is the time in which as many EU threads as the device has take turns on the
	// EU, per thread: a bound from below. It is the largest of the time alone divided by
	// their number, of the time that the busiest unit is occupied, and of a cycle for each
	// instruction. Where it is not the first, the rest is waiting for that unit.
	Resident Time

	// Of the dispatch that runs:
	alone Time
	steps uint64 // instructions, all of them
	busy  [latency.NumUnits]uint64
}

// Time is cycles by what they are spent on.
type Time [NumWaits]uint64

// Cycles returns their sum.
func (t *Time) Cycles() (sum uint64) {
	for _, n := range t {
		sum += n
	}
	return sum
}

// Add adds what other dispatches cost.
func (a *Account) Add(b *Account) {
	a.Threads += b.Threads
	a.Instructions += b.Instructions
	a.Bytes += b.Bytes
	a.Lines += b.Lines
	for i, n := range b.Sends {
		a.Sends[i] += n
	}
	for w := range b.Alone {
		a.Alone[w] += b.Alone[w]
		a.Resident[w] += b.Resident[w]
	}
}

// Messages returns the number of messages, without those that end threads.
func (a *Account) Messages() (n uint64) {
	for class, k := range a.Sends {
		if latency.Class(class) != latency.End {
			n += k
		}
	}
	return n
}

// issue charges an instruction that has waited.
func (t *Thread) issue(o *op, why Wait, waited uint64) {
	a := t.opts.Account
	a.alone[why] += waited
	spent := WaitIssue
	switch {
	case o.kind == kindFlow:
		spent = WaitFlow
	case o.cost.unit == latency.UnitGateway && !o.eot():
		spent = WaitSync
	}
	a.alone[spent] += uint64(o.cost.issue)
	a.busy[o.cost.unit] += uint64(o.cost.busy)
	a.steps++
	if in := &t.prog.insts[o.idx]; o.kind != kindNop && (in.Op != isa.OpSync || in.Sync != isa.SyncNop) {
		a.Instructions++
	}
}

// pastBarrier charges the wait of a thread that leaves a barrier.
func (t *Thread) pastBarrier(o *op) {
	a, c := t.opts.Account, &t.clock
	if opened := t.group.opened[t.passed%2]; opened > c.now {
		a.alone[WaitSync] += opened - c.now
		c.now = opened
	}
	a.alone[WaitSync] += uint64(o.cost.issue)
	c.now += uint64(o.cost.issue)
	a.Instructions++
	a.steps++
}

// charge charges a message with what it moves, before it has its effect. It has been issued.
func (t *Thread) charge(o *op, m *message, mask uint32) {
	a, c := t.opts.Account, &t.clock
	class := classOfSend(o)
	bytes, lines := t.moved(o, m, mask)
	a.Sends[class]++
	a.Bytes += bytes
	a.Lines += lines
	k := &t.prog.machine.Costs[class]
	busy, result := uint64(k.BusyLine)*lines, uint64(k.ResultLine)*lines
	c.free[o.cost.unit] += busy
	a.busy[o.cost.unit] += busy
	if t.board == nil {
		c.tokDst[o.token()].at += result
		return
	}
	for r := o.send.dst; o.send.dst >= 0 && r < o.send.dst+int(m.rlen); r++ {
		t.board.written[r].at += result
	}
}

// close adds up a dispatch.
func (a *Account) close(machine *target.Target, threads uint64) {
	a.Threads += threads
	total := a.alone.Cycles()
	resident := uint64(machine.Limits.ThreadsPerEU)
	bound, why := a.steps, WaitIssue
	for u, n := range a.busy {
		if n > bound {
			bound, why = n, waitOfUnit[u]
		}
	}
	var shared Time
	for w, n := range a.alone {
		shared[w] = n / resident
	}
	shared[WaitIssue] += total/resident - shared.Cycles() // what rounding lost
	if sum := shared.Cycles(); bound > sum {
		shared[why] += bound - sum
	}
	for w := range a.alone {
		a.Alone[w] += a.alone[w]
		a.Resident[w] += shared[w]
	}
	a.alone, a.steps, a.busy = Time{}, 0, [latency.NumUnits]uint64{}
}
