// SPDX-License-Identifier: MIT

package bits

import "math/bits"

// Set is a set of numbers 0, 1, 2 …, one bit each. Its capacity is the number of bits in its words; sets that are
// combined must have the same number of words.
type Set []uint64

// Words returns the number of words that a set of numbers below n needs.
func Words(n int) int { return (n + 63) / 64 }

// NewSet returns an empty set for numbers below n.
func NewSet(n int) Set { return make(Set, Words(n)) }

// Grow returns the set with room for numbers below n; it may share words with s.
func (s Set) Grow(n int) Set {
	for w := Words(n); len(s) < w; {
		s = append(s, 0)
	}
	return s
}

// Has reports whether i is in the set.
func (s Set) Has(i int) bool { return s[uint(i)/64]>>(uint(i)%64)&1 != 0 }

// Add adds i to the set.
func (s Set) Add(i int) { s[uint(i)/64] |= 1 << (uint(i) % 64) }

// Remove removes i from the set.
func (s Set) Remove(i int) { s[uint(i)/64] &^= 1 << (uint(i) % 64) }

// Insert adds i to the set and reports whether it is new.
func (s Set) Insert(i int) bool {
	w, b := uint(i)/64, uint64(1)<<(uint(i)%64)
	old := s[w]
	s[w] = old | b
	return old&b == 0
}

// Clear empties the set.
func (s Set) Clear() { clear(s) }

// Copy sets s to t.
func (s Set) Copy(t Set) { copy(s, t) }

// Union adds the numbers of t and reports whether any is new.
func (s Set) Union(t Set) bool {
	t = t[:len(s)]
	added := uint64(0)
	for i, w := range s {
		added |= t[i] &^ w
		s[i] = w | t[i]
	}
	return added != 0
}

// Intersect keeps only the numbers that are also in t.
func (s Set) Intersect(t Set) {
	t = t[:len(s)]
	for i := range s {
		s[i] &= t[i]
	}
}

// Subtract removes the numbers of t.
func (s Set) Subtract(t Set) {
	t = t[:len(s)]
	for i := range s {
		s[i] &^= t[i]
	}
}

// Flow performs the step of a backward data-flow analysis, s |= use | (out &^ def), and reports
// whether s grew.
func (s Set) Flow(use, out, def Set) bool {
	use, out, def = use[:len(s)], out[:len(s)], def[:len(s)]
	added := uint64(0)
	for i, w := range s {
		n := use[i] | out[i]&^def[i]
		added |= n &^ w
		s[i] = w | n
	}
	return added != 0
}

// Equal reports whether both sets contain the same numbers.
func (s Set) Equal(t Set) bool {
	t = t[:len(s)]
	for i, w := range s {
		if w != t[i] {
			return false
		}
	}
	return true
}

// Empty reports whether the set is empty.
func (s Set) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Count returns the number of elements.
func (s Set) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the smallest number of the set that is at least i, or -1. To iterate:
// for i := s.Next(0); i >= 0; i = s.Next(i + 1).
func (s Set) Next(i int) int {
	w := i / 64
	if w >= len(s) {
		return -1
	}
	if x := s[w] >> (uint(i) % 64); x != 0 {
		return i + bits.TrailingZeros64(x)
	}
	for w++; w < len(s); w++ {
		if s[w] != 0 {
			return w*64 + bits.TrailingZeros64(s[w])
		}
	}
	return -1
}
