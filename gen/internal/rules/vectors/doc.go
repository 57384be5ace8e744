// Package vectors runs the two sides of rules on test vectors, by the meanings of the opcodes. [Verify] rejects rules
// whose sides differ, [Unfused] separates the products of a rule from its sums, and an [Instance], a rule at one assignment
// of sizes, finds candidates and witnesses for the prover.
//
// Loaded rules enter; errors with the vector leave. The package knows only the rule that it runs.
package vectors
