package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// ScratchBase starts private memory after the bytes of spilled registers, if the program
// has any private memory. Spilled registers come first because messages without a header
// of their own reach only little. Registers must be allocated.
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
