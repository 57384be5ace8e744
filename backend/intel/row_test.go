// SPDX-License-Identifier: MIT

package intel_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// TestRowAtTheEnd loads vectors of up to sixteen components from both kinds of buffers. The offset is uniform
// and not a multiple of 16, so that some components are beyond the end of the buffer: these must be 0, and the
// others the contents of the buffer.
func TestRowAtTheEnd(t *testing.T) {
	t.Run("storage", func(t *testing.T) { rowAtTheEnd(t, (*build.Builder).LoadSSBO) })
	t.Run("uniform", func(t *testing.T) {
		rowAtTheEnd(t, func(b *build.Builder, comps, bits uint8, block, offset ir.Src, access kind.Access, mul, at uint32) ir.Src {
			return b.LoadUBO(comps, bits, block, offset, access, mul, at, 0, 0)
		})
	})
}

// rowAtTheEnd tests one kind of load.
func rowAtTheEnd(t *testing.T, load func(b *build.Builder, comps, bits uint8, block, offset ir.Src, access kind.Access, mul,
	at uint32) ir.Src) {
	const held = 21 // doublewords in the buffer
	for _, simd := range []int{8, 16, 32} {
		for comps := 1; comps <= 16; comps++ {
			s, b := newShader(32)
			lane := globalID(b, 32)
			at := load(b, 1, 32, b.Imm(0), b.Imm(0), 0, 4, 0)
			row := load(b, uint8(comps), 32, b.Imm(0), b.IAdd(at, b.Imm(4)), 0, 4, 0)
			out := b.IMul(lane, b.Imm(uint32(4*comps)))
			for i := range comps {
				b.StoreSSBO(b.IAdd(row.Comp(i), lane), b.Imm(1), b.IAdd(out, b.Imm(uint32(4*i))), 1, 0, 4, 0)
			}
			bin := compile(t, s, simd, 2)
			for first := 1; first < held; first++ {
				in, result := make([]byte, 4*held), make([]byte, 4*32*comps)
				for i := range held {
					binary.LittleEndian.PutUint32(in[4*i:], uint32(1000+i))
				}
				binary.LittleEndian.PutUint32(in, uint32(4*(first-1)))
				run(t, bin, 1, nil, &eu.Surface{Data: in}, &eu.Surface{Data: result})
				for i := range 32 * comps {
					lane, k := i/comps, i%comps
					want := uint32(lane)
					if first+k < held {
						want += uint32(1000 + first + k)
					}
					if got := binary.LittleEndian.Uint32(result[4*i:]); got != want {
						t.Fatalf("SIMD%d, %d components from %d: lane %d has %d in component %d, want %d", simd, comps, first,
							lane, got, k, want)
					}
				}
			}
			stores := comps * max(1, simd/16)
			if n := bin.Stats.Sends; n != 1+1+stores+1 { // the last message ends the thread
				t.Errorf("SIMD%d, %d components: %d messages, want one for the offset, one for them and %d stores", simd, comps, n, stores)
			}
		}
	}
}

// TestStorageIsNotConstant checks that uniform blocks are read through the constant cache, and that storage
// blocks, which shaders write, are not.
func TestStorageIsNotConstant(t *testing.T) {
	for _, simd := range []int{8, 16, 32} {
		for storage, want := range map[bool]int{false: 1, true: 0} {
			s, b := newShader(32)
			row := b.LoadUBO(4, 32, b.Imm(0), b.Imm(16), 0, 4, 0, 0, 0)
			if storage {
				row = b.LoadSSBO(4, 32, b.Imm(0), b.Imm(16), 0, 4, 0)
			}
			b.StoreSSBO(row.Comp(3), b.Imm(1), b.Imm(0), 1, 0, 4, 0)
			var text strings.Builder
			if err := isatext.Disassemble(isa.TGL, compile(t, s, simd, 2).Code, &text); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(text.String(), "send.dcro"); n != want {
				t.Errorf("SIMD%d, storage %t: %d reads of constants, want %d:\n%s", simd, storage, n, want, text.String())
			}
		}
	}
}

// TestUnalignedDwords: a dword of a buffer that may begin at any byte takes a message for bytes, others one for dwords.
func TestUnalignedDwords(t *testing.T) {
	for _, c := range []struct {
		mul, off uint32
		want     int
	}{{1, 0, 2}, {2, 0, 2}, {4, 0, 0}, {16, 8, 0}, {4, 1, 2}, {16, 6, 2}} {
		s, b := newShader(32)
		at := b.IAdd(b.IMul(b.LoadSSBO(1, 32, b.Imm(1), b.Imm(0), 0, 4, 0), b.Imm(c.mul)), b.Imm(c.off))
		b.StoreSSBO(b.LoadSSBO(1, 32, b.Imm(0), at, 0, c.mul, c.off), b.Imm(1), at, 1, 0, c.mul, c.off)
		var text strings.Builder
		if err := isatext.Disassemble(isa.TGL, compile(t, s, 16, 2).Code, &text); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(text.String(), "send.dc0"); n != c.want {
			t.Errorf("%+v: %d messages for bytes:\n%s", c, n, text.String())
		}
	}
}
