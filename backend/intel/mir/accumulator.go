package mir

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// accumulator checks, block by block, that an instruction that reads the accumulator reads the value written
// there for its own lanes. It detects passes that insert an instruction between the two halves of a product, or
// separate them.
type accumulator struct {
	f      *Func
	writer ID  // last instruction of the block that wrote the accumulator
	holds  Reg // virtual accumulator written by it; 0: a physical one
}

// IsAccumulator reports whether an operand is a virtual accumulator.
func (f *Func) IsAccumulator(o *Operand) bool {
	return o.File == VReg && f.Regs[o.Num].Class == AccumulatorClass
}

// Accumulator reports whether an instruction reads or writes an accumulator other than as an operand, and which
// virtual one; r is 0 for a physical accumulator.
func (f *Func) Accumulator(in *Inst) (r Reg, ok bool) {
	if in.is(readsAcc) {
		if f.IsAccumulator(&in.Src[2]) {
			r = Reg(in.Src[2].Num)
		}
		return r, true
	}
	return 0, in.AccWrEn || in.is(writesAcc)
}

// checkAccumulator checks that virtual accumulators are used only where they are allowed.
func (f *Func) checkAccumulator(in *Inst) string {
	for _, o := range [...]*Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		switch {
		case !f.IsAccumulator(o):
		case o.Off == 0 && o.HasStride(1) && o == &in.Dst && !in.IsSend() && int(in.Op) < isa.NumOps:
		case o.Off == 0 && o.HasStride(1) && o == &in.Src[2] && in.is(readsAcc):
		default:
			return "an accumulator may only be a whole destination, or the implicit source of a product"
		}
	}
	return ""
}

// step processes the next instruction and returns an error message, or "".
func (a *accumulator) step(i ID) string {
	in := &a.f.Insts[i]
	reads, writes := in.Implicit()
	r, _ := a.f.Accumulator(in)
	if reads&ImplicitAcc != 0 {
		if a.writer == 0 || r != a.holds {
			return "reads the accumulator, which is not written before it in its block"
		}
		w := &a.f.Insts[a.writer]
		if in.Exec > w.Exec || in.Chan != w.Chan || in.NoMask && !w.NoMask {
			return fmt.Sprintf("reads lanes of the accumulator that %s does not write", a.f.Text(a.writer))
		}
	}
	if a.f.IsAccumulator(&in.Dst) {
		a.writer, a.holds = i, Reg(in.Dst.Num)
	} else if writes&ImplicitAcc != 0 {
		a.writer, a.holds = i, r
	}
	return ""
}
