// SPDX-License-Identifier: MIT

// Package selectgen turns the rows of defs/intel/select into the instruction selector, generated/intel/select.
//
// [Generate] writes the selector and the manual's page about the language of rows (generated/docs/selection.md);
// [Claims] returns the claims of rows about their results, for tests and the solver; [Covers] returns the operations
// that the rows match.
//
// Every row that emits instructions claims, at each assignment of sizes and with each modifier that it folds, that they
// compute the matched operation; the generator tests the claims on vectors, the solver proves them. Tests compile rows
// that call the back end in isolation and run them on the model.
package selectgen
