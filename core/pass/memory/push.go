// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
)

// LowerPushConstants turns loads of push constants at a dynamic offset into selects among all possible values: push
// constants are in registers, and there are few of them. An offset past the end, which is undefined behavior, yields
// any of them. A constant offset may be outside in code that is never executed, as after unrolling: the load becomes
// undefined, since the ABI has no room for more push constants than the shader declares.
func LowerPushConstants(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := range s.Blocks(c.F) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			if in.Intrinsic() != intrinsic.LoadPushConstant {
				continue
			}
			r := ir.Src{}
			if at, ok := s.ConstOf(s.Src(v, 0)); !ok {
				c.B.Before(v)
				r = c.choosePush(v)
			} else if r = c.insidePush(v, uint32(at)); r.Val == 0 {
				continue
			}
			s.ReplaceUses(v, r)
			s.Remove(v)
			changed = true
		}
	}
	return changed
}

// insidePush returns the components of load v that are within the push constants, at an offset that is constant, and
// undefined values for the others. It returns the zero Src if all are within or the size of the push constants is unknown.
func (c context) insidePush(v ir.Value, at uint32) ir.Src {
	s, b := c.S, c.B
	in := *s.At(v)
	size, end := uint32(in.Bits)/8, uint64(c.pushEnd())
	first := at + s.Index(v, intrinsic.IxBase)
	if s.Info.PushConstantSize == 0 || uint64(first)+uint64(size)*uint64(in.Comps) <= end {
		return ir.Src{}
	}
	b.Before(v)
	var parts [fold.MaxComps]ir.Src
	for i := range uint32(in.Comps) {
		if from := first + i*size; uint64(from)+uint64(size) <= end {
			parts[i] = b.LoadPushConstant(1, in.Bits, b.Imm(from), 0, 0, min(size, 4), 0)
		} else {
			parts[i] = b.Undef(1, in.Bits)
		}
	}
	return pass.Vec(b, parts[:in.Comps])
}

// pushEnd returns the size of the push constants in bytes, rounded up to whole dwords, at least one.
func (c context) pushEnd() uint32 { return ir.RoundUp(max(c.S.Info.PushConstantSize, 4), 4) }

func (c context) choosePush(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := *s.At(v)
	off, base := s.Src(v, 0), s.Index(v, intrinsic.IxBase)
	// The offset is first plus a multiple of step.
	step := max(s.Index(v, intrinsic.IxAlignMul), 4)
	first := s.Index(v, intrinsic.IxAlignOffset) % step
	if base%step != 0 {
		step, first = 4, 0
	}
	end := c.pushEnd()
	var parts [fold.MaxComps]ir.Src
	var bits []ir.Src // conditions for the selects: the bits of the offset from step upwards
	for i := range int(in.Comps) {
		var vals []ir.Src
		size := uint32(in.Bits) / 8
		for at := first + uint32(i)*size; len(vals) == 0 || at+size <= end; at += step {
			vals = append(vals, b.LoadPushConstant(1, in.Bits, b.Imm(at), int32(base), 0, step, first))
		}
		for k := 0; len(vals) > 1; k++ {
			if k == len(bits) {
				bits = append(bits, b.INe(b.IAnd(off, b.Imm(step<<k)), b.Imm(0)))
			}
			n := 0
			for j := 0; j < len(vals); j += 2 {
				vals[n] = vals[j]
				if j+1 < len(vals) {
					vals[n] = b.BCsel(bits[k], vals[j+1], vals[j])
				}
				n++
			}
			vals = vals[:n]
		}
		parts[i] = vals[0]
	}
	return pass.Vec(b, parts[:in.Comps])
}
