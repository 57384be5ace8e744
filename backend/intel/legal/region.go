// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// grf returns the size of a register in bytes.
func (in *inst) grf() int { return in.p.Registers().Bytes }

// lastGRF returns the number of the thread's last register.
func (in *inst) lastGRF() int { return in.p.Registers().Registers - 1 }

// alu reports whether the instruction's operands have types and regions.
func (in *inst) alu() bool {
	switch in.info.Format {
	case isa.FormatBasic, isa.FormatTernary, isa.FormatMath:
		return true
	}
	return false
}

// sources returns the operands that an ALU instruction reads, or none for other instructions.
func (in *inst) sources() []isa.Operand {
	switch {
	case !in.alu():
		return nil
	case in.info.Format == isa.FormatMath:
		return in.Src[:in.Math.Sources()]
	}
	return in.Src[:in.info.NumSrc]
}

func (in *inst) macro() bool { return in.info.Format == isa.FormatMath && in.Math.IsMacro() }

func isGRF(o *isa.Operand) bool { return o.File == isa.FileGRF && !o.Indirect }

// eachSource calls f for every source with a one- or two-dimensional region, until f reports an error. The
// parts of the region are in elements; for three-source formats the width is the one implied by the strides.
func (in *inst) eachSource(f func(i int, o *isa.Operand, v, w, h int) string) string {
	if in.macro() {
		return ""
	}
	for i := range in.sources() {
		o := &in.Src[i]
		if o.File == isa.FileImm || o.File == isa.FileNone || o.VStride == isa.VStrideVxH {
			continue
		}
		v, w, h := int(o.VStride), int(o.Width), int(o.HStride)
		if in.info.Format == isa.FormatTernary {
			if i == 2 { // one-dimensional
				v, w = h, 1
			} else if h == 0 || v == 0 {
				w = 1
			} else {
				w = max(1, v/h)
			}
		}
		if msg := f(i, o, v, w, h); msg != "" {
			return msg
		}
	}
	return ""
}

// spanEnd returns the end of the bytes that a source with this region accesses, from the start of its register.
func spanEnd(o *isa.Operand, exec, v, w, h int) int {
	size := o.Type.Size()
	rows := max(1, exec/w)
	return int(o.Sub) + ((rows-1)*v+(min(w, exec)-1)*h+1)*size
}

func grfRange(in *inst) string {
	if in.alu() && isGRF(&in.Dst) && int(in.Dst.Reg) > in.lastGRF() {
		return fmt.Sprintf("the destination is r%d", in.Dst.Reg)
	}
	for i := range in.sources() {
		if o := &in.Src[i]; isGRF(o) && int(o.Reg) > in.lastGRF() {
			return fmt.Sprintf("source %d is r%d", i, o.Reg)
		}
	}
	return ""
}

func twoRegisters(in *inst) string {
	if !in.alu() {
		return ""
	}
	exec := int(in.ExecSize)
	if d := &in.Dst; isGRF(d) && !in.macro() {
		if end := dstEnd(in); end > 2*in.grf() {
			return fmt.Sprintf("the destination ends %d bytes after the start of its register", end)
		} else if last := in.lastGRF(); int(d.Reg) <= last && int(d.Reg)+(end-1)/in.grf() > last {
			return "the destination ends past r127"
		}
	}
	return in.eachSource(func(i int, o *isa.Operand, v, w, h int) string {
		if !isGRF(o) {
			return ""
		}
		if end := spanEnd(o, exec, v, w, h); end > 2*in.grf() {
			return fmt.Sprintf("source %d ends %d bytes after the start of its register", i, end)
		} else if last := in.lastGRF(); int(o.Reg) <= last && int(o.Reg)+(end-1)/in.grf() > last {
			return fmt.Sprintf("source %d ends past r127", i)
		}
		return ""
	})
}

// dstEnd returns the end of the destination's bytes, from the start of its register.
func dstEnd(in *inst) int {
	d := &in.Dst
	return int(d.Sub) + ((int(in.ExecSize)-1)*int(d.HStride)+1)*d.Type.Size()
}

