// SPDX-License-Identifier: MIT

package reuse

import (
	"slices"
	"testing"
)

func TestZeroed(t *testing.T) {
	x := []int32{1, 2, 3, 4}
	for _, n := range []int{0, 3, 4, 5, 100} {
		got := Zeroed(slices.Clone(x), n)
		if len(got) != n || slices.ContainsFunc(got, func(v int32) bool { return v != 0 }) {
			t.Errorf("%d: got %v", n, got)
		}
	}
}

// TestRoom: the contents stay, memory that suffices stays, and other memory doubles.
func TestRoom(t *testing.T) {
	x := append(make([]int32, 0, 4), 1, 2, 3)
	if got := Room(x, 1); &got[0] != &x[0] || cap(got) != 4 {
		t.Errorf("memory that suffices is replaced: %d elements", cap(got))
	}
	if got := Room(x, 2); !slices.Equal(got, x) || cap(got) < 8 {
		t.Errorf("got %v with room for %d", got, cap(got))
	}
	if got := Room[int32](nil, 3); len(got) != 0 || cap(got) < 3 {
		t.Errorf("got %v with room for %d", got, cap(got))
	}
}
