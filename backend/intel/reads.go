// SPDX-License-Identifier: MIT

package intel

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// allLanes has a bit for each lane of a flag.
const allLanes = ^uint32(0)

// lanes holds two sets of lanes of a register: those accessed if they are active, and those accessed in any case.
type lanes [2]uint32

// use is the effect of a block on a virtual flag or address register: the lanes that it reads before it writes
// them, and the lanes that it writes.
type use struct {
	reg   mir.Reg
	block int32
	reads lanes
	by    mir.ID // first instruction that reads them
	wrote lanes
}

// CheckReads rejects a unit that reads lanes of a virtual flag or address register that are not written on
// every path to the read. Their contents are undefined, and the allocation check would report a defect.
// CheckUnit must have accepted the unit. Errors are *mir.Error, or the error with which the meter ended the
// check.
func CheckReads(u *mir.Unit, meter *work.Meter) (err error) {
	defer work.Catch(&err)
	f := u.Func
	all := uses(f, meter)
	slices.SortStableFunc(all, func(a, b use) int { return cmp.Compare(a.reg, b.reg) })
	w := way{f: f, meter: meter}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].reg == all[0].reg {
			n++
		}
		if i := w.unwritten(all[:n]); i != 0 {
			return &mir.Error{Block: f.BlockOf(i), Inst: i, Text: f.Text(i),
				Msg: fmt.Sprintf("reads v%d, which is not written on every path to it", all[0].reg)}
		}
		all = all[n:]
	}
	return nil
}

// uses lists the effects of all blocks, block by block.
func uses(f *mir.Func, meter *work.Meter) []use {
	var out []use
	last := make([]int32, len(f.Regs)) // by register: index of its latest use + 1
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

// read records that an instruction reads lanes, including inactive ones if others is set.
func (u *use) read(i mir.ID, bits uint32, others bool) {
	reads := lanes{bits &^ u.wrote[0], 0}
	if others {
		reads[1] = bits &^ u.wrote[1]
	}
	if reads != (lanes{}) && u.by == 0 {
		u.by = i
	}
	u.reads[0] |= reads[0]
	u.reads[1] |= reads[1]
}

// write records that lanes are written, including inactive ones if others is set.
func (u *use) write(bits uint32, others bool) {
	u.wrote[0] |= bits
	if others {
		u.wrote[1] |= bits
	}
}

// way follows the control flow backwards from the reads of one register.
type way struct {
	f     *mir.Func
	meter *work.Meter
	live  graph.Live
}

// unwritten returns an instruction that reads lanes that are not written on every path to it, or 0 if there is
// none. of has the uses of one register.
func (w *way) unwritten(of []use) mir.ID {
	for left := allLanes; left != 0; {
		lane := left & -left
		left &^= alike(of, lane)
		if !w.fromEntry(of, of, lane) {
			continue
		}
		for k := range of {
			if w.fromEntry(of[k:k+1], of, lane) {
				return of[k].by
			}
		}
	}
	return 0
}

// alike returns the lanes that are used in the same way as a given one.
func alike(of []use, lane uint32) uint32 {
	same := allLanes
	for k := range of {
		u := &of[k]
		for _, some := range [...]uint32{u.reads[0], u.reads[1], u.wrote[0], u.wrote[1]} {
			if some&lane == 0 {
				some = ^some
			}
			same &= some
		}
	}
	return same
}

// fromEntry reports whether control can reach one of the reads of a lane from the entry without passing a write
// of it.
func (w *way) fromEntry(reads, of []use, lane uint32) bool {
	for which, g := range [...]*graph.Graph{&w.f.Lanes, &w.f.Thread} {
		w.live.Start(len(w.f.Blocks), 0)
		for k := range reads {
			if reads[k].reads[which]&lane != 0 {
				w.live.Use(reads[k].block)
			}
		}
		for k := range of {
			if of[k].wrote[which]&lane != 0 {
				w.live.Define(of[k].block)
			}
		}
		w.meter.Spend(w.live.Solve(g))
		if w.live.In(0) {
			return true
		}
	}
	return false
}
