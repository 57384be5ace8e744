// Package flow holds the passes that change control flow: [LowerReturns] and
// [InlineFunctions] leave one function without early returns, [DeadControlFlow] drops
// what control never comes to, and [PeepholeSelect] makes selections of small ifs.
//
// [IfBefore], [LoopBefore] and [Join] are the means by which other passes insert ifs and
// loops in the middle of a block: they split it and keep phis right.
package flow
