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

// Zeroed is like Slice, with every element zero.
func Zeroed[T any](x []T, n int) []T {
	x = Slice(x, n)
	clear(x)
	return x
}
