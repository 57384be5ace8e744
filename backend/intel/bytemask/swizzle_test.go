// SPDX-License-Identifier: MIT

package bytemask

import (
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// TestSwizzles compares the bytes read through a swizzle, or written under a mask, with the elements of the
// individual lanes.
func TestSwizzles(t *testing.T) {
	grf := uint(on32.GRF.Bytes())
	for _, typ := range []isa.Type{isa.TypeF, isa.TypeHF} {
		size := uint(typ.Size())
		for exec := uint(4); exec <= 32; exec *= 2 {
			for off := uint(0); off < 64; off += 16 {
				for x := range uint(256) {
					src := mir.Fixed(4, typ).At(uint32(off))
					dst := src
					src.Swizzle, dst.Mask = fields.Swizzle(x), fields.WriteMask(x%16)
					in := &mir.Inst{Op: isa.OpMad, Exec: uint8(exec), Dst: dst, Src: [3]mir.Operand{src, mir.Fixed(9, typ), mir.Fixed(9, typ)}}
					for reg := range uint(6) {
						var read, written Mask
						element := func(i int) (m Mask) {
							for b := range size {
								if at := off%grf + uint(i)*size + b; at/grf == reg {
									m |= 1 << (at % grf)
								}
							}
							return m
						}
						for lane := range int(exec) {
							read |= element(src.Swizzle.Lane(lane))
							if dst.Mask.Writes(lane) {
								written |= element(lane)
							}
						}
						if r, w := SrcReadPattern(on32, in, 0, reg), DstWritePattern(on32, in, reg); r != read || w != written {
							t.Fatalf("exec %d size %d off %d swizzle %v mask %v reg %d: %#x and %#x, want %#x and %#x",
								exec, size, off, src.Swizzle, dst.Mask, reg, r, w, read, written)
						}
					}
				}
			}
		}
	}
}
