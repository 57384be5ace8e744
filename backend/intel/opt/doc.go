// Package opt improves machine IR before register allocation. It propagates copies or removes them by assigning
// both sides the same register ([Memory.Coalesce]), folds comparisons with zero into the instruction that
// computes the value ([CompareZero]), removes comparisons whose result is already in a flag ([Memory.SameFlag])
// and dead code ([Memory.DeadCode]), and computes values in all lanes that were computed in one lane only to be
// copied to all ([Memory.Broadcast]).
//
// The phis of the IR arrive as stores to and loads of registers, so coalescing happens here, where interference
// is known per lane. No pass of this package is needed for correct code, and none moves an instruction to
// another block.
package opt
