// SPDX-License-Identifier: MIT

package opt

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSpans checks that sets of numbers and of joined spans have the same contents as a map after any sequence
// of unions.
func TestSpans(t *testing.T) {
	const numbers = 60
	rapid.Check(t, func(t *rapid.T) {
		var s spans
		s.reset()
		joined := rapid.Bool().Draw(t, "joined")
		const sets = 4
		var roots, sizes [sets]int32
		var want [sets][numbers + 2]bool
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			k := rapid.IntRange(0, sets-1).Draw(t, "set")
			if rapid.Bool().Draw(t, "unite") {
				from := rapid.IntRange(0, sets-1).Draw(t, "from")
				if from == k {
					continue
				}
				root, more := s.unite(roots[k], roots[from], joined)
				roots[k], roots[from] = root, 0
				sizes[k], sizes[from] = sizes[k]+int32(more), 0
				for x := range want[k] {
					want[k][x] = want[k][x] || want[from][x]
					want[from][x] = false
				}
				continue
			}
			lo := rapid.IntRange(0, numbers-1).Draw(t, "lo")
			hi := lo
			if joined {
				hi = rapid.IntRange(lo, min(lo+9, numbers-1)).Draw(t, "hi")
			}
			root, more := s.unite(roots[k], s.node(int32(lo), int32(hi)), joined)
			roots[k], sizes[k] = root, sizes[k]+int32(more)
			for x := lo; x <= hi; x++ {
				want[k][x] = true
			}
		}
		for k, root := range roots {
			var starts []int32
			for x := range int32(numbers + 1) {
				if s.has(root, x) != want[k][x] {
					t.Fatalf("set %d has %d: %v", k, x, !want[k][x])
				}
				if want[k][x] && (!joined || x == 0 || !want[k][x-1]) {
					starts = append(starts, x)
				}
			}
			if len(starts) != int(sizes[k]) {
				t.Fatalf("set %d has %d spans, counted as %d", k, len(starts), sizes[k])
			}
			for at := s.next(root, 0); at != 0; at = s.next(root, s.nodes[at].lo+1) {
				if len(starts) == 0 || s.nodes[at].lo != starts[0] {
					t.Fatalf("set %d continues with %d, want %v", k, s.nodes[at].lo, starts)
				}
				starts = starts[1:]
			}
			if len(starts) > 0 {
				t.Fatalf("set %d ends before %v", k, starts)
			}
		}
	})
}

// TestPush checks that push builds the same tree as insert.
func TestPush(t *testing.T) {
	var s spans
	s.reset()
	a, b := int32(0), int32(0)
	for lo := range int32(200) {
		n := s.node(2*lo, 2*lo)
		a = s.insert(a, n)
	}
	first := slices.Clone(s.nodes)
	s.reset()
	for lo := range int32(200) {
		n := s.node(2*lo, 2*lo)
		b = s.push(b, n)
	}
	if a != b || !slices.Equal(first, s.nodes) {
		t.Error("the trees differ")
	}
}
