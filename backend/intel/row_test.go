package intel_test

import (
	"encoding/binary"
	"testing"

	"jacquard.example/backend/intel/eu"
)

// TestRowAtTheEnd loads vectors of two to sixteen components at an offset that is the same in
// all lanes and not a multiple of 16, so that some components lie beyond the end of the buffer:
// these are 0, the others what the buffer holds.
func TestRowAtTheEnd(t *testing.T) {
	const held = 21 // doublewords in the buffer
	for _, simd := range []int{8, 16, 32} {
		for comps := 2; comps <= 16; comps++ {
			s, b := newShader(32)
			lane := globalID(b, 32)
			at := b.LoadSSBO(1, 32, b.Imm(0), b.Imm(0), 0, 4, 0)
			row := b.LoadSSBO(uint8(comps), 32, b.Imm(0), b.IAdd(at, b.Imm(4)), 0, 4, 0)
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
						t.Fatalf("SIMD%d, %d components from %d: lane %d has %d in component %d, want %d", simd, comps, first, lane, got, k, want)
					}
				}
			}
			stores := comps * max(1, simd/16)
			if n := bin.Stats.Sends; n != 1+1+stores+1 { // the last one ends the thread
				t.Errorf("SIMD%d, %d components: %d messages, want one for the offset, one for them and %d stores", simd, comps, n, stores)
			}
		}
	}
}
