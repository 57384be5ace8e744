package opt

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// Broadcast computes in all lanes what is computed in one and then only copied to all: each copy becomes the
// instruction, which is removed. It reads the same, since what it reads is written once.
func (m *Memory) Broadcast(f *mir.Func) {
	if !copiesToAll(f) {
		return
	}
	reads := m.countReads(f)
	m.copies, m.blockOf = reuse.Zeroed(m.copies, len(f.Regs)), reuse.Zeroed(m.blockOf, len(f.Regs))
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Dst.File == mir.VReg {
				m.blockOf[in.Dst.Num] = int32(b) + 1
			}
			if r := toAllLanes(f, in); r != 0 {
				m.copies[r]++
			}
		}
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			r := toAllLanes(f, in)
			if r == 0 || m.copies[r] != reads[r] || m.blockOf[r] != int32(b)+1 {
				continue
			}
			def := f.Reg(r).Def
			x := f.At(def)
			if x.Dst.Off != in.Src[0].Off || !inAnyLane(f, x) {
				continue
			}
			in.Op, in.CMod, in.Sat, in.Src, in.Loc = x.Op, x.CMod, x.Sat, x.Src, x.Loc
			in.Dst.Type = x.Dst.Type
			if m.copies[r], reads[r] = m.copies[r]-1, reads[r]-1; reads[r] == 0 {
				f.Remove(def)
			}
		}
	}
}

// copiesToAll reports whether an instruction copies one value to all lanes.
func copiesToAll(f *mir.Func) bool {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op == isa.OpMov && toAllLanes(f, in) != 0 {
				return true
			}
		}
	}
	return false
}

// toAllLanes returns the register of one value that an instruction copies to all lanes, 0 if it does not.
func toAllLanes(f *mir.Func, in *mir.Inst) mir.Reg {
	s, d := &in.Src[0], &in.Dst
	if in.Op != isa.OpMov || in.Exec == 1 || in.Pred != 0 || in.CMod != 0 || in.Sat || s.HasMods() || s.File != mir.VReg || d.File != mir.VReg {
		return 0
	}
	if s.Type.Size() != 4 || d.Type.Size() != 4 || s.Type.IsFloat() != d.Type.IsFloat() || !s.HasStride(0) || !d.HasStride(1) {
		return 0
	}
	if r := f.Reg(mir.Reg(s.Num)); !r.Uniform || r.Def == 0 {
		return 0
	}
	return mir.Reg(s.Num)
}

// inAnyLane reports whether an instruction computes one value from others that are written once.
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
