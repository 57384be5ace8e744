// SPDX-License-Identifier: MIT

package eu

import (
	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/control"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// On machines with fused execution units, two neighboring threads of a workgroup share one instruction
// pointer. Unmasked instructions should not execute in a thread that has no lane left on the path taken. But
// hardware gets this wrong from the moment when control flow is divergent and the last thread that still had
// lanes loses them, until control flow is uniform again (Wa_1407528679). With Options.Fused the model assumes
// the worst documented behavior:
//
//   - A jump is taken only if neither thread has lanes left. It is not even taken then if one of
//     the two had none before and lanes of either wait elsewhere: from there, until no
//     lane waits, the pair runs through code without active lanes.
//   - While a lane of the pair waits, unmasked instructions execute even in a thread
//     without active lanes. Masked ones do not, and wait for nothing there.
//   - A scalar jump must have the same condition in both threads.
//   - The last thread of an odd number is paired with a thread without lanes. While no lane
//     of the pair waits, that thread executes nothing.
type pair struct {
	threads [2]*thread.Thread
	// stuck is set while the hardware's thread mask is wrong: jumps for lack of lanes are not taken.
	stuck bool
}

// waits reports whether lanes of the pair wait on another path, so that control flow is not uniform.
func (p *pair) waits() bool { return p.threads[0].Waiting|p.threads[1].Waiting != 0 }

// err returns the fault of one of the threads, or nil.
func (p *pair) err() *thread.Fault {
	for _, t := range p.threads {
		if t.Err != nil {
			return t.Err
		}
	}
	return nil
}

// run executes up to n instructions of both threads, as function run does for one thread. Afterwards, the first
// thread's state tells whether the pair has ended or waits at a barrier.
func (p *pair) run(n uint64) {
	a, b := p.threads[0], p.threads[1]
	ops := a.Prog.Ops
	a.Halted = false
	for ; n > 0; n-- {
		ip := a.Ip
		if int(ip) >= len(ops) {
			a.RanOut()
			return
		}
		o := &ops[ip]
		if o.Join {
			control.Rejoin(a, ip)
			control.Rejoin(b, ip)
		}
		if p.stuck && !p.waits() {
			p.stuck = false
		}
		switch {
		case o.Kind == thread.KindFlow:
			p.flow(o)
		case o.Kind == thread.KindSend && o.Send.Eot:
			p.end(o)
		case o.Kind == thread.KindSync && p.atBarrier(o):
			return
		default:
			diverged := p.waits()
			for _, t := range p.threads {
				execute(t, o, diverged)
			}
		}
		if p.err() != nil || a.Ended {
			return
		}
	}
}

// execute runs an instruction other than control flow in one thread of a pair.
func execute(t *thread.Thread, o *thread.Op, diverged bool) {
	if t.Active == 0 && (!o.NoMask || !diverged || o.Kind == thread.KindSend && t.Mask(o) == 0) {
		pass(t, o)
		return
	}
	if begin(t, o) {
		o.Exec(t, o)
	}
}

// pass skips an instruction that does not execute because the thread has no lanes. The thread waits for
// nothing, but @-distances count the instruction.
func pass(t *thread.Thread, o *thread.Op) {
	t.Ip = o.Idx + 1
	t.Steps++
	if h := t.Track; h != nil && o.Kind != thread.KindFlow && clock.Counted(o, h.Lenient) {
		h.InOrder(o, &thread.Footprint{})
		t.Clock.Skip(o)
		t.Log.Add(^o.Idx, nil)
	}
}

// atBarrier reports whether a thread of the pair, and therefore the pair, stays at a barrier. If so, it marks the first
// thread as halted.
func (p *pair) atBarrier(o *thread.Op) bool {
	if p.threads[0].Prog.Insts[o.Idx].Sync != isa.SyncBar {
		return false
	}
	for _, t := range p.threads {
		if t.Active != 0 && t.Arrived != t.Passed && t.Group.Phase <= t.Passed {
			p.threads[0].Halted = true
			return true
		}
	}
	return false
}

// end ends both threads. A thread without lanes sends no message.
func (p *pair) end(o *thread.Op) {
	for _, t := range p.threads {
		if t.Dispatch == 0 {
			pass(t, o)
			t.Ended = true
		} else if begin(t, o) {
			o.Exec(t, o)
		}
	}
}

// flow executes a branch in both threads and determines where the pair continues.
func (p *pair) flow(o *thread.Op) {
	a, b := p.threads[0], p.threads[1]
	switch o.Op {
	case isa.OpCall, isa.OpCalla, isa.OpRet:
		a.Faultf(o, thread.FaultUnsupported, "subroutines in fused threads are not modeled")
		return
	}
	alone := p.waits() && (a.Active == 0) != (b.Active == 0)
	for _, t := range p.threads {
		if !begin(t, o) {
			return
		}
		o.Exec(t, o)
		if t.Err != nil {
			return
		}
	}
	next := o.Idx + 1
	switch {
	case o.Op == isa.OpJmpi:
		if b.Dispatch == 0 && !p.waits() {
			b.Ip = a.Ip
		}
		if a.Ip != b.Ip {
			a.Faultf(o, thread.FaultFlow, "the scalar condition differs between thread %d and thread %d, which are fused", a.Index, b.Index)
		}
		return
	case o.Op == isa.OpWhile, o.Op == isa.OpGoto && a.Prog.Insts[o.Idx].BranchCtrl:
		p.back(o, next)
		return
	case a.Active|b.Active != 0:
	case alone || p.stuck:
		p.stuck = true
	default:
		next = a.Ip
	}
	a.Ip, b.Ip = next, next
}

// back continues after a branch whose lanes jump back at once. If one thread jumps back, both do, and the lanes
// that left the loop in the other thread wait after the branch.
func (p *pair) back(o *thread.Op, next int32) {
	a, b := p.threads[0], p.threads[1]
	if a.Ip == b.Ip {
		return
	}
	for k, t := range p.threads {
		other := p.threads[1-k]
		if t.Ip != next {
			continue
		}
		if t.Active != 0 {
			control.Park(t, t.Active, next)
		}
		t.Ip = other.Ip
		control.Rejoin(t, t.Ip)
	}
}
