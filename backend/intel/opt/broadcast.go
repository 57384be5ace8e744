// SPDX-License-Identifier: MIT

package opt

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// Broadcast replaces a computation in one lane whose result is only copied to all lanes with a computation in all
// lanes: each copy becomes the instruction, and the original is removed. The copies read the same values, since
// each source register of the original is written only once.
func (m *Workspace) Broadcast(f *mir.Func) {
	m.findToAll(f)
	if len(m.toAll) == 0 {
		return
	}
	reads := m.countReads(f)
	m.copies = reuse.Zeroed(m.copies, len(f.Regs))
	for _, i := range m.toAll {
		m.copies[f.At(i).Src[0].Num]++
	}
	for _, i := range m.toAll {
		in := f.At(i)
		r := in.Src[0].Num
		def := f.Reg(mir.Reg(r)).Def
		x := f.At(def)
		if m.copies[r] != reads[r] || f.BlockOf(def) != f.BlockOf(i) || x.Dst.Off != in.Src[0].Off || !inAnyLane(f, x) {
			continue
		}
		in.Op, in.CMod, in.Sat = x.Op, x.CMod, x.Sat
		in.Src, in.Loc = x.Src, x.Loc
		in.Dst.Type = x.Dst.Type
		if m.copies[r], reads[r] = m.copies[r]-1, reads[r]-1; reads[r] == 0 {
			f.Remove(def)
		}
	}
}

// findToAll lists the instructions that copy one value to all lanes.
func (m *Workspace) findToAll(f *mir.Func) {
	m.toAll = m.toAll[:0]
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op == isa.OpMov && toAllLanes(f, in) {
				m.toAll = append(m.toAll, i)
			}
		}
	}
}

// toAllLanes reports whether a mov copies one value to all its lanes, from a register that is written only once.
func toAllLanes(f *mir.Func, in *mir.Inst) bool {
	s, d := &in.Src[0], &in.Dst
	if in.Exec == 1 || in.Pred != 0 || in.CMod != 0 || in.Sat || s.HasMods() || s.File != mir.VReg || d.File != mir.VReg {
		return false
	}
	if s.Type.Size() != 4 || d.Type.Size() != 4 || s.Type.IsFloat() != d.Type.IsFloat() || !s.HasStride(0) || !d.HasStride(1) {
		return false
	}
	r := f.Reg(mir.Reg(s.Num))
	return r.Uniform && r.Def != 0
}

// inAnyLane reports whether an instruction computes one value from registers that are written only once.
func inAnyLane(f *mir.Func, in *mir.Inst) bool {
	if !in.ComputesOnly() || in.Exec != 1 || in.Dst.Type.Size() != 4 || in.Dst.Mask != 0 || !in.Dst.HasStride(1) {
		return false
	}
	for k := range in.Src {
		o := &in.Src[k]
		switch {
		case o.File == mir.VReg && (!f.Reg(mir.Reg(o.Num)).Uniform || f.Reg(mir.Reg(o.Num)).Def == 0),
			o.IsReg() && !o.HasStride(0):
			return false
		}
	}
	return true
}
