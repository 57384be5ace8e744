// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// accumulator checks, block by block, that an instruction that reads the accumulator reads the value written
// there for its own lanes. It detects passes that insert an instruction between the two halves of a product, or
// separate them.
type accumulator struct {
	f      *mir.Func
	writer mir.ID  // last instruction of the block that wrote the accumulator
	holds  mir.Reg // virtual accumulator written by it; 0 means a physical one
}

// checkAccumulator checks that virtual accumulators are used only where they are allowed.
func checkAccumulator(f *mir.Func, in *mir.Inst) string {
	for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		switch {
		case !f.IsAccumulator(o):
		case o.Off == 0 && o.HasStride(1) && o == &in.Dst && !in.IsSend() && int(in.Op) < isa.NumOps:
		case o.Off == 0 && o.HasStride(1) && o == &in.Src[2] && in.Is(mir.ReadsAcc):
		default:
			return "an accumulator may only be a whole destination, or the implicit source of a product"
		}
	}
	return ""
}

// step processes the next instruction and returns an error message, or "".
func (a *accumulator) step(i mir.ID) string {
	in := &a.f.Insts[i]
	reads, writes := in.Implicit()
	r, _ := a.f.Accumulator(in)
	if reads&mir.ImplicitAcc != 0 {
		if a.writer == 0 || r != a.holds {
			return "reads the accumulator, which is not written before it in its block"
		}
		w := &a.f.Insts[a.writer]
		if in.Exec > w.Exec || in.Chan != w.Chan || in.NoMask && !w.NoMask {
			return fmt.Sprintf("reads lanes of the accumulator that %s does not write", a.f.Text(a.writer))
		}
	}
	if a.f.IsAccumulator(&in.Dst) {
		a.writer, a.holds = i, mir.Reg(in.Dst.Num)
	} else if writes&mir.ImplicitAcc != 0 {
		a.writer, a.holds = i, r
	}
	return ""
}
