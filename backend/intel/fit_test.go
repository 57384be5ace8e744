package intel_test

import (
	"encoding/binary"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
)

// TestIndexBeyondItsField: an index into the binding table that is not constant
// changes nothing of a message but the entry, whatever its value.
func TestIndexBeyondItsField(t *testing.T) {
	for _, simd := range []int{8, 16, 32} {
		for _, index := range []uint32{1, 0x101, 0x02100001, 0x80080001, 0xFFFFFF01} {
			s := ir.New()
			s.Info.WorkgroupSize = [3]uint32{32, 1, 1}
			s.Info.PushConstantSize = 4
			f := s.NewFunc("main")
			s.SetEntry(f)
			b := build.New(s)
			b.AtEnd(s.FirstBlock(f))
			which := b.LoadPushConstant(1, 32, b.Imm(0), 0, 4, 4, 0)
			addr := b.IShl(globalID(b, 32), b.Imm(2))
			x := b.LoadSSBO(1, 32, which, addr, 0, 4, 0)
			b.StoreSSBO(b.IAdd(x, b.Imm(1)), which, addr, 1, 0, 4, 0)
			data := make([]byte, 128)
			for i := range 32 {
				binary.LittleEndian.PutUint32(data[4*i:], uint32(10*i))
			}
			run(t, compile(t, s, simd, 2), 1, words(index), &eu.Surface{Data: make([]byte, 128)}, &eu.Surface{Data: data})
			for i := range 32 {
				if got := binary.LittleEndian.Uint32(data[4*i:]); got != uint32(10*i+1) {
					t.Fatalf("SIMD%d, index %#x: element %d is %d", simd, index, i, got)
				}
			}
		}
	}
}
