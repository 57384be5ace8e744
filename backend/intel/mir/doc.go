// SPDX-License-Identifier: MIT

// Package mir is the machine IR of the back end: machine instructions on virtual
// registers, in blocks that follow from structured control flow.
//
// A Func holds instructions as records without pointers, referenced by ID and linked
// into blocks; blocks are in the order of the final code. Control flow is the machine's
// own (if, else, endif, break, cont, while, halt) plus OpLoop, which marks the start of
// a loop and emits nothing. Func.BuildCFG derives from these instructions the tree of ifs
// and loops (Construct) and the edges between blocks, for lanes and for the thread, which
// jumps out of a construct when no lane is left.
//
// A virtual register is a number of bytes. A divergent register has a slot of Lane bytes for every lane, one
// component after another, and starts at a GRF boundary; a uniform register holds scalars and may share a GRF
// with others. Instructions on divergent registers execute at the dispatch width, under the channel mask.
// Instructions that compute uniform values execute one lane wide and without a mask (NoMask). Such a write
// modifies the register even if no lane is active. Interference therefore follows the physical control flow
// (then → else, break → rest of the loop), in addition to the logical one.
//
// In code for vertices whose lanes are components, instructions have the access mode Align16: each group of four lanes
// is a vertex, a source has a swizzle, and a destination a write mask. A register has a vector of each vertex in every
// GRF; its components are written by different instructions and live independently.
//
// A register may be written in several places, partially and under predicates. If a
// single instruction writes it, RegInfo.Def names that instruction: selection sets it,
// passes preserve it, the validator checks it.
//
// Predicates and condition modifiers use a flag register, which is virtual (Flag) until registers are
// allocated. It has a bit for each lane. Only cross-lane operations have flags as operands: they copy a whole
// flag from or to a scalar.
//
// Inst.Implicit returns the resources that an instruction reads and writes besides its operands: flags, the
// accumulator, the float mode, the channel mask and the memory of each space. A scheduler must preserve their
// order. The validator checks the constraints that a wrong order would break first: a read of the accumulator
// follows its write for the same lanes in the same block, and fences and barriers are awaited before the next
// access to the memory that they order.
//
// Code for 32 lanes is built with instructions of exec size 32 and, where 32 doublewords take more than two registers,
// split into halves before registers are allocated.
package mir
