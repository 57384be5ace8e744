// SPDX-License-Identifier: MIT

package intel_test

import (
	"encoding/binary"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/ir"
)

// chosenPush returns a shader whose odd invocations read the push constant at an offset that comes from a
// buffer: a different one in each lane, or the same in all of them.
func chosenPush(uniform bool) *ir.Shader {
	s, b := newShader(64)
	s.Info.PushConstantSize = 64
	first := s.FirstBlock(s.Entry())
	id := globalID(b, 64)
	odd := b.INe(b.IAnd(id, b.Imm(1)), b.Imm(0))
	n := s.InsertIf(first, odd)
	b.AtEnd(s.Then(n))
	addr := b.IShl(id, b.Imm(2))
	where := addr
	if uniform {
		where = b.Imm(4)
	}
	off := b.LoadSSBO(1, 32, b.Imm(0), where, 0, 4, 0)
	pair := b.LoadPushConstant(2, 32, off, 4, 4, 0, 0)
	b.StoreSSBO(b.IAdd(pair.Comp(0), b.IShl(pair.Comp(1), b.Imm(16))), b.Imm(1), addr, 1, 0, 4, 0)
	return s
}

// TestChosenPush reads push constants at offsets known only at run time, indirectly from the registers that
// contain them. An offset past the last push constant returns an undefined value, but must access nothing else.
func TestChosenPush(t *testing.T) {
	push := make([]uint32, 16)
	for i := range push {
		push[i] = uint32(100 + i)
	}
	for _, uniform := range []bool{false, true} {
		for _, simd := range []int{8, 16, 32} {
			bin := compile(t, chosenPush(uniform), simd, 2)
			offsets, out := make([]byte, 4*64), make([]byte, 4*64)
			for i := range 64 {
				off := uint32(4 * (i * 5 % 14))
				if i%2 == 0 {
					off = 0xFFFF0000 // in lanes that do not read
				}
				binary.LittleEndian.PutUint32(offsets[4*i:], off)
			}
			run(t, bin, 1, words(push...), &eu.Surface{Data: offsets}, &eu.Surface{Data: out})
			for i := range 64 {
				at := i * 5 % 14
				if uniform {
					at = 5
				}
				want := push[at+1] + push[at+2]<<16
				if i%2 == 0 {
					want = 0
				}
				if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
					t.Fatalf("uniform %v, SIMD%d: invocation %d has %#x, want %#x", uniform, simd, i, got, want)
				}
			}
		}
	}
}
