package intel

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// allLanes has a bit for each lane of a flag.
const allLanes = ^uint32(0)

// lanes is a set of lanes of a register, those that run and all of them, and an
// instruction that reads some of them.
type lanes struct {
	running, all uint32
	by           mir.ID
}

// use is the effect of a block on a virtual flag or address register: the lanes that it
// reads before it writes them, and those that it writes.
type use struct {
	reg   mir.Reg
	block int32
	reads lanes
	wrote lanes
}

// CheckReads rejects a unit that reads lanes of a virtual flag or address register that
// are not written on every path to the read: their contents are undefined, and the
// allocation check would report a defect. CheckUnit must accept the unit. Errors are
// *mir.Error, or the error with which the meter ended the check.
func CheckReads(u *mir.Unit, meter *work.Meter) (err error) {
	defer work.Catch(&err)
	f := u.Func
	all := uses(f, meter)
	slices.SortStableFunc(all, func(a, b use) int { return cmp.Compare(a.reg, b.reg) })
	w := way{f: f, meter: meter, at: make([]int32, len(f.Blocks)), needs: make([]lanes, len(f.Blocks))}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].reg == all[0].reg {
			n++
		}
		if i := w.unwritten(all[:n]); i != 0 {
			return &mir.Error{Block: f.BlockOf(i), Inst: i, Text: f.Text(i), Msg: fmt.Sprintf("reads v%d, which is not written on every path to it", all[0].reg)}
		}
		all = all[n:]
	}
	return nil
}

// uses lists the effects of all blocks, block by block.
func uses(f *mir.Func, meter *work.Meter) []use {
	var out []use
	last := make([]int32, len(f.Regs)) // by register: index of its latest use plus one
	of := func(r mir.Reg, block int32) *use {
		if last[r] == 0 || out[last[r]-1].block != block {
			out = append(out, use{reg: r, block: block})
			last[r] = int32(len(out))
		}
		return &out[last[r]-1]
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			meter.Spend(1)
			in := f.At(i)
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg && f.IsArch(o) {
					of(mir.Reg(o.Num), int32(b)).read(i, allLanes, true)
				}
			}
			its := in.Lanes()
			r := in.Flag.Reg()
			if r != 0 && in.ReadsFlag() {
				if in.Pred == isa.PredNormal {
					of(r, int32(b)).read(i, its, in.NoMask)
				} else {
					of(r, int32(b)).read(i, allLanes, true)
				}
			}
			if r != 0 && in.WritesFlag() {
				of(r, int32(b)).write(its, in.NoMask && in.Pred == isa.PredNone)
			}
			if o := &in.Dst; o.File == mir.VReg && f.IsArch(o) {
				of(mir.Reg(o.Num), int32(b)).write(allLanes, true)
			}
		}
	}
	return out
}

// read records lanes that an instruction reads, including inactive ones if others is
// set.
func (u *use) read(i mir.ID, bits uint32, others bool) {
	running, all := bits&^u.wrote.running, uint32(0)
	if others {
		all = bits &^ u.wrote.all
	}
	if running|all != 0 && u.reads.by == 0 {
		u.reads.by = i
	}
	u.reads.running |= running
	u.reads.all |= all
}

// write records lanes that are written, including inactive ones if others is set.
func (u *use) write(bits uint32, others bool) {
	u.wrote.running |= bits
	if others {
		u.wrote.all |= bits
	}
}

// way is the scratch memory of a backward walk over the blocks.
type way struct {
	f     *mir.Func
	meter *work.Meter
	at    []int32 // by block: index of its use plus one
	needs []lanes // by block: lanes read but not written since its start
	queue []int32
	seen  []int32
}

// unwritten returns an instruction that reads lanes that are not written on every path
// to it, given the uses of one register, or 0 if there is none.
func (w *way) unwritten(of []use) mir.ID {
	w.queue, w.seen = w.queue[:0], w.seen[:0]
	need := func(b int32, x lanes) {
		n := &w.needs[b]
		if x.running&^n.running|x.all&^n.all == 0 {
			return
		}
		if n.by == 0 {
			n.by = x.by
			w.seen = append(w.seen, b)
		}
		n.running |= x.running
		n.all |= x.all
		w.queue = append(w.queue, b)
	}
	for k := range of {
		w.at[of[k].block] = int32(k) + 1
	}
	for k := range of {
		need(of[k].block, of[k].reads)
	}
	for len(w.queue) > 0 {
		b := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		x := w.needs[b]
		back := func(from []int32, x lanes) {
			w.meter.Spend(1 + len(from))
			for _, p := range from {
				x := x
				if k := w.at[p]; k != 0 {
					x.running &^= of[k-1].wrote.running
					x.all &^= of[k-1].wrote.all
				}
				need(p, x)
			}
		}
		back(w.f.Lanes.Preds(int(b)), lanes{running: x.running, by: x.by})
		back(w.f.Thread.Preds(int(b)), lanes{all: x.all, by: x.by})
	}
	found := w.needs[0].by
	for _, b := range w.seen {
		w.needs[b] = lanes{}
	}
	for k := range of {
		w.at[of[k].block] = 0
	}
	return found
}
