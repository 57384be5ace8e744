// SPDX-License-Identifier: MIT

// Package bytemask computes the bytes of a register that an instruction reads and writes, as masks with a bit
// for each byte of a GRF ([SrcReadPattern], [DstWritePattern]). With them the allocator can see that several
// partial writes together define all bytes that a partial read uses, so that a live range does not extend over
// a whole loop for bytes that are never read.
//
// A write mask contains only bytes that are certainly written; a read mask contains all bytes that may be read.
// The package looks at one instruction at a time. Liveness in a function is computed with core/graph, as each
// pass needs it: for components and lanes of registers in package opt, for registers and flags in package ra,
// for the allocated register file in package guard. Package sched estimates it by block.
package bytemask
