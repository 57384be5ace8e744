// SPDX-License-Identifier: MIT

// Package random generates random programs (package randprog) and computes the results of each in
// several ways, called accounts: a C program compiled by the host's compiler, the
// interpreter on the module as read and after all passes, the model of the execution
// units for every target at every width, and lavapipe. A program on which they
// disagree is reduced. Every other program is compiled without a random set of the
// optional passes.
//
// An abstract program is written twice, as GLSL and as C. It is defined for all
// inputs: indices are in bounds, floats stay where arithmetic is exact, no two
// invocations race. The C program runs the invocations of a workgroup in
// lockstep, and shares nothing with the compiler but the abstract program.
package random
