package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Indirect turns reads at computed places of the register file into addresses in
// a0 and reads through them (TGL PRM vol. 2a, "Register-indirect addressing").
// Registers must be allocated. Addresses are written without mask: those of
// disabled lanes must be good too.
func Indirect(f *mir.Func) {
	a0 := mir.Arch(isa.ARFA0, 0, isa.TypeUW)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := *f.At(i)
			if in.Op != mir.OpIndirect || in.Src[1].File == mir.ARF {
				continue
			}
			base := in.Src[0].Num*mir.GRFBytes + in.Src[0].Off
			add := mir.Inst{Op: isa.OpAdd, Exec: in.Exec, NoMask: true, Dst: a0, Src: [3]mir.Operand{in.Src[1], mir.UW(uint16(base))}}
			if in.Src[1].File == mir.Imm {
				add.Op = isa.OpMov
				add.Src = [3]mir.Operand{mir.UW(uint16(base + in.Src[1].Num))}
			}
			f.Before(i, add)
			f.At(i).Src[1] = a0
		}
	}
}
