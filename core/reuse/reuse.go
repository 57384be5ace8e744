package reuse

// Slice returns a slice of n elements in the memory of x, or in new memory if
// x has not got that much. What the elements hold is not defined.
func Slice[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}

// Zeroed is Slice with every element zero.
func Zeroed[T any](x []T, n int) []T {
	x = Slice(x, n)
	clear(x)
	return x
}
