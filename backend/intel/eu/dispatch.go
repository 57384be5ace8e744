// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// DefaultStepLimit bounds the instructions of one thread if Options.StepLimit is 0.
const DefaultStepLimit = 1 << 26

func limit(o *thread.Options) uint64 {
	if o.StepLimit == 0 {
		return DefaultStepLimit
	}
	return o.StepLimit
}

func launchError(format string, args ...any) error {
	return &thread.Fault{Kind: thread.FaultLaunch, Offset: -1, Msg: fmt.Sprintf(format, args...)}
}

// Run executes a dispatch. On return, the surfaces and mappings contain the program's writes. The statistics
// are valid even if the run ends in an error. Run returns the context's error soon after ctx is done, even
// inside an endless loop.
func Run(ctx context.Context, d *thread.Dispatch) (thread.Stats, error) {
	var stats thread.Stats
	r, err := newRunner(ctx, d, &stats)
	if err != nil {
		return stats, err
	}
	if a := d.Options.Account; a != nil {
		if d.Options.Hazards == thread.HazardsOff {
			return stats, launchError("an account needs the scoreboard checks")
		}
		r.residents = newResidents(d)
		defer func() {
			r.residents.close(a, stats.Threads)
			clock.Close(a, d.Program.Machine, stats.Threads)
		}()
	}
	for z := uint32(0); z < d.Groups[2]; z++ {
		for y := uint32(0); y < d.Groups[1]; y++ {
			for x := uint32(0); x < d.Groups[0]; x++ {
				if err := r.group([3]uint32{x, y, z}); err != nil {
					return stats, err
				}
			}
		}
	}
	return stats, nil
}

// runner keeps the threads of a group for reuse by the next one.
type runner struct {
	ctx       context.Context
	d         *thread.Dispatch
	m         *thread.Machine
	g         thread.Group
	lanes     int // invocations of a group
	stats     *thread.Stats
	order     []int        // threads in the order of their turns; with Options.Fused, only the first thread of each pair
	pairs     []pair       // set with Options.Fused
	none      thread.Stats // statistics of partners without lanes
	residents *residents   // with an account
	rng       *rand.Rand
	grf       thread.GRFs
}

func newRunner(ctx context.Context, d *thread.Dispatch, stats *thread.Stats) (*runner, error) {
	if d.Program == nil {
		return nil, launchError("there is no program")
	}
	switch d.SIMD {
	case 8, 16, 32:
	default:
		return nil, launchError("a thread has 8, 16 or 32 lanes, not %d", d.SIMD)
	}
	n := uint64(1)
	for _, s := range d.LocalSize {
		if s == 0 || s > 1<<16 {
			return nil, launchError("the workgroup size %v is not supported", d.LocalSize)
		}
		n *= uint64(s)
	}
	if n > 1<<16 {
		return nil, launchError("the workgroup size %v is not supported", d.LocalSize)
	}
	if d.SLMSize < 0 || d.SLMSize > message.SlmMask+1 {
		return nil, launchError("a workgroup has 0 to %d bytes of shared memory, not %d", message.SlmMask+1, d.SLMSize)
	}
	device := &d.Program.Machine.Limits
	if s := d.ScratchPerThread; s != 0 && (s < 1024 || s&(s-1) != 0 || s > device.ScratchBytes) {
		return nil, launchError("a thread's scratch space is 0 or a power of two from 1024 to %d bytes, not %d", device.ScratchBytes, s)
	}
	threads := int(n+uint64(d.SIMD)-1) / d.SIMD
	if threads > device.GroupThreads {
		return nil, launchError("the workgroup has %d threads, but the device allows %d", threads, device.GroupThreads)
	}
	m, err := newMachine(d)
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, d: d, m: m, lanes: int(n), stats: stats}
	r.g = thread.Group{Machine: m, Slm: make([]byte, d.SLMSize)}
	if d.Options.Races {
		r.g.Shadow = make([]thread.SlmCell, (d.SLMSize+3)/4)
	}
	step := max(d.ScratchPerThread, 1024)
	if uint64(threads)*uint64(step) > math.MaxUint32-message.ScratchHole {
		return nil, launchError("the scratch space of %d threads with %d bytes each exceeds 4 GiB", threads, d.ScratchPerThread)
	}
	for i := range threads {
		r.g.Threads = append(r.g.Threads, r.newThread(i, uint32(message.ScratchHole+i*step), stats))
		if !d.Options.Fused {
			r.order = append(r.order, i)
		}
	}
	if d.Options.Fused {
		r.pairUp(uint32(message.ScratchHole + threads*step))
	}
	if d.Options.Slice != 0 {
		r.rng = rand.New(rand.NewPCG(d.Options.Seed, 0x6a61637175617264))
	}
	return r, nil
}

