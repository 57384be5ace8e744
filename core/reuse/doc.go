// Package reuse allocates slices from reused memory: what a stage of the compiler needs again
// for every shader is allocated once. [Slice] returns a slice of a given length with
// arbitrary content, [Zeroed] one of zeros; both allocate only if the existing memory is too
// small, and then a quarter more than requested. It is not a pool: the holder of the slice
// owns it. It depends on no other package.
package reuse
