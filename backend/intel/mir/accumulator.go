// SPDX-License-Identifier: MIT

package mir

// IsAccumulator reports whether an operand is a virtual accumulator.
func (f *Func) IsAccumulator(o *Operand) bool {
	return o.File == VReg && f.Regs[o.Num].Class == AccumulatorClass
}

// Accumulator reports whether an instruction implicitly reads or writes an accumulator. If it reads a virtual one, which
// is its third source, r is that register; otherwise r is 0.
func (f *Func) Accumulator(in *Inst) (r Reg, ok bool) {
	if in.Is(ReadsAcc) {
		if f.IsAccumulator(&in.Src[2]) {
			r = Reg(in.Src[2].Num)
		}
		return r, true
	}
	return 0, in.AccWrEn || in.Is(writesAcc)
}
