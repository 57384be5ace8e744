// SPDX-License-Identifier: MIT

package mir_test

import (
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// TestLanes checks that an instruction writes the flags of its lanes except those excluded by its write mask.
func TestLanes(t *testing.T) {
	for _, c := range []struct {
		exec, first uint8
		mask        fields.WriteMask
		want        uint32
	}{
		{8, 0, 0, 0xFF}, {32, 0, 0, 0xFFFFFFFF}, {16, 16, 0, 0xFFFF0000}, {1, 0, 0, 1},
		{16, 16, fields.MaskOf(5), 0x55550000}, {4, 12, fields.MaskOf(14), 0xE000}, {8, 8, fields.MaskOf(0), 0},
	} {
		in := mir.Inst{Op: isa.OpMad, Exec: c.exec, Chan: c.first, Dst: mir.Fixed(2, isa.TypeF)}
		in.Dst.Mask = c.mask
		if got := in.Lanes(); got != c.want {
			t.Errorf("%d lanes from %d, mask %q: %#x, want %#x", c.exec, c.first, c.mask, got, c.want)
		}
	}
}

// TestLateSrcs checks that if any operand spans two registers, only a source with its lanes at the same places
// may share the destination's register.
func TestLateSrcs(t *testing.T) {
	d, w := mir.Fixed(2, ud), mir.Fixed(8, isa.TypeUW)
	swizzled := d
	swizzled.Swizzle = fields.SwizzleOf(1, 1, 1, 3)
	f := mir.New(16, isa.TGL.Registers())
	for _, c := range []struct {
		name string
		in   mir.Inst
		want uint8
	}{
		{"all in one register", mir.Inst{Op: isa.OpAdd, Exec: 8, Dst: d, Src: [3]mir.Operand{w, d}}, 0},
		{"the same places", mir.Inst{Op: isa.OpAdd, Exec: 16, Dst: d, Src: [3]mir.Operand{d, mir.Fixed(4, isa.TypeUW).WithStride(2)}}, 0},
		{"words to doublewords", mir.Inst{Op: isa.OpAdd, Exec: 16, Dst: d, Src: [3]mir.Operand{w, d}}, 1},
		{"doublewords to words", mir.Inst{Op: isa.OpAdd, Exec: 16, Dst: w, Src: [3]mir.Operand{w, d}}, 2},
		{"a doubleword of all lanes", mir.Inst{Op: isa.OpAdd, Exec: 16, Dst: d, Src: [3]mir.Operand{d, mir.FixedScalar(3, 0, ud)}}, 2},
		{"rows", mir.Inst{Op: isa.OpMov, Exec: 16, Dst: d, Src: [3]mir.Operand{d.WithRegion(4, 4, 0)}}, 1},
		{"rows of one register", mir.Inst{Op: isa.OpMov, Exec: 8, Dst: d, Src: [3]mir.Operand{d.WithRegion(4, 4, 0)}}, 0},
		{"a swizzle", mir.Inst{Op: isa.OpMad, Exec: 16, Dst: d, Src: [3]mir.Operand{d, swizzled, d}}, 2},
		{"a plane", mir.Inst{Op: isa.OpPln, Exec: 16, Dst: d, Src: [3]mir.Operand{mir.FixedScalar(3, 0, isa.TypeF), mir.Fixed(4, isa.TypeF)}}, 7},
		{"immediates", mir.Inst{Op: isa.OpAdd, Exec: 16, Dst: d, Src: [3]mir.Operand{d, mir.UD(1)}}, 0},
	} {
		if got := f.LateSrcs(&c.in); got != c.want {
			t.Errorf("%s: %#b, want %#b", c.name, got, c.want)
		}
	}
}

// TestPlaneBytes: pln reads four numbers of a plane, and two coordinates for each lane.
func TestPlaneBytes(t *testing.T) {
	f := mir.New(16, isa.SKL.Registers())
	for _, lanes := range []uint8{8, 16} {
		in := mir.Inst{Op: isa.OpPln, Exec: lanes, Dst: mir.Fixed(2, isa.TypeF),
			Src: [3]mir.Operand{mir.FixedScalar(10, 16, isa.TypeF), mir.Fixed(4, isa.TypeF)}}
		if got, want := f.Bytes(&in), (mir.Bytes{Dst: 4 * uint32(lanes), Src: [3]uint32{16, 8 * uint32(lanes)}}); got != want {
			t.Errorf("%d lanes: %+v, want %+v", lanes, got, want)
		}
		if in.ReadsElements(0) || in.ReadsElements(1) {
			t.Errorf("%d lanes: a source is read lane by lane", lanes)
		}
	}
}
