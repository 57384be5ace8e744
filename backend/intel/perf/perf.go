package perf

import (
	"jacquard.example/backend/intel/fields"
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
func Cycles(machine *target.Target, code []byte) int { return estimate(machine, code, nil) }

// Times returns the parts of the estimate of Cycles: the sum of waits and issue times, as often
// as instructions run.
func Times(machine *target.Target, code []byte) (out []Time) {
	estimate(machine, code, func(t Time) { out = append(out, t) })
	return out
}

func estimate(machine *target.Target, code []byte, each func(Time)) int {
	p := machine.Platform
	weight := weights(p, code)
	tracks := !machine.Can(target.SoftwareScoreboard)
	var (
		board board
		now   int
		total int
		done  [history]int // when the last in-order results are available
		n     int
		dst   [tokens]int
		src   [tokens]int
	)
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			break
		}
		start := now
		if tracks {
			start = max(start, board.wait(&in))
		}
		if d := in.SWSB.Dist(); d > 0 && d <= n {
			start = max(start, done[(n-d)%history])
		}
		tok, use := in.SWSB.Token(in.Op.IsOutOfOrder())
		switch use {
		case fields.TokenDst:
			start = max(start, dst[tok])
		case fields.TokenSrc:
			start = max(start, src[tok])
		}
		if in.Op == isa.OpSync && (in.Sync == isa.SyncAllWr || in.Sync == isa.SyncAllRd) {
			for t := range tokens {
				start = max(start, src[t])
				if in.Sync == isa.SyncAllWr {
					start = max(start, dst[t])
				}
			}
		}
		c := &machine.Costs[classOf(p, &in)]
		sd := registers(p, &in)
		end := start + c.Front + c.FrontDst*sd
		if tracks {
			board.note(&in, start+c.Read, start+c.Result+c.ResultDst*sd)
		}
		if use == fields.TokenSet {
			src[tok] = start + c.Read
			dst[tok] = start + c.Result + c.ResultDst*sd
		}
		if !in.Op.IsOutOfOrder() && in.Op != isa.OpSync {
			done[n%history] = start + c.Result
			n++
		}
		times := 1
		if weight != nil {
			times = int(weight[at/8])
		}
		if each != nil {
			each(Time{at, start - now, end - start, times})
		}
		total += (end - now) * times
		now = end
		at += int(in.Size)
	}
	return total
}

// weights returns the estimated execution count of each half instruction (8 bytes): loops
// are the ranges that a while or another branch jumps back over. It returns nil if there are
// none and everything runs once.
func weights(p isa.Platform, code []byte) []int32 {
	var change []int32 // of the depth, at the ends of loops
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			break
		}
		if to := at + int(in.JIP); isa.Ops[in.Op].Format == isa.FormatBranch && in.JIP < 0 && to >= 0 {
			if change == nil {
				change = make([]int32, len(code)/8+3)
			}
			change[to/8]++
			change[at/8+1]--
		}
		at += int(in.Size)
	}
	depth := int32(0)
	for i := range change {
		depth += change[i]
		change[i] = 1
		for range min(depth, maxDepth) {
			change[i] *= loopWeight
		}
	}
	return change
}

// registers returns the number of registers that the destination spans.
func registers(p isa.Platform, in *isa.Inst) int {
	if f := isa.Ops[in.Op].Format; f == isa.FormatSend || f == isa.FormatSends {
		if info, ok := in.Message(p); ok {
			return max(info.Rlen, 1)
		}
		return 1
	}
	bytes := int(in.ExecSize) * in.Dst.Type.Size() * max(int(in.Dst.HStride), 1)
	return max((bytes+isa.GRFBytes-1)/isa.GRFBytes, 1)
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

func classOf(p isa.Platform, in *isa.Inst) latency.Class {
	switch isa.Ops[in.Op].Format {
	case isa.FormatBranch:
		return latency.Branch
	case isa.FormatSend, isa.FormatSends:
		if c := bySFID[in.SFID&15]; c != latency.ALU {
			return c
		}
		switch info, _ := in.Message(p); {
		case atomics[info.Kind]:
			return latency.Atomic
		case info.Kind == isa.MsgFence:
			return latency.Fence
		}
		return latency.Data
	}
	switch in.Op {
	case isa.OpSync, isa.OpWait:
		return latency.Sync
	case isa.OpMath:
		if in.Math.IsInt() {
			return latency.Divide
		}
		return latency.Math
	}
	return latency.ALU
}
