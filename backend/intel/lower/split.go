// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// SplitSIMD32 splits code for 32 lanes into two halves of 16 if operands of 32 doublewords would span more than
// two registers. Every divergent register and every instruction on 32 lanes becomes two, one for each half; branches
// are not split.
func SplitSIMD32(f *mir.Func) {
	if f.Width <= int(f.GRF.Lanes()) {
		return
	}
	n := len(f.Regs)
	upper := make([]mir.Reg, n)
	pitch := make([]uint32, n) // distance of components, before the split
	for r := 1; r < n; r++ {
		info := *f.Reg(mir.Reg(r))
		if info.Uniform || info.Piece {
			continue
		}
		pitch[r] = f.Pitch(int(info.Lane))
		info.Bytes /= 2
		*f.Reg(mir.Reg(r)) = info
		upper[r] = f.AddReg(info)
	}
	// half narrows an operand to the lanes of one half, and to the registers that contain them. The lanes of a
	// payload are in both halves of each component.
	half := func(o *mir.Operand, which uint32, payload bool) {
		if payload && o.File == mir.VReg && upper[o.Num] == 0 {
			return // a header
		}
		if payload = payload && o.File == mir.VReg && upper[o.Num] != 0; !payload {
			o.Slice(16*which, 16)
			which = 0
		}
		if o.File != mir.VReg || upper[o.Num] == 0 {
			return
		}
		p := pitch[o.Num]
		comp, within := o.Off/p, o.Off%p
		if within >= p/2 {
			which, within = 1, within-p/2
		}
		o.Off = comp*(p/2) + within
		if which == 1 {
			o.Num = uint32(upper[o.Num])
		}
	}
	each := func(in *mir.Inst, which uint32) {
		half(&in.Dst, which, in.IsSend())
		for k := range in.Src {
			if in.IsRun(k) {
				continue // any lane may be read
			}
			half(&in.Src[k], which, in.IsSend())
		}
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Next(i)
			in := f.At(i)
			if in.Exec == 32 && !in.Steers() {
				second := *in
				in.Exec, second.Exec, second.Chan = 16, 16, 16
				if in.IsSend() {
					for k := range in.Len {
						if k == 0 && hasHeader(in) {
							continue // one for each half
						}
						in.Len[k] /= 2
						second.Len[k] /= 2
					}
				}
				each(in, 0)
				each(&second, 1)
				f.After(i, second)
			} else {
				each(in, 0)
			}
			i = next
		}
	}
	f.MarkSingle()
}

// SplitNarrow splits instructions that the machine executes for fewer lanes at a time: integer division, eight lanes, and
// the high half of products, which it lowers to instructions that use the accumulator, as many lanes as a register has
// doublewords (TGL PRM vol. 2a, math and mach). With fewAddresses, it also splits reads at computed positions into reads
// for eight lanes: they then need only a0.0 to a0.3, and code that spills can use a0.7.
func SplitNarrow(f *mir.Func, fewAddresses bool) {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			switch {
			case in.Op == mir.OpIndirect && fewAddresses && in.Exec > 8, in.Op == isa.OpMath && in.Math.IsInt() && in.Exec > 8:
				split := splitAt(f, i, 8)
				in = f.At(split[len(split)-1])
			case in.Op == mir.OpMulHigh:
				split := splitAt(f, i, f.GRF.Dwords())
				for _, j := range split {
					mulHigh(f, j)
				}
				in = f.At(split[len(split)-1])
			}
		}
	}
}

// splitAt splits an instruction into pieces of a number of lanes and returns them.
func splitAt(f *mir.Func, i mir.ID, lanes uint8) []mir.ID {
	out := []mir.ID{i}
	whole := *f.At(i)
	for ch := lanes; ch < whole.Exec; ch += lanes {
		piece := whole
		piece.Exec, piece.Chan = lanes, whole.Chan+ch
		slice(&piece, uint32(ch))
		out = append(out, f.After(out[len(out)-1], piece))
	}
	f.At(i).Exec = min(whole.Exec, lanes)
	slice(f.At(i), 0)
	if len(out) > 1 {
		if whole.Dst.File == mir.VReg {
			f.Reg(mir.Reg(whole.Dst.Num)).Def = 0
		}
		if r := whole.Flag.Reg(); r != 0 && whole.WritesFlag() {
			f.Reg(r).Def = 0
		}
	}
	return out
}

// slice restricts the operands of an instruction to its own lanes; lane is the index of the first of these in
// the original instruction.
func slice(in *mir.Inst, lane uint32) {
	in.Dst.Slice(lane, int(in.Exec))
	for k := range in.Src {
		if !in.IsRun(k) { // any lane may be read
			in.Src[k].Slice(lane, int(in.Exec))
		}
	}
}

// mulHigh computes the high half of a 32×32-bit product: the accumulator receives the product with the low half
// of the second source, and mach adds the rest.
func mulHigh(f *mir.Func, i mir.ID) {
	in := *f.At(i)
	y := in.Src[1]
	if y.File == mir.Imm {
		y = mir.UW(uint16(y.Num))
	} else {
		y = y.LowWords()
	}
	acc := mir.V(f.NewAccumulator(int(in.Exec)), in.Src[0].Type)
	first := in
	first.Op, first.Dst, first.Src[1] = isa.OpMul, acc, y
	f.Before(i, first)
	in.Op, in.AccWrEn, in.Src[2] = isa.OpMach, true, acc
	f.Replace(i, in)
}

// ClearAccumulator clears the accumulator before the thread ends, if the code uses it (Wa_14010017096).
func ClearAccumulator(f *mir.Func) {
	if !usesAccumulator(f) {
		return
	}
	end := f.Blocks[len(f.Blocks)-1].Last
	if p := f.Prev(end); p != 0 && f.At(p).Dst.SameReg(&f.At(end).Src[0]) {
		end = p // p composes the payload of the last message
	}
	f.Before(end, mir.Inst{
		Op: isa.OpMov, Exec: 16, NoMask: true, Dst: mir.Arch(isa.ARFAcc0, 0, isa.TypeF), Src: [3]mir.Operand{mir.ImmOp(0, isa.TypeF)},
	})
}

// usesAccumulator reports whether the function writes the accumulator.
func usesAccumulator(f *mir.Func) bool {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.AccWrEn || f.IsAccumulator(&in.Dst) || in.Dst.File == mir.ARF && in.Dst.Num&0xF0 == isa.ARFAcc0 {
				return true
			}
		}
	}
	return false
}
