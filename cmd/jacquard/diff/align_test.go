// SPDX-License-Identifier: MIT

package diff

import (
	"math/rand/v2"
	"testing"
	"time"
)

// longest returns the length of a longest common subsequence, by a table of all prefixes.
func longest(a, b []int) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// TestAlign compares the lengths of alignments of random sequences with the longest possible ones.
func TestAlign(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		a, b := make([]int, rng.IntN(24)), make([]int, rng.IntN(24))
		letters := 1 + rng.IntN(8)
		for i := range a {
			a[i] = rng.IntN(letters)
		}
		for i := range b {
			b[i] = rng.IntN(letters)
		}
		pairs := align(a, b)
		check(t, a, b, pairs)
		if len(pairs) != longest(a, b) {
			t.Fatalf("%v and %v: %d pairs, want %d", a, b, len(pairs), longest(a, b))
		}
	}
}

// check checks that pairs are equal and in order.
func check(t *testing.T, a, b []int, pairs []pair) {
	t.Helper()
	last := pair{-1, -1}
	for _, p := range pairs {
		if p.old <= last.old || p.new <= last.new || a[p.old] != b[p.new] {
			t.Fatalf("%v and %v: pair %v behind %v", a, b, p, last)
		}
		last = p
	}
}

// TestAlignLarge: sequences with little in common, with more differences than the search allows, are aligned in
// bounded time, and their common start and end are found.
func TestAlignLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	a, b := make([]int, 30000), make([]int, 25000)
	for i := range a {
		a[i] = rng.IntN(1000)
	}
	for i := range b {
		b[i] = 500 + rng.IntN(1000)
	}
	begun := time.Now()
	pairs := align(a, b)
	check(t, a, b, pairs)
	if took := time.Since(begun); took > 20*time.Second || len(pairs) < 300 {
		t.Errorf("%v for %d pairs", took, len(pairs))
	} else {
		t.Logf("%v for %d pairs", took, len(pairs))
	}
}
