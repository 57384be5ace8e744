// SPDX-License-Identifier: MIT

package analysis

import "testing"

// TestTermsWithin compares the result of within with counting the terms.
func TestTermsWithin(t *testing.T) {
	const least, most = -9, 6
	n := 0
	for x := int64(least); x <= most; x++ {
		for step := int64(-4); step <= 4; step++ {
			for c := int64(least); c <= most; c++ {
				for how := range 8 {
					less, swapped, stay := how&1 != 0, how&2 != 0, how&4 != 0
					want := int64(0)
					for y := x; y >= least && y <= most && want < 100; y += step {
						is := y == c
						switch {
						case less && swapped:
							is = c < y
						case less:
							is = y < c
						}
						if is != stay {
							break
						}
						want++
					}
					got := min(within(x, step, less, swapped, c, stay, least, most), 100)
					// Terms that differ from c may step over it: within may stop there.
					if got > want || got < want && (less || stay) {
						t.Fatalf("from %d by %d, less %v, swapped %v, %d, stay %v: %d terms, not %d", x, step, less, swapped, c,
							stay, got, want)
					}
					n++
				}
			}
		}
	}
	if n == 0 {
		t.Error("nothing was compared")
	}
}
