// Package opt improves machine IR before registers are allocated: copies are propagated
// or removed by assigning both sides the same register ([Memory.Coalesce]), comparisons with
// zero are folded into the instruction that computes the value ([CompareZero]),
// comparisons whose result is already in the flag are removed ([Memory.SameFlag]), and so is
// dead code ([Memory.DeadCode]); what is computed in one lane only to be copied to all is
// computed in all ([Memory.Broadcast]).
//
// The IR's phis arrive as stores to and loads of registers, so coalescing happens here,
// where interference is known per lane. No pass of this package is needed for correct
// code, and none moves an instruction to another block.
package opt
