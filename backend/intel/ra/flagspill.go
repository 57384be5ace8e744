// SPDX-License-Identifier: MIT

package ra

import "jacquard.example/backend/intel/mir"

// A flag without a register is kept in a general register, its home. Each instruction that uses the flag gets a new flag,
// filled from the home just before it and copied back just after. All bits are moved, to preserve the bits of inactive
// lanes.

// mayGo reports whether a live range can be spilled: it belongs to a flag, the flag was not created by
// spilling, and it is not read where it cannot be filled.
func (a *flagAllocator) mayGo(l *flagLife) bool {
	return !l.stays && a.f.Reg(l.reg).Class == mir.FlagClass && int(l.reg) < a.made
}

// A while is alone in its block, since the thread may jump there when no lane is left. Its flag is filled at
// the end of the previous block, from which all lanes come unless there is a cont. The flag bits of inactive
// lanes may then be arbitrary.

// canFillBefore reports whether the flag of a branch that ends a loop can be filled at the end of the block
// before the branch.
func (a *flagAllocator) canFillBefore(in *mir.Inst, block int32) bool {
	if from := a.f.Lanes.Preds(int(block)); len(from) != 1 || from[0] != block-1 || !in.PredicatedByLane() {
		return false
	}
	last := a.f.Blocks[block-1].Last
	return last == 0 || !a.f.At(last).EndsBlock()
}

// fill fills a flag for an instruction that reads it.
func (a *flagAllocator) fill(i mir.ID, to mir.Flag, home mir.Reg, code SpillCode) {
	f, copied := a.f, code.FillFlag(to, home)
	if f.At(i).EndsLoop() {
		f.Append(f.BlockOf(i)-1, copied)
		return
	}
	f.Before(i, copied)
}

// spill assigns homes to the lives that are marked as spilled.
func (a *flagAllocator) spill(code SpillCode) {
	f := a.f
	f.Work.Spend(spillSteps * f.NumInsts())
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Next(i)
			a.spillIn(i, code)
			i = next
		}
	}
}

// spillIn replaces the spilled flags of an instruction with new flags.
func (a *flagAllocator) spillIn(i mir.ID, code SpillCode) {
	in := a.f.At(i)
	if r := in.Flag.Reg(); r != 0 {
		if l := a.gone(r); l != nil {
			t := a.f.NewFlag()
			in = a.f.At(i)
			in.Flag = t
			a.around(i, l, t, in.ReadsFlag(), in.WritesFlag(), false, code)
		}
	}
	for k := range 4 {
		o := operandOf(a.f.At(i), k)
		if o.File != mir.VReg || !a.f.IsFlag(o) {
			continue
		}
		if l := a.gone(mir.Reg(o.Num)); l != nil {
			t := a.f.NewFlag()
			operandOf(a.f.At(i), k).Num = uint32(t.Reg())
			a.around(i, l, t, k > 0, k == 0, true, code)
		}
	}
}

// operandOf returns operand k; 0 is the destination.
func operandOf(in *mir.Inst, k int) *mir.Operand {
	if k == 0 {
		return &in.Dst
	}
	return &in.Src[k-1]
}

// gone returns the life of a flag if the flag is spilled, else nil.
func (a *flagAllocator) gone(r mir.Reg) *flagLife {
	if int(r) >= len(a.index) || a.index[r] == 0 {
		return nil
	}
	if l := &a.lives[a.index[r]-1]; l.place == spilledFlag {
		return l
	}
	return nil
}

// around inserts the moves for flag t around an instruction. It fills t if the instruction reads it, or if it
// writes only some of its bits and others may have been written before, possibly in an earlier iteration. It
// copies t back if the instruction writes it.
func (a *flagAllocator) around(i mir.ID, l *flagLife, t mir.Flag, reads, writes, whole bool, code SpillCode) {
	if l.home == 0 {
		l.home = a.f.NewScalar(flagBytes)
	}
	if reads || writes && !whole && (l.filled || l.start < l.first) {
		a.fill(i, t, l.home, code)
	}
	if writes {
		l.filled = true
		a.f.After(i, code.KeepFlag(l.home, t))
	}
}

// flagBytes is the size of a flag register in bytes.
const flagBytes = 4
