package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// ScratchBase lets private memory begin behind so many bytes of spilled registers,
// if the program has any. Spilled registers come first because what their messages
// reach without a header of their own is little. Registers must be allocated.
func ScratchBase(f *mir.Func, spilled uint32) {
	base := f.ScratchBase
	f.ScratchBase = 0
	if base == 0 || spilled == 0 {
		return
	}
	in := *f.At(base)
	f.After(base, mir.Inst{
		Op: isa.OpAdd, Exec: 1, NoMask: true, Loc: in.Loc,
		Dst: in.Dst, Src: [3]mir.Operand{in.Dst.WithStride(0), mir.UD(spilled)},
	})
}
