// Package num is arithmetic that does not depend on the machine it runs on:
// integers that wrap and never trap, and floats of 16, 32 and 64 bits whose
// every operation rounds once, in the rounding mode asked for, with one
// canonical NaN. The constant folder, the interpreter and the machine model
// compute with it, so that they cannot disagree about a corner.
//
// Rounding and the treatment of denormals are a [Mode]. The package depends on nothing,
// and on no floating-point state of the host.
//
// A 16-bit float is carried in a float32 that is exactly representable in 16
// bits. Functions whose name ends in 16, 32 or 64 work on that width.
//
// Division is total, with the results that SMT-LIB's bit vectors have: x/0 is
// all ones unsigned, and -1 or 1 signed as x is at least or below zero; the
// remainder of x by 0 is x; the most negative number divided by -1 is itself,
// with remainder 0.
package num
