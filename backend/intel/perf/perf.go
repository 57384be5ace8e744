package perf

import (
	"sync"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// loopWeight is the assumed trip count of a loop.
const loopWeight = 10

// maxDepth bounds the loop depth for weights, to keep deep nests in range.
const maxDepth = 6

const (
	history = 8  // in-order instructions that a distance can refer back to
	tokens  = 16 // scoreboard tokens
)

// Time is what is estimated for one instruction.
type Time struct {
	Offset int // in the code, in bytes
	Wait   int // cycles until its operands are there
	Issue  int // cycles that it occupies the thread
	Times  int // how often it runs
}

// Cycles estimates a program in machine code. It stops at the first word that does not
// decode.
func Cycles(machine *target.Target, code []byte) int {
	e := decoded(machine, code)
	defer estimators.Put(e)
	return e.Cycles()
}

// Times returns the parts of the estimate of Cycles: the sum of waits and issue times, as often
// as instructions run.
func Times(machine *target.Target, code []byte) (out []Time) {
	e := decoded(machine, code)
	defer estimators.Put(e)
	e.sum(func(t Time) { out = append(out, t) })
	return out
}

var estimators = sync.Pool{New: func() any { return new(Estimator) }}

// decoded returns an estimator that has seen a program.
func decoded(machine *target.Target, code []byte) *Estimator {
	e := estimators.Get().(*Estimator)
	e.Begin(machine)
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

// An Estimator estimates a program of which it is told the instructions in the order of the
// code. It may be used for one program after another, and keeps its memory.
type Estimator struct {
	machine *target.Target
	tracks  bool // the hardware tracks registers
	board   board
	now     int
	done    [history]int // when the last in-order results are available
	n       int
	dst     [tokens]int
	src     [tokens]int
	spans   []span
	loops   []loop
	weight  []int32
}

// Begin begins a program.
func (e *Estimator) Begin(machine *target.Target) {
	e.machine, e.tracks = machine, !machine.Can(target.SoftwareScoreboard)
	if e.tracks {
		e.board = board{}
	}
	e.now, e.n, e.dst, e.src = 0, 0, [tokens]int{}, [tokens]int{}
	e.spans, e.loops = e.spans[:0], e.loops[:0]
}

// Add adds the instruction at an offset in the code, in bytes.
func (e *Estimator) Add(in *isa.Inst, at int) {
	p := e.machine.Platform
	start := e.now
	if e.tracks {
		start = max(start, e.board.wait(in))
	}
	if d := in.SWSB.Dist(); d > 0 && d <= e.n {
		start = max(start, e.done[(e.n-d)%history])
	}
	late := in.Op.IsOutOfOrder()
	tok, use := in.SWSB.Token(late)
	switch use {
	case fields.TokenDst:
		start = max(start, e.dst[tok])
	case fields.TokenSrc:
		start = max(start, e.src[tok])
	}
	if in.Op == isa.OpSync && (in.Sync == isa.SyncAllWr || in.Sync == isa.SyncAllRd) {
		for t := range tokens {
			start = max(start, e.src[t])
			if in.Sync == isa.SyncAllWr {
				start = max(start, e.dst[t])
			}
		}
	}
	class, sd := does(p, in)
	c := &e.machine.Costs[class]
	end := start + c.Front + c.FrontDst*sd
	if e.tracks {
		e.board.note(in, start+c.Read, start+c.Result+c.ResultDst*sd)
	}
	if use == fields.TokenSet {
		e.src[tok] = start + c.Read
		e.dst[tok] = start + c.Result + c.ResultDst*sd
	}
	if !late && in.Op != isa.OpSync {
		e.done[e.n%history] = start + c.Result
		e.n++
	}
	if in.JIP < 0 && isa.Ops[in.Op].Format == isa.FormatBranch && at+int(in.JIP) >= 0 {
		e.loops = append(e.loops, loop{at + int(in.JIP), at})
	}
	e.spans = append(e.spans, span{at, start - e.now, end - start})
	e.now = end
}

// Cycles returns the estimate of what has been added.
func (e *Estimator) Cycles() int { return e.sum(nil) }

// span is the time of an instruction at an offset, if it runs once.
type span struct{ at, wait, issue int }

// loop is the offsets of the first instruction of a loop and of the branch back to it.
type loop struct{ first, last int }

// sum adds up the times of all instructions, as often as they run.
func (e *Estimator) sum(each func(Time)) (total int) {
	weight := e.weights()
	for _, x := range e.spans {
		times := 1
		if weight != nil {
			times = int(weight[x.at/8])
		}
		if each != nil {
			each(Time{x.at, x.wait, x.issue, times})
		}
		total += (x.wait + x.issue) * times
	}
	return total
}

// weights returns the estimated execution count of each half instruction (8 bytes): loops
// are the ranges that a while or another branch jumps back over. It returns nil if there are
// none and everything runs once.
func (e *Estimator) weights() []int32 {
	if len(e.loops) == 0 {
		return nil
	}
	e.weight = reuse.Zeroed(e.weight, e.spans[len(e.spans)-1].at/8+3)
	change := e.weight // of the depth, at the ends of loops
	for _, l := range e.loops {
		change[l.first/8]++
		change[l.last/8+1]--
	}
	depth, times := int32(0), int32(1)
	for i, by := range change {
		if by != 0 {
			depth, times = depth+by, 1
			for range min(depth, maxDepth) {
				times *= loopWeight
			}
		}
		change[i] = times
	}
	return change
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

// does returns the class of an instruction and the number of registers that its destination spans.
func does(p isa.Platform, in *isa.Inst) (latency.Class, int) {
	class := latency.ALU
	switch isa.Ops[in.Op].Format {
	case isa.FormatBranch:
		class = latency.Branch
	case isa.FormatSend, isa.FormatSends:
		info, ok := in.Message(p)
		if !ok {
			info.Rlen = 0
		}
		return ofMessage(&info), max(info.Rlen, 1)
	case isa.FormatMath:
		if class = latency.Math; in.Math.IsInt() {
			class = latency.Divide
		}
	default:
		if in.Op == isa.OpSync || in.Op == isa.OpWait {
			class = latency.Sync
		}
	}
	bytes := int(in.ExecSize) * in.Dst.Type.Size() * max(int(in.Dst.HStride), 1)
	return class, max((bytes+isa.GRFBytes-1)/isa.GRFBytes, 1)
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
