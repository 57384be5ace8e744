// Package liveness says which bytes of a register an instruction reads and writes, a bit
// for each byte of a GRF ([SrcReadPattern], [DstWritePattern]). With it the allocator
// sees that several partial writes together define what a partial read uses, so that a
// life does not grow to a whole loop for bytes that nothing reads.
//
// Masks of writes never hold more than what is written, masks of reads never less than
// what is read. The package looks at one instruction at a time; lives over the whole of
// a function are computed in package ra.
package liveness
