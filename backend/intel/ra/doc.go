// SPDX-License-Identifier: MIT

// Package ra assigns virtual registers to GRFs ([Allocator.Allocate]).
//
// The allocator is a linear scan over intervals, not graph coloring: allocation takes a tenth of compile time.
// Live ranges are intervals over the linear order of the code, which covers the physical control flow: a value
// that is live on one side of an if is preserved through the other side, and a value that is defined in a loop
// and read after it is preserved through the whole loop. So an unmasked write never clobbers a register that
// some inactive lane still needs.
//
// While pressure is low, registers are assigned in turn, scalars and vectors separately, so that an instruction
// that overwrites or shares a register does not wait for earlier instructions. If not all registers have room
// then, they are placed as tightly as possible.
//
// If there are not enough registers, several are spilled each round: constants are reloaded, operations whose
// source registers are unchanged are rematerialized at the use, uniform loads keep one lane, flags go to
// general registers, and all others go to scratch memory through the [SpillCode] that package lower provides. Reads of
// a spilled register that follow each other closely share one filled copy.
//
// The register file, its size included, is a row of the platform ([Machine]). Package allocheck checks the result and
// shares no code with this package.
package ra
