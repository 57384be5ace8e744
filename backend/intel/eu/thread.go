package eu

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// Thread is one hardware thread.
type Thread struct {
	reg  [fileSize]byte
	flag [2]uint32

	active   uint32 // lanes that run
	waiting  uint32 // lanes that wait for the thread to reach an address
	dispatch uint32 // lanes that exist
	live     uint32 // dispatch mask: lanes with an invocation
	vector   uint32 // vector mask: all lanes of quads with a live lane
	written  uint32 // lanes whose last render target has been written
	simd     uint8
	ordered  bool // a message has waited for earlier threads, in pixel order
	wait     [32]int32
	ip       int32
	last     int32 // index of the previous instruction, for Options.Profile

	cr0     uint32
	round   uint8
	flush64 bool
	flush32 bool
	flush16 bool

	acc    [accSize / 4]int64  // integers at the full width of the accumulators
	accLow [accSize / 4]uint32 // the register's contents when acc was written

	bufI     [4][32]int64 // operands; [3] is the result
	bufF     [4][32]float32
	wide     *wideBuffers // allocated when needed
	addr     [3][32]uint16
	resp     [256]uint32 // a message's response before it is written
	base     uint64
	msg      message
	sampling sampling
	part     descPart
	track    *tracker // for a scoreboard maintained by the program
	board    *board   // for a scoreboard maintained by hardware
	clock    clock
	log      *threadLog // with Options.Account
	prog     *Program
	group    *group
	opts     *Options
	stats    *Stats
	index    int
	err      *Fault
	ended    bool
	halted   bool // waits at a barrier

	barrierID    uint32
	arrived      uint32        // barrier signals sent
	passed       uint32        // barriers passed
	fences       uint32        // fences of shared memory sent
	fencesBefore [2]uint32     // at the last two barrier signals, by parity of their number
	defined      [numGRF]uint8 // see Options.Undefined
	touched      [numGRF]bool
	scratch      []byte
	scratchBase  uint32
	steps        uint64
}

// pendingBarriers returns the notification count: the completed barriers that the thread has not passed.
func (t *Thread) pendingBarriers() int { return int(t.group.phase - t.passed) }

// run executes up to n instructions. It returns early when the thread ends, faults or stops at a barrier.
func (t *Thread) run(n uint64) {
	ops := t.prog.ops
	t.halted = false
	for ; n > 0; n-- {
		ip := t.ip
		if int(ip) >= len(ops) {
			t.ranOut()
			return
		}
		o := &ops[ip]
		if o.join && t.waiting != 0 {
			t.rejoin(ip)
		}
		if !t.begin(o) {
			return
		}
		o.exec(t, o)
		if t.err != nil || t.ended {
			return
		}
		if t.halted {
			t.ip = ip
			t.steps--
			t.stats.Executed[o.stat]--
			t.stats.Lanes -= uint64(o.n)
			if p := t.opts.Profile; p != nil {
				p.Executed[o.off/8]--
				t.last = ip - 1
			}
			return
		}
	}
}

// begin prepares the execution of an instruction: it checks limits and scoreboard and updates the counts. It
// reports whether the instruction may execute.
func (t *Thread) begin(o *op) bool {
	if t.steps >= t.opts.limit() {
		t.faultf(o, FaultLimit, "the thread has run %d instructions", t.steps)
		return false
	}
	t.steps++
	if o.kind != kindBad {
		if t.track != nil && !t.scoreboardStep(o) || t.board != nil && !t.boardStep(o) {
			return false
		}
	}
	if t.opts.Trace != nil {
		t.trace(o)
	}
	if t.opts.Profile != nil {
		t.opts.Profile.count(t, o)
	}
	t.ip = o.idx + 1
	t.stats.Executed[o.stat]++
	t.stats.Lanes += uint64(o.n)
	return true
}

// ranOut faults because the thread has no instruction left.
func (t *Thread) ranOut() {
	t.err = &Fault{Kind: FaultJump, Group: t.group.id, Thread: t.index, Offset: t.prog.size, Msg: "ran past the end of the program"}
}

// trace writes the trace line of an instruction that is about to execute.
func (t *Thread) trace(o *op) {
	fmt.Fprintf(t.opts.Trace, "%v thread %d 0x%04x lanes %08x flags %08x %08x: %s\n", t.group.id, t.index, o.off, t.mask(o), t.flag[0], t.flag[1], t.prog.text(o))
}

// predecodeSync checks a sync instruction.
func predecodeSync(o *op, in *isa.Inst) *opError {
	switch in.Sync {
	case isa.SyncNop, isa.SyncAllRd, isa.SyncAllWr:
		o.exec = execNop
	case isa.SyncBar:
		o.exec = execBarrier
	default:
		return operr(FaultUnsupported, "sync.%d is not modeled", in.Sync)
	}
	o.src[0].imm = 0xFFFF
	if in.Src[0].File == isa.FileImm {
		o.src[0].imm = uint32(in.Src[0].Imm) & 0xFFFF
	}
	return nil
}

// syncWaits applies the waits of sync.allrd and sync.allwr.
func (t *Thread) syncWaits(o *op) {
	in := &t.prog.insts[o.idx]
	if in.Sync != isa.SyncAllRd && in.Sync != isa.SyncAllWr {
		return
	}
	for m := o.src[0].imm; m != 0; m &= m - 1 {
		t.track.release(trailing(m), in.Sync == isa.SyncAllWr)
	}
}

// predecodeWait checks a wait instruction, which stops its thread until the notification register n0.0 is
// nonzero, and decrements it. The gateway increments n0.0 for each completed barrier of the thread's group (SKL
// PRM vol. 7, wait and "Notification Registers").
func predecodeWait(o *op, in *isa.Inst) *opError {
	a := &in.Src[0]
	if a.File != isa.FileARF || a.Reg != isa.ARFN0 || a.Indirect {
		return operr(FaultOperand, "wait takes a notification register")
	}
	if a.Sub != 0 {
		return operr(FaultUnsupported, "no notifications are modelled for n0.%d", a.Sub/4)
	}
	o.exec = execBarrier
	return nil
}

// execBarrier continues when every thread of the group has signaled.
func execBarrier(t *Thread, o *op) {
	switch {
	case t.group.phase > t.passed:
		if t.opts.Account != nil {
			t.pastBarrier(o)
		}
		t.passed++
	case t.arrived == t.passed:
		t.faultf(o, FaultBarrier, "waits for a barrier that the thread has not signalled")
	default:
		t.halted = true
	}
}
