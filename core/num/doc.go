// SPDX-License-Identifier: MIT

// Package num implements arithmetic that does not depend on the host machine: integers that wrap and never trap, and
// floats of 16, 32 and 64 bits whose operations each round once, in the given rounding mode, with one canonical NaN.
// The constant folder, the interpreter and the machine model compute with it, so that they cannot disagree in a corner
// case.
//
// A [Mode] selects rounding and the treatment of denormals. The package imports no other package of the project, and
// depends on no floating-point state of the host.
//
// A 16-bit float is represented by a float32 that is exactly representable in 16 bits. Functions whose name ends in 16,
// 32 or 64 work on that width.
//
// Division is total, with the results of SMT-LIB's bit vectors: unsigned x/0 is all ones, and signed x/0 is -1 if x is
// at least zero and 1 if it is negative; the remainder of x by 0 is x; the most negative number divided by -1 is
// itself, with remainder 0.
package num
