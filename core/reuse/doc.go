// Package reuse takes slices from memory that was used before: what a stage of the
// compiler needs again for every shader is allocated once. [Slice] returns a slice of a
// given length with any content, [Zeroed] one of zeros; both allocate only when what is
// there is too small, and then a quarter more than asked for. It is no pool: whoever
// keeps the slice owns it. It depends on nothing.
package reuse
