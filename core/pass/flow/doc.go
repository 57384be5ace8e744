// SPDX-License-Identifier: MIT

// Package flow contains the passes that change control flow. [LowerReturns] and [InlineFunctions] leave one function
// without returns. [DeadControlFlow] removes unreachable code. [OneTripLoops] removes loops that do not repeat.
// [UnrollLoops] unrolls loops with few iterations; of other loops it copies the body several times, or peels the first
// iterations. [NestContinues] removes continues. [HoistInvariants] moves loop-invariant code out of loops. [MergeIfs]
// merges nested and consecutive ifs, and [PeepholeSelect] turns small ifs into selects.
//
// Other passes use [IfBefore], [LoopBefore] and [Join] to insert ifs and loops in the middle of a block: they split the
// block and keep phis valid.
package flow
