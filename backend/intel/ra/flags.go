// SPDX-License-Identifier: MIT

package ra

import (
	"fmt"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
)

// allLanes has a bit for each lane of a flag register.
const allLanes = ^uint32(0)

// run assigns physical registers to virtual flag and address registers and accumulators. A live range is an
// interval of the code order, extended over loops that carry the value. Flags without a register are moved to
// general registers.
func (a *flagAllocator) run(f *mir.Func, code SpillCode) error {
	a.made = len(f.Regs)
	for range maxRounds {
		if err := a.try(f); err != nil {
			return err
		}
		if !a.short {
			a.apply()
			return nil
		}
		a.spill(code)
	}
	return fmt.Errorf("%s: spilling flags does not terminate", f.Name)
}

// try assigns a register to each flag. If there are not enough, it marks the ones to spill and sets short.
func (a *flagAllocator) try(f *mir.Func) error {
	a.f, a.short = f, false
	a.index = reuse.Zeroed(a.index, len(f.Regs))
	a.lives, a.users, a.blocks = a.lives[:0], a.users[:0], a.blocks[:0]
	a.fixed = [mir.NumArchs]fixedFlag{}
	a.mentions()
	if len(a.lives) == 0 {
		return nil
	}
	for k := range a.lives {
		a.follow(&a.lives[k])
		a.stretch(&a.lives[k].flagSpan, false)
	}
	for n := range a.fixed {
		if u := &a.fixed[n]; u.used {
			a.stretch(&u.flagSpan, true)
		}
	}
	return a.assign()
}

// flagLife describes a virtual flag. Address registers and accumulators are treated like a flag that is only
// read and written whole.
type flagLife struct {
	flagSpan
	reg    mir.Reg
	copied bool    // read or written whole, as a scalar
	stays  bool    // read where it cannot be filled
	first  int32   // its first use; start may be earlier because of a loop
	filled bool    // its home has its contents
	home   mir.Reg // general register of a spilled flag
	place  int     // see mir.Operand.Arch; or spilledFlag
	blocks int32   // last block that uses it, as index in flagAllocator.blocks; -1 if none
}

// flagSpan is the range from the first to the last instruction that uses a flag, and the innermost loops around the two.
type flagSpan struct{ start, end, startLoop, endLoop int32 }

// flagBlock is the effect of a block on a flag.
type flagBlock struct {
	block        int32
	before       int32  // previous block that uses the flag, as index in flagAllocator.blocks; -1 if none
	running, all uint32 // lanes that it writes, if active, and in any case
	reads        uint32 // active lanes read before they are written
	readsAll     uint32 // likewise for active and inactive lanes
}

// flagAllocator places flag registers; its memory is reused.
type flagAllocator struct {
	f      *mir.Func
	index  []int32 // by register: index of its life + 1
	lives  []flagLife
	users  []mir.ID // instructions that may use one of lives
	blocks []flagBlock
	starts []int32                 // by block: position of its first instruction; one extra at the end
	loop   int32                   // the innermost loop around the current instruction
	order  []int32                 // lives ordered by start
	fixed  [mir.NumArchs]fixedFlag // uses of physical registers in the code
	made   int                     // first register created by spilling
	short  bool                    // some lives have to be spilled

	seen [2]graph.Live // liveness of the flag of the last call of follow: in active lanes, and in all lanes
}

// fixedFlag is the range from the first to the last use of a physical flag register. The register is reserved
// throughout.
type fixedFlag struct {
	flagSpan
	used bool
}

// spilledFlag is the place of a spilled flag.
const spilledFlag = -1

// life returns the life of a flag used at a position of a block, and the record of the block's effect on it.
func (a *flagAllocator) life(r mir.Reg, block, pos int32) (*flagLife, *flagBlock) {
	if a.index[r] == 0 {
		a.lives = append(a.lives, flagLife{flagSpan: flagSpan{start: pos, startLoop: a.loop}, reg: r, first: pos, blocks: -1})
		a.index[r] = int32(len(a.lives))
	}
	l := &a.lives[a.index[r]-1]
	if l.blocks < 0 || a.blocks[l.blocks].block != block {
		a.blocks = append(reuse.Room(a.blocks, 1), flagBlock{block: block, before: l.blocks})
		l.blocks = int32(len(a.blocks) - 1)
	}
	l.end, l.endLoop = pos, a.loop
	return l, &a.blocks[l.blocks]
}

