// SPDX-License-Identifier: MIT

package clock

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// WaitOfUnit is the class of the cycles spent waiting for a busy unit.
var WaitOfUnit = [latency.NumUnits]thread.Wait{
	latency.UnitFpu: thread.WaitVector, latency.UnitMath: thread.WaitVector, latency.UnitSampler: thread.WaitSend, latency.UnitData: thread.WaitSend,
	latency.UnitConstant: thread.WaitSend, latency.UnitRender: thread.WaitSend, latency.UnitUrb: thread.WaitSend, latency.UnitInterpolator: thread.WaitSend,
	latency.UnitGateway: thread.WaitSync,
}

// waitFor returns the class of the cycles spent waiting for the instruction's result.
func waitFor(o *thread.Op) thread.Wait {
	switch {
	case o.Kind == thread.KindSend:
		return thread.WaitSend
	case o.Kind == thread.KindFlow:
		return thread.WaitFlow
	case o.N == 1:
		return thread.WaitScalar
	}
	return thread.WaitVector
}

// issue charges an instruction that has waited, and logs it for the model of resident threads.
func issue(t *thread.Thread, o *thread.Op, f *thread.Footprint, why thread.Wait, waited uint64) {
	a := t.Opts.Account
	a.Single[why] += waited
	a.Single[Spent(o)] += uint64(o.Cost.Issue)
	a.Busy[o.Cost.Unit] += uint64(o.Cost.Busy)
	a.Steps++
	if in := &t.Prog.Insts[o.Idx]; o.Kind != thread.KindNop && (in.Op != isa.OpSync || in.Sync != isa.SyncNop) {
		a.Instructions++
	}
	if !o.Foot.Indirect {
		f = nil
	}
	t.Log.Add(o.Idx, f)
}

// Spent returns the class of the cycles in which the instruction is issued.
func Spent(o *thread.Op) thread.Wait {
	switch {
	case o.Kind == thread.KindFlow:
		return thread.WaitFlow
	case Signals(o):
		return thread.WaitSync
	}
	return thread.WaitIssue
}

// Signals reports whether the instruction signals a barrier to the gateway.
func Signals(o *thread.Op) bool { return o.Cost.Unit == latency.UnitGateway && !o.Eot() }

// PastBarrier charges the wait of a thread that leaves a barrier.
func PastBarrier(t *thread.Thread, o *thread.Op) {
	a, c := t.Opts.Account, &t.Clock
	if opened := t.Group.Opened[t.Passed%2]; opened > c.Now {
		a.Single[thread.WaitSync] += opened - c.Now
		c.Now = opened
	}
	a.Single[thread.WaitSync] += uint64(o.Cost.Issue)
	c.Now += uint64(o.Cost.Issue)
	a.Instructions++
	a.Steps++
	t.Log.Add(o.Idx, nil)
}

// Close adds the finished dispatch to the totals.
func Close(a *thread.Account, machine *target.Target, threads uint64) {
	a.Threads += threads
	total := a.Single.Cycles()
	resident := uint64(machine.Limits.ThreadsPerEU)
	bound, why := a.Steps, thread.WaitIssue
	for u, n := range a.Busy {
		if n > bound {
			bound, why = n, WaitOfUnit[u]
		}
	}
	shared := a.Single.Scaled(1, resident)
	shared[thread.WaitIssue] += total/resident - shared.Cycles() // rounding loss
	if sum := shared.Cycles(); bound > sum {
		shared[why] += bound - sum
	}
	a.Alone.Add(&a.Single)
	a.Bound.Add(&shared)
	a.Single, a.Steps, a.Busy = thread.Time{}, 0, [latency.NumUnits]uint64{}
}
