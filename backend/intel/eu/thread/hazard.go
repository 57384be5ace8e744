// SPDX-License-Identifier: MIT

package thread

import "jacquard.example/backend/intel/fields"

// From Gen12 on the program maintains the scoreboard: every instruction encodes its waits. This file tracks
// unfinished operations along the executed path and faults on a use without its wait. The rules (TGL PRM vol.
// 7, "Software Scoreboard"; checked against iga64 -Xauto-deps):
//
//   - Arithmetic, nop and branches run in order and are counted; @d waits for the d-th
//     instruction back and for all older ones. A result more than ten instructions old is
//     available. Compilers differ in whether nop and halt count; under the strict rules, a
//     distance must be right in both counts.
//   - Sends and math run out of order under a token. $n.dst waits for the result and
//     implies that the sources were read; $n.src waits only for the latter. Reusing a
//     token waits for its previous user.
//   - In order after in order: a read needs the wait, and so does overwriting a result
//     (Mesa waits there, Intel's OpenCL compiler does not); overwriting a source does not.
//   - Out of order after in order: a read, overwriting a result and overwriting a source
//     all need the wait.
//   - Anything after out of order: reading or overwriting its result needs $n.dst,
//     overwriting its source needs $n.src.
//   - A fence is complete when it has responded: a message to the gateway or the thread's last
//     message needs its $n.dst.
//   - Flags and the accumulators 0 and 1 are tracked by hardware. After a write to another
//     architecture register the next instruction must wait for it; a0 behaves like a
//     general register.

// From Gen12.5 on there are several pipes of in-order instructions, which run at different speeds (Alchemist PRM vol. 7,
// "Software Scoreboard"). A distance counts the instructions of one pipe, or of each pipe. Within a pipe, the rules of
// Gen12.1 apply. In addition, overwriting a source of an instruction in another pipe needs a wait. Sync and nop are in no
// pipe. IGC counts branches in the integer pipe; the strict rules require distances that are right whether or not branches
// count.

// Xe2 has a fourth pipe: math runs in order too, and only messages have tokens (IGC, SWSB_G4IR.cpp; Mesa,
// brw_fs_scoreboard.cpp). Its registers of 64 bytes are written in words: an instruction that writes a byte reads the other
// one of its word and writes both (IGA, Models.hpp: hasReadModifiedWriteOnByteDst).

// Pipe is a pipe of in-order instructions. Machines that do not tell pipes apart have only the first.
type Pipe uint8

// The pipes.
const (
	PipeFloat Pipe = iota
	PipeInt
	PipeLong
	PipeMath
	NumPipes
)

// AllPipes is the set of all pipes.
const AllPipes = 1<<NumPipes - 1

// pipeDepth is the number of instructions of each pipe after which a dependency needs no wait (Mesa,
// brw_fs_scoreboard.cpp: the long pipe has 14; IGA, SWSBSetter.hpp: the math pipe has 18).
var pipeDepth = [NumPipes]uint32{PipeFloat: inOrderDepth, PipeInt: inOrderDepth, PipeLong: 14, PipeMath: 18}

// named are the pipes that texts name.
var named = [NumPipes]fields.Pipe{
	PipeFloat: fields.PipeFloat, PipeInt: fields.PipeInt, PipeLong: fields.PipeLong, PipeMath: fields.PipeMath,
}

// Name returns the letter of the pipe in texts.
func (p Pipe) Name() string { return named[p].String() }

// HazardRules is the set of rules by which the scoreboard is checked.
type HazardRules uint8

// The sets of rules.
const (
	// HazardsStrict allows only assumptions that a compiler can rely on.
	HazardsStrict HazardRules = iota
	// HazardsLenient also allows the assumptions of Intel's OpenCL compiler: after a taken jump all in-order
	// instructions are finished; a fence that has responded implies that the sources of all earlier messages
	// were read; a shared function, and the math unit, reads the sources of its instructions in order;
	// addresses and descriptors in a0 are tracked by hardware; in-order results are written in order; nop and
	// halt count. Mesa 25.0.7 and 26.2.6 also compute in a0 without waiting, in code that spills on Gen12.5, and
	// wait for math in order only if it is among the last ten math instructions.
	HazardsLenient
	// HazardsOff checks nothing.
	HazardsOff
)

const (
	inOrderDepth = 10 // a dependency older than this needs no wait
	HistorySize  = 64 // instructions kept for error messages; a power of two, more than all pipes have unfinished
	numTokens    = fields.NumTokens
	NoToken      = numTokens  // pseudo-token of out-of-order instructions without a token
	A0Reg        = NumGRF     // a0's number among the tracked registers
	NumTracked   = NumGRF + 1 // registers that the scoreboards track
)

