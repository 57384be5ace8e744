// Package hazards checks the software scoreboard of encoded programs over all
// paths: that whatever an instruction depends on has been waited for, however the
// thread came there. It reads machine code and knows nothing of who wrote it.
//
// [Check] takes the code of a program, for a platform, and returns the first [Error]; it
// takes no part in compiling but under --verify.
//
// # Rules
//
// They are those of TGL PRM vol. 2a, "Software Scoreboard"; where two compilers
// for this hardware differ, those of the more careful one.
//
//   - Arithmetic, branches and nop are in order; send and math run out of order
//     under a token. @d waits for the d-th in-order instruction back and all
//     before it, $n.dst for a token's result and its sources, $n.src for its
//     sources; taking a token waits for who had it.
//   - In order behind in order: reading or writing over a result needs @d.
//     (Intel's OpenCL compiler leaves out the second, Mesa does not.)
//   - Out of order behind in order: so does writing over a source.
//   - Behind out of order: reading or writing over a result needs $n.dst, writing
//     over a source $n.src.
//   - A result more than ten in-order instructions old is there.
//   - Compilers differ in whether nop and halt count for distances. A distance
//     has to be right if they do not.
//   - Flags and the accumulators acc0 and acc1 are tracked by hardware; a0 is not.
//     What follows a write to another architecture register needs @1.
//   - An execution unit may run instructions without mask while all its lanes are
//     off, and skips masked ones with their waits (Wa_1407528679). So what one
//     instruction without mask needs of another has to be waited for without mask.
//
// Dependencies are between whole registers: two instructions that use different
// bytes of one are kept apart as well, unless both are in order and write.
//
// # Method
//
// What may be outstanding at the start of each block is followed to a fixed point;
// then every instruction that the thread may come to is checked once, in the order of
// the code. What is under way under a token is a row, which states share.
package hazards
