package ra

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// values is how each register gets its value and how it is read: whether it can
// be computed again, or kept in less room.
type values struct{ regs []value }

type value struct {
	def    mir.ID  // the only instruction that writes it; 0 if there are more
	weight float32 // of def
	simple bool    // def loads a constant into all of it
	loaded bool    // def fills all of it with components that take a GRF each, the same in all lanes
	whole  bool    // something reads more of a component than its first lane
}

// again reports a register that is computed again as cheaply as it is moved.
func (x *value) again() bool { return x.def != 0 && x.simple }

// packable reports a register of which the first lane of each component is all
// that is ever read.
func (x *value) packable() bool { return x.def != 0 && x.loaded && !x.whole }

// find looks at all instructions of f.
func (a *values) find(f *mir.Func) {
	a.regs = reuse.Zeroed(a.regs, len(f.Regs))
	for b := range f.Blocks {
		weight := float32(1)
		for range f.Blocks[b].Loops {
			weight *= 10
		}
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg && !firstLane(in, k) {
					a.regs[o.Num].whole = true
				}
			}
			if in.Dst.File != mir.VReg {
				continue
			}
			x, info := &a.regs[in.Dst.Num], f.Reg(mir.Reg(in.Dst.Num))
			if info.Def != i {
				continue
			}
			x.def, x.weight = i, weight
			all := in.Dst.Off == 0 && in.DstBytes() == info.Bytes && in.Pred == 0
			x.simple = all && in.LoadsConstant()
			x.loaded = all && in.IsSend() && in.NoMask && info.Uniform && info.Lane == grfBytes && !info.NoSpill
		}
	}
}

// firstLane reports a source that reads, for all lanes, the first doubleword of a
// GRF or a part of it.
func firstLane(in *mir.Inst, k int) bool {
	o := &in.Src[k]
	return o.HasStride(0) && in.ReadsElements(k) && o.Off%grfBytes+uint32(o.Type.Size()) <= 4
}
