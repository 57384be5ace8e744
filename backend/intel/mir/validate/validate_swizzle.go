// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// fours is the size of the groups of lanes within which swizzles and write masks select.
const fours = 4

// checkSwizzles checks that the swizzles and the write mask of an instruction can be encoded in three-source
// words of access mode Align16 (SKL PRM vol. 7, "Align16 Access Mode"): their operands are packed vectors at a
// multiple of 16 bytes.
func checkSwizzles(f *mir.Func, in *mir.Inst) string {
	if in.Dst.Swizzle != 0 {
		return "the destination has a swizzle"
	}
	for k := range in.Src {
		if in.Src[k].Mask != 0 {
			return sourceNames[k] + " has a write mask"
		}
	}
	switch {
	case !in.ChoosesElements():
		return ""
	case !in.Align16 && (int(in.Op) >= isa.NumOps || isa.Ops[in.Op].Format != isa.FormatTernary):
		return "has a swizzle or a write mask, but neither takes three sources nor is in access mode Align16"
	case in.Exec < fours:
		return fmt.Sprintf("has a swizzle or a write mask, which need groups of four lanes, on %d", in.Exec)
	case in.Exec == fours && !in.Swizzled() && bits.OnesCount32(in.Lanes()) == 1:
		return "writes one of four lanes and has no swizzle: that is an instruction on one lane"
	case in.Dst.Mask>>fours != 0:
		return fmt.Sprintf("there is no write mask %#x", uint8(in.Dst.Mask))
	case in.Dst.Mask != 0 && !in.Dst.IsNull() && in.Dst.File != mir.ARF && !isVector(f, &in.Dst):
		return "the destination has a write mask and is not a vector from a multiple of 16 bytes on"
	}
	for k := range in.Src {
		if o := &in.Src[k]; o.Swizzle != 0 && !isVector(f, o) {
			return sourceNames[k] + " has a swizzle and is not a vector from a multiple of 16 bytes on"
		}
	}
	return ""
}

// isVector reports whether an operand is a packed vector of 2- or 4-byte elements that is at a multiple of 16
// bytes wherever its register is allocated.
func isVector(f *mir.Func, o *mir.Operand) bool {
	size := o.Type.Size()
	rows := o.Rows == 0 || o.Rows.VStride() == 0 && o.Rows.Width() == fours // each vector, or one for all lanes
	if !o.IsReg() || o.Stride != 1 || !rows || size != 2 && size != 4 || o.Off%16 != 0 {
		return false
	}
	return o.File == mir.GRF || uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Align%16 == 0
}
