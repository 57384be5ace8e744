// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// checkDstRegion checks the region of a destination in registers.
func checkDstRegion(in *mir.Inst) string {
	switch o := &in.Dst; {
	case o.Stride == 0:
		return "the destination has stride 0"
	case in.Exec > 1 && (!mir.IsStride(uint(o.Stride)) || o.Stride > mir.MaxHStride):
		return fmt.Sprintf("the destination has stride %d", o.Stride)
	}
	return ""
}

// checkSrcRegion checks that the machine supports the region of source k.
func checkSrcRegion(in *mir.Inst, k int) string {
	o := &in.Src[k]
	switch {
	case o.File == mir.None || o.File == mir.Imm:
		if o.Rows != 0 {
			return sourceNames[k] + " is not a register and has rows"
		}
	case o.Rows == 0:
		if !mir.IsStride(uint(o.Stride)) {
			return fmt.Sprintf("%s has stride %d", sourceNames[k], o.Stride)
		}
	case !o.Rows.Valid(o.Stride):
		return sourceNames[k] + " has a region that the machine does not support"
	case !o.IsReg() || !in.ReadsElements(k) || in.Op == mir.OpIndirect || in.Op == mir.OpAddress:
		return sourceNames[k] + " cannot have rows"
	}
	return ""
}

// checkRows checks that, wherever its register is allocated, each row of source k is within one GRF and all
// rows are within two (TGL PRM vol. 2a, "Register Region Restrictions").
func checkRows(f *mir.Func, in *mir.Inst, k int) string {
	o := &in.Src[k]
	if o.Rows == 0 {
		return ""
	}
	v, w := uint32(o.Rows.VStride()), uint32(o.Rows.Width())
	if w >= uint32(in.Exec) {
		return fmt.Sprintf("%s has rows of %d elements for %d lanes", sourceNames[k], w, in.Exec)
	}
	align := f.GRF.Bytes()
	if o.File == mir.VReg {
		align = uint32(f.Regs[o.Num].Align)
	}
	size := uint32(o.Type.Size())
	row := (w-1)*uint32(o.Stride)*size + size
	for r := range uint32(in.Exec) / w {
		if start := o.Off + r*v*size; start%align+row > align {
			return fmt.Sprintf("row %d of %s may cross registers", r, sourceNames[k])
		}
	}
	lanes := min(uint32(in.Exec), maxExec)
	for lane := uint32(0); lane < uint32(in.Exec); lane += lanes {
		if start := f.GRF.In(o.Off + o.LaneOffset(lane)); start+o.Extent(int(lanes)) > 2*f.GRF.Bytes() {
			return sourceNames[k] + " reaches into a third register"
		}
	}
	return ""
}

// maxExec is the maximum number of lanes of a machine instruction; SIMD32 instructions are split.
const maxExec = 16

// checkHalves checks the operands of SIMD32 instructions.
func checkHalves(f *mir.Func, in *mir.Inst) string {
	if f.Width <= maxExec || in.Op == isa.OpSync {
		return ""
	}
	for k, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if msg := checkHalf(f, in, o, operandNames[k]); msg != "" {
			return msg
		}
	}
	return ""
}

// checkHalf checks that the lanes of each half of the thread use one half of a SIMD32 operand's register:
// splitting makes a register of each half.
func checkHalf(f *mir.Func, in *mir.Inst, o *mir.Operand, name string) string {
	if o.File != mir.VReg || f.Regs[o.Num].Uniform || f.Regs[o.Num].Piece || f.Regs[o.Num].Class != mir.General {
		return ""
	}
	half := f.Pitch(int(f.Regs[o.Num].Lane)) / 2
	lanes := min(uint32(in.Exec), maxExec)
	for lane := uint32(0); lane < uint32(in.Exec); lane += lanes {
		start := o.Off + o.LaneOffset(lane)
		if end := start + o.Extent(int(lanes)); start/half != (end-1)/half {
			return fmt.Sprintf("the lanes from %d on of %s cross the halves of v%d", lane, name, o.Num)
		}
	}
	return ""
}
