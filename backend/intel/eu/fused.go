package eu

import "jacquard.example/generated/isa"

// On machines with fused execution units, two neighbouring threads of a workgroup share one instruction
// pointer. Unmasked instructions should not execute in a thread that has no lane left on the path taken. But
// hardware gets this wrong from the moment when control flow is divergent and the last thread that still had
// lanes loses them, until control flow is uniform again (Wa_1407528679). With Options.Fused the model assumes
// the worst documented behavior:
//
//   - A jump is taken only if neither thread has lanes left. It is not even taken then if one of
//     the two had none before and lanes of either wait elsewhere: from there on, until no
//     lane waits, the pair runs through code without active lanes.
//   - While a lane of the pair waits, unmasked instructions execute even in a thread
//     without active lanes. Masked ones do not, and wait for nothing there.
//   - A scalar jump must have the same condition in both threads.
//   - The last thread of an odd number is paired with a thread without lanes. While no lane
//     of the pair waits, that thread executes nothing.
type pair struct {
	threads [2]*Thread
	// stuck is set while the hardware's thread mask is wrong: jumps for lack of lanes are not taken.
	stuck bool
}

// waits reports whether lanes of the pair wait on another path, so that control flow is not uniform.
func (p *pair) waits() bool { return p.threads[0].waiting|p.threads[1].waiting != 0 }

// err returns the fault of one of the threads, or nil.
func (p *pair) err() *Fault {
	for _, t := range p.threads {
		if t.err != nil {
			return t.err
		}
	}
	return nil
}

// run executes up to n instructions of both threads, as Thread.run does for one thread. Afterwards, the first
// thread's state tells whether the pair has ended or waits at a barrier.
func (p *pair) run(n uint64) {
	a, b := p.threads[0], p.threads[1]
	ops := a.prog.ops
	a.halted = false
	for ; n > 0; n-- {
		ip := a.ip
		if int(ip) >= len(ops) {
			a.ranOut()
			return
		}
		o := &ops[ip]
		if o.join {
			a.rejoin(ip)
			b.rejoin(ip)
		}
		if p.stuck && !p.waits() {
			p.stuck = false
		}
		switch {
		case o.kind == kindFlow:
			p.flow(o)
		case o.kind == kindSend && o.send.eot:
			p.end(o)
		case o.kind == kindSync && p.atBarrier(o):
			return
		default:
			diverged := p.waits()
			for _, t := range p.threads {
				t.execute(o, diverged)
			}
		}
		if p.err() != nil || a.ended {
			return
		}
	}
}

// execute runs an instruction other than control flow in one thread of a pair.
func (t *Thread) execute(o *op, diverged bool) {
	if t.active == 0 && (!o.noMask || !diverged || o.kind == kindSend && t.mask(o) == 0) {
		t.pass(o)
		return
	}
	if t.begin(o) {
		o.exec(t, o)
	}
}

// pass skips an instruction that does not execute because the thread has no lanes. The thread waits for
// nothing, but @-distances count the instruction.
func (t *Thread) pass(o *op) {
	t.ip = o.idx + 1
	t.steps++
	if h := t.track; h != nil && o.kind != kindFlow && o.counted(h.lenient) {
		h.inOrder(o, &footprint{})
		t.clock.skip()
		t.log.add(^o.idx, nil)
	}
}

// atBarrier reports whether a thread of the pair, and therefore the pair, stays at a barrier.
func (p *pair) atBarrier(o *op) bool {
	if p.threads[0].prog.insts[o.idx].Sync != isa.SyncBar {
		return false
	}
	for _, t := range p.threads {
		if t.active != 0 && t.arrived != t.passed && t.group.phase <= t.passed {
			p.threads[0].halted = true
			return true
		}
	}
	return false
}

// end ends both threads. A thread without lanes sends no message.
func (p *pair) end(o *op) {
	for _, t := range p.threads {
		if t.dispatch == 0 {
			t.pass(o)
			t.ended = true
		} else if t.begin(o) {
			o.exec(t, o)
		}
	}
}

// flow executes a branch in both threads and determines where the pair continues.
func (p *pair) flow(o *op) {
	a, b := p.threads[0], p.threads[1]
	switch o.op {
	case isa.OpCall, isa.OpCalla, isa.OpRet:
		a.faultf(o, FaultUnsupported, "subroutines in fused threads are not modelled")
		return
	}
	alone := p.waits() && (a.active == 0) != (b.active == 0)
	for _, t := range p.threads {
		if !t.begin(o) {
			return
		}
		o.exec(t, o)
		if t.err != nil {
			return
		}
	}
	next := o.idx + 1
	switch {
	case o.op == isa.OpJmpi:
		if b.dispatch == 0 && !p.waits() {
			b.ip = a.ip
		}
		if a.ip != b.ip {
			a.faultf(o, FaultFlow, "the scalar condition differs between thread %d and thread %d, which are fused", a.index, b.index)
		}
		return
	case o.op == isa.OpWhile, o.op == isa.OpGoto && a.prog.insts[o.idx].BranchCtrl:
		p.back(o, next)
		return
	case a.active|b.active != 0:
	case alone || p.stuck:
		p.stuck = true
	default:
		next = a.ip
	}
	a.ip, b.ip = next, next
}

// back continues after a branch whose lanes jump back at once. If one thread jumps back, both do, and the lanes
// that left the loop in the other thread wait after the branch.
func (p *pair) back(o *op, next int32) {
	a, b := p.threads[0], p.threads[1]
	if a.ip == b.ip {
		return
	}
	for k, t := range p.threads {
		other := p.threads[1-k]
		if t.ip != next {
			continue
		}
		if t.active != 0 {
			t.park(t.active, next)
		}
		t.ip = other.ip
		t.rejoin(t.ip)
	}
}
