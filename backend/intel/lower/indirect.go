// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Indirect lowers reads at computed positions of the register file to addresses in an address register and
// reads through it (TGL PRM vol. 2a, "Register-indirect addressing"). The addresses of fixed registers are
// known here, the addresses of virtual registers only after allocation. Addresses are written unmasked, since
// they must be valid in disabled lanes too.
func Indirect(f *mir.Func) {
	for b := range f.Blocks {
		for i, at := f.FirstOf(b); i != 0; i, at = f.NextOf(at) {
			if at.Op != mir.OpIndirect || f.IsAddress(&at.Src[1]) {
				continue
			}
			in := *at
			if in.Src[0].File == mir.VReg {
				a := mir.V(f.NewAddresses(int(in.Exec)), isa.TypeUW)
				take := mir.Inst{Op: mir.OpAddress, Exec: in.Exec, NoMask: true, Loc: in.Loc, Dst: a, Src: [3]mir.Operand{in.Src[1], in.Src[0]}}
				take.Len[1] = in.Len[0]
				define(f, i, take)
				at = f.At(i)
				at.Src[1] = a
				continue
			}
			base := f.GRF.Place(&in.Src[0])
			a := mir.V(f.NewAddresses(int(in.Exec)), isa.TypeUW)
			add := mir.Inst{Op: isa.OpAdd, Exec: in.Exec, NoMask: true, Loc: in.Loc, Dst: a, Src: [3]mir.Operand{in.Src[1], mir.UW(uint16(base))}}
			if in.Src[1].File == mir.Imm {
				add.Op = isa.OpMov
				add.Src = [3]mir.Operand{mir.UW(uint16(base + in.Src[1].Num))}
			}
			define(f, i, add)
			at = f.At(i)
			at.Src[1] = a
		}
	}
}
