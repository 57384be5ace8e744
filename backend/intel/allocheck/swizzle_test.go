// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// mad adds the square of a float vector of the payload to x.
func (s *small) mad(dst, x mir.Operand) *mir.Inst {
	r := mir.Fixed(1, isa.TypeF)
	return s.op(isa.OpMad, dst.As(isa.TypeF), x.As(isa.TypeF), r, r)
}

// TestCheckSwizzle checks that a swizzle reads the values of other lanes, which may be inactive. A place written only by
// active lanes does not hold these lanes.
func TestCheckSwizzle(t *testing.T) {
	for _, c := range []struct {
		name    string
		swizzle fields.Swizzle
		moved   uint32 // destination of the write in the if
		ok      bool
	}{
		{"identity", 0, 11, true},
		{"other lanes", fields.SwizzleOf(1, 1, 1, 3), 11, false},
		{"other lanes, in place", fields.SwizzleOf(1, 1, 1, 3), 10, true},
	} {
		s := newSmall()
		x, y := s.vec(1), s.vec(1)
		s.all(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
		s.branch(isa.OpIf)
		s.op(isa.OpMov, x, mir.FixedScalar(1, 4, ud))
		write := s.ids[len(s.ids)-1]
		s.mad(y, x).Src[0].Swizzle = c.swizzle
		read := s.ids[len(s.ids)-1]
		s.use(y)
		s.branch(isa.OpEndif)
		after := s.placed(map[uint32]uint32{1: 10, 2: 20})
		after.At(write).Dst.Num, after.At(read).Src[0].Num = c.moved, c.moved
		s.BuildCFG()
		after.BuildCFG()
		if err := allocheck.Check(s.Func, after, allocheck.Options{}); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestCheckMask checks that elements and flags that a write mask excludes keep their contents.
func TestCheckMask(t *testing.T) {
	for _, c := range []struct {
		name  string
		mask  fields.WriteMask
		moved uint32 // destination of the masked result
		flag  mir.Flag
		ok    bool
	}{
		{"all", 0, 11, 1, true},
		{"some", fields.MaskOf(5), 11, 0, false},
		{"some flags", fields.MaskOf(5), 10, 1, false},
		{"some, in place", fields.MaskOf(5), 10, 0, true},
	} {
		s := newSmall()
		x, f := s.vec(1), s.NewFlag()
		s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
		set := s.op(isa.OpCmp, mir.Null(ud), mir.FixedScalar(1, 0, ud), mir.UD(0))
		set.CMod, set.Flag = isa.CModNE, f
		first := s.ids[len(s.ids)-1]
		in := s.mad(x, mir.Fixed(1, ud))
		in.Dst.Mask, in.CMod, in.Flag = c.mask, isa.CModGT, f
		masked := s.ids[len(s.ids)-1]
		use := s.op(isa.OpMov, mir.Fixed(30, ud), x)
		use.Pred, use.Flag = isa.PredNormal, f
		last := s.ids[len(s.ids)-1]
		after := s.placed(map[uint32]uint32{1: 10})
		after.At(first).Flag = 0
		after.At(masked).Dst.Num, after.At(masked).Flag = c.moved, c.flag
		after.At(last).Src[0].Num, after.At(last).Flag = c.moved, c.flag
		s.BuildCFG()
		after.BuildCFG()
		if err := allocheck.Check(s.Func, after, allocheck.Options{}); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
