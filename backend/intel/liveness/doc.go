// Package liveness computes which bytes of a register an instruction reads and writes,
// as masks with a bit for each byte of a GRF ([SrcReadPattern], [DstWritePattern]). They
// let the allocator see that several partial writes together define what a partial read
// uses, so that a live range does not extend over a whole loop for bytes that are never
// read.
//
// Write masks never contain more than what is written, read masks never less than what
// is read. The package looks at one instruction at a time. Liveness in a function is
// computed with core/graph, for what each pass needs: components and lanes of registers in
// package opt, registers and flags in package ra, the allocated register file in package
// guard. Package sched estimates it by block.
package liveness
