// SPDX-License-Identifier: MIT

package guard

import (
	"errors"
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// A Guard guards functions one after another and reuses its memory.
type Guard struct{ guard }

// guard is the state for one function.
type guard struct {
	f      *mir.Func
	file   *mir.RegFile
	blocks []effect
	in     [][2]set // by block: live at its start, for active lanes and for all lanes
	ends   [2]set   // scratch memory of out
	solve  graph.Solver

	apart   []bool // by construct: lanes may wait outside of it, or of an enclosing one, while its code runs
	open    []set  // by construct: live where lanes resume that wait outside of it or of an enclosing one
	waiting set    // live for lanes that may wait outside of the block's arm or loop
	live    effect
	taken   set // used around the instruction
	flag    int // flag register of the guard, loaded before instruction load; -1 if none
	load    mir.ID
}

// ErrRegisters reports that no register is left for a guard.
var ErrRegisters = errors.New("no register is left for code that guards unmasked instructions in control flow")

// Registers is the number of free registers that suffices for any guard: two for the results of an instruction,
// and one for its flag and the guard's flag.
const Registers = 3

// Insert guards the code of f after register allocation. It returns ErrRegisters if too few
// registers are free; [Registers] are always enough.
func (x *Guard) Insert(f *mir.Func, file *mir.RegFile) error {
	g := &x.guard
	g.f, g.file = f, file
	if !g.possible() {
		return nil
	}
	g.liveness()
	g.open = reuse.Slice(g.open, len(f.Constructs))
	g.open[0] = set{}
	from, resume := g.halted()
	for b := range f.Blocks {
		blk := &f.Blocks[b]
		c := &f.Constructs[blk.In]
		if c.IsLoop && int(c.First) == b {
			g.enter(blk.In, c.Last+1)
		}
		halted := from <= b && b < resume
		if halted || g.apart[blk.In] && !g.meeting(b) {
			g.waiting = g.open[blk.In]
			if halted {
				g.waiting.add(&g.in[resume][0])
				g.waiting.add(&g.in[resume][1])
			}
			if err := g.block(b); err != nil {
				return err
			}
		}
		switch f.At(blk.Last).Op {
		case isa.OpIf:
			g.enter(blk.If, f.Constructs[blk.If].Otherwise())
		case isa.OpElse:
			g.enter(blk.In, c.Last)
		case isa.OpCont: // starting here, lanes from any construct in the iteration wait for its end
			for k := blk.In; ; k = f.Constructs[k].Parent {
				g.resume(k, f.Constructs[c.Loop].Last)
				if k == c.Loop {
					break
				}
			}
		}
	}
	return nil
}

// enter opens construct k or its else arm. Lanes that wait outside of it, if any, continue at block resume.
func (g *guard) enter(k, resume int32) {
	g.open[k] = g.open[g.f.Constructs[k].Parent]
	if g.apart[k] {
		g.resume(k, resume)
	}
}

// together reports whether all lanes that reach a construct go the same way through it.
func (g *guard) together(k int32) bool {
	c := &g.f.Constructs[k]
	blk := &g.f.Blocks[c.First]
	if c.IsLoop {
		return g.f.At(blk.First).Uniform
	}
	return g.f.At(blk.Last).Uniform
}

// resume records that lanes that wait outside of construct k resume at block b.
func (g *guard) resume(k, b int32) {
	if int(b) < len(g.in) {
		g.open[k].add(&g.in[b][0])
		g.open[k].add(&g.in[b][1])
	}
}

// halted returns the first block that may run while halted lanes wait, and the block where they resume. No
// lanes wait if from is not before resume.
func (g *guard) halted() (from, resume int) {
	f := g.f
	for b, blk := range f.Blocks[:f.Resume] {
		if last := f.At(blk.Last); last.Op == isa.OpHalt && !last.Uniform {
			if loop, _ := f.Apart(f.LoopOf(b), 0); loop != 0 { // in the next iteration
				return int(f.Constructs[loop].First), int(f.Resume)
			}
			return b + 1, int(f.Resume)
		}
	}
	return 0, 0
}

// possible reports whether there may be code to guard: unmasked instructions in places where lanes may wait
// elsewhere. It computes apart.
func (g *guard) possible() bool {
	f := g.f
	g.apart = reuse.Zeroed(g.apart, len(f.Constructs))
	for k := 1; k < len(f.Constructs); k++ {
		g.apart[k] = g.apart[f.Constructs[k].Parent] || !g.together(int32(k))
	}
	if from, resume := g.halted(); from < resume {
		return true
	}
	for b := range f.Blocks {
		if !g.apart[f.Blocks[b].In] {
			continue
		}
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.NoMask && !in.EOT && (in.IsSend() || writes(f, in)) {
				return true
			}
		}
	}
	return false
}

// writes reports whether an instruction writes a register or flag that can be live.
func writes(f *mir.Func, in *mir.Inst) bool {
	return in.Op != mir.OpUndef && (slots(f, &in.Dst, f.DstBytes(in)).n > 0 || in.WritesFlag())
}

