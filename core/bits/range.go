// SPDX-License-Identifier: MIT

package bits

// AddRange adds the numbers from a to b-1.
func (s Set) AddRange(a, b int) {
	for ; a < b; a = nextWord(a) {
		s[a/64] |= wordRange(a, b)
	}
}

// RemoveRange removes the numbers from a to b-1.
func (s Set) RemoveRange(a, b int) {
	for ; a < b; a = nextWord(a) {
		s[a/64] &^= wordRange(a, b)
	}
}

// HasAny reports whether any of the numbers from a to b-1 is in the set.
func (s Set) HasAny(a, b int) bool {
	for ; a < b; a = nextWord(a) {
		if s[a/64]&wordRange(a, b) != 0 {
			return true
		}
	}
	return false
}

// nextWord returns the first number in the word after the word of a.
func nextWord(a int) int { return a&^63 + 64 }

// wordRange returns the mask of the numbers from a to b-1 in the word of a.
func wordRange(a, b int) uint64 {
	m := ^uint64(0) << (uint(a) % 64)
	if b < nextWord(a) {
		m &= 1<<(uint(b)%64) - 1
	}
	return m
}
