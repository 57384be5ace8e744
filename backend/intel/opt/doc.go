// Package opt improves machine IR before registers are allocated: copies are read
// through or made to vanish by giving both sides one register ([Memory.Coalesce]),
// comparisons with zero go into the instruction that computes the value ([CompareZero]),
// what a flag holds already is not computed again ([Memory.SameFlag]), and what nothing
// reads is dropped ([Memory.DeadCode]).
//
// The IR's phis leave as stores to and loads of registers, so that coalescing happens
// here, where interference is known lane by lane. No pass of this package is needed for
// correct code, and none moves an instruction to another block.
package opt