// predicate records that an instruction reads a flag lane by lane.
func (b *flagBlock) predicate(in *mir.Inst) {
	switch {
	case !in.PredicatedByLane(): // including bits of other lanes
		b.readsAll |= allLanes &^ b.all
	case in.NoMask:
		b.readsAll |= in.Lanes() &^ b.all
	default:
		b.reads |= in.Lanes() &^ b.running
	}
}

// condition records that an instruction writes a flag lane by lane.
func (b *flagBlock) condition(in *mir.Inst) {
	if in.Pred != 0 {
		return // writes only some of the lanes
	}
	b.running |= in.Lanes()
	if in.NoMask {
		b.all |= in.Lanes()
	}
}

// mentions finds the uses of flags.
func (a *flagAllocator) mentions() {
	f := a.f
	a.starts = reuse.Slice(a.starts, len(f.Blocks)+1)
	pos := int32(0)
	for b := range f.Blocks {
		a.starts[b], a.loop = pos, f.LoopOf(b)
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			named := in.Flag.Reg() != 0
			for k := range in.Src {
				if o := &in.Src[k]; (o.File == mir.VReg || o.File == mir.ARF) && f.IsArch(o) {
					a.operand(o, int32(b), pos, false)
					named = true
				}
			}
			if in.ReadsFlag() || in.WritesFlag() {
				a.flag(in, int32(b), pos)
			}
			if o := &in.Dst; f.IsArch(o) {
				a.operand(o, int32(b), pos, true)
				named = true
			}
			if named {
				a.users = append(a.users, i)
			}
			if r, ok := f.Accumulator(in); ok && r == 0 {
				a.fix(mir.ArchAcc, pos)
			}
			pos++
		}
	}
	a.starts[len(f.Blocks)] = pos
}

// flag records the use of the flag of a predicate or condition modifier.
func (a *flagAllocator) flag(in *mir.Inst, block, pos int32) {
	r := in.Flag.Reg()
	if r == 0 {
		a.fix(int(in.Flag/2), pos)
		return
	}
	l, u := a.life(r, block, pos)
	l.stays = l.stays || in.EndsLoop() && !a.canFillBefore(in, block)
	if in.ReadsFlag() {
		u.predicate(in)
	}
	if in.WritesFlag() {
		u.condition(in)
	}
}

// operand records a use of a register that is read or written whole.
func (a *flagAllocator) operand(o *mir.Operand, block, pos int32, write bool) {
	if n, ok := o.Arch(); ok {
		a.fix(n, pos)
		return
	}
	l, u := a.life(mir.Reg(o.Num), block, pos)
	l.copied = true
	if write {
		u.running, u.all = allLanes, allLanes
	} else {
		u.readsAll |= allLanes &^ u.all
	}
}

// fix records a use of a physical register.
func (a *flagAllocator) fix(n int, pos int32) {
	if u := &a.fixed[n]; u.used {
		u.end, u.endLoop = pos, a.loop
		return
	}
	a.fixed[n] = fixedFlag{flagSpan{pos, pos, a.loop, a.loop}, true}
}

// follow computes the blocks at whose start lanes of a flag are live. Reads by active lanes follow the logical
// control flow, all others the physical one. A write of some lanes leaves the others live.
func (a *flagAllocator) follow(l *flagLife) {
	f := a.f
	running, all := &a.seen[forRunning], &a.seen[forAll]
	running.Start(len(f.Blocks), 0)
	all.Start(len(f.Blocks), 0)
	full := uint32(uint64(1)<<f.Width - 1)
	for k := l.blocks; k >= 0; k = a.blocks[k].before {
		u := &a.blocks[k]
		if u.reads != 0 {
			running.Use(u.block)
		}
		if u.readsAll != 0 {
			all.Use(u.block)
		}
		if full&^u.running == 0 {
			running.Define(u.block)
		}
		if full&^u.all == 0 {
			all.Define(u.block)
		}
	}
	f.Work.Spend(running.Solve(&f.Lanes) + all.Solve(&f.Thread))
}

