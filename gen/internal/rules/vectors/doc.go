// SPDX-License-Identifier: MIT

// Package vectors runs the two sides of rules on test vectors, by the meanings of the opcodes. [Verify] rejects rules
// whose sides differ, [Unfused] separates the products of a rule from its sums, and an [Instance], a rule at one assignment
// of sizes, finds candidates and witnesses for the prover.
//
// Its input is loaded rules; its output is errors, each with the vector on which a rule fails. The package knows only the
// rule that it runs.
package vectors
