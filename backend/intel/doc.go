// SPDX-License-Identifier: MIT

// Package intel is the back end for Intel GPUs. Its input is a shader in core/ir, lowered to operations that
// the machine supports. Its output is machine code with the information that a launcher needs. [Compile], or a
// [Compiler] that reuses its memory, runs the table of [Passes]. Each row of the table names the passes that
// must have run before it and the capability that a machine must have for it.
//
// Each stage is a package: isel (selection, in source order), opt, lower, sched (order, before allocation only), ra
// (register allocation), guard (fused threads), swsb (scoreboard) and emit. They all work on mir. With Options.Verify,
// the mir validator checks the result of every pass, ordercheck the order, allocheck the allocation, and hazards the
// scoreboard. The package does not run code: package eu, which is independent of this one, does.
package intel
