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
// # Pipes
//
// Some machines have pipes for floats, integers and long operations, which run at different speeds (ACM
// PRM vol. 2a, "Software Scoreboard"; iga64 -Xauto-deps for 12p71). For them, also:
//
//   - A@d waits for the d-th instruction back in each pipe, F@d, I@d and L@d in one.
//     @d counts the instruction's own pipe, or that of its sources: documents and
//     compilers differ, so it counts only where these are the same.
//   - Between pipes, overwriting a source needs a wait too, even in order.
//   - A result more than ten instructions of its pipe old is available; fourteen in
//     the long pipe.
//   - Branches are integer instructions, but a distance has to be right even if
//     they do not count.
//   - Hardware tracks flags and accumulators, all of them, within a pipe only: reading
//     and writing them in another pipe needs a wait. Messages and math are in no pipe.
//     (Mesa and IGC do not wait for flags that another pipe has written, iga64 does.)
//   - Of a0, doublewords are tracked. A message reads its descriptors when it is issued.
//   - The instruction after a write to another architecture register needs A@1.
//
// # Math in order
//
// Some of them execute math in order, in a fourth pipe, and have only messages under tokens (Xe2;
// IGC, SWSB_G4IR.cpp; Mesa, brw_fs_scoreboard.cpp). For them, also:
//
//   - M@d waits for the d-th math instruction back. A result more than 18 math
//     instructions old is available (IGA; Mesa waits for 10).
//   - Math has no distance without a letter that compilers agree about.
//   - Of the other instructions, those whose destination is a 64-bit float are in
//     the long pipe. Integers of 64 bits and products of doublewords are in the
//     integer pipe.
//
// Registers of 64 bytes are written in words: an instruction that writes a byte also writes the other one of its word
// (IGA, SWSBSetter.cpp, where it is the whole register).
//
// # Method
//
// The operations that may be outstanding at the start of each block are propagated to a fixed point. Then every
// reachable instruction is checked once, in program order. The operations outstanding under a token form a row,
// which states share.
package hazards
