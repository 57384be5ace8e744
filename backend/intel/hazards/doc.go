// SPDX-License-Identifier: MIT

// Package hazards checks the software scoreboard of encoded programs over all paths: every dependency of an
// instruction must have been waited for on every path to it. It checks machine code from any compiler.
//
// [Check] takes the code of a program for a platform and returns the first [Error]. The
// compiler calls it under --verify, and for machine IR that it reads with scoreboard fields set.
//
// # Rules
//
// The rules follow TGL PRM vol. 2a, "Software Scoreboard". Where two compilers for this hardware differ, the
// rules follow the more conservative one.
//
//   - Arithmetic, branches and nop are in order; send and math run out of order
//     under a token. @d waits for the d-th in-order instruction back and all
//     before it, $n.dst for a token's result and its sources, $n.src for its
//     sources; allocating a token waits for its previous user.
//   - In order after in order: reading or overwriting a result needs @d.
//     (Intel's OpenCL compiler omits the second, Mesa does not.)
//   - Out of order after in order: overwriting a source also needs @d.
//   - Anything after out of order: reading or overwriting a result needs $n.dst,
//     overwriting a source $n.src.
//   - A result more than ten in-order instructions old is available.
//   - Compilers differ in whether nop and halt count for distances. A distance
//     has to be right even if they do not.
//   - Flags and the accumulators acc0 and acc1 are tracked by hardware; a0 is not.
//     The instruction after a write to another architecture register needs @1.
//   - An execution unit may run unmasked instructions while all its lanes are
//     off, and skips masked ones with their waits (Wa_1407528679). So a dependency
//     between two unmasked instructions needs an unmasked wait.
//
// Dependencies on out-of-order results, and on overwritten sources, are between whole registers: two
// instructions that use different bytes of one register conflict. Dependencies on in-order results are between
// bytes (iga64 -Xauto-deps compares bytes; Mesa compares registers, but its values share none).
//
// # Method
//
// The operations that may be outstanding at the start of each block are propagated to a fixed point. Then every
// reachable instruction is checked once, in program order. The operations outstanding under a token form a row,
// which states share.
package hazards
