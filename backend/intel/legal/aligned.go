// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// stays reports whether numbers of a type stay at their places in registers.
func stays(t isa.Type) bool { return t.IsFloat() || isWide(t) }

// alignedFloats checks that an instruction that computes floats or 64-bit numbers reads each lane at the place in a
// register at which it writes it, also if the destination is null. Halves may be packed next to floats: then the place
// of a lane is counted in elements.
func alignedFloats(in *inst) string {
	if !in.alu() || in.macro() || in.ExecSize == 1 {
		return ""
	}
	d := &in.Dst
	to := place{int(d.Sub), int(d.HStride) * d.Type.Size()}
	for i, o := range in.sources() {
		if o.VStride == isa.VStrideVxH && o.File != isa.FileImm && stays(o.Type) {
			return fmt.Sprintf("source %d of type %s has an address for each lane", i, o.Type)
		}
	}
	return in.eachSource(func(i int, o *isa.Operand, v, w, h int) string {
		if v == 0 && h == 0 || o.IsNull() || !stays(d.Type) && !isWide(o.Type) {
			return ""
		}
		step := h
		if w == 1 {
			step = v
		}
		from := place{int(o.Sub), step * o.Type.Size()}
		if o.Indirect || d.Indirect {
			from.off = to.off // unknown
		}
		rows := w > 1 && w < int(in.ExecSize) && v != w*h
		if !rows && (from == to || in.packed(o, from, d, to) || in.packed(d, to, o, from)) {
			return ""
		}
		return fmt.Sprintf("source %d <%d;%d,%d>:%s at byte %d, destination <%d>:%s at byte %d",
			i, v, w, h, o.Type, o.Sub, d.HStride, d.Type, d.Sub)
	})
}

// mathHalfScalar checks that a math function of several lanes has no half that all of them read.
func mathHalfScalar(in *inst) string {
	if in.info.Format != isa.FormatMath || in.ExecSize == 1 {
		return ""
	}
	return in.eachSource(func(i int, o *isa.Operand, v, _, h int) string {
		if v != 0 || h != 0 || o.IsNull() || o.Type != isa.TypeHF {
			return ""
		}
		return fmt.Sprintf("source %d is a scalar of type %s", i, o.Type)
	})
}

// place is where the lanes of an operand are in its register: the first at byte off, each step bytes after the one before.
type place struct{ off, step int }

// packed reports whether an operand is packed halves that are next to floats: at the same element of a half of a register.
func (in *inst) packed(o *isa.Operand, at place, with *isa.Operand, other place) bool {
	half := in.grf() / 2
	return o.Type == isa.TypeHF && with.Type == isa.TypeF && at.step == 2 && other.step == 4 && at.off%half == other.off/2%half
}
