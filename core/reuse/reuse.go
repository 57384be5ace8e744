// SPDX-License-Identifier: MIT

package reuse

// Slice returns a slice of n elements in the memory of x, or in new memory if x is too
// small. The contents of the elements are unspecified.
func Slice[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}

// Room returns x with room for n more elements, in memory at least twice as large if it was too small. Growing by append, which
// adds a quarter to long slices, copies each element several times more.
func Room[T any](x []T, n int) []T {
	if len(x)+n <= cap(x) {
		return x
	}
	return append(make([]T, 0, 2*cap(x)+n), x...)
}

// Zeroed is like Slice, with every element zero.
func Zeroed[T any](x []T, n int) []T {
	if cap(x) < n {
		return Slice(x, n) // new memory is zero, and the system provides its pages when they are used
	}
	x = x[:n]
	clear(x)
	return x
}
