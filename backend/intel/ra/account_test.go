// SPDX-License-Identifier: MIT

package ra

import (
	"math/rand/v2"
	"testing"
)

// TestPressurePeak compares the peaks of ranges with a search of every position.
func TestPressurePeak(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := &pressure{}
	for i := range 3000 {
		p.bytes = append(p.bytes, int32(r.IntN(400)))
		if i%pressureBlock == 0 {
			p.blocks = append(p.blocks, i)
		}
		if b := &p.blocks[i/pressureBlock]; p.bytes[i] > p.bytes[*b] {
			*b = i
		}
	}
	for range 2000 {
		from := r.IntN(len(p.bytes))
		to := from + r.IntN(len(p.bytes)-from)
		want := from
		for i := from; i <= to; i++ {
			if p.bytes[i] > p.bytes[want] {
				want = i
			}
		}
		if got := p.peak(from, to); got != want {
			t.Fatalf("from %d to %d: %d, want %d", from, to, got, want)
		}
	}
}
