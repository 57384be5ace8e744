// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// octet are the shifts that move each of eight bits to the lowest position, as a packed immediate.
const octet = 0x76543210

// laneBits rewrites message i, whose last component is returned as a doubleword with a bit for each lane, so
// that all components of the result have a value for each lane.
//
// The message writes the doubleword regardless of the active lanes, and the lanes whose slot it occupies may be
// inactive. So the register is read immediately, by all active lanes, and not spilled.
func laneBits(f *mir.Func, i mir.ID) {
	whole := *f.At(i)
	each, grf := f.Parameter(&whole), f.GRF.Bytes()
	n := uint32(whole.Len[2])*grf/each - 1 // number of components before the bits
	bytes := n*each + grf
	from := mir.V(f.AddReg(mir.RegInfo{Bytes: bytes, Lane: 4, Align: f.GRF.Align(), Piece: true, NoSpill: true, Def: i}), isa.TypeUD)
	f.At(i).Dst, f.At(i).Len[2] = from, uint8(f.GRF.Of(bytes))
	if whole.Dst.File == mir.VReg {
		f.Reg(mir.Reg(whole.Dst.Num)).Def = 0
	}
	in := mir.Inst{Chan: whole.Chan, NoMask: whole.NoMask, Loc: whole.Loc}
	after := i
	put := func(in mir.Inst) { after = f.After(after, in) }
	words := mir.V(f.AddReg(mir.RegInfo{Bytes: f.GRF.Round(2 * uint32(whole.Exec)), Lane: 2, Align: f.GRF.Align(), Piece: true,
		NoSpill: true}), isa.TypeUW)
	for at := uint8(0); at < whole.Exec; at += 8 {
		in.Op, in.Exec = isa.OpShr, 8
		in.Chan, in.Dst = whole.Chan+at, words.At(2*uint32(at))
		in.Src = [3]mir.Operand{from.As(isa.TypeUB).At(n*each + uint32(at/8)).WithStride(0), mir.ImmOp(octet, isa.TypeV)}
		put(in)
	}
	in.Exec, in.Chan = whole.Exec, whole.Chan
	dst := whole.Dst.As(isa.TypeUD)
	in.Op, in.Dst, in.Src = isa.OpAnd, dst.At(n*each), [3]mir.Operand{words, mir.UD(1)}
	put(in)
	for k := range n {
		in.Op, in.Dst, in.Src = isa.OpMov, dst.At(k*each), [3]mir.Operand{from.At(k * each)}
		put(in)
	}
}
