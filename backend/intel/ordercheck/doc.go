// SPDX-License-Identifier: MIT

// Package ordercheck checks passes that reorder the instructions of blocks ([Check]). It replays both orders
// instead of constructing dependences: for each byte of a register, and each resource that instructions use
// implicitly, it tracks the last instruction of the block that wrote it. For every resource that an instruction
// reads or writes, the last writer must be the same in both orders. Then all reads have the same values,
// overlapping writes stay in order, and the constraints on memory hold.
//
// It shares no code with the scheduler.
package ordercheck
