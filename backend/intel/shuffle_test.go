// SPDX-License-Identifier: MIT

package intel_test

import (
	"encoding/binary"
	"testing"

	"jacquard.example/backend/intel/eu"
)

// TestShuffles: shuffles that read the same lanes share their addresses, and shuffles that read other lanes in between
// do not.
func TestShuffles(t *testing.T) {
	for _, simd := range []int{8, 16, 32} {
		s, b := newShader(64)
		id := globalID(b, 64)
		lane := b.LoadSubgroupInvocation(32)
		addr := b.IShl(id, b.Imm(2))
		x := b.LoadSSBO(1, 32, b.Imm(0), addr, 0, 4, 0)
		y := b.IMul(x, b.Imm(5))
		last, first := b.IXor(lane, b.Imm(7)), b.IAnd(lane, b.Imm(4))
		sum := b.IAdd(b.Shuffle(32, x, last), b.IMul(b.Shuffle(32, y, first), b.Imm(1000)))
		sum = b.IAdd(sum, b.IMul(b.Shuffle(32, x, first), b.Imm(10000)))
		sum = b.IAdd(sum, b.IMul(b.Shuffle(32, y, last), b.Imm(1000000)))
		b.StoreSSBO(sum, b.Imm(1), addr, 1, 0, 4, 0)
		bin := compile(t, s, simd, 2)
		in, out := make([]uint32, 64), make([]byte, 4*64)
		for i := range in {
			in[i] = uint32(i * i)
		}
		run(t, bin, 1, nil, &eu.Surface{Data: words(in...)}, &eu.Surface{Data: out})
		for i := range 64 {
			to, from := in[i^7], in[i-i%simd+i%simd&4]
			want := to + 5*from*1000 + from*10000 + 5*to*1000000
			if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
				t.Fatalf("SIMD%d: invocation %d: %d, want %d", simd, i, got, want)
			}
		}
	}
}