// newThread makes thread i of a group.
func (r *runner) newThread(i int, scratchBase uint32, stats *thread.Stats) *thread.Thread {
	d := r.d
	t := &thread.Thread{Prog: d.Program, Group: &r.g, Opts: &d.Options, Stats: stats, Index: i,
		Scratch: make([]byte, d.ScratchPerThread), ScratchBase: scratchBase}
	switch {
	case d.Options.Hazards == thread.HazardsOff:
	case d.Program.Machine.Can(target.SoftwareScoreboard):
		t.Track = new(thread.Tracker)
	default:
		t.Board, t.Clock.Regs = new(thread.Board), new(thread.RegisterTimes)
	}
	return t
}

// pairUp pairs the threads. The last thread of an odd number gets a partner without lanes.
func (r *runner) pairUp(scratchBase uint32) {
	threads := r.g.Threads
	for i := 0; i < len(threads); i += 2 {
		p := pair{threads: [2]*thread.Thread{threads[i]}}
		if i+1 < len(threads) {
			p.threads[1] = threads[i+1]
		} else {
			p.threads[1] = r.newThread(i+1, scratchBase, &r.none)
		}
		r.order = append(r.order, i)
		r.pairs = append(r.pairs, p)
	}
}

// reset prepares a thread for a workgroup.
func (r *runner) reset(t *thread.Thread, id [3]uint32) {
	*t = thread.Thread{Prog: t.Prog, Group: t.Group, Opts: t.Opts, Stats: t.Stats, Index: t.Index, Log: r.residents.log(t.Log),
		Track: t.Track, Board: t.Board, Wide: t.Wide, Scratch: t.Scratch, ScratchBase: t.ScratchBase,
		Clock: thread.Clock{Regs: t.Clock.Regs}}
	if t.Track != nil {
		*t.Track = thread.Tracker{Lenient: t.Opts.Hazards == thread.HazardsLenient,
			Pipes: t.Prog.Machine.Can(target.Pipes)}
	}
	if t.Board != nil {
		*t.Board, *t.Clock.Regs = thread.Board{}, thread.RegisterTimes{}
	}
	poison := byte(0)
	if t.Opts.Poison {
		poison = thread.PoisonByte
	}
	for i := range t.Scratch {
		t.Scratch[i] = poison
	}
	t.SetCR0(0)
	first := t.Index * r.d.SIMD
	lanes := max(min(r.d.SIMD, r.lanes-first), 0)
	t.Simd = uint8(r.d.SIMD)
	message.Enable(t, r.d.Stage, uint32(uint64(1)<<lanes-1))
	l := thread.Launch{
		Group: id, Groups: r.d.Groups, LocalSize: r.d.LocalSize, Thread: t.Index, Threads: len(r.g.Threads),
		SIMD: r.d.SIMD, BarrierID: barrierOf(id), Scratch: t.ScratchBase, FFTID: uint32(t.Index) & 0x3FF,
	}
	for s := r.d.ScratchPerThread; s > 1024; s >>= 1 {
		l.ScratchLog++
	}
	t.BarrierID = t.Prog.Barrier.Bits(l.BarrierID)
	r.grf.Reset(r.d.Program.GRF, poison)
	if r.d.Payload != nil {
		r.d.Payload(&l, &r.grf)
		t.Pushed = l.Pushed
	}
	r.grf.SetDword(0, 3, r.grf.Dword(0, 3)&31|thread.SamplerStates) // the same for every ABI
	copy(t.Reg[:thread.GrfEnd], r.grf.Bytes[:])
	copy(t.Start[:], r.grf.Bytes[:])
	t.Touched = r.grf.Set
	for reg, set := range r.grf.Set {
		if set {
			t.Defined[reg] = 0xFF
		}
	}
}