// Scoreboard is the decoded SWSB field.
type Scoreboard struct {
	Dist    uint8
	Pipes   uint8 // set of the pipes that Dist counts
	WaitDst int8  // token, or -1
	WaitSrc int8
	Alloc   int8
}

// issued is an in-order instruction that may still be running.
type issued struct {
	idx  int32
	seq  uint32 // its number in its pipe
	pipe Pipe
	nsrc uint8
	dst  Span
	src  [3]Span
}

// Token is the state of one scoreboard token.
type Token struct {
	Idx      int32
	Serial   uint32
	Unit     uint8 // see unitOf in package clock
	Dst, Src bool  // unfinished write of the result, unfinished read of the sources
	Fence    bool
	Nspans   uint8
	Spans    [4]Span // Spans[0] is the result, Spans[1] a second result or empty; sources follow
}

// Tracker tracks the unfinished instructions of one thread.
type Tracker struct {
	Seq      uint32           // in-order instructions issued
	Done     uint32           // in-order instructions up to this one are known to be finished
	Pipes    bool             // the machine has several pipes
	seqs     [NumPipes]uint32 // in-order instructions issued to each pipe
	dones    [NumPipes]uint32 // in-order instructions of each pipe up to this one are known to be finished
	Serial   uint32           // number of sends and math instructions issued
	Lenient  bool
	Ctrl     uint32 // last in-order instruction that wrote a control register, in its pipe
	CtrlIdx  int32
	ctrlPipe Pipe
	Writer   [NumTracked]uint32 // last in-order instruction that wrote a register
	Reader   [NumTracked]uint32
	TokW     [NumTracked]uint32 // bit n: an unfinished write of token n
	TokR     [NumTracked]uint32 // bit n: an unfinished read of token n
	history  [HistorySize]issued
	Tokens   [numTokens + 1]Token
}

// release marks the reads of token n's instruction as finished and, if dst is set, its writes too.
func (h *Tracker) release(n int, dst bool) {
	tk := &h.Tokens[n]
	if !tk.Src && !(dst && tk.Dst) {
		return
	}
	for _, s := range tk.Spans[2:max(tk.Nspans, 2)] {
		h.clear(&h.TokR, s, n)
	}
	tk.Src = false
	if dst {
		for _, s := range tk.Spans[:2] {
			h.clear(&h.TokW, s, n)
		}
		tk.Dst = false
	}
	if !h.Lenient {
		return
	}
	// The sources of older instructions on the same unit have been read as well.
	for i := range h.Tokens {
		o := &h.Tokens[i]
		if o.Src && (o.Unit == tk.Unit || dst && tk.Fence) && int32(tk.Serial-o.Serial) > 0 {
			h.release(i, false)
		}
	}
}

func (h *Tracker) clear(set *[NumTracked]uint32, s Span, n int) {
	for r := int(s.Reg); r < int(s.Reg)+int(s.Regs) && r < NumTracked; r++ {
		set[r] &^= 1 << n
	}
}

// Waits applies the waits encoded in an instruction.
func (h *Tracker) Waits(s *Scoreboard) {
	if s.Dist != 0 {
		h.waitBack(uint32(s.Dist), s.Pipes)
	}
	if s.WaitDst >= 0 {
		h.release(int(s.WaitDst), true)
	}
	if s.WaitSrc >= 0 {
		h.release(int(s.WaitSrc), false)
	}
	if s.Alloc >= 0 {
		h.release(int(s.Alloc), true)
	}
}

// waitBack waits for the d-th instruction back in each pipe of a set.
func (h *Tracker) waitBack(d uint32, pipes uint8) {
	all := true
	for p := range h.seqs {
		if pipes>>p&1 != 0 && h.seqs[p]+1 >= d {
			h.dones[p] = max(h.dones[p], h.seqs[p]+1-d)
		}
		all = all && h.dones[p] == h.seqs[p]
	}
	switch {
	case all:
		h.Done = h.Seq
	case !h.Pipes:
		h.Done = h.dones[0]
	}
}

// Finish finishes all in-order instructions.
func (h *Tracker) Finish() { h.Done, h.dones = h.Seq, h.seqs }

// unfinished reports whether the result of an in-order instruction may be missing.
func (h *Tracker) unfinished(pipe Pipe, seq uint32) bool {
	depth := pipeDepth[pipe]
	if pipe == PipeMath && h.Lenient {
		depth = inOrderDepth
	}
	return seq > h.dones[pipe] && h.seqs[pipe]+1-seq <= depth
}

// ControlBusy reports whether the last write of a control register is unfinished.
func (h *Tracker) ControlBusy() bool { return h.Ctrl > h.dones[h.ctrlPipe] }