// Indices of flagAllocator.seen: liveness in active lanes, and in all lanes.
const (
	forRunning = iota
	forAll
)

// stretch extends a live range over the loops that it enters or leaves, and over loops around it that carry the
// flag to the next iteration. These are all loops if always is set; otherwise those at whose start the flag of
// the last call of follow is live.
func (a *flagAllocator) stretch(x *flagSpan, always bool) {
	f := a.f
	out, around := f.Apart(x.endLoop, x.startLoop)
	if out != 0 {
		_, x.end = a.span(out)
	}
	if into, _ := f.Apart(x.startLoop, x.endLoop); into != 0 {
		x.start, _ = a.span(into)
	}
	f.Work.Spend(int(f.Constructs[x.startLoop].Loops + f.Constructs[x.endLoop].Loops))
	for ; around != 0; around = f.Outer(around) {
		if first := f.Constructs[around].First; always || a.seen[forRunning].In(first) || a.seen[forAll].In(first) {
			x.start, x.end = a.span(around)
		}
	}
}

// span returns the positions of the first and the last instruction of a loop.
func (a *flagAllocator) span(loop int32) (start, end int32) {
	c := &a.f.Constructs[loop]
	return a.starts[c.First], a.starts[c.Last+1] - 1
}

// single lists the classes with only one physical register.
var single = [...]struct {
	name  string
	place int
}{
	mir.AddressClass:     {"address registers", mir.ArchA0},
	mir.AccumulatorClass: {"accumulators", mir.ArchAcc},
}

// assign selects a register for each live range. Flags that are copied from or to other registers, for subgroup
// operations, prefer f1, the others f0. If no register is free, the live range that ends last is spilled.
func (a *flagAllocator) assign() error {
	a.order = a.order[:0]
	for i := range a.lives {
		a.order = append(a.order, int32(i))
	}
	slices.SortStableFunc(a.order, func(x, y int32) int { return int(a.lives[x].start) - int(a.lives[y].start) })
	var last [mir.NumArchs]*flagLife
	fits := func(n int, l *flagLife) bool {
		u := &a.fixed[n]
		return !u.used || u.start > l.end || l.start > u.end
	}
	free := func(n int, l *flagLife) bool { return fits(n, l) && (last[n] == nil || last[n].end < l.start) }
	for _, i := range a.order {
		l := &a.lives[i]
		if k := single[a.f.Reg(l.reg).Class]; k.name != "" {
			if !free(k.place, l) {
				return fmt.Errorf("%s: more %s are needed at once than the machine has", a.f.Name, k.name)
			}
			l.place, last[k.place] = k.place, l
			continue
		}
		n := 0
		if l.copied {
			n = mir.ArchFlags - 1
		}
		if !free(n, l) {
			n = mir.ArchFlags - 1 - n
		}
		if free(n, l) {
			l.place, last[n] = n, l
			continue
		}
		a.short = true
		goes := (*flagLife)(nil)
		if a.mayGo(l) {
			goes = l
		}
		for k, x := range last[:mir.ArchFlags] {
			if fits(k, l) && a.mayGo(x) && (goes == nil || x.end > goes.end) {
				n, goes = k, x
			}
		}
		if goes == nil {
			return fmt.Errorf("%s: more flag registers are needed at once than the machine has", a.f.Name)
		}
		if goes != l {
			l.place, last[n] = n, l
		}
		goes.place = spilledFlag
	}
	return nil
}

// apply writes the assigned registers into the instructions.
func (a *flagAllocator) apply() {
	for _, i := range a.users {
		a.rename(a.f.At(i))
	}
}

// rename writes the assigned registers into an instruction.
func (a *flagAllocator) rename(in *mir.Inst) {
	f := a.f
	if r := in.Flag.Reg(); r != 0 {
		in.Flag = mir.Flag(2 * a.lives[a.index[r]-1].place)
	}
	for k := range 4 {
		o := operandOf(in, k)
		switch {
		case o.File != mir.VReg || f.Regs[o.Num].Class == mir.General:
		case k == 3 && f.IsAccumulator(o):
			*o = mir.Operand{} // readers of the physical register have no operand for it
		default:
			*o = o.InArch(a.lives[a.index[o.Num]-1].place)
		}
	}
}
