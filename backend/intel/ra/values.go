package ra

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// values is how each register gets its value and how it is read: whether it can
// be computed again, or kept in less room.
//
// A register is computed again just before each instruction that reads it, if one cheap
// operation computes all of it, and what that reads holds the same there. It does if
// each of these registers has a single definition too and no way leads to the read
// without the operation, nor to the operation without that definition. Then the
// definition is not run again in between either: the loops around it are around the read
// as well, and a trip ends only when all lanes that are in it have come to its end.
type values struct {
	f    *mir.Func // nil: nothing is known yet
	regs []value

	scopes []int32 // the loops and arms of ifs around an instruction, outermost first
	closed []bool  // by loop or arm: all of it has been seen
	modes  int32   // writes of the float mode so far
	fixed  bool    // something writes a fixed register
}

type value struct {
	def    mir.ID  // the only instruction that writes it; 0 if there are more
	weight float32 // of def
	scope  int32   // of def
	modes  int32   // writes of the float mode before def
	simple bool    // def loads a constant into all of it
	loaded bool    // def fills all of it with components that take a GRF each, the same in all lanes
	whole  bool    // something reads more of a component than its first lane
	early  bool    // something reads it that stands before def
	cheap  bool    // def can stand before all that reads it, as far as the flow of control goes
	fixed  bool    // def reads fixed registers
	gives  int32   // how many registers are computed from it so that they are cheap
}

// packable reports a register of which the first lane of each component is all
// that is ever read.
func (x *value) packable() bool { return x.def != 0 && x.loaded && !x.whole }

// constant reports a register that is filled with a constant wherever it is read.
func (x *value) constant() bool { return x.def != 0 && x.simple }

// manyGiven is from how many registers on, all computed from one, it pays to let that one
// live longer in their place.
const manyGiven = 3

// again reports a register that is computed again as cheaply as it is moved: what that
// reads is there, or takes little room.
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
		if u := in.Src[k].VReg(); u != 0 && a.f.Reg(u).Align >= grfBytes && l.End[u] < l.End[v] && a.regs[u].gives < manyGiven {
			return false
		}
	}
	return true
}

// find looks at all instructions of f.
func (a *values) find(f *mir.Func) {
	a.f, a.regs = f, reuse.Zeroed(a.regs, len(f.Regs))
	a.scopes, a.closed, a.modes, a.fixed = append(a.scopes[:0], 0), append(a.closed[:0], false), 0, false
	for b := range f.Blocks {
		weight := float32(1)
		for range f.Blocks[b].Loops {
			weight *= 10
		}
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			if in.EndsScope() {
				a.closed[a.scope()] = true
				a.scopes = a.scopes[:len(a.scopes)-1]
			}
			if in.StartsScope() {
				a.scopes = append(a.scopes, int32(len(a.closed)))
				a.closed = append(a.closed, false)
			}
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg {
					a.read(in, k, &a.regs[o.Num])
				}
			}
			if in.Dst.File == mir.VReg {
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

// scope is the innermost loop or arm of an if.
func (a *values) scope() int32 { return a.scopes[len(a.scopes)-1] }

// read notes that source k of an instruction is a register.
func (a *values) read(in *mir.Inst, k int, x *value) {
	if !firstLane(in, k) {
		x.whole = true
	}
	if x.def == 0 {
		x.early = true
	} else if x.cheap && (a.closed[x.scope] || !ownLanes(in, k, a.f.At(x.def))) {
		x.cheap = false
	}
}

// write notes that instruction i writes a register.
func (a *values) write(i mir.ID, weight float32) {
	f := a.f
	in := f.At(i)
	x, info := &a.regs[in.Dst.Num], f.Reg(mir.Reg(in.Dst.Num))
	if info.Def != i {
		return
	}
	x.def, x.weight, x.scope, x.modes = i, weight, a.scope(), a.modes
	all := in.Dst.Off == 0 && in.DstBytes() == info.Bytes && in.Pred == 0 && in.Dst.Mask == 0
	x.simple = all && in.LoadsConstant()
	x.loaded = all && in.IsSend() && in.NoMask && info.Uniform && info.Lane == grfBytes && !info.NoSpill
	if !all || x.early || !in.ComputesOnly() || in.Swizzled() {
		return
	}
	for k := range in.Src {
		o := &in.Src[k]
		if u := o.VReg(); u != 0 {
			from := &a.regs[u]
			if from.def == 0 || a.closed[from.scope] || f.Reg(u).NoSpill {
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

// firstLane reports a source that reads, for all lanes, the first doubleword of a
// GRF or a part of it.
func firstLane(in *mir.Inst, k int) bool {
	o := &in.Src[k]
	return o.HasStride(0) && in.ReadsElements(k) && o.Off%grfBytes+uint32(o.Type.Size()) <= 4
}

// ownLanes reports that in each lane, source k of an instruction reads no more of the
// register that def writes than what def writes in that lane. Where def writes all lanes,
// that does not matter.
func ownLanes(in *mir.Inst, k int, def *mir.Inst) bool {
	if def.NoMask {
		return true
	}
	slot := uint32(def.Dst.Stride) * uint32(def.Dst.Type.Size())
	if in.NoMask || in.Chan < def.Chan || in.Chan+in.Exec > def.Chan+def.Exec {
		return false
	}
	at := uint32(in.Chan-def.Chan) * slot
	if !in.ReadsElements(k) {
		return in.IsSend() && slot == 4 && in.Src[k].Off == at && in.SrcBytes(k) == uint32(in.Exec)*slot
	}
	o := &in.Src[k]
	return o.Rows == 0 && o.Swizzle == 0 && uint32(o.Stride)*uint32(o.Type.Size()) == slot && o.Off >= at && o.Off+uint32(o.Type.Size()) <= at+slot
}
