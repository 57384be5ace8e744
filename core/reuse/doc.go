// SPDX-License-Identifier: MIT

// Package reuse allocates slices in reused memory, so that a stage of the compiler allocates only once what it needs
// for every shader. [Slice] returns a slice of a given length with arbitrary contents, [Zeroed] a slice of zeros. Both
// allocate only if the existing memory is too small, and then a quarter more than requested. [Room] is for slices that
// grow while they are filled. It is not a pool: the holder of the slice owns it. The package imports no other package
// of the project.
package reuse
