package eu

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// Wait is a class of a thread's cycles: issuing instructions, or a reason to wait.
type Wait uint8

// The classes of cycles. Each cycle of a thread belongs to exactly one.
const (
	WaitIssue  Wait = iota // issuing instructions other than branches and barrier signals
	WaitSend               // for a message's response, for its payload to be read, or for its unit
	WaitVector             // for a result of several lanes or of the math unit, or for their units
	WaitScalar             // for a result of one lane
	WaitFlow               // branches
	WaitSync               // barriers: the signal, and the other threads
	NumWaits
)

var waitNames = [NumWaits]string{"issue", "send", "vector", "scalar", "flow", "sync"}

func (w Wait) String() string { return waitNames[w] }

// waitOfUnit is the class of the cycles spent waiting for a busy unit.
var waitOfUnit = [latency.NumUnits]Wait{
	latency.UnitFpu: WaitVector, latency.UnitMath: WaitVector, latency.UnitSampler: WaitSend, latency.UnitData: WaitSend,
	latency.UnitConstant: WaitSend, latency.UnitRender: WaitSend, latency.UnitUrb: WaitSend, latency.UnitInterpolator: WaitSend,
	latency.UnitGateway: WaitSync,
}

// waitFor returns the class of the cycles spent waiting for the instruction's result.
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

// Account is the cost of dispatches, summed over all their threads.
type Account struct {
	Threads      uint64
	Instructions uint64                     // excluding nop and sync.nop
	Sends        [latency.NumClasses]uint64 // messages with at least one lane enabled
	Bytes        uint64                     // data moved by messages, both ways
	Lines        uint64                     // memory steps; see moved

	// Alone is the time of each thread if it has an EU to itself.
	Alone Time
	// Resident is the time of an EU that runs as many threads as the device allows, in turns: see residents.
	Resident Time
	// Bound is a lower bound of Resident that ignores latency. It is the largest of Alone divided by the number
	// of resident threads, the cycles for which the busiest unit is occupied, and one cycle per instruction. If
	// a unit sets the bound, the difference from the first figure is counted as waiting for that unit.
	Bound Time

	// The dispatch in progress:
	alone Time
	steps uint64 // instructions issued, nop and sync.nop included
	busy  [latency.NumUnits]uint64
}

// Time is a number of cycles for each class.
type Time [NumWaits]uint64

// Cycles returns the sum over all classes.
func (t *Time) Cycles() (sum uint64) {
	for _, n := range t {
		sum += n
	}
	return sum
}

func (t *Time) add(u *Time) {
	for w, n := range u {
		t[w] += n
	}
}

// Add adds the cost of other dispatches.
func (a *Account) Add(b *Account) {
	a.Threads += b.Threads
	a.Instructions += b.Instructions
	a.Bytes += b.Bytes
	a.Lines += b.Lines
	for i, n := range b.Sends {
		a.Sends[i] += n
	}
	a.Alone.add(&b.Alone)
	a.Resident.add(&b.Resident)
	a.Bound.add(&b.Bound)
}

// Messages returns the number of messages, excluding end-of-thread messages.
func (a *Account) Messages() (n uint64) {
	for class, k := range a.Sends {
		if latency.Class(class) != latency.End {
			n += k
		}
	}
	return n
}

// issue charges an instruction that has waited, and logs it for the model of resident threads.
func (t *Thread) issue(o *op, f *footprint, why Wait, waited uint64) {
	a := t.opts.Account
	a.alone[why] += waited
	a.alone[o.spent()] += uint64(o.cost.issue)
	a.busy[o.cost.unit] += uint64(o.cost.busy)
	a.steps++
	if in := &t.prog.insts[o.idx]; o.kind != kindNop && (in.Op != isa.OpSync || in.Sync != isa.SyncNop) {
		a.Instructions++
	}
	if !o.foot.indirect {
		f = nil
	}
	t.log.add(o.idx, f)
}

// spent returns the class of the cycles in which the instruction is issued.
func (o *op) spent() Wait {
	switch {
	case o.kind == kindFlow:
		return WaitFlow
	case o.signals():
		return WaitSync
	}
	return WaitIssue
}

// signals reports whether the instruction signals a barrier to the gateway.
func (o *op) signals() bool { return o.cost.unit == latency.UnitGateway && !o.eot() }

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
	t.log.add(o.idx, nil)
}

// charge charges an issued message for the data it moves, before the message takes effect.
func (t *Thread) charge(o *op, m *message, mask uint32) {
	a, c := t.opts.Account, &t.clock
	class := classOfSend(o)
	bytes, lines := t.moved(o, m, mask)
	a.Sends[class]++
	a.Bytes += bytes
	a.Lines += lines
	k := &t.prog.machine.Costs[class]
	busy := uint64(k.BusyLine) * lines
	c.free[o.cost.unit] += busy
	a.busy[o.cost.unit] += busy
	c.later(o, int(m.rlen), uint64(k.ResultLine)*lines)
	t.log.touched(lines)
}

// close adds the finished dispatch to the totals.
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
	shared := a.alone.scaled(1, resident)
	shared[WaitIssue] += total/resident - shared.Cycles() // rounding loss
	if sum := shared.Cycles(); bound > sum {
		shared[why] += bound - sum
	}
	a.Alone.add(&a.alone)
	a.Bound.add(&shared)
	a.alone, a.steps, a.busy = Time{}, 0, [latency.NumUnits]uint64{}
}
