// Package random makes programs at random and asks several accounts what each of
// them computes: a C program compiled by the host's compiler, the interpreter on
// the module as it is read and behind all passes, the model of the execution units
// for every target at every width, and lavapipe. A program that they do not agree on is reduced.
//
// An abstract program is written twice, as GLSL and as C. It is defined for all
// inputs: indices stay inside, floats stay where arithmetic is exact, no two
// invocations race. The C program runs the invocations of a workgroup in
// lockstep, and shares nothing with the compiler but the abstract program.
package random
