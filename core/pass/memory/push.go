package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
)

// LowerPushConstants turns loads of push constants at a dynamic offset into selects among all possible values: push
// constants are in registers, and there are few of them. An offset past the end, which is undefined behavior, yields
// any of them.
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
			if _, ok := s.ConstOf(s.Src(v, 0)); ok {
				continue
			}
			c.B.Before(v)
			s.ReplaceUses(v, c.choosePush(v))
			s.Remove(v)
			changed = true
		}
	}
	return changed
}

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
	end := ir.RoundUp(max(s.Info.PushConstantSize, 4), 4)
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
