package analysis

import "testing"

// TestWithin compares what is computed of how many terms stay with counting them.
func TestWithin(t *testing.T) {
	const least, most = -9, 6 // of a number that wraps around, as all do, only later
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
					// Numbers that differ from a constant may pass it: the iterations until then are enough.
					if got > want || got < want && (less || stay) {
						t.Fatalf("from %d by %d, less %v, swapped %v, %d, stay %v: %d terms, not %d", x, step, less, swapped, c, stay, got, want)
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