func subregisterAligned(in *inst) string {
	if !in.alu() || in.macro() {
		return ""
	}
	if d := &in.Dst; !d.Indirect && int(d.Sub)%d.Type.Size() != 0 {
		return fmt.Sprintf("the destination's subregister is at byte %d", d.Sub)
	}
	for i := range in.sources() {
		if o := &in.Src[i]; o.File != isa.FileImm && !o.Indirect && int(o.Sub)%o.Type.Size() != 0 {
			return fmt.Sprintf("source %d's subregister is at byte %d", i, o.Sub)
		}
	}
	return ""
}

// regionRule applies a check to each source's region as written.
func (in *inst) regionRule(bad func(exec, v, w, h int) bool) string {
	if in.info.Format == isa.FormatTernary {
		return ""
	}
	return in.eachSource(func(i int, o *isa.Operand, v, w, h int) string {
		if o.IsNull() || !bad(int(in.ExecSize), v, w, h) {
			return ""
		}
		return fmt.Sprintf("source %d has region <%d;%d,%d> with %d lanes", i, v, w, h, in.ExecSize)
	})
}

func widthExceedsExec(in *inst) string {
	return in.regionRule(func(exec, _, w, _ int) bool { return w > exec })
}

func vstrideOfOneRow(in *inst) string {
	return in.regionRule(func(exec, v, w, h int) bool { return exec == w && h != 0 && v != w*h })
}

func widthOneHStride(in *inst) string {
	return in.regionRule(func(_, _, w, h int) bool { return w == 1 && h != 0 })
}

func scalarVStride(in *inst) string {
	return in.regionRule(func(exec, v, w, h int) bool { return exec == 1 && w == 1 && (v != 0 || h != 0) })
}

func zeroStridesWidth(in *inst) string {
	return in.regionRule(func(_, v, w, h int) bool { return v == 0 && h == 0 && w != 1 })
}

func rowCrosses(in *inst) string {
	if in.info.Format == isa.FormatTernary {
		return ""
	}
	return in.eachSource(func(i int, o *isa.Operand, v, w, h int) string {
		if !isGRF(o) || w > int(in.ExecSize) {
			return ""
		}
		size := o.Type.Size()
		for r := range int(in.ExecSize) / w {
			first := int(o.Sub) + r*v*size
			last := first + (w-1)*h*size + size - 1
			if first/in.grf() != last/in.grf() {
				return fmt.Sprintf("row %d of source %d reaches from byte %d to %d", r, i, first, last)
			}
		}
		return ""
	})
}

func dstStrideZero(in *inst) string {
	if in.alu() && in.Dst.HStride == 0 {
		return "the destination has stride 0"
	}
	return ""
}

func dstHalves(in *inst) string {
	d := &in.Dst
	if !in.alu() || !isGRF(d) || in.macro() || in.ExecSize == 1 {
		return ""
	}
	if end := dstEnd(in); end <= in.grf() || end > 2*in.grf() {
		return ""
	}
	step := int(d.HStride) * d.Type.Size()
	inFirst := (in.grf() - int(d.Sub) + step - 1) / max(step, 1)
	if inFirst*2 != int(in.ExecSize) {
		return fmt.Sprintf("%d of %d lanes are in the first register", inFirst, in.ExecSize)
	}
	return ""
}

func channelOffset(in *inst) string {
	if in.info.Format == isa.FormatNop || in.info.Format == isa.FormatSync || in.info.Scalar {
		return ""
	}
	if in.ExecSize == 0 || in.ChanOff%max(in.ExecSize, 4) != 0 {
		return fmt.Sprintf("%d lanes begin at M%d", in.ExecSize, in.ChanOff)
	}
	return ""
}

// flagBits is the number of lanes of a flag register.
const flagBits = 32

func flagRange(in *inst) string {
	if in.Pred == isa.PredNone && in.CMod == isa.CModNone || in.info.Scalar {
		return ""
	}
	if end := int(in.Flag&1)*16 + int(in.ChanOff) + int(in.ExecSize); end > flagBits {
		return fmt.Sprintf("the lanes' flag bits end at %d of f%d", end, in.Flag>>1)
	}
	return ""
}
