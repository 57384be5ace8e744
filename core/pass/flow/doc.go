// Package flow contains the passes that change control flow: [LowerReturns] and
// [InlineFunctions] leave one function without early returns, [DeadControlFlow] removes
// unreachable code, [OneTripLoops] the loops that do not repeat, [UnrollLoops] those of a
// few iterations, and gives others several copies of their bodies or copies their first
// iterations, [NestContinues] removes their continues, [HoistInvariants] moves what is the same
// in every iteration in front of loops, [MergeIfs] makes one of nested ifs, and
// [PeepholeSelect] turns small ones into selects.
//
// Other passes use [IfBefore], [LoopBefore] and [Join] to insert ifs and loops in the
// middle of a block: they split the block and keep phis valid.
package flow
