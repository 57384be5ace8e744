// SPDX-License-Identifier: MIT

package ra

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// values describes how each register is computed and read: whether it can be rematerialized, or kept in less
// space.
//
// A register is rematerialized just before each instruction that reads it, if one cheap operation computes all
// of it and that operation's operands have the same values there. The operands do if each of them also has a
// single definition, every path to the read passes the operation, and every path to the operation passes that
// definition. Then the definition is not executed again between operation and read either: the loops around it
// are around the read as well, and an iteration ends only when all its lanes have reached its end.
type values struct {
	f    *mir.Func // nil if not computed yet
	regs []value

	block int   // the current block
	modes int32 // number of writes of the float mode so far
	fixed bool  // some instruction writes a fixed register
}

type value struct {
	def    mir.ID  // the only instruction that writes it; 0 if there are several
	uses   float32 // number of reads and writes, each weighted by ten per enclosing loop
	weight float32 // weight of def
	end    int     // block that ends the innermost loop or if arm around def; 0 if none
	modes  int32   // writes of the float mode before def
	simple bool    // def loads a constant into the whole register
	loaded bool    // def fills the whole register with components of a GRF each, uniform across lanes
	whole  bool    // more than the first lane of a component is read
	early  bool    // control flow allows rematerializing def before each read
	cheap  bool    // def dominates all reads, according to control flow
	fixed  bool    // def reads fixed registers
	gives  int32   // number of registers that are cheap to compute from it
}

// packable reports whether only the first lane of each component of a register is ever read.
func (x *value) packable() bool { return x.def != 0 && x.loaded && !x.whole }

// constant reports whether a register is a constant at all reads.
func (x *value) constant() bool { return x.def != 0 && x.simple }

// manyGiven is the number of registers that must be computed from one register to make extending its live
// range, instead of theirs, worthwhile.
const manyGiven = 3

// again reports whether a register is as cheap to rematerialize as to move: its operands are available, or take
// little space.
func (a *values) again(v mir.Reg, l *Live) bool {
	x := &a.regs[v]
	if x.constant() {
		return true
	}
	if !x.cheap || x.modes != a.modes || x.fixed && a.fixed {
		return false
	}
	in := a.f.At(x.def)
	for k := range in.Src {
		if u := in.Src[k].VReg(); u != 0 && a.f.Reg(u).Align >= a.f.GRF.Align() && l.End[u] < l.End[v] && a.regs[u].gives < manyGiven {
			return false
		}
	}
	return true
}

// find collects the values of all registers of f.
func (a *values) find(f *mir.Func) {
	a.f, a.regs = f, reuse.Zeroed(a.regs, len(f.Regs))
	a.modes, a.fixed = 0, false
	for b := range f.Blocks {
		a.block = b
		weight := float32(1)
		for range f.Constructs[f.Blocks[b].In].Loops {
			weight *= 10
		}
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg {
					a.regs[o.Num].uses += weight
					a.read(in, k, &a.regs[o.Num])
				}
			}
			if in.Dst.File == mir.VReg {
				a.regs[in.Dst.Num].uses += weight
				a.write(i, weight)
				continue
			}
			a.fixed = a.fixed || in.Dst.File == mir.GRF
			if in.Dst.IsMode() {
				a.modes++
			}
		}
	}
}

// over reports whether the innermost loop or if arm around the definition of a register ends before the current
// block.
func (a *values) over(x *value) bool { return x.end != 0 && a.block >= x.end }

// read records that source k of an instruction reads the register of x.
func (a *values) read(in *mir.Inst, k int, x *value) {
	if !firstLane(a.f, in, k) {
		x.whole = true
	}
	if x.def == 0 {
		x.early = true
	} else if x.cheap && (a.over(x) || !ownLanes(a.f, in, k, a.f.At(x.def))) {
		x.cheap = false
	}
}

// write records that instruction i writes a register.
func (a *values) write(i mir.ID, weight float32) {
	f := a.f
	in := f.At(i)
	x, info := &a.regs[in.Dst.Num], f.Reg(mir.Reg(in.Dst.Num))
	if info.Def != i {
		return
	}
	x.def, x.weight = i, weight
	x.end, x.modes = f.End(a.block), a.modes
	all := in.Dst.Off == 0 && f.DstBytes(in) == info.Bytes && in.Pred == 0 && in.Dst.Mask == 0
	x.simple = all && in.LoadsConstant()
	x.loaded = all && in.IsSend() && in.NoMask && info.Uniform && info.Lane == f.GRF.Align() && !info.NoSpill
	if !all || x.early || !in.ComputesOnly() || in.Swizzled() {
		return
	}
	for k := range in.Src {
		o := &in.Src[k]
		if u := o.VReg(); u != 0 {
			from := &a.regs[u]
			if from.def == 0 || a.over(from) || f.Reg(u).NoSpill {
				return
			}
		}
		x.fixed = x.fixed || o.File == mir.GRF
	}
	x.cheap = true
	for k := range in.Src {
		a.regs[in.Src[k].VReg()].gives++
	}
}

// firstLane reports whether all lanes of a source read the first doubleword of a GRF or a part of it.
func firstLane(f *mir.Func, in *mir.Inst, k int) bool {
	o := &in.Src[k]
	return o.HasStride(0) && in.ReadsElements(k) && f.GRF.In(o.Off)+uint32(o.Type.Size()) <= 4
}

// ownLanes reports whether each lane of source k reads only bytes of a register that def writes in the same
// lane. If def writes all lanes, it returns true.
func ownLanes(f *mir.Func, in *mir.Inst, k int, def *mir.Inst) bool {
	if def.NoMask {
		return true
	}
	slot := uint32(def.Dst.Stride) * uint32(def.Dst.Type.Size())
	if in.NoMask || in.Chan < def.Chan || in.Chan+in.Exec > def.Chan+def.Exec {
		return false
	}
	at := uint32(in.Chan-def.Chan) * slot
	if !in.ReadsElements(k) {
		return in.IsSend() && slot == 4 && in.Src[k].Off == at && f.SrcBytes(in, k) == uint32(in.Exec)*slot
	}
	o := &in.Src[k]
	return o.Rows == 0 && o.Swizzle == 0 && uint32(o.Stride)*uint32(o.Type.Size()) == slot && o.Off >= at &&
		o.Off+uint32(o.Type.Size()) <= at+slot
}
