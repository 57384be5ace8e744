// SPDX-License-Identifier: MIT

// Package work bounds the work of the compiler for one input. Most of it takes time proportional to the input and needs
// no bound. Work that may grow faster is bounded here: an input that exceeds a bound is rejected with an error, however
// deep in the compiler this is noticed ([Exceeded], [Catch]), and a [Meter] counts steps and checks the context.
//
// The budgets are amounts of work and memory, never seconds, so that an input is treated alike on every machine.
// "jacquard help limits" lists them.
package work
