// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// ScratchBase makes private memory, if the program has any, start after the bytes of spilled registers. Spilled
// registers come first because messages without a header have a short reach. Registers must be allocated.
func ScratchBase(f *mir.Func, spilled uint32) {
	base := f.ScratchBase
	f.ScratchBase = 0
	if base == 0 || spilled == 0 {
		return
	}
	in := *f.At(base)
	start := in.Dst
	if in.Exec == 1 {
		start = start.WithStride(0)
	}
	f.After(base, mir.Inst{
		Op: isa.OpAdd, Exec: in.Exec, NoMask: true, Loc: in.Loc, Dst: in.Dst, Src: [3]mir.Operand{start, mir.UD(spilled)},
	})
}
