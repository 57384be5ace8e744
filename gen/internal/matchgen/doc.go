// Package matchgen writes the Go code that matches a pattern: nested checks, and a loop
// over both orders for every commutative instruction. A failed check goes on with the
// next order, or gives up after the last. A [Matcher] is one pattern; the instruction
// selector is written with it.
//
// Rewrite rules use programs instead (core/match/prog), whose checks follow the same
// rules ([OrderMatters], [IsFloatOp]). The package knows patterns and nothing of what is
// done with a match.
package matchgen