// block guards the code of a block, from its end to its start.
func (g *guard) block(b int) error {
	f := g.f
	first := f.Blocks[b].First
	for first != 0 && !g.needed(f.At(first)) {
		first = f.Next(first)
	}
	if first == 0 {
		return nil
	}
	g.live = effect{}
	own, all := g.out(b)
	g.live.own, g.live.any = *own, *all
	g.flag = -1
	for i := f.Blocks[b].Last; i != 0; {
		prev := f.Prev(i)
		f.Work.Spend(setWords)
		in := f.At(i)
		if g.flag >= 0 && g.touches(in, g.flag) {
			g.flush()
		}
		was := *in
		if g.needed(in) {
			if err := g.guard(i); err != nil {
				return err
			}
		}
		g.live.before(f, &was)
		i = prev
	}
	g.flush()
	return nil
}

// needed reports whether an instruction must not execute in a thread without lanes.
func (g *guard) needed(in *mir.Inst) bool {
	switch {
	case !in.NoMask || in.EOT || in.Op == mir.OpUndef || in.Steers():
		return false
	case in.IsSend() && !harmless(in):
		return true
	}
	return g.waiting.meets(slots(g.f, &in.Dst, g.f.DstBytes(in))) || in.WritesFlag() && g.waiting.meets(flagRun(int(in.Flag/2)))
}

// harmless reports whether a message may be sent without lanes: it is a fill with a constant descriptor and the
// thread's own header. A header in other registers may have been overwritten by another message's payload.
func harmless(in *mir.Inst) bool {
	info := in.Msg.Name.Info()
	own := in.Src[0].File == mir.GRF && in.Src[0].Num == 0
	return info.Spill && info.Clipped && in.Src[2].File == mir.None && own
}

// meeting reports whether a block has the workgroup's barrier. Then all lanes execute it: otherwise the barrier
// would be undefined.
func (g *guard) meeting(b int) bool {
	for i := g.f.Blocks[b].First; i != 0; i = g.f.Next(i) {
		if g.f.At(i).Msg.Name == message.Barrier {
			return true
		}
	}
	return false
}

func flagRun(n int) run { return run{flagUnit + flagBits*n, flagBits} }

// touches reports whether an instruction reads or writes a flag register.
func (g *guard) touches(in *mir.Inst, n int) bool {
	if (in.ReadsFlag() || in.WritesFlag()) && int(in.Flag/2) == n {
		return true
	}
	for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if k, ok := o.Arch(); ok && k == n {
			return true
		}
	}
	return false
}

// flush loads the flag register that guards the instructions starting at g.load.
func (g *guard) flush() {
	if g.flag >= 0 {
		g.f.Before(g.load, lanesInto(g.flag))
	}
	g.flag = -1
}

func scalar(op isa.Op, dst, src mir.Operand) mir.Inst {
	return mir.Inst{Op: op, Exec: 1, NoMask: true, Dst: dst, Src: [3]mir.Operand{src.WithStride(0)}}
}

func flagOf(n int) mir.Flag { return mir.Flag(2 * n) }

// lanesInto returns an instruction that sets a flag register to the mask of active lanes.
func lanesInto(n int) mir.Inst {
	return scalar(isa.OpMov, flagOf(n).Whole(), mir.Arch(isa.ARFCE0, 0, isa.TypeUD))
}

// predicate makes an instruction execute only if any lane is active or, if none is set, only if no lane is
// active.
func (g *guard) predicate(in *mir.Inst, n int, none bool) {
	in.Pred, in.PredInv, in.Flag = isa.PredAny16H, none, flagOf(n)
	if g.f.Width > 16 {
		in.Pred = isa.PredAny32H
	}
}

// guard guards one instruction.
func (g *guard) guard(i mir.ID) error {
	in := g.f.At(i)
	g.taken = g.waiting
	g.taken.add(&g.live.own)
	g.taken.add(&g.live.any)
	now := g.live
	now.before(g.f, in)
	g.taken.add(&now.own)
	g.taken.add(&now.any)
	g.taken.addRun(slots(g.f, &in.Dst, g.f.DstBytes(in)))
	for k := range in.Src {
		g.taken.addRun(slots(g.f, &in.Src[k], g.f.SrcBytes(in, k)))
	}
	if in.Pred == isa.PredNone && in.CMod == isa.CModNone && int(in.Op) < isa.NumOps {
		return g.predicated(i)
	}
	if in.IsSend() {
		return fmt.Errorf("%s: an unmasked message has a predicate in control flow: %s", g.f.Name, g.f.Text(i))
	}
	if r := slots(g.f, &in.Dst, g.f.DstBytes(in)); in.Exec == 1 && r.n == 1 && r.first < flagUnit && in.Dst.Type.Size() >= 2 &&
		!(in.WritesFlag() && g.waiting.meets(flagRun(int(in.Flag/2)))) {
		return g.moved(i)
	}
	return g.undone(i)
}

