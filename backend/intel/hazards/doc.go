// Package hazards checks the software scoreboard of encoded programs over all
// paths: every dependency of an instruction must have been waited for, on whatever
// path the thread reached it. It reads machine code, whoever wrote it.
//
// [Check] takes the code of a program for a platform and returns the first [Error]. The
// compiler calls it only under --verify.
//
// # Rules
//
// The rules are those of TGL PRM vol. 2a, "Software Scoreboard"; where two compilers
// for this hardware differ, those of the more conservative one.
//
//   - Arithmetic, branches and nop are in order; send and math run out of order
//     under a token. @d waits for the d-th in-order instruction back and all
//     before it, $n.dst for a token's result and its sources, $n.src for its
//     sources; allocating a token waits for its previous user.
//   - In order after in order: reading or overwriting a result needs @d.
//     (Intel's OpenCL compiler omits the second, Mesa does not.)
//   - Out of order after in order: so does overwriting a source.
//   - After out of order: reading or overwriting a result needs $n.dst, overwriting
//     a source $n.src.
//   - A result more than ten in-order instructions old is available.
//   - Compilers differ in whether nop and halt count for distances. A distance
//     has to be right even if they do not.
//   - Flags and the accumulators acc0 and acc1 are tracked by hardware; a0 is not.
//     The instruction after a write to another architecture register needs @1.
//   - An execution unit may run unmasked instructions while all its lanes are
//     off, and skips masked ones with their waits (Wa_1407528679). So a dependency
//     between two unmasked instructions needs an unmasked wait.
//
// Dependencies on what runs out of order, or overwrites sources, are between whole registers: two
// instructions that use different bytes of one register conflict as well. A result that is in order is
// waited for by its bytes (iga64 -Xauto-deps goes by bytes, Mesa by registers: its values share none).
//
// # Method
//
// What may be outstanding at the start of each block is propagated to a fixed point;
// then every reachable instruction is checked once, in program order. The work
// outstanding under a token is a row, which states share.
package hazards
