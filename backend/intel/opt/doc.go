// SPDX-License-Identifier: MIT

// Package opt improves machine IR before register allocation. It propagates copies or removes them by assigning
// both sides the same register ([Workspace.Coalesce]), folds comparisons with zero into the instruction that
// computes the value ([CompareZero]), removes comparisons whose result is already in a flag ([Workspace.SameFlag])
// and dead code ([Workspace.DeadCode]), and computes values in all lanes that were computed in one lane only to be
// copied to all ([Workspace.Broadcast]).
//
// The phis of the IR arrive as stores to and loads of registers, so coalescing happens here, where interference
// is known per lane. No pass of this package is needed for correct code, and none moves an instruction to
// another block.
package opt