// moved guards an instruction on one element that cannot take a predicate. The instruction writes elsewhere,
// and a predicated copy follows.
func (g *guard) moved(i mir.ID) error {
	f := g.f
	to, err := g.spare(1)
	if err != nil {
		return err
	}
	in := f.At(i)
	dst := in.Dst
	to.Type = dst.Type
	in.Dst = to
	dst.Type = isa.TypeUD
	if to.Type.Size() == 2 {
		dst.Type = isa.TypeUW
	}
	to.Type = dst.Type
	moved := f.After(i, scalar(isa.OpMov, dst, to))
	g.taken.addRun(slots(f, &dst, 1))
	if err := g.predicated(moved); err != nil {
		return err
	}
	if g.flag >= 0 && g.touches(f.At(i), g.flag) { // i may write this flag, although it is not read
		g.flush()
	}
	return nil
}

// predicated guards an instruction that can take a predicate.
func (g *guard) predicated(i mir.ID) error {
	f := g.f
	in := f.At(i)
	if g.flag >= 0 { // the flag is free here too
		g.predicate(in, g.flag, false)
		g.load = i
		return nil
	}
	for n := mir.ArchFlags - 1; n >= 0; n-- {
		if !g.touches(in, n) && !g.taken.meets(flagRun(n)) {
			g.flag, g.load = n, i
			g.predicate(in, n, false)
			return nil
		}
	}
	for n := mir.ArchFlags - 1; n >= 0; n-- {
		if g.touches(in, n) {
			continue
		}
		saved, err := g.spare(1)
		if err != nil {
			return err
		}
		g.predicate(in, n, false)
		f.Before(i, scalar(isa.OpMov, saved, flagOf(n).Whole()))
		f.Before(i, lanesInto(n))
		f.After(i, scalar(isa.OpMov, flagOf(n).Whole(), saved))
		return nil
	}
	return g.undone(i)
}

// undone restores the destination of an instruction if no lane is active.
func (g *guard) undone(i mir.ID) error {
	f := g.f
	in := f.At(i)
	g.flush()
	n := mir.ArchFlags - 1
	if in.WritesFlag() && int(in.Flag/2) == n {
		n--
	}
	if k, ok := in.Dst.Arch(); ok && k == n {
		n--
		if n < 0 {
			n = mir.ArchFlags - 1
		}
	}
	var pieces [][2]mir.Inst // pairs of a save and a restore
	save := func(o mir.Operand, slots int) error {
		to, err := g.spare(slots)
		if err != nil {
			return err
		}
		keep := mir.Inst{Op: isa.OpMov, Exec: uint8(slots), NoMask: true, Dst: to, Src: [3]mir.Operand{o}}
		back := mir.Inst{Op: isa.OpMov, Exec: uint8(slots), NoMask: true, Dst: o, Src: [3]mir.Operand{to}}
		if slots == 1 {
			keep.Src[0], back.Src[0] = o.WithStride(0), to.WithStride(0)
		}
		g.predicate(&back, n, true)
		pieces = append(pieces, [2]mir.Inst{keep, back})
		return nil
	}
	if r := slots(g.f, &in.Dst, g.f.DstBytes(in)); r.n > 0 && r.first < flagUnit && g.waiting.meets(r) {
		per := g.perGRF()
		for at := r.first; at < r.first+r.n; {
			k := 1
			if at%per == 0 && at+per <= r.first+r.n {
				k = per
			}
			if err := save(mir.Fixed(at/per, isa.TypeUD).At(uint32(at%per*slotBytes)), k); err != nil {
				return err
			}
			at += k
		}
	}
	for k := range mir.ArchFlags {
		to, ok := in.Dst.Arch()
		if (in.WritesFlag() && int(in.Flag/2) == k || ok && to == k) && g.waiting.meets(flagRun(k)) {
			if err := save(flagOf(k).Whole(), 1); err != nil {
				return err
			}
		}
	}
	if len(pieces) == 0 {
		return fmt.Errorf("%s: cannot be guarded in control flow: %s", f.Name, f.Text(i))
	}
	old, err := g.spare(1)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		f.Before(i, p[0])
	}
	after := f.After(i, scalar(isa.OpMov, old, flagOf(n).Whole()))
	after = f.After(after, lanesInto(n))
	for _, p := range pieces {
		after = f.After(after, p[1])
	}
	f.After(after, scalar(isa.OpMov, flagOf(n).Whole(), old))
	return nil
}

// perGRF returns the number of doublewords of a register.
func (g *guard) perGRF() int { return int(g.f.GRF.Bytes()) / slotBytes }

// spare takes unused doublewords: a single one, or a whole register.
func (g *guard) spare(slots int) (mir.Operand, error) {
	per := g.perGRF()
	for r := g.file.Registers - 1; r >= 0; r-- {
		if g.reserved(r) {
			continue
		}
		for at := r * per; at+slots <= (r+1)*per; at++ {
			if used := (run{at, slots}); !g.taken.meets(used) {
				g.taken.addRun(used)
				return mir.Fixed(r, isa.TypeUD).At(uint32(at % per * slotBytes)), nil
			}
		}
	}
	return mir.Operand{}, fmt.Errorf("%s: %w", g.f.Name, ErrRegisters)
}

func (g *guard) reserved(r int) bool {
	for _, run := range g.file.Reserved {
		if r >= run.First && r < run.First+run.N {
			return true
		}
	}
	return false
}
