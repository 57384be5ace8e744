// SPDX-License-Identifier: MIT

package bits

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func ExampleSet() {
	s := NewSet(100)
	s.Add(3)
	s.Add(99)
	fmt.Println(s.Insert(3), s.Insert(64), s.Count())
	for i := s.Next(0); i >= 0; i = s.Next(i + 1) {
		fmt.Print(i, " ")
	}
	// Output:
	// false true 3
	// 3 64 99
}

// draw draws a set, and returns it also as a map.
func draw(t *rapid.T, n int, name string) (Set, map[int]bool) {
	s, m := NewSet(n), map[int]bool{}
	for _, i := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, name) {
		s.Add(i)
		m[i] = true
	}
	return s, m
}

// TestSetIsASet compares every operation with maps.
func TestSetIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		a, ma := draw(t, n, "a")
		b, mb := draw(t, n, "b")
		c, mc := draw(t, n, "c")
		check := func(what string, s Set, want func(i int) bool) {
			count, next := 0, -1
			for i := n - 1; i >= 0; i-- {
				if s.Has(i) != want(i) {
					t.Fatalf("%s: Has(%d) = %v", what, i, s.Has(i))
				}
				if want(i) {
					count++
					next = i
				}
				if s.Next(i) != next {
					t.Fatalf("%s: Next(%d) = %d, want %d", what, i, s.Next(i), next)
				}
			}
			if s.Count() != count || s.Empty() != (count == 0) {
				t.Fatalf("%s: Count %d, Empty %v; want %d", what, s.Count(), s.Empty(), count)
			}
		}
		op := func(what string, f func(s Set) bool, want func(i int) bool) {
			s := NewSet(n)
			s.Copy(a)
			changed := f(s)
			check(what, s, want)
			if changed == s.Equal(a) {
				t.Fatalf("%s reports %v", what, changed)
			}
		}
		op("union", func(s Set) bool { return s.Union(b) }, func(i int) bool { return ma[i] || mb[i] })
		op("flow", func(s Set) bool { return s.Flow(a, b, c) }, func(i int) bool { return ma[i] || mb[i] && !mc[i] })
		op("intersect", func(s Set) bool { s.Intersect(b); return !s.Equal(a) }, func(i int) bool { return ma[i] && mb[i] })
		op("subtract", func(s Set) bool { s.Subtract(b); return !s.Equal(a) }, func(i int) bool { return ma[i] && !mb[i] })
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		op("insert", func(s Set) bool { return s.Insert(i) }, func(k int) bool { return ma[k] || k == i })
		op("remove", func(s Set) bool { s.Remove(i); return !s.Equal(a) }, func(k int) bool { return ma[k] && k != i })
		lo := rapid.IntRange(0, n).Draw(t, "lo")
		hi := rapid.IntRange(0, n).Draw(t, "hi")
		in := func(k int) bool { return lo <= k && k < hi }
		op("add range", func(s Set) bool { s.AddRange(lo, hi); return !s.Equal(a) }, func(k int) bool { return ma[k] || in(k) })
		op("remove range", func(s Set) bool { s.RemoveRange(lo, hi); return !s.Equal(a) }, func(k int) bool { return ma[k] && !in(k) })
		if next := a.Next(lo); a.HasAny(lo, hi) != (lo < hi && next >= 0 && next < hi) {
			t.Fatalf("any from %d to %d: %v; the next is %d", lo, hi, a.HasAny(lo, hi), next)
		}
		op("clear", func(s Set) bool { s.Clear(); return !s.Equal(a) }, func(int) bool { return false })
		op("grow", func(s Set) bool { return len(s.Grow(n+500)) != Words(n+500) }, func(i int) bool { return ma[i] })
	})
}
