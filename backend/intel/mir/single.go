// SPDX-License-Identifier: MIT

package mir

// unresolved is the Def of a register that a text declares to have a single definition, until that is found.
const unresolved = ^ID(0)

// MarkSingle sets Def of each register that only one instruction writes, and clears it for all others. Passes
// that merge registers, or add writes to registers, call it; other passes maintain definitions.
func (f *Func) MarkSingle() {
	for r := range f.Regs {
		f.Regs[r].Def = 0
	}
	several := false
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Dst.File == VReg {
				several = f.Regs[in.Dst.Num].wrote(i) || several
			}
			if r := in.Flag.Reg(); r != 0 && in.WritesFlag() {
				several = f.Regs[r].wrote(i) || several
			}
			if in.Is(ReadsAcc) && f.IsAccumulator(&in.Src[2]) && in.WritesAcc() {
				several = f.Regs[in.Src[2].Num].wrote(i) || several
			}
		}
	}
	if !several {
		return
	}
	for r := range f.Regs {
		if f.Regs[r].Def == unresolved {
			f.Regs[r].Def = 0
		}
	}
}

// wrote records a write of a register while definitions are counted. It returns true, and sets Def to
// unresolved, if there are several.
func (r *RegInfo) wrote(i ID) bool {
	if r.Def != 0 && r.Def != i {
		r.Def = unresolved
		return true
	}
	r.Def = i
	return false
}

// DeclareSingle declares that a register has a single definition, which ResolveSingle finds.
func (r *RegInfo) DeclareSingle() { r.Def = unresolved }

// ResolveSingle finds the definitions of registers that were declared to have a single one.
func (f *Func) ResolveSingle() {
	find := func(r Reg, i ID) {
		if d := &f.Regs[r].Def; *d == unresolved {
			*d = i
		}
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Insts[i].Next {
			in := &f.Insts[i]
			if in.Dst.File == VReg && int(in.Dst.Num) < len(f.Regs) {
				find(Reg(in.Dst.Num), i)
			}
			if r := in.Flag.Reg(); r != 0 && in.WritesFlag() && int(r) < len(f.Regs) {
				find(r, i)
			}
		}
	}
}

// Alike reports whether registers differ at most in which instruction is their single definition.
func (r RegInfo) Alike(o RegInfo) bool {
	r.Def, o.Def = min(r.Def, 1), min(o.Def, 1)
	return r == o
}

// Writes reports whether an instruction writes a register, as its destination or as its flag.
func (in *Inst) Writes(r Reg) bool {
	return in.Dst.File == VReg && Reg(in.Dst.Num) == r || in.Flag.Reg() == r && in.WritesFlag()
}

// forget clears the definitions of registers that a changed instruction stops writing.
func (f *Func) forget(i ID, was *Inst, now *Inst) {
	for _, r := range [...]Reg{was.Dst.VReg(), was.Flag.Reg()} {
		if r != 0 && int(r) < len(f.Regs) && f.Regs[r].Def == i && !now.Writes(r) {
			f.Regs[r].Def = 0
		}
	}
}

// VReg returns the virtual register of an operand, or 0 if it is not one.
func (o *Operand) VReg() Reg {
	if o.File == VReg {
		return Reg(o.Num)
	}
	return 0
}
