// SPDX-License-Identifier: MIT

package opt

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// countReads counts, for every register, the operands and predicates that read it.
func (m *Workspace) countReads(f *mir.Func) []int32 {
	m.reads = reuse.Zeroed(m.reads, len(f.Regs))
	reads := m.reads
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg {
					reads[o.Num]++
				}
			}
			if r := in.Flag.Reg(); r != 0 && in.ReadsFlag() {
				reads[r]++
			}
		}
	}
	return reads
}

// DeadCode removes instructions whose result and flag are unused. It proceeds backwards, and starts again if a
// register becomes unread after the pass has already passed an instruction that writes it.
func (m *Workspace) DeadCode(f *mir.Func) {
	reads := m.countReads(f)
	m.kept = reuse.Zeroed(m.kept, len(f.Regs))
	kept := m.kept
	for changed := true; changed; {
		changed = false
		f.Work.Spend(4 * f.NumInsts())
		for b := len(f.Blocks) - 1; b >= 0; b-- {
			for i := f.Blocks[b].Last; i != 0; {
				prev := f.Prev(i)
				in := f.At(i)
				if in.SideEff || in.Orders != 0 || writesAcc(in) {
					i = prev
					continue
				}
				unread := in.Dst.File == mir.VReg && reads[in.Dst.Num] == 0
				writes := in.WritesFlag()
				flagUnread := writes && in.Flag.Reg() != 0 && reads[in.Flag.Reg()] == 0
				switch {
				case (unread || in.Dst.IsNull() && writes) && (flagUnread || !writes):
					for k := range in.Src {
						if r := in.Src[k].VReg(); r != 0 {
							reads[r]--
							changed = changed || reads[r] == 0 && kept[r]
						}
					}
					if r := in.Flag.Reg(); r != 0 && in.ReadsFlag() {
						reads[r]--
						changed = changed || reads[r] == 0 && kept[r]
					}
					f.Remove(i)
				case unread: // its flag is read
					f.Reg(mir.Reg(in.Dst.Num)).Def = 0
					mask := in.Dst.Mask
					in.Dst = mir.Null(in.Dst.Type)
					in.Dst.Mask = mask
				default:
					kept[in.Dst.VReg()] = true
				}
				if writes {
					kept[in.Flag.Reg()] = true
				}
				i = prev
			}
		}
	}
}

// writesAcc reports whether an instruction writes the accumulator for other instructions. A high product only
// reads back its own write.
func writesAcc(in *mir.Inst) bool {
	return in.Op != mir.OpMulHigh && in.WritesAcc()
}

// ReadLanes makes instructions read the packed words of the lane numbers instead of a copy widened to 32 bits.
func (m *Workspace) ReadLanes(f *mir.Func) {
	if !m.findWide(f) {
		return
	}
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			for k := range mixes(in.Op) {
				o := &in.Src[k]
				if o.File != mir.VReg || !m.wide[o.Num] || o.HasMods() || !o.HasStride(1) || o.Off != 0 {
					continue
				}
				if o.Type == isa.TypeD || o.Type == isa.TypeUD {
					*o = f.At(f.Reg(mir.Reg(o.Num)).Def).Src[0]
					if r := in.Dst.VReg(); f.Reg(r).Def == i && widensLanes(f, in) {
						m.wide[r] = true
					}
				}
			}
		}
	}
}

// findWide finds the registers that are copies of lane numbers, and reports whether there are any.
func (m *Workspace) findWide(f *mir.Func) (any bool) {
	m.wide = reuse.Zeroed(m.wide, len(f.Regs))
	for r := range f.Regs {
		if def := f.Regs[r].Def; def != 0 && widensLanes(f, f.At(def)) {
			m.wide[r], any = true, true
		}
	}
	return any
}

// widensLanes reports whether an instruction widens the words of the lane numbers.
func widensLanes(f *mir.Func, in *mir.Inst) bool {
	s := &in.Src[0]
	return in.Op == isa.OpMov && in.Pred == 0 && in.CMod == 0 && !in.Sat && s.File == mir.VReg && s.Type == isa.TypeUW && s.Rows == 0 &&
		f.Reg(mir.Reg(s.Num)).Lane == 2 && (in.Dst.Type == isa.TypeUD || in.Dst.Type == isa.TypeD)
}

// mixes returns the number of leading sources of an opcode that may have 16 bits while the others have 32.
func mixes(o isa.Op) int {
	switch o {
	case isa.OpAdd, isa.OpAnd, isa.OpOr, isa.OpXor, isa.OpCmp, isa.OpMov:
		return 3
	case isa.OpShl, isa.OpShr:
		return 1
	}
	return 0
}

// CompareZero folds a comparison with zero into the instruction, earlier in the block, that computes the
// compared value.
func CompareZero(f *mir.Func) {
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			in := f.At(i)
			next := f.Next(i)
			if in.Op == isa.OpCmp || in.CMod != 0 {
				compareZero(f, i)
			}
			i = next
		}
	}
}

func compareZero(f *mir.Func, i mir.ID) {
	in := f.At(i)
	x := &in.Src[0]
	test := in.Op == isa.OpCmp && in.Src[1].File == mir.Imm && in.Src[1].Bits() == 0 || in.Op == isa.OpMov && in.CMod != 0
	if !test || !in.Dst.IsNull() || in.Pred != 0 || in.Sat || x.File != mir.VReg || x.HasMods() || x.Type.Size() != 4 || x.Type.IsFloat() {
		return
	}
	if in.CMod != isa.CModEQ && in.CMod != isa.CModNE {
		return
	}
	for j := f.Prev(i); j != 0; j = f.Prev(j) {
		d := f.At(j)
		if d.Dst.File == mir.VReg && d.Dst.Num == x.Num {
			if d.Dst.Off != x.Off || d.Exec != in.Exec || d.Chan != in.Chan || d.NoMask != in.NoMask || d.Pred != 0 ||
				d.CMod != 0 || d.Sat ||
				d.Dst.Type.IsFloat() || d.Dst.Type.Size() != 4 || !setsFlag(d.Op) {
				return
			}
			d.CMod, d.Flag = in.CMod, in.Flag
			r := in.Flag.Reg()
			single := r != 0 && f.Reg(r).Def == i
			f.Remove(i)
			if single {
				f.Reg(r).Def = j
			}
			return
		}
		if d.CMod != 0 || d.Pred != 0 || f.IsFlag(&d.Dst) || readsFlag(f, d) {
			return // the flag is used in between
		}
	}
}

// readsFlag reports whether an instruction reads a flag register as an operand.
func readsFlag(f *mir.Func, in *mir.Inst) bool {
	for k := range in.Src {
		if f.IsFlag(&in.Src[k]) {
			return true
		}
	}
	return false
}

// EmptyElse removes the else of ifs whose else is empty.
func EmptyElse(f *mir.Func) {
	changed := false
	full := func(b mir.Block) bool { return b.First != 0 }
	for _, c := range f.Constructs {
		if c.Else != 0 && !slices.ContainsFunc(f.Blocks[c.Else+1:c.Last], full) {
			f.Remove(f.Blocks[c.Else].Last)
			changed = true
		}
	}
	if changed {
		f.BuildCFG()
	}
}

// setsFlag reports whether the condition modifier of an integer opcode compares the result with zero.
func setsFlag(o isa.Op) bool {
	switch o {
	case isa.OpAnd, isa.OpOr, isa.OpXor, isa.OpNot, isa.OpAdd, isa.OpShl, isa.OpShr, isa.OpAsr:
		return true
	}
	return false
}
