// SPDX-License-Identifier: MIT

package thread

import (
	"io"
	"math/bits"

	"jacquard.example/core/texture"
)

// Options configures a dispatch: how strictly it is checked and in which order its threads run.
type Options struct {
	Hazards HazardRules
	// StepLimit is the number of instructions after which a thread is assumed to loop
	// forever; 0 means eu.DefaultStepLimit.
	StepLimit uint64
	// Slice is the number of instructions after which another thread of the group takes over, in an order drawn
	// from Seed, to expose races. If it is 0, the threads take long turns in order, so a thread can still poll
	// memory that a later thread of its group writes. Groups run one after another: a group must not wait for a
	// later one.
	Slice uint64
	Seed  uint64
	// Undefined makes it a fault to read a general register that neither the payload nor
	// an instruction has written. It requires the scoreboard checks.
	Undefined bool
	// Addresses makes it a fault to send an unmasked message with the address of a lane that was never written:
	// code that computes addresses under a mask leaves garbage in inactive lanes. It requires the scoreboard
	// checks.
	Addresses bool
	// Poison fills registers and scratch space that have no defined contents
	// with a pattern instead of zeros.
	Poison bool
	// Races makes it a fault if two threads of a group use a dword of shared memory without a barrier in
	// between, unless both accesses are reads or both are atomic. A write before the barrier must also be
	// fenced.
	Races bool
	// Fused runs the threads of a group in pairs that share one instruction pointer, as fused execution units
	// do, including the hardware's errors: see pair in package eu.
	Fused bool
	// Account, if not nil, is charged with the cost of the dispatch. It requires the scoreboard checks.
	Account *Account
	// Profile, if not nil, counts the executions of each instruction. Each program needs its own profile. It
	// cannot be combined with Fused.
	Profile *Profile
	// Clock is the time stamp at which the dispatch starts.
	Clock uint64
	// Trace, if not nil, receives a line for every executed instruction.
	Trace io.Writer
}

// Dispatch is one launch of a program over a grid of workgroups.
type Dispatch struct {
	Program   *Program
	SIMD      int       // lanes per thread: 8, 16 or 32
	Groups    [3]uint32 // number of workgroups
	LocalSize [3]uint32 // invocations per workgroup

	// Surfaces are the entries of the binding table. To typed messages and the sampler, a nil entry is the null
	// surface, which reads as zero, drops writes and has no size; for other messages it is a fault.
	Surfaces []*Surface
	Samplers []*texture.Sampler // by index of the sampler state; nil if there is none
	Heap     Heap               // surfaces and samplers that bindless messages access by handle
	Stage    *Stage             // stage of the graphics pipeline; nil if the threads belong to workgroups
	Mappings []Mapping          // the 64-bit address space
	SLMSize  int                // bytes of shared memory per workgroup

	// ScratchPerThread is the size in bytes of a thread's scratch space: 0, or a power of
	// two of at least 1024.
	ScratchPerThread int

	// Payload fills the registers of a thread before it starts. Launch.Fill does this from a row of the ABI
	// table.
	Payload func(l *Launch, grf *GRFs)

	Options Options
}

// Launch is the input from which a thread's payload is made.
type Launch struct {
	Group      [3]uint32 // workgroup id
	Groups     [3]uint32
	LocalSize  [3]uint32
	Thread     int // index in the workgroup, the subgroup id
	Threads    int // threads per workgroup
	SIMD       int
	BarrierID  uint32 // number of the workgroup's barrier
	Scratch    uint32 // first byte of the thread's scratch space, from the general state base
	ScratchLog uint32 // size code: log2(bytes / 1024)
	FFTID      uint32 // number of the thread among those resident

	Pushed []byte // push data in memory, at PushedAt, if the ABI has them there
}

// Group is a workgroup that is running, or the threads of a draw.
type Group struct {
	Id      [3]uint32
	Machine *Machine
	Threads []*Thread
	Slm     []byte
	Shadow  []SlmCell // by dword, with Options.Races
	Signals int
	Phase   uint32    // barriers completed
	Opened  [2]uint64 // when the last two barriers opened, by parity of the barrier's index; for Options.Account
}

// Arrive counts a thread's signal; the last one opens the barrier.
func (g *Group) Arrive(t *Thread) {
	t.Arrived++
	t.FencesBefore[t.Arrived%2] = t.Fences
	g.Signals++
	g.Opened[g.Phase%2] = max(g.Opened[g.Phase%2], t.Clock.Now)
	if g.Signals == len(g.Threads) {
		g.Signals = 0
		g.Phase++
		g.Opened[g.Phase%2] = 0
	}
}

// PoisonByte fills undefined memory.
const PoisonByte = 0xCD

// ThreadLog records the execution of a thread.
type ThreadLog struct {
	Steps   []step
	Dynamic []Footprint // footprints of steps that use a0 to address registers; only for a hardware scoreboard
	Regs    bool        // the machine has a hardware scoreboard
	Dropped uint64      // number of steps beyond MaxSteps
}

// step is an instruction of a log: its index, or the index's complement if the thread skipped it but
// @-distances count it. For messages, Lines is the number of memory steps; see moved in package message.
type step struct {
	Op    int32
	Lines uint32
}

// MaxSteps limits the simulated instructions of a thread, so that the steps of its log take at most 1 MiB. The time of
// longer threads is extrapolated.
const MaxSteps = 1 << 17

// Add appends an instruction. f is its footprint if that depends on a0, else nil.
func (l *ThreadLog) Add(op int32, f *Footprint) {
	switch {
	case l == nil:
	case len(l.Steps) == MaxSteps:
		l.Dropped++
	default:
		l.Steps = append(l.Steps, step{Op: op})
		if l.Regs && f != nil {
			l.Dynamic = append(l.Dynamic, *f)
		}
	}
}

// Touched records the number of memory steps of the last instruction, a message.
func (l *ThreadLog) Touched(lines uint64) {
	if l != nil && l.Dropped == 0 {
		l.Steps[len(l.Steps)-1].Lines = uint32(lines)
	}
}

// Scaled returns t multiplied by num/den, rounded down.
func (t Time) Scaled(num, den uint64) (out Time) {
	for w, n := range t {
		high, low := bits.Mul64(n, num)
		out[w], _ = bits.Div64(high%den, low, den)
	}
	return out
}

// With Options.Races the model checks shared memory. If two threads of a group access the same dword between
// the same barriers, and one of them writes, the order is undefined. Atomics do not race with each other. A
// barrier does not order earlier writes either, unless a fence of shared memory precedes it (TGL PRM vol. 7,
// "Memory Fence": writes are visible to others when it has responded).

// SlmCell is the state of a dword of shared memory.
type SlmCell struct {
	Writer  uint16 // thread + 1
	Reader  uint16 // thread + 1, or manyReaders of package message
	Atomic  bool   // the write was atomic
	Written uint32 // number of barriers that the writer had passed
	Read    uint32
	Fences  uint32 // number of shared-memory fences that the writer had sent
}
