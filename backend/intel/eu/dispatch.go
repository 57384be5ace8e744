package eu

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"jacquard.example/core/texture"
	"jacquard.example/generated/target"
)

// DefaultStepLimit bounds the instructions of one thread if Options.StepLimit is 0.
const DefaultStepLimit = 1 << 26

// Options configures a dispatch: how strictly it is checked and in which order its threads run.
type Options struct {
	Hazards HazardRules
	// StepLimit is the number of instructions after which a thread is assumed to loop
	// forever; 0 means DefaultStepLimit.
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
	// do, including the hardware's errors: see pair.
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

func (o *Options) limit() uint64 {
	if o.StepLimit == 0 {
		return DefaultStepLimit
	}
	return o.StepLimit
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
	Stage    *Stage             // stage of the graphics pipeline; nil: the threads belong to workgroups
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
}

type group struct {
	id      [3]uint32
	machine *machine
	threads []*Thread
	slm     []byte
	shadow  []slmCell // by dword, with Options.Races
	signals int
	phase   uint32    // barriers completed
	opened  [2]uint64 // when the last two barriers opened, by parity of their number; for Options.Account
}

// arrive counts a thread's signal; the last one opens the barrier.
func (g *group) arrive(t *Thread) {
	t.arrived++
	t.fencesBefore[t.arrived%2] = t.fences
	g.signals++
	g.opened[g.phase%2] = max(g.opened[g.phase%2], t.clock.now)
	if g.signals == len(g.threads) {
		g.signals = 0
		g.phase++
		g.opened[g.phase%2] = 0
	}
}

func launchError(format string, args ...any) error {
	return &Fault{Kind: FaultLaunch, Offset: -1, Msg: fmt.Sprintf(format, args...)}
}

// Run executes a dispatch. On return, the surfaces and mappings contain the program's writes. The statistics
// are valid even if the run ends in an error. Run returns the context's error soon after ctx is done, even
// inside an endless loop.
func Run(ctx context.Context, d *Dispatch) (Stats, error) {
	var stats Stats
	r, err := newRunner(ctx, d, &stats)
	if err != nil {
		return stats, err
	}
	if a := d.Options.Account; a != nil {
		if d.Options.Hazards == HazardsOff {
			return stats, launchError("an account needs the scoreboard checks")
		}
		r.residents = newResidents(d)
		defer func() {
			r.residents.close(a, stats.Threads)
			a.close(d.Program.machine, stats.Threads)
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
	d         *Dispatch
	m         *machine
	g         group
	lanes     int // invocations of a group
	stats     *Stats
	order     []int      // threads in the order of their turns; the first thread of each pair
	pairs     []pair     // with Options.Fused
	none      Stats      // statistics of partners without lanes
	residents *residents // with an account
	rng       *rand.Rand
	grf       GRFs
}

func newRunner(ctx context.Context, d *Dispatch, stats *Stats) (*runner, error) {
	if d.Program == nil {
		return nil, launchError("there is no program")
	}
	switch d.SIMD {
	case 8, 16, 32:
	default:
		return nil, launchError("%d lanes a thread", d.SIMD)
	}
	n := uint64(1)
	for _, s := range d.LocalSize {
		if s == 0 || s > 1<<16 {
			return nil, launchError("workgroup size %v", d.LocalSize)
		}
		n *= uint64(s)
	}
	if n > 1<<16 {
		return nil, launchError("workgroup size %v", d.LocalSize)
	}
	if d.SLMSize < 0 || d.SLMSize > slmMask+1 {
		return nil, launchError("%d bytes of shared memory", d.SLMSize)
	}
	device := &d.Program.machine.Limits
	if s := d.ScratchPerThread; s != 0 && (s < 1024 || s&(s-1) != 0 || s > device.ScratchBytes) {
		return nil, launchError("%d bytes of scratch space for a thread", s)
	}
	threads := int(n+uint64(d.SIMD)-1) / d.SIMD
	if threads > device.GroupThreads {
		return nil, launchError("a workgroup of %d threads; the device has %d for one", threads, device.GroupThreads)
	}
	m, err := newMachine(d)
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, d: d, m: m, lanes: int(n), stats: stats}
	r.g = group{machine: m, slm: make([]byte, d.SLMSize)}
	if d.Options.Races {
		r.g.shadow = make([]slmCell, (d.SLMSize+3)/4)
	}
	step := max(d.ScratchPerThread, 1024)
	if uint64(threads)*uint64(step) > math.MaxUint32-scratchHole {
		return nil, launchError("%d threads with %d bytes of scratch space", threads, d.ScratchPerThread)
	}
	for i := range threads {
		r.g.threads = append(r.g.threads, r.newThread(i, uint32(scratchHole+i*step), stats))
		if !d.Options.Fused {
			r.order = append(r.order, i)
		}
	}
	if d.Options.Fused {
		r.pairUp(uint32(scratchHole + threads*step))
	}
	if d.Options.Slice != 0 {
		r.rng = rand.New(rand.NewPCG(d.Options.Seed, 0x6a61637175617264))
	}
	return r, nil
}

// newThread makes thread i of a group.
func (r *runner) newThread(i int, scratchBase uint32, stats *Stats) *Thread {
	d := r.d
	t := &Thread{prog: d.Program, group: &r.g, opts: &d.Options, stats: stats, index: i,
		scratch: make([]byte, d.ScratchPerThread), scratchBase: scratchBase}
	switch {
	case d.Options.Hazards == HazardsOff:
	case d.Program.machine.Can(target.SoftwareScoreboard):
		t.track = new(tracker)
	default:
		t.board, t.clock.regs = new(board), new(registerTimes)
	}
	return t
}

// pairUp pairs the threads. The last thread of an odd number gets a partner without lanes.
func (r *runner) pairUp(scratchBase uint32) {
	threads := r.g.threads
	for i := 0; i < len(threads); i += 2 {
		p := pair{threads: [2]*Thread{threads[i]}}
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
func (r *runner) reset(t *Thread, id [3]uint32) {
	*t = Thread{prog: t.prog, group: t.group, opts: t.opts, stats: t.stats, index: t.index, log: r.residents.log(t.log),
		track: t.track, board: t.board, wide: t.wide, scratch: t.scratch, scratchBase: t.scratchBase, clock: clock{regs: t.clock.regs}}
	if t.track != nil {
		*t.track = tracker{lenient: t.opts.Hazards == HazardsLenient}
	}
	if t.board != nil {
		*t.board, *t.clock.regs = board{}, registerTimes{}
	}
	poison := byte(0)
	if t.opts.Poison {
		poison = poisonByte
	}
	for i := range t.scratch {
		t.scratch[i] = poison
	}
	t.setCR0(0)
	first := t.index * r.d.SIMD
	lanes := max(min(r.d.SIMD, r.lanes-first), 0)
	t.simd = uint8(r.d.SIMD)
	t.enable(r.d.Stage, uint32(uint64(1)<<lanes-1))
	l := Launch{
		Group: id, Groups: r.d.Groups, LocalSize: r.d.LocalSize, Thread: t.index, Threads: len(r.g.threads),
		SIMD: r.d.SIMD, BarrierID: barrierOf(id), Scratch: t.scratchBase, FFTID: uint32(t.index) & 0x3FF,
	}
	for s := r.d.ScratchPerThread; s > 1024; s >>= 1 {
		l.ScratchLog++
	}
	t.barrierID = t.prog.barrier.Bits(l.BarrierID)
	r.grf.reset(poison)
	if r.d.Payload != nil {
		r.d.Payload(&l, &r.grf)
	}
	r.grf.SetDword(0, 3, r.grf.Dword(0, 3)&31|samplerStates) // the same for every ABI
	copy(t.reg[:grfEnd], r.grf.bytes[:])
	t.touched = r.grf.set
	for reg, set := range r.grf.set {
		if set {
			t.defined[reg] = 0xFF
		}
	}
}

// poisonByte fills undefined memory.
const poisonByte = 0xCD

// barrierOf returns a nonzero barrier id for a group, so that a program that fails to pass the id on is
// detected.
func barrierOf(id [3]uint32) uint32 { return 1 + (id[0]+id[1]+id[2])%31 }

// group runs one workgroup to completion.
func (r *runner) group(id [3]uint32) error {
	g := &r.g
	g.id, g.signals, g.phase, g.opened = id, 0, 0, [2]uint64{}
	clear(g.shadow)
	for i := range g.slm {
		g.slm[i] = poisonByte // shared memory starts undefined
	}
	for _, t := range g.threads {
		if err := r.ctx.Err(); err != nil { // scratch space is up to 2 MiB a thread
			return err
		}
		r.reset(t, id)
		r.stats.Threads++
	}
	for i := range r.pairs {
		p := &r.pairs[i]
		p.stuck = false
		if t := p.threads[1]; t.index == len(g.threads) {
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
			t := g.threads[i]
			if t.ended {
				continue
			}
			before := t.steps
			if err := r.turn(t, slice); err != nil {
				return err
			}
			moved = moved || t.ended || t.steps != before
			if !t.ended {
				left++
			}
		}
		if left == 0 {
			r.residents.group(g.threads)
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
func (r *runner) turn(t *Thread, n uint64) error {
	for {
		k := min(n, stretch)
		var err *Fault
		if r.pairs == nil {
			t.run(k)
			err = t.err
		} else {
			p := &r.pairs[t.index/2]
			p.run(k)
			err = p.err()
		}
		if err != nil {
			return err
		}
		if n -= k; n == 0 || t.ended || t.halted {
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
	for _, t := range g.threads {
		if t.ended {
			continue
		}
		ended := 0
		for _, u := range g.threads {
			if u.ended {
				ended++
			}
		}
		o := &t.prog.ops[t.ip]
		t.faultf(o, FaultBarrier, "%d of %d threads have signalled, %d have ended", g.signals, len(g.threads), ended)
		return t.err
	}
	return nil
}
