package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// ScratchBase lets private memory begin behind so many bytes of spilled registers:
// base is the scalar instruction that finds the start of the thread's scratch space,
// 0 when the program has no private memory. Spilled registers come first because
// their messages reach only so far. Registers must be allocated.
func ScratchBase(f *mir.Func, base mir.ID, spilled uint32) {
	if base == 0 || spilled == 0 {
		return
	}
	in := *f.At(base)
	f.After(base, mir.Inst{
		Op: isa.OpAdd, Exec: 1, NoMask: true, Loc: in.Loc,
		Dst: in.Dst, Src: [3]mir.Operand{in.Dst.WithStride(0), mir.UD(spilled)},
	})
}
