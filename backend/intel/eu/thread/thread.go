// SPDX-License-Identifier: MIT

package thread

import (
	"jacquard.example/generated/isa"
)

// Thread.Start keeps startRegs registers, of up to startBytes.
const startRegs, startBytes = 3, 64

// Thread is one hardware thread.
type Thread struct {
	Reg  [fileSize]byte
	Flag [numFlags]uint32

	Active   uint32                       // lanes that run
	Waiting  uint32                       // lanes that wait for the thread to reach an address
	Dispatch uint32                       // lanes that exist
	Live     uint32                       // dispatch mask: lanes with an invocation
	Vector   uint32                       // vector mask: all lanes of quads with a live lane
	Written  uint32                       // lanes whose last render target has been written
	Start    [startRegs * startBytes]byte // the first registers of the payload, for messages with copies of them
	Simd     uint8
	Ordered  bool // a message has waited for earlier threads, in pixel order
	Wait     [32]int32
	Ip       int32
	Last     int32 // index of the previous instruction, for Options.Profile

	cr0     uint32
	Round   uint8
	Flush64 bool
	Flush32 bool
	Flush16 bool

	Acc    [accSize / 4]int64  // integers at the full width of the accumulators
	AccLow [accSize / 4]uint32 // the register's contents when Acc was written

	BufI     [4][32]int64 // operands; [3] is the result
	BufF     [4][32]float32
	Wide     *WideBuffers // allocated when needed
	Addr     [3][32]uint16
	Resp     [256]uint32 // a message's response before it is written
	Base     uint64
	msg      Message
	Sampling Sampling
	Part     DescPart
	Track    *Tracker // for a scoreboard maintained by the program
	Board    *Board   // for a scoreboard maintained by hardware
	Clock    Clock
	Log      *ThreadLog // with Options.Account
	Prog     *Program
	Group    *Group
	Opts     *Options
	Stats    *Stats
	Index    int
	Err      *Fault
	Ended    bool
	Halted   bool // waits at a barrier

	BarrierID    uint32
	Arrived      uint32         // barrier signals sent
	Passed       uint32         // barriers passed
	Fences       uint32         // fences of shared memory sent
	Unsettled    bool           // atomics without a result were sent to the load/store unit after its last fence
	FencesBefore [2]uint32      // at the last two barrier signals, by parity of the signal's index
	Defined      [NumGRF]uint16 // see Options.Undefined
	Touched      [NumGRF]bool
	Scratch      []byte
	Pushed       []byte // see Launch
	ScratchBase  uint32
	Steps        uint64
}

// pendingBarriers returns the notification count: the completed barriers that the thread has not passed.
func (t *Thread) pendingBarriers() int { return int(t.Group.Phase - t.Passed) }

// RanOut faults because the thread has no instruction left.
func (t *Thread) RanOut() {
	t.Err = &Fault{Kind: FaultJump, Group: t.Group.Id, Thread: t.Index, Offset: t.Prog.Size, Msg: "ran past the end of the program"}
}

// SyncWaits applies the waits of sync.allrd and sync.allwr.
func (t *Thread) SyncWaits(o *Op) {
	in := &t.Prog.Insts[o.Idx]
	if in.Sync != isa.SyncAllRd && in.Sync != isa.SyncAllWr {
		return
	}
	for m := o.Src[0].Imm; m != 0; m &= m - 1 {
		t.Track.release(Trailing(m), in.Sync == isa.SyncAllWr)
	}
}

// LaneMask returns the lanes that an instruction executes for, ignoring its predicate.
func (t *Thread) LaneMask(o *Op) uint32 {
	if o.NoMask {
		return o.Written
	}
	return t.Active >> o.Choff & o.Written
}

// Mask returns the lanes that an instruction executes for.
func (t *Thread) Mask(o *Op) uint32 {
	m := o.Written
	if !o.NoMask {
		m &= t.Active >> o.Choff
	}
	if o.Pred != isa.PredNone {
		m &= t.Predicate(o)
	}
	return m
}

// predGroups gives, for each predicate mode, the size of the lane groups and whether any or all flags must be
// set.
var predGroups = [...]struct {
	lanes uint8
	any   bool
}{
	isa.PredAny2H: {2, true}, isa.PredAny4H: {4, true}, isa.PredAny8H: {8, true}, isa.PredAny16H: {16, true}, isa.PredAny32H: {32, true},
	isa.PredAll2H: {2, false}, isa.PredAll4H: {4, false}, isa.PredAll8H: {8, false}, isa.PredAll16H: {16, false}, isa.PredAll32H: {32, false},
}

// Predicate returns the predicate of an instruction's lanes. The group modes reduce the flag over aligned
// groups of channels, including inactive ones; inversion is applied last. The vertical modes combine the same
// bits of f0 and f1, on Gen7 to Gen12.5 (Mesa, brw_fs.cpp: flags_read).
func (t *Thread) Predicate(o *Op) uint32 {
	f := uint64(t.Flag[o.FlagReg])
	sub := uint(o.FlagBit) - uint(o.Choff) // 0 or 16: the flag bit of channel 0
	var bits uint32
	switch o.Pred {
	case isa.PredNone:
		return o.Full
	case isa.PredNormal:
		bits = uint32(f >> o.FlagBit)
	case isa.PredAnyV:
		bits = (t.Flag[0] | t.Flag[1]) >> o.FlagBit
	case isa.PredAllV:
		bits = t.Flag[0] & t.Flag[1] >> o.FlagBit
	case isa.PredAny: // of the instruction's lanes (IGC, HWConformity.cpp: fixPredCtrl)
		if uint32(f>>o.FlagBit)&o.Full != 0 {
			bits = o.Full
		}
	case isa.PredAll:
		if uint32(f>>o.FlagBit)&o.Full == o.Full {
			bits = o.Full
		}
	case isa.PredX, isa.PredY, isa.PredZ, isa.PredW: // a component's flag, for the four lanes of its vertex
		chans := uint32(f >> sub)
		for i := uint(0); i < uint(o.N); i++ {
			bits |= chans >> ((uint(o.Choff)+i)&^3 + uint(o.Pred-isa.PredX)) & 1 << i
		}
	default:
		size, any := uint(predGroups[o.Pred].lanes), predGroups[o.Pred].any
		group := uint32(uint64(1)<<size - 1)
		chans := uint32(f >> sub)
		for i := uint(0); i < uint(o.N); i++ {
			g := chans >> ((uint(o.Choff) + i) / size * size) & group
			if any && g != 0 || !any && g == group {
				bits |= 1 << i
			}
		}
	}
	if o.PredInv {
		bits = ^bits
	}
	return bits & o.Full
}