// barrierOf returns a nonzero barrier id for a group, so that a program that fails to pass the id on is
// detected.
func barrierOf(id [3]uint32) uint32 { return 1 + (id[0]+id[1]+id[2])%31 }

// group runs one workgroup to completion.
func (r *runner) group(id [3]uint32) error {
	g := &r.g
	g.Id, g.Signals = id, 0
	g.Phase, g.Opened = 0, [2]uint64{}
	clear(g.Shadow)
	for i := range g.Slm {
		g.Slm[i] = thread.PoisonByte // shared memory starts undefined
	}
	for _, t := range g.Threads {
		if err := r.ctx.Err(); err != nil { // scratch space is up to 2 MiB per thread
			return err
		}
		r.reset(t, id)
		r.stats.Threads++
	}
	for i := range r.pairs {
		p := &r.pairs[i]
		p.stuck = false
		if t := p.threads[1]; t.Index == len(g.Threads) {
			r.reset(t, id)
		}
	}
	slice := uint64(turnSteps)
	if r.d.Options.Slice != 0 {
		slice = r.d.Options.Slice
	}
	for {
		if err := r.ctx.Err(); err != nil { // the turns may all be short
			return err
		}
		if r.rng != nil {
			r.rng.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
		}
		left, moved := 0, false
		for _, i := range r.order {
			t := g.Threads[i]
			if t.Ended {
				continue
			}
			before := t.Steps
			if err := r.turn(t, slice); err != nil {
				return err
			}
			moved = moved || t.Ended || t.Steps != before
			if !t.Ended {
				left++
			}
		}
		if left == 0 {
			r.residents.group(g.Threads)
			return nil
		}
		if !moved {
			return r.deadlock()
		}
	}
}

// stretch is the number of instructions between two checks of the context, about 10 ms: an infinite loop stops
// soon, and the check costs nothing.
const stretch = 1 << 14

// turnSteps is the length of a thread's turn in instructions if Options.Slice is 0.
const turnSteps = 1 << 16

// turn runs up to n instructions of a thread, or of the pair whose first thread is t. It stops at a barrier or
// at the end of the program.
func (r *runner) turn(t *thread.Thread, n uint64) error {
	for {
		k := min(n, stretch)
		var err *thread.Fault
		if r.pairs == nil {
			run(t, k)
			err = t.Err
		} else {
			p := &r.pairs[t.Index/2]
			p.run(k)
			err = p.err()
		}
		if err != nil {
			return err
		}
		if n -= k; n == 0 || t.Ended || t.Halted {
			return nil
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
	}
}

// deadlock reports the first thread that waits at a barrier that cannot open.
func (r *runner) deadlock() error {
	g := &r.g
	for _, t := range g.Threads {
		if t.Ended {
			continue
		}
		ended := 0
		for _, u := range g.Threads {
			if u.Ended {
				ended++
			}
		}
		o := &t.Prog.Ops[t.Ip]
		t.Faultf(o, thread.FaultBarrier, "%d of %d threads have signalled, %d have ended", g.Signals, len(g.Threads), ended)
		return t.Err
	}
	return nil
}
