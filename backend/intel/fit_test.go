// SPDX-License-Identifier: MIT

package intel_test

import (
	"encoding/binary"
	"testing"

	"jacquard.example/backend/intel/eu"
)

// TestIndexBeyondItsField checks that a dynamic binding table index changes only the entry of a message, for
// any value.
func TestIndexBeyondItsField(t *testing.T) {
	for _, simd := range []int{8, 16, 32} {
		for _, index := range []uint32{1, 0x101, 0x02100001, 0x80080001, 0xFFFFFF01} {
			s, b := newShader(32)
			s.Info.PushConstantSize = 4
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

// TestAddressesOfDeadLanes checks that indirect register reads have valid addresses in inactive lanes too, for
// any offset.
func TestAddressesOfDeadLanes(t *testing.T) {
	push := []uint32{100, 101, 102, 103, 104, 105, 106, 107}
	for _, simd := range []int{8, 16, 32} {
		for _, dead := range []uint32{1, 6, 31, 0x7FFFFFFF, 0xFFFFFFFF} {
			s, b := newShader(32)
			s.Info.PushConstantSize = 32
			first := s.FirstBlock(s.Entry())
			id := globalID(b, 32)
			addr := b.IShl(id, b.Imm(2))
			off := b.LoadSSBO(1, 32, b.Imm(0), addr, 0, 4, 0)
			n := s.InsertIf(first, b.INe(b.IAnd(id, b.Imm(1)), b.Imm(0)))
			b.AtEnd(s.Then(n))
			b.StoreSSBO(b.LoadPushConstant(1, 32, off, 0, 32, 0, 0), b.Imm(1), addr, 1, 0, 4, 0)
			offsets, out := make([]byte, 128), make([]byte, 128)
			for i := range 32 {
				x := dead
				if i%2 != 0 {
					x = uint32(4 * (i % 8))
				}
				binary.LittleEndian.PutUint32(offsets[4*i:], x)
			}
			run(t, compile(t, s, simd, 2), 1, words(push...), &eu.Surface{Data: offsets}, &eu.Surface{Data: out})
			for i := range 32 {
				want := uint32(0)
				if i%2 != 0 {
					want = push[i%8]
				}
				if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
					t.Fatalf("SIMD%d: invocation %d has %d, want %d", simd, i, got, want)
				}
			}
		}
	}
}

// TestUniformLoadInPartOfAThread checks that a uniform load, which is unmasked, has valid addresses in lanes
// beyond the workgroup too.
func TestUniformLoadInPartOfAThread(t *testing.T) {
	for _, simd := range []int{8, 16, 32} {
		s, b := newShader(3)
		s.Info.PushConstantSize = 4
		at := b.LoadPushConstant(1, 32, b.Imm(0), 0, 4, 4, 0)
		x := b.LoadSSBO(1, 32, b.Imm(0), b.IAdd(at, b.Imm(4)), 0, 4, 0)
		b.StoreSSBO(x, b.Imm(1), b.IShl(globalID(b, 3), b.Imm(2)), 1, 0, 4, 0)
		out := make([]byte, 12)
		run(t, compile(t, s, simd, 2), 1, words(4), &eu.Surface{Data: words(1, 2, 3)}, &eu.Surface{Data: out})
		if want := words(3, 3, 3); string(out) != string(want) {
			t.Errorf("SIMD%d: %x, want %x", simd, out, want)
		}
	}
}