// NoPipe is none of the pipes.
const NoPipe = NumPipes

// Unfinished is an in-order instruction that another must wait for.
type Unfinished struct {
	Dist uint32 // in its pipe; 0: there is none
	Pipe Pipe
	Idx  int32
}

// Conflict searches the history for the last unfinished instruction, of a pipe other than besides, whose result (or, if
// sources is set, one of whose sources) overlaps s.
func (h *Tracker) Conflict(s Span, sources bool, besides Pipe) Unfinished {
	for q := h.Seq; q > h.Done && q > 0 && h.Seq-q < HistorySize; q-- {
		e := &h.history[q%HistorySize]
		if !h.unfinished(e.pipe, e.seq) {
			if !h.Pipes {
				break
			}
			continue
		}
		if e.pipe == besides {
			continue
		}
		overlaps := !sources && e.dst.Overlaps(s)
		for k := 0; sources && k < int(e.nsrc); k++ {
			overlaps = overlaps || e.src[k].Overlaps(s)
		}
		if overlaps {
			return Unfinished{h.seqs[e.pipe] + 1 - e.seq, e.pipe, e.idx}
		}
	}
	return Unfinished{}
}

// InOrder records an in-order instruction.
func (h *Tracker) InOrder(o *Op, f *Footprint) {
	h.Seq++
	h.seqs[o.Pipe]++
	e := &h.history[h.Seq%HistorySize]
	e.idx, e.nsrc, e.dst = o.Idx, f.Nsrc, f.Dst
	e.pipe, e.seq = o.Pipe, h.seqs[o.Pipe]
	for k := 0; k < int(f.Nsrc); k++ {
		s := f.Src[k]
		e.src[k] = s
		for r := int(s.Reg); r < int(s.Reg)+int(s.Regs); r++ {
			h.Reader[r] = h.Seq
		}
	}
	for r := int(f.Dst.Reg); r < int(f.Dst.Reg)+int(f.Dst.Regs); r++ {
		h.Writer[r] = h.Seq
	}
	if f.Ctrl {
		h.Ctrl, h.CtrlIdx, h.ctrlPipe = h.seqs[o.Pipe], o.Idx, o.Pipe
	}
}

// Before Gen12 the hardware maintains the scoreboard: an instruction stalls until its sources have been
// written, and until its destination has been written and read. General registers, a0, the flags and the
// accumulators are tracked, so a program without hints is always correct. This file checks the remaining ways
// to go wrong:
//
//   - {NoDDChk} ignores the scoreboard of the destination, {NoDDClr} leaves it set (SKL
//     PRM vol. 7, "Destination Dependency Control"). They allow several instructions to
//     fill a register without waiting for each other: the first has NoDDClr, the last
//     NoDDChk, those between have both. Until the last one the register is open: an
//     instruction that reads it, or writes it with a check, waits forever. A write without
//     a check can overtake an older write, or an older message that still has to read the
//     register. So only the instructions that opened the register may be using it, and
//     they must write other bytes.
//   - Neither may be used on predicated instructions, messages and the math unit, and an
//     instruction that closes a register but runs no lane leaves it open (Mesa's rules for
//     emitting these hints). BDW PRM vol. 7 forbids them for 64-bit operands and products
//     of doublewords, SKL PRM vol. 7 does not.
//   - The control register is not tracked: an instruction that names it needs {Switch},
//     which drains the pipeline (SKL PRM vol. 7, "Control Register").
//   - A fence is complete when it has responded, and only an instruction that reads or
//     overwrites its response waits for that.
//
// Intel's compilers and media kernels rely on a0 being tracked like a general register:
// they use addresses and descriptors in it after a write without {Switch}, and the kernels
// put NoDDClr and NoDDChk on writes to it.

// Board is the scoreboard state of a thread, by register. Instructions are numbered from 1 in program order; 0
// means none.
type Board struct {
	Writer [NumTracked]int32  // last unfinished write of the register
	Reader [NumTracked]int32  // message with an unfinished read of the register
	Opener [NumTracked]int32  // instruction that left the scoreboard set
	Filled [NumTracked]uint64 // bytes of an open register that have been written
	Fences int                // unfinished fences
}

// Each calls f with each register of a span and the span's bytes in it, until f returns false. It reports whether f never
// did.
func (s Span) Each(f func(r int, bytes uint64) bool) bool {
	for i := 0; i < int(s.Regs) && int(s.Reg)+i < NumTracked; i++ {
		bytes := ^uint64(0)
		if s.Regs <= 2 {
			bytes = s.Mask[i]
		}
		if !f(int(s.Reg)+i, bytes) {
			return false
		}
	}
	return true
}
