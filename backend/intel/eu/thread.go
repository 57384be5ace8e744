// SPDX-License-Identifier: MIT

package eu

import (
	"fmt"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/control"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// run executes up to n instructions. It returns early when the thread ends, faults or stops at a barrier.
func run(t *thread.Thread, n uint64) {
	ops := t.Prog.Ops
	t.Halted = false
	for ; n > 0; n-- {
		ip := t.Ip
		if int(ip) >= len(ops) {
			t.RanOut()
			return
		}
		o := &ops[ip]
		if o.Join && t.Waiting != 0 {
			control.Rejoin(t, ip)
		}
		if !begin(t, o) {
			return
		}
		o.Exec(t, o)
		if t.Err != nil || t.Ended {
			return
		}
		if t.Halted {
			t.Ip = ip
			t.Steps--
			t.Stats.Executed[o.Stat]--
			t.Stats.Lanes -= uint64(o.N)
			if p := t.Opts.Profile; p != nil {
				p.Executed[o.Off/8]--
				t.Last = ip - 1
			}
			return
		}
	}
}

// begin prepares the execution of an instruction: it checks limits and scoreboard and updates the counts. It
// reports whether the instruction may execute.
func begin(t *thread.Thread, o *thread.Op) bool {
	if t.Steps >= limit(t.Opts) {
		t.Faultf(o, thread.FaultLimit, "the thread has run %d instructions", t.Steps)
		return false
	}
	t.Steps++
	if o.Kind != thread.KindBad {
		if t.Track != nil && !clock.ScoreboardStep(t, o) || t.Board != nil && !clock.BoardStep(t, o) {
			return false
		}
	}
	if t.Opts.Trace != nil {
		trace(t, o)
	}
	if t.Opts.Profile != nil {
		t.Opts.Profile.Count(t, o)
	}
	t.Ip = o.Idx + 1
	t.Stats.Executed[o.Stat]++
	t.Stats.Lanes += uint64(o.N)
	return true
}

// trace writes the trace line of an instruction that is about to execute.
func trace(t *thread.Thread, o *thread.Op) {
	fmt.Fprintf(t.Opts.Trace, "%v thread %d 0x%04x lanes %08x flags %08x %08x: %s\n", t.Group.Id, t.Index, o.Off, t.Mask(o),
		t.Flag[0], t.Flag[1], t.Prog.Text(o))
}

// predecodeSync checks a sync instruction.
func predecodeSync(o *thread.Op, in *isa.Inst) *thread.OpError {
	switch in.Sync {
	case isa.SyncNop, isa.SyncAllRd, isa.SyncAllWr:
		o.Exec = execNop
	case isa.SyncBar:
		if in.Src[0].File == isa.FileImm && in.Src[0].Imm != 0 {
			return thread.Operr(thread.FaultUnsupported, "only barrier 0 is modeled, not %d", in.Src[0].Imm)
		}
		o.Exec = execBarrier
	default:
		return thread.Operr(thread.FaultUnsupported, "sync.%d is not modeled", in.Sync)
	}
	o.Src[0].Imm = 1<<fields.NumTokens - 1
	if in.Src[0].File == isa.FileImm {
		o.Src[0].Imm &= uint32(in.Src[0].Imm)
	}
	return nil
}

// predecodeWait checks a wait instruction, which stops its thread until the notification register n0.0 is
// nonzero, and decrements it. The gateway increments n0.0 for each completed barrier of the thread's group (SKL
// PRM vol. 7, wait and "Notification Registers").
func predecodeWait(o *thread.Op, in *isa.Inst) *thread.OpError {
	a := &in.Src[0]
	if a.File != isa.FileARF || a.Reg != isa.ARFN0 || a.Indirect {
		return thread.Operr(thread.FaultOperand, "wait takes a notification register")
	}
	if a.Sub != 0 {
		return thread.Operr(thread.FaultUnsupported, "no notifications are modeled for n0.%d", a.Sub/4)
	}
	o.Exec = execBarrier
	return nil
}

// execBarrier continues when every thread of the group has signaled.
func execBarrier(t *thread.Thread, o *thread.Op) {
	switch {
	case t.Group.Phase > t.Passed:
		if t.Opts.Account != nil {
			clock.PastBarrier(t, o)
		}
		t.Passed++
	case t.Arrived == t.Passed:
		t.Faultf(o, thread.FaultBarrier, "waits for a barrier that the thread has not signalled")
	default:
		t.Halted = true
	}
}
