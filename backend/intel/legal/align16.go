// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// octWord is the unit of access mode Align16 in bytes: four doublewords.
const octWord = 16

// scalar reports whether a source of a three-source instruction is one element for all lanes.
func scalar(o *isa.Operand) bool { return o.VStride == 0 && o.HStride == 0 }

// firstOfFour returns the byte position of the first element of the group of four that contains a one-lane
// destination, and the index of the destination in the group.
func firstOfFour(d *isa.Operand) (sub, lane int) {
	size := d.Type.Size()
	lane = int(d.Sub) / size % 4
	return int(d.Sub) - lane*size, lane
}

// vectorsAligned checks that only scalars have subregisters in doublewords.
func vectorsAligned(in *inst) string {
	sub := int(in.Dst.Sub)
	if in.ExecSize == 1 {
		sub, _ = firstOfFour(&in.Dst)
	}
	if sub%octWord != 0 {
		return fmt.Sprintf("the destination begins at byte %d", sub)
	}
	for i := range in.sources() {
		if o := &in.Src[i]; !scalar(o) && o.Sub%octWord != 0 {
			return fmt.Sprintf("source %d begins at byte %d", i, o.Sub)
		}
	}
	return ""
}

// oneLaneOfFour checks that a write mask moves a one-lane instruction to the lane selected by the destination's
// subregister, with that lane's elements and mask bits.
func oneLaneOfFour(in *inst) string {
	if in.ExecSize != 1 {
		return ""
	}
	for i := range in.sources() {
		if !scalar(&in.Src[i]) {
			return fmt.Sprintf("source %d is a vector", i)
		}
	}
	_, lane := firstOfFour(&in.Dst)
	if lane != 0 && (!in.NoMask || in.Pred != isa.PredNone || in.CMod != isa.CModNone) {
		return fmt.Sprintf("the lane has the mask bits of lane %d", lane)
	}
	return ""
}

func vectorsDstStride(in *inst) string {
	if in.Align16 && len(in.sources()) > 0 && in.Dst.HStride != 1 {
		return fmt.Sprintf("the stride is %d", in.Dst.HStride)
	}
	return ""
}

// vectorsRows checks that the vector of the second vertex of a source follows that of the first, or is the same.
func vectorsRows(in *inst) string {
	if !in.Align16 {
		return ""
	}
	for i := range in.sources() {
		o := &in.Src[i]
		if o.File == isa.FileImm || o.IsNull() {
			continue
		}
		if row := uint8(octWord / o.Type.Size()); o.VStride != 0 && o.VStride != row && o.VStride != 4 {
			return fmt.Sprintf("the rows of source %d are %d elements apart", i, o.VStride)
		}
	}
	return ""
}

func cmpNullSwitch(in *inst) string {
	if in.Dst.IsNull() && !in.Switch {
		return "no switch follows"
	}
	return ""
}

func mathImmediate(in *inst) string {
	if in.info.Format != isa.FormatMath {
		return ""
	}
	for i := range in.sources() {
		if in.Src[i].File == isa.FileImm {
			return fmt.Sprintf("source %d is an immediate", i)
		}
	}
	return ""
}
